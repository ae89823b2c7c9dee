//! A scenario run.

use supervisor::{Observer, Summary, Supervisor};

use crate::Scenario;

/// Runs a scenario event by event to its end, telling `observer`. One for time stepping is for
/// [`run_stepping`](crate::stepping::run_stepping).
pub fn run(scenario: &Scenario, observer: &mut impl Observer) -> Summary {
    let solver = &scenario.solver;
    let flight = flight::Newmark::new(solver.scheme, solver.control);
    let contact = rolling::Newmark::new(solver.formulation, solver.scheme, solver.control);
    Supervisor::new(&scenario.scene, scenario.options(), scenario.start, flight, contact).run(observer)
}
