//! Interface of a flight method: its trait, the counters of its work, and its errors.

use mechanics::{Forces, State};
use nalgebra::Vector2;
use newmark::{SchemeError, StepTooSmall, Tolerance};
use numbers::Rounding;

use crate::FlightStep;

/// Method that integrates free flight, one step at a time.
///
/// A step is a value: computing it changes only the method's memory. The caller searches its path for a contact and
/// goes on from any point of it.
pub trait FlightMethod {
    /// Computes a step from `start` that ends at `until` (s) or before; after an error `step` is meaningless.
    fn step(&mut self, forces: &Forces, start: &State, until: f64, step: &mut FlightStep) -> Result<(), FlightError>;

    /// Notes that the motion was interrupted, as by an impact: steps before are no longer the past of the next one.
    fn restart(&mut self) {}

    /// Tolerance that each step is held to; `None`: fixed steps, whose error is unknown.
    fn tolerance(&self) -> Option<Tolerance> {
        None
    }

    /// Work done so far.
    fn count(&self) -> FlightCount;
}

/// Work done by a flight method.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct FlightCount {
    /// Steps taken.
    pub steps: u64,
    /// Steps tried and found too inaccurate.
    pub rejected: u64,
    /// Evaluations of the force.
    pub forces: u64,
    /// Evaluations of its derivatives.
    pub jacobians: u64,
}

/// Reason why a flight could not go on.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum FlightError {
    /// A scheme of the caller can't make the step.
    #[error("the step of {step:?} s in flight at t = {time:?} s could not be made: {error}")]
    Scheme {
        /// Start of the step, s.
        time: f64,
        /// Length of the step, s.
        step: f64,
        /// Reason, as the scheme gives it.
        error: SchemeError,
    },
    /// A force that is NaN or infinite.
    #[error(
        "the force in flight is not finite at t = {time:?} s (the last row says where): give a formula that is defined, and not as \
         large, there"
    )]
    NotFinite {
        /// Time of the force, s.
        time: f64,
    },
    /// Newton's method finds no solution of the implicit equation of a step.
    #[error(
        "the flight step at t = {time:?} s did not converge (residual {residual:?} m/s²); of fixed steps, try a smaller one"
    )]
    NoConvergence {
        /// Start of the step, s.
        time: f64,
        /// Residual of the equation, m/s².
        residual: f64,
    },
    /// Velocities decay much faster than the motion changes, so that stability limits the steps of an explicit method.
    #[error(
        "the force is stiff: velocities decay at {rate:.2e} 1/s, which has held an explicit method to steps of about {step:.0e} s for \
         {steps} steps, at t = {time:?} s; \"bdf\" and \"radau\" are made for that"
    )]
    Stiff {
        /// Time at which stiffness is reported, s.
        time: f64,
        /// Length of the steps, s.
        step: f64,
        /// Rate at which velocities decay, 1/s.
        rate: f64,
        /// Consecutive steps limited by stability.
        steps: u32,
    },
    /// A torque acts, and the method keeps the spin.
    #[error(
        "a torque turns the ball in flight from t = {time:?} s on, and this method keeps the spin: \"taylor\", and schemes whose answers have \
         another spin, follow it"
    )]
    Torque {
        /// Start of the step, s.
        time: f64,
    },
    /// [`Ballistic`](crate::Ballistic) has no formula for the motion under these forces.
    #[error("at t = {time:?} s, \"ballistic\" does not hold: {reason}; take another method")]
    NotBallistic {
        /// Time from which the formula does not hold, s.
        time: f64,
        /// Reason of the refusal.
        reason: NotBallistic,
    },
    /// The tolerance asks for steps below rounding.
    #[error("in flight, {0}")]
    StepTooSmall(StepTooSmall),
}

/// Rounding of a ball's state under an acceleration in m/s².
pub(crate) fn rounding(state: &State, acceleration: Vector2<f64>) -> Rounding {
    Rounding::of_motion(state.position.norm(), state.time, state.velocity.norm(), acceleration.norm())
}

/// Shortest step from a state that motion and clock resolve, s, under an acceleration in m/s².
pub(crate) fn shortest_step(state: &State, acceleration: Vector2<f64>) -> f64 {
    rounding(state, acceleration).shortest_step(state.velocity.norm())
}

/// Reason why [`Ballistic`](crate::Ballistic) has no formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotBallistic {
    /// The Magnus force `m_c ω J w`.
    #[error("a Magnus force turns the path as fast as the ball spins, and the motion has no first integral")]
    Magnus,
    /// A force or torque given by formulas, or a force written in Rust.
    #[error("an external force may be any, and the motion has no first integral")]
    External,
    /// Motion of the ground.
    #[error("on moving ground the air moves too, not at a constant velocity, and the motion has no first integral")]
    Carriage,
    /// Linear and quadratic drag.
    #[error("quadratic and linear drag have a first integral each, and none together")]
    BothDrags,
}
