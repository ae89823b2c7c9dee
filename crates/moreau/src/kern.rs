//! Kern's scheme: a ball on a line, one unilateral contact.
//!
//! ```text
//! y₁ = y₀ + h v₀                       Euler forward
//! v₁ = v₀ + h f(t₁)/m                  Euler backward, in flight
//! y₁ ≤ 0:  0 ≤ v₁ + e v₀ ⟂ hλ ≥ 0      resolved by hand: dv = −(1+e) v₀; if m dv > h f, v₁ = v₀ + dv, hλ = m dv − h f
//! ```
//!
//! D. Kern, *A simple time-stepping scheme for the bouncing ball example*, 2019, eqs. 2 to 4 and listing 1. A ball at
//! rest stays where it came in: at `y ≤ 0`, not at 0.

use mechanics::ContactLaw;

use crate::error::{checked, checked_step};
use crate::{InputError, StepError};

/// The scheme for one ball under a force `f(t)` in N.
#[derive(Clone, Debug)]
pub struct Kern<F> {
    mass: f64,
    law: ContactLaw,
    step: f64,
    force: F,
}

/// The ball after some steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KernState {
    /// Steps made; the time is `index·h`, a product.
    pub index: u64,
    /// Height y, m.
    pub position: f64,
    /// Velocity v, m/s.
    pub velocity: f64,
}

/// Result of one step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KernStep {
    /// Ball at the end of the step.
    pub state: KernState,
    /// `hλ ≥ 0`, N s.
    pub reaction: f64,
    /// `h f(t₁)`, N s.
    pub external: f64,
}

impl<F: Fn(f64) -> f64> Kern<F> {
    /// Mass in kg (> 0), restitution e (0 … 1), step h in s (> 0), force of the time.
    pub fn new(mass: f64, restitution: f64, step: f64, force: F) -> Result<Self, InputError> {
        checked("mass", mass, mass > 0.0 && mass.is_finite(), "positive and finite (kg)")?;
        let law = ContactLaw::new(restitution)?;
        checked_step(step)?;
        Ok(Kern { mass, law, step, force })
    }

    /// The start, at `y ≥ 0`.
    pub fn start(&self, position: f64, velocity: f64) -> Result<KernState, InputError> {
        checked("position", position, position >= 0.0 && position.is_finite(), "zero or positive, and finite (m)")?;
        checked("velocity", velocity, velocity.is_finite(), "finite (m/s)")?;
        Ok(KernState { index: 0, position, velocity })
    }

    /// Step h, s.
    pub fn step_size(&self) -> f64 {
        self.step
    }

    /// Mass, kg.
    pub fn mass(&self) -> f64 {
        self.mass
    }

    /// Time of a state, s.
    pub fn time(&self, state: &KernState) -> f64 {
        state.index as f64 * self.step
    }

    /// Makes one step.
    #[inline]
    pub fn step(&self, state: &KernState) -> Result<KernStep, StepError> {
        let KernState { index, position, velocity } = *state;
        let after = (index + 1) as f64 * self.step;
        let y = position + velocity * self.step;
        let external = self.step * (self.force)(after);
        let mut v = velocity + external / self.mass;
        let mut reaction = 0.0;
        if y <= 0.0 {
            let jump = -(1.0 + self.law.restitution(-velocity)) * velocity;
            if self.mass * jump > external {
                v = velocity + jump;
                reaction = self.mass * jump - external;
            }
        }
        if !(y.is_finite() && v.is_finite()) {
            return Err(StepError::NotFinite { what: "the force or the velocity", time: self.time(state) });
        }
        let state = KernState { index: index + 1, position: y, velocity: v };
        Ok(KernStep { state, reaction, external })
    }
}

impl Kern<()> {
    /// Time at which the bounces of a drop from rest at `height` (m) accumulate, s: `√(8y₀/g)/(1−e) − √(2y₀/g)`, listing 1.
    pub fn zeno_time(height: f64, gravity: f64, restitution: f64) -> f64 {
        (8.0 * height / gravity).sqrt() / (1.0 - restitution) - (2.0 * height / gravity).sqrt()
    }
}
