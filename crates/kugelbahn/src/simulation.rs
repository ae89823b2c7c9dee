//! A scenario run.

use flight::{Bdf, Dop853, FlightCount, FlightError, FlightMethod, FlightStep, MethodError, Newmark, Radau};
use mechanics::{Forces, State};
use supervisor::{Observer, Options, Summary, Supervisor};

use crate::Scenario;
use crate::scenario::FlightKind;

/// Runs a scenario event by event to its end, telling `observer`. One for time stepping is for
/// [`run_stepping`](crate::stepping::run_stepping).
pub fn run(scenario: &Scenario, observer: &mut impl Observer) -> Summary {
    run_with(scenario, scenario.options(), observer)
}

/// The same with other options.
pub fn run_with(scenario: &Scenario, options: Options, observer: &mut impl Observer) -> Summary {
    let solver = &scenario.solver;
    let control = solver.control;
    match solver.method {
        FlightKind::Newmark => fly(scenario, options, Ok(Newmark::new(solver.scheme, control)), observer),
        FlightKind::Bdf => fly(scenario, options, Bdf::new(control), observer),
        FlightKind::Radau => fly(scenario, options, Radau::new(control), observer),
        FlightKind::Dop853 => fly(scenario, options, Dop853::new(control), observer),
    }
}

/// A method that can't be run, which no scenario as read has: its first step says why.
struct Refused(MethodError);

impl FlightMethod for Refused {
    fn step(&mut self, _: &Forces, _: &State, _: f64, _: &mut FlightStep) -> Result<(), FlightError> {
        Err(self.0.into())
    }
    fn count(&self) -> FlightCount {
        FlightCount::default()
    }
}

fn fly<F: FlightMethod>(
    scenario: &Scenario,
    options: Options,
    flight: Result<F, MethodError>,
    observer: &mut impl Observer,
) -> Summary {
    let solver = &scenario.solver;
    let contact = rolling::Newmark::new(solver.formulation, solver.scheme, solver.control);
    let (scene, start) = (&scenario.scene, scenario.start);
    match flight {
        Ok(flight) => {
            Supervisor::new(scene, options, start, flight, contact).with_localisation(solver.localisation).run(observer)
        }
        Err(error) => Supervisor::new(scene, options, start, Refused(error), contact).run(observer),
    }
}
