//! Reasons for which a scenario can't be run event by event.

use flight::{MethodError, NotBallistic};

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
    /// Forces that "ballistic" does not know.
    #[error("the method is \"ballistic\", and {0}: take another method")]
    Ballistic(NotBallistic),
    /// A localisation that looks at the ends of steps, and a method whose steps are whole flights.
    #[error(
        "the method is \"ballistic\", whose steps are whole flights, and the localisation \"parabola\" looks at their ends alone"
    )]
    WholeFlights,
    /// Its formulation does not go with its steps or tolerances, which no scenario as read has.
    #[error(transparent)]
    Formulation(#[from] rolling::RollingError),
    /// Rolling resistance on a ball or with a formulation that has no law of it.
    #[error("`rolling-resistance` is given, and {0}")]
    Resistance(&'static str),
    /// Nothing says where the ball starts.
    #[error("nothing says where the ball starts: call `thrown_from` or `on_ground`")]
    NoStart,
    /// The velocity of its ground jumps.
    #[error("`abs`, `min` or `max` switch at t = {time:?} s in the motion of the ground: end the run before")]
    Jump {
        /// s
        time: f64,
    },
    /// A method of one's own that is not among the methods.
    #[error("there is no method \"{name}\" among those given: add it to the `Methods`")]
    NoMethod {
        /// As in scenario files.
        name: &'static str,
    },
}
