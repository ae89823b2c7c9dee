//! A scenario run.

use supervisor::{Observer, Summary, Supervisor};

use crate::Scenario;

/// Runs a scenario to its end, telling `observer`.
pub fn run(scenario: &Scenario, observer: &mut impl Observer) -> Summary {
    let solver = &scenario.solver;
    let flight = flight::Newmark::new(solver.scheme, solver.control);
    let contact = rolling::Newmark::new(solver.formulation, solver.scheme, solver.control);
    Supervisor::new(&scenario.scene, scenario.options(), scenario.start, flight, contact).run(observer)
}
