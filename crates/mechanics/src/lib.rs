#![doc = include_str!("../README.md")]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod ball;
mod caller_force;
mod compliance;
mod contact_coefficients;
mod contact_forces;
mod contact_mode;
mod effective_mass;
mod energy;
mod forces;
mod guard;
mod impact;
mod lift_off;
mod other_impact_laws;
mod prescribed_ground_motion;
mod range;
mod restitution;
mod summed_bounces;
mod wedge;

pub use ball::{Ball, State};
pub use caller_force::{AppliedForce, Body, OwnForce};
pub use compliance::{Compliance, CompliantLaw, NormalLaw, OwnLaw, Push, PushOver};
pub use contact_coefficients::{ContactLaw, Friction};
pub use contact_forces::{ContactForces, normal_force};
pub use contact_mode::Mode;
pub use effective_mass::EffectiveMass;
pub use energy::{Energy, Power};
pub use forces::{Forces, Jacobian};
pub use guard::Guard;
pub use impact::{Arrival, Grip, Impact, Impulses, impact, strike};
pub use lift_off::Press;
pub use other_impact_laws::{CollisionLaw, ImpactContact, OwnImpact, PfeifferGlocker, Restoring};
pub use prescribed_ground_motion::{Carriage, Carried};
pub use range::Range;
pub use restitution::{ImpactError, Restitution, RestitutionError, RestitutionFormula};
pub use summed_bounces::{Jump, LEAST_HOP, Rebound, is_low_hop};
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
    /// Returns `value` if it is `allowed`, else the error with its name and rule.
    pub fn check(name: &'static str, value: f64, allowed: bool, rule: &'static str) -> Result<f64, ParameterError> {
        if allowed { Ok(value) } else { Err(ParameterError { name, value, rule }) }
    }
}
