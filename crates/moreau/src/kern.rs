//! Kern's scheme, the simplest one: a ball on a line with one unilateral contact.
//!
//! ```text
//! y₁ = y₀ + h v₀                       Euler forward
//! v₁ = v₀ + h f(t₁)/m                  Euler backward, in flight
//! y₁ ≤ 0:  0 ≤ v₁ + e v₀ ⟂ hλ ≥ 0      resolved by hand: dv = −(1+e) v₀; if m dv > h f, v₁ = v₀ + dv, hλ = m dv − h f
//! ```
//!
//! D. Kern, *A simple time-stepping scheme for the bouncing ball example*, 2019, eqs. 2 to 4 and listing 1. A ball that
//! comes to rest stays at the penetration `y ≤ 0` it had.

use mechanics::{Ball, ContactLaw, Impulses, ParameterError, Range};

use crate::theta::{self, Closed, Mechanism, Stage, Stride};
use crate::{InputError, StepError};

/// The scheme for one ball under a force `f(t)` in N.
#[derive(Clone, Debug)]
pub struct Kern<F> {
    mass: f64,
    law: ContactLaw,
    step: f64,
    force: F,
}

/// State of the ball after some steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KernState {
    /// Number of steps; the time is `index·h`, a product.
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
    /// Mass in kg (> 0), restitution e (0 … 1), step h in s (> 0), force as a function of time.
    pub fn new(mass: f64, restitution: f64, step: f64, force: F) -> Result<Self, InputError> {
        Ball::MASS.check(mass)?;
        let law = ContactLaw::new(restitution)?;
        Stride::check(step, 1.0)?;
        Ok(Kern { mass, law, step, force })
    }

    /// State at the start, with a height `y ≥ 0` (m) and a velocity (m/s).
    pub fn start(&self, position: f64, velocity: f64) -> Result<KernState, InputError> {
        Range::not_negative("position", "zero or positive, and finite (m)").check(position)?;
        ParameterError::check("velocity", velocity, velocity.is_finite(), "finite (m/s)")?;
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
        // Euler forward for the place; contact is judged there.
        let at = Stride { time: self.time(state), step: self.step, theta: 0.0, prediction: 1.0 };
        let next = KernState { index: state.index + 1, ..*state };
        let mut line = BallOnLine { kern: self, before: state.velocity, external: 0.0, free: 0.0, next, closed: None };
        theta::step(&mut line, at)?;
        let BallOnLine { external, next: state, closed, .. } = line;
        Ok(KernStep { state, reaction: closed.map_or(0.0, |closed| closed.impulse[0]), external })
    }
}

struct BallOnLine<'a, F> {
    kern: &'a Kern<F>,
    before: f64,
    external: f64,
    free: f64,
    next: KernState,
    closed: Option<Closed>,
}

impl<F: Fn(f64) -> f64> Mechanism for BallOnLine<'_, F> {
    type Failure = StepError;

    #[inline(always)]
    fn close(&mut self, at: Stride) -> Result<(), StepError> {
        self.next.position += self.before * (at.prediction * at.step);
        self.closed = (self.next.position <= 0.0).then(|| Closed::new(self.kern.law.clone()));
        Ok(())
    }

    #[inline(always)]
    fn fly(&mut self, at: Stride) -> Result<(), StepError> {
        self.external = at.step * (self.kern.force)(self.next.index as f64 * at.step);
        self.free = self.before + self.external / self.kern.mass;
        Ok(())
    }

    #[inline(always)]
    fn closed(&mut self) -> &mut [Closed] {
        self.closed.as_mut_slice()
    }

    #[inline(always)]
    fn velocity(&self, _: usize, stage: Stage) -> [f64; 2] {
        let velocity = match stage {
            Stage::Before => self.before,
            Stage::Free => self.free,
            Stage::After => self.next.velocity,
        };
        [velocity, 0.0]
    }

    #[inline(always)]
    fn solve(&mut self, _: Stride) -> Result<(), StepError> {
        self.next.velocity = self.free;
        if let Some(closed) = &mut self.closed {
            // In the order of the listing, so that `v₁ + e v₀` is equal to the last bit.
            let jump = -(1.0 + closed.law.restitution(-self.before)) * self.before;
            closed.give(Impulses { normal: self.kern.mass * jump - self.external, tangential: 0.0 });
            if closed.impulse[0] > 0.0 {
                self.next.velocity = self.before + jump;
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn land(&mut self, at: Stride) -> Result<bool, StepError> {
        let finite = self.next.position.is_finite() && self.next.velocity.is_finite();
        let what = "the force or the velocity";
        if finite { Ok(false) } else { Err(StepError::NotFinite { what, time: at.time }) }
    }
}

impl Kern<()> {
    /// Time at which bounces of a drop from rest at `height` (m) accumulate, s: `√(8y₀/g)/(1−e) − √(2y₀/g)`, listing 1.
    pub fn zeno_time(height: f64, gravity: f64, restitution: f64) -> f64 {
        (8.0 * height / gravity).sqrt() / (1.0 - restitution) - (2.0 * height / gravity).sqrt()
    }
}
