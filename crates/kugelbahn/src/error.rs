//! [`Error`]: reasons why a simulation could not be made, run or queried.

use std::fmt;

use mechanics::ParameterError;
use scenario::input::InputError;
use scenario::{NotEventDriven, NumberError, StartError};
use supervisor::{Stop, Summary};

use crate::Run;

/// Reason why a simulation could not be made, run or queried. `Debug` prints it in full, with its place and its cure,
/// as a `main` that returns it shows.
#[derive(Clone, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The run stopped; it was kept up to there.
    #[error("{}", told(&.0.summary().stop))]
    Stopped(Box<Run>),
    /// A run of which nothing is kept, or a [`Running`](crate::Running) one, stopped.
    #[error("{}", told(&.0.stop))]
    StoppedUnkept(Box<Summary>),
    /// Both a tolerance and a fixed step were given.
    #[error("a run has a tolerance or a fixed step, and both were given: leave one out")]
    ToleranceAndStep,
    /// A file, a formula, a key or its value; it knows its place in the text.
    #[error(transparent)]
    Input(#[from] InputError),
    /// A value outside its range.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// An invalid start.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The run can't be made event by event.
    #[error(transparent)]
    NotEventDriven(#[from] NotEventDriven),
    /// A number without meaning for this ball.
    #[error(transparent)]
    Number(NumberError),
    /// No ground, or several, at an abscissa.
    #[error("there are {found} places of the ground at x = {x:?} m, where one was looked for: give another x")]
    Places {
        /// Abscissa x, m.
        x: f64,
        /// Number of places found.
        found: usize,
    },
    /// No such method.
    #[error("there is no {what} \"{name}\": one of {known}")]
    Unknown {
        /// Method or formulation.
        what: &'static str,
        /// The name asked for.
        name: String,
        /// Names that are known.
        known: String,
    },
    /// An invalid duration or step.
    #[error("{what} = {value:?} s is not allowed: it must be positive and finite")]
    Duration {
        /// Name of the number.
        what: &'static str,
        /// Value, s.
        value: f64,
    },
    /// A force, ground or law written in Rust, which a scenario file can't hold.
    #[error("a scenario file can't say a {what} that is a function of a program: write it as a formula or by its keys")]
    Unwritten {
        /// Force, ground or law.
        what: &'static str,
    },
    /// A time outside the run.
    #[error("the run lasts from {begin:?} to {end:?} s, and {time:?} s is not in it")]
    Time {
        /// Time asked for, s.
        time: f64,
        /// Begin, s.
        begin: f64,
        /// End, s.
        end: f64,
    },
    /// A change that a run under way does not take: only forces, law and mass can be changed.
    #[error("the {what} of a run under way can't be changed: start another run")]
    UnderWay {
        /// Name of the change.
        what: &'static str,
    },
    /// Threads could not be started.
    #[error("the threads could not be started: {why}")]
    Threads {
        /// Reason, in the words of the system.
        why: String,
    },
    /// A time before the current one.
    #[error("the run is at {now:?} s already and can't go back to {time:?} s: restore a snapshot from before")]
    Past {
        /// Time asked for, s.
        time: f64,
        /// Current time, s.
        now: f64,
    },
}

fn told(stop: &Option<Stop>) -> String {
    stop.as_ref().map(ToString::to_string).unwrap_or_default()
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Input(error) => write!(f, "{error:?}"),
            other => write!(f, "{other}"),
        }
    }
}

impl Error {
    /// The run up to its stop, if kept: `simulation.run(1.0).or_else(Error::into_run)` is a run however it ended.
    pub fn into_run(self) -> Result<Run, Self> {
        match self {
            Error::Stopped(run) => Ok(*run),
            other => Err(other),
        }
    }
}

impl From<NumberError> for Error {
    fn from(error: NumberError) -> Self {
        match error {
            NumberError::Parameter(error) => Error::Parameter(error),
            NumberError::Start(error) => Error::Start(error),
            other => Error::Number(other),
        }
    }
}
