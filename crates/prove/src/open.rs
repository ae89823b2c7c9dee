//! Reasons why an event stays open.

use supervisor::EventKind;

/// Reason why an event is not proven.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum Open {
    /// The scene has an element that proofs don't cover.
    #[error("{0} is not enclosed")]
    Scene(&'static str),
    /// The ball is so near to the ground, or a guard so near to zero, that bounds can't decide on which side it is.
    #[error("grazes: bounds can't tell on which side of zero it is")]
    Graze,
    /// The ball leaves the ground, or its contact point begins to slip, by less than the uncertainty.
    #[error("leaves the ground more slowly than is known")]
    Slow,
    /// Two parts of the ground are within reach, or the end of a piece.
    #[error("two parts of the ground, or the end of a piece, are near")]
    Several,
    /// No step encloses the motion.
    #[error("no step encloses the motion")]
    NoStep,
    /// It is undecided whether friction stops the slip.
    #[error("whether friction holds is not certain")]
    Friction,
    /// Bounces are summed up, which proofs don't cover.
    #[error("the bounces that are left are summed up here, not followed")]
    Capture,
    /// The ball comes to rest, which proofs don't cover.
    #[error("the ball is at rest")]
    Rest,
    /// The run has another event at this point.
    #[error("what is proven here is of another kind: {0}")]
    Differs(EventKind),
    /// No such event is found before the end of the run.
    #[error("it is not certain to be before the end")]
    Nothing,
}
