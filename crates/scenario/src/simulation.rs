//! A scenario run.

use flight::{Bdf, Dop853, FlightMethod, MethodError, Newmark, Radau};
use newmark::Control;
use supervisor::{Observer, Options, Summary, Supervisor};

use crate::scenario::{FlightKind, Scenario};
use crate::solver::DEFAULT;

/// Why a scenario can't be run event by event.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum NotEventDriven {
    /// It is for time stepping.
    #[error(
        "the scenario is for time stepping (solver.method = \"moreau\" or \"kern\"): run it with kugelbahn::stepping::run_stepping"
    )]
    TimeStepping,
    /// Its flight method does not go with its steps or tolerances, which no scenario as read has.
    #[error(transparent)]
    Method(#[from] MethodError),
}

impl Scenario {
    /// What the supervisor is told.
    pub fn options(&self) -> Options {
        Options {
            duration: self.solver.duration,
            interval: Some(self.interval),
            capture_speed: self.solver.capture_speed,
            capture_tolerance: self.solver.capture_tolerance,
            largest_step: self.solver.largest_step,
            compression: match self.solver.control {
                Control::Tolerance(tolerance) => tolerance,
                Control::Step { .. } => DEFAULT,
            },
            limit: Some(self.solver.limit),
        }
    }
}

/// Runs a scenario event by event to its end, telling `observer`. One for time stepping is refused: it is for
/// [`run_stepping`](crate::stepping::run_stepping), which tells steps.
pub fn run(scenario: &Scenario, observer: &mut impl Observer) -> Result<Summary, NotEventDriven> {
    run_with(scenario, scenario.options(), observer)
}

/// The same with other options.
pub fn run_with(
    scenario: &Scenario,
    options: Options,
    observer: &mut impl Observer,
) -> Result<Summary, NotEventDriven> {
    if scenario.stepping.is_some() {
        return Err(NotEventDriven::TimeStepping);
    }
    let solver = &scenario.solver;
    let control = solver.control;
    Ok(match solver.method {
        FlightKind::Newmark => fly(scenario, options, Newmark::new(solver.scheme, control), observer),
        FlightKind::Bdf => fly(scenario, options, Bdf::new(control)?, observer),
        FlightKind::Radau => fly(scenario, options, Radau::new(control)?, observer),
        FlightKind::Dop853 => fly(scenario, options, Dop853::new(control)?, observer),
    })
}

fn fly(scenario: &Scenario, options: Options, flight: impl FlightMethod, observer: &mut impl Observer) -> Summary {
    let solver = &scenario.solver;
    let contact = rolling::Newmark::new(solver.formulation, solver.scheme, solver.control);
    Supervisor::new(&scenario.scene, options, scenario.start, flight, contact)
        .with_localisation(solver.localisation)
        .run(observer)
}
