//! Refusals before the first event, and reasons for which a run ends early.

use curves::SearchError;
use mechanics::ImpactError;
use moreau::StepError;

/// Why balls can't be run event by event.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Refused {
    /// Refused by time stepping, which may have to take over: a parameter, balls in the ground or in each other.
    #[error(transparent)]
    Input(#[from] moreau::InputError),
    /// A force that does not leave parabolas.
    #[error(
        "a force on ball {ball} changes with place, velocity or time, but between events balls fly on parabolas: gravity alone may act"
    )]
    Force {
        /// Index of the ball, from 0.
        ball: usize,
    },
    /// Rolling damping.
    #[error(
        "ball {ball} has a rolling damping of {damping:?} N s/m, but between events its acceleration is constant: it must be 0"
    )]
    Damping {
        /// Index of the ball, from 0.
        ball: usize,
        /// N s/m
        damping: f64,
    },
}

/// Why a run ended before its time.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CollisionStop {
    /// The first contact with the ground could not be found.
    #[error("ball {} at t = {time:?} s: {source}", ball + 1)]
    Search {
        /// Index of the ball.
        ball: usize,
        /// Beginning of its path, s.
        time: f64,
        /// Why.
        source: SearchError,
    },
    /// The law of impact gives no impulse.
    #[error("ball {} at t = {time:?} s: {source}", ball + 1)]
    Impact {
        /// Index of the ball.
        ball: usize,
        /// s
        time: f64,
        /// Why there is none.
        source: ImpactError,
    },
    /// A step of the balls that were handed over could not be made.
    #[error("of the balls handed over to time stepping: {0}")]
    Step(#[from] StepError),
    /// The balls that were handed over are none for time stepping.
    #[error("of the balls handed over to time stepping: {0}")]
    Stepping(moreau::InputError),
    /// More events than allowed.
    #[error("the limit of {limit} events was reached at t = {time:?} s")]
    Limit {
        /// s
        time: f64,
        /// Events allowed.
        limit: u64,
    },
    /// Events without end that take no energy, so that no rule hands them over.
    #[error("ball {} has {events} events within {within:e} s at t = {time:?} s, and no end of them is in sight", ball + 1)]
    Stalled {
        /// Index of the ball.
        ball: usize,
        /// s
        time: f64,
        /// How many, of all balls.
        events: u64,
        /// s
        within: f64,
    },
    /// A place or velocity is no number any more.
    #[error("the place or velocity of ball {} is not finite at t = {time:?} s", ball + 1)]
    NotFinite {
        /// Index of the ball.
        ball: usize,
        /// s
        time: f64,
    },
}
