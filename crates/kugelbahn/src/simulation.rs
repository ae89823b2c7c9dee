//! A scenario run.

use supervisor::{Observer, Summary, Supervisor};

use crate::Scenario;

/// A scenario for time stepping was to be run event by event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the scenario is for time stepping (solver.method = \"moreau\" or \"kern\"): run it with kugelbahn::stepping::run_stepping"
)]
pub struct NotEventDriven;

/// Runs a scenario event by event to its end, telling `observer`. One for time stepping is refused: it is for
/// [`run_stepping`](crate::stepping::run_stepping), which tells steps.
pub fn run(scenario: &Scenario, observer: &mut impl Observer) -> Result<Summary, NotEventDriven> {
    if scenario.stepping.is_some() {
        return Err(NotEventDriven);
    }
    let solver = &scenario.solver;
    let flight = flight::Newmark::new(solver.scheme, solver.control);
    let contact = rolling::Newmark::new(solver.formulation, solver.scheme, solver.control);
    Ok(Supervisor::new(&scenario.scene, scenario.options(), scenario.start, flight, contact).run(observer))
}
