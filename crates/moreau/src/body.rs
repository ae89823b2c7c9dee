//! A ball with its ground, forces, law and start.

use std::sync::Arc;

use curves::OffsetGround;
use mechanics::{Ball, ContactLaw, Forces, ParameterError, State};
use nalgebra::Vector2;

use crate::energy::Energy;
use crate::particle::BallMotion;
use crate::scheme::{Stride, hops};

/// A ball, where it starts, and what acts on it.
#[derive(Clone, Debug)]
pub struct Body {
    /// Mass, radius and inertia of the ball.
    pub ball: Ball,
    /// The ground for its radius; balls of one radius share it.
    pub ground: Arc<OffsetGround>,
    /// Gravity, drag, wind, Magnus force, external force.
    pub forces: Forces,
    /// The law of its contact with the ground.
    pub law: ContactLaw,
    /// The start; the time must be that of all the others, `dissipated` and `work` count on.
    pub start: State,
}

impl Body {
    pub(crate) fn check(&self, start: f64) -> Result<(), ParameterError> {
        let State { time, position, velocity, angle, spin, dissipated, work } = self.start;
        ParameterError::check("time", time, time == start, "finite, and the same for all balls (s)")?;
        for (name, value) in [
            ("position", position.x),
            ("position", position.y),
            ("velocity", velocity.x),
            ("velocity", velocity.y),
            ("angle", angle),
            ("spin", spin),
            ("dissipated", dissipated),
            ("work", work),
        ] {
            ParameterError::check(name, value, value.is_finite(), "finite")?;
        }
        let resistance = self.law.rolling_resistance();
        ParameterError::check(
            "rolling-resistance",
            resistance,
            resistance == 0.0,
            "0: time stepping has no law of it",
        )?;
        let radius = self.ground.radius();
        ParameterError::check("ground radius", radius, radius == self.ball.radius(), "the ball's radius (m)")?;
        let mass = self.forces.mass();
        ParameterError::check("mass of the forces", mass, mass == self.ball.mass(), "the ball's mass (kg)")?;
        Ok(())
    }

    /// About the way of the first step, of `step` s, in m: of its velocity and of what its forces add to it.
    pub(crate) fn way(&self, step: f64) -> f64 {
        let State { time, position, velocity, spin, .. } = self.start;
        let force = self.forces.force(time, position, velocity, spin);
        step * (velocity.norm() + step * force.norm() / self.ball.mass())
    }

    /// Gap (m) up to which rolling damping acts: a ball that stays on curved ground does so, with e > 0, in hops of
    /// `w ≤ (2 + 1/(1−e)) h a`, which are `w²/2a` high. 0 without damping.
    pub(crate) fn hop(&self, at: Stride, now: &BallMotion) -> f64 {
        if self.law.rolling_damping() == 0.0 {
            return 0.0;
        }
        let force = self.forces.force(at.time, now.position, now.velocity, now.spin);
        let hop = hops(&self.law) * at.step;
        0.5 * hop * hop * force.norm() / self.ball.mass()
    }

    /// Ledger of the ball at the start.
    pub(crate) fn account(&self) -> Energy {
        let State { position, velocity, spin, dissipated, work, .. } = self.start;
        let energy = Energy::starting(self.ball.kinetic_energy(velocity, spin), self.potential(position));
        Energy { dissipated, external: work, initial: energy.initial + dissipated - work, ..energy }
    }

    pub(crate) fn potential(&self, position: Vector2<f64>) -> f64 {
        -self.ball.mass() * self.forces.gravity_vector().dot(&position)
    }
}
