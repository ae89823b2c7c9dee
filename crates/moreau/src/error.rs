//! Inputs that are refused, and reasons why a step can not be made.

use mechanics::ParameterError;

/// Invalid parameters, or an invalid start.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum InputError {
    /// A number outside its range.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// An invalid parameter or start of one ball.
    #[error("ball {ball}: {source}")]
    Ball {
        /// Index of the ball, from 0.
        ball: usize,
        /// Parameter with its rule.
        source: ParameterError,
    },
    /// A ball that starts in the ground.
    #[error("ball {ball} starts {depth:?} m below the ground: its gap must be ≥ 0")]
    Below {
        /// Index of the ball, from 0.
        ball: usize,
        /// Depth below the ground, m.
        depth: f64,
    },
    /// Two balls that overlap at the start.
    #[error("balls {first} and {second} overlap by {depth:?} m at the start: their gap must be ≥ 0")]
    Overlap {
        /// Index of one ball, from 0.
        first: usize,
        /// Index of the other ball, from 0.
        second: usize,
        /// Overlap of the balls, m.
        depth: f64,
    },
}

/// Reason why a step could not be made; the state is still that before the step.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StepError {
    /// A force, place, velocity or work became NaN or infinite.
    #[error("{what} is not finite in the step from t = {time:?}")]
    NotFinite {
        /// Name of the quantity.
        what: &'static str,
        /// Start of the step, s.
        time: f64,
    },
    /// The iteration matrix has no inverse.
    #[error(
        "the iteration matrix is singular in iteration {iteration} of the step from t = {time:?}; choose another step"
    )]
    Singular {
        /// Start of the step, s.
        time: f64,
        /// Iteration of Newton's method, from 1.
        iteration: usize,
    },
    /// Newton's method did not converge.
    #[error(
        "in the step from t = {time:?} the velocity still changes by {change:.3e} after {iterations} iterations of Newton's method (tolerance {tolerance:e}, relative); choose a smaller step"
    )]
    Newton {
        /// Start of the step, s.
        time: f64,
        /// Last change of the velocity, its largest component.
        change: f64,
        /// Tolerance of the change, relative to the largest velocity.
        tolerance: f64,
        /// Iterations that were made.
        iterations: usize,
    },
    /// The law of impact gives no impulse.
    #[error(transparent)]
    Impact(#[from] mechanics::ImpactError),
    /// The complementarity problem of the step was not solved.
    #[error("the contacts of the step from t = {time:?} can't be solved: {source}")]
    Contacts {
        /// Start of the step, s.
        time: f64,
        /// Failure of the solver.
        source: lcp::Failure,
    },
    /// A scheme of the caller can't make the step.
    #[error("the scheme can't make the step of {step:?} s from t = {time:?}: {error}")]
    Scheme {
        /// Start of the step, s.
        time: f64,
        /// Length of the step, s.
        step: f64,
        /// Reason and number of the scheme.
        error: newmark::SchemeError,
    },
    /// The contacts of a step miss the solver's tolerance, and [`strict`](crate::BallSettings::strict) is set.
    #[error(
        "the contacts of the step from t = {time:?} are solved to {residual:.1e} m/s in {iterations} iterations, but the tolerance is {tolerance:e} m/s and strict; take a smaller step, less friction or a looser tolerance, or let it go on with the best found"
    )]
    Missed {
        /// Start of the step, s.
        time: f64,
        /// Residual reached, m/s.
        residual: f64,
        /// Residual asked for, m/s.
        tolerance: f64,
        /// Iterations made.
        iterations: usize,
    },
}
