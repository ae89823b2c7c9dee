#![doc = include_str!("../README.md")]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod applied;
mod ball;
mod carriage;
mod compliance;
mod contact;
mod forces;
mod impact;
mod range;
mod restitution;
mod wedge;

pub use applied::{AppliedForce, Body, OwnForce};
pub use ball::{Ball, Energy, State};
pub use carriage::{Carriage, Carried};
pub use compliance::{Compliance, CompliantLaw, NormalLaw, OwnLaw, Push, PushOver};
pub use contact::{ContactForces, ContactLaw, Friction, Guard, Mode, Press, normal_force};
pub use forces::{Forces, Jacobian, Power};
pub use impact::{Arrival, EffectiveMass, Grip, Impact, Impulses, Jump, Rebound, impact, strike};
pub use range::Range;
pub use restitution::{ImpactError, Restitution, RestitutionError, RestitutionFormula};
pub use wedge::{Held, UsedRestitution, Wedge, WedgeForces, WedgeImpact};

/// A parameter outside its range.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{name} = {value} is not allowed: it must be {rule}")]
pub struct ParameterError {
    /// Name of the parameter.
    pub name: &'static str,
    /// Value that was given.
    pub value: f64,
    /// Rule for its values, with the unit.
    pub rule: &'static str,
}

impl ParameterError {
    /// Returns `value` if it is allowed.
    pub fn check(name: &'static str, value: f64, allowed: bool, rule: &'static str) -> Result<f64, ParameterError> {
        if allowed { Ok(value) } else { Err(ParameterError { name, value, rule }) }
    }
}
