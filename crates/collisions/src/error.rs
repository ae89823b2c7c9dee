//! Inputs that are refused, and reasons why a run stops early.

use curves::SearchError;
use mechanics::ImpactError;
use moreau::StepError;

/// Reason why balls can't be run event by event.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Refused {
    /// Input that time stepping, which may have to take over, refuses: a parameter, overlapping balls.
    #[error(transparent)]
    Input(#[from] moreau::InputError),
    /// A force under which flight is no parabola.
    #[error(
        "a force on ball {ball} changes with place, velocity or time, but between events balls fly on parabolas: gravity alone may act"
    )]
    Force {
        /// Index of the ball, from 0.
        ball: usize,
    },
    /// The first events could not be predicted.
    #[error(transparent)]
    Start(#[from] CollisionStop),
    /// A rolling damping, under which acceleration on the ground is not constant.
    #[error(
        "ball {ball} has a rolling damping of {damping:?} N s/m, but between events its acceleration is constant: it must be 0"
    )]
    Damping {
        /// Index of the ball, from 0.
        ball: usize,
        /// Rolling damping, N s/m.
        damping: f64,
    },
}

/// Reason why a run stopped early.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CollisionStop {
    /// The first contact with the ground could not be found.
    #[error("ball {} at t = {time:?} s: {source}", ball + 1)]
    Search {
        /// Index of the ball.
        ball: usize,
        /// Start of its path, s.
        time: f64,
        /// Error of the search.
        source: SearchError,
    },
    /// The law of impact gives no impulse.
    #[error("ball {} at t = {time:?} s: {source}", ball + 1)]
    Impact {
        /// Index of the ball.
        ball: usize,
        /// Time of the impact, s.
        time: f64,
        /// Error of the law.
        source: ImpactError,
    },
    /// A time step could not be made.
    #[error("of the balls handed over to time stepping: {0}")]
    Step(#[from] StepError),
    /// Time stepping refuses the balls handed over to it.
    #[error("of the balls handed over to time stepping: {0}")]
    Stepping(moreau::InputError),
    /// More events than allowed.
    #[error("the limit of {limit} events was reached at t = {time:?} s")]
    Limit {
        /// Time of the event, s.
        time: f64,
        /// Events allowed.
        limit: u64,
    },
    /// Events without end that take no energy, so that no rule hands them over to time stepping.
    #[error("ball {} has {events} events within {within:e} s at t = {time:?} s, and no end of them is in sight", ball + 1)]
    Stalled {
        /// Index of the ball.
        ball: usize,
        /// Time of the last event, s.
        time: f64,
        /// Number of events of all balls.
        events: u64,
        /// Time over which they happened, s.
        within: f64,
    },
    /// A place or velocity is NaN or infinite.
    #[error("the place or velocity of ball {} is not finite at t = {time:?} s", ball + 1)]
    NotFinite {
        /// Index of the ball.
        ball: usize,
        /// Time, s.
        time: f64,
    },
}
