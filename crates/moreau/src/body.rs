//! What is given of a ball, and the scheme's parameters.

use std::sync::Arc;

use curves::OffsetGround;
use mechanics::{Ball, ContactLaw, Forces, ParameterError, State};
use nalgebra::Vector2;

use crate::contacts::Motion;
use crate::error::{checked, checked_step};
use crate::flight::Interval;
use crate::projection::Projection;

/// A ball, where it starts, and what acts on it.
#[derive(Clone, Debug)]
pub struct Body {
    /// Mass, radius, inertia.
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

/// What solves contacts that share balls. Where it finds no solution the other one is tried, pivoting on up to 32 of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ContactSolver {
    /// Sweeps over the contacts; where these don't get there, regimes by Newton's method and along paths
    /// ([`Heap`](lcp::friction::Heap)).
    #[default]
    GaussSeidel,
    /// All of them as one LCP, by pivoting: the cube of their number, and finite friction only.
    Lemke,
}

/// Parameters of the scheme.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BallSettings {
    /// h in s (> 0).
    pub step: f64,
    /// θ, 1/2 … 1. More than 1/2 damps the smooth motion, but an impact of speed w then adds `m g h w (1+e)(θ − 1/2)` (J, on
    /// level ground), which for e = 1 is what flight loses till the next one.
    pub theta: f64,
    /// Contacts are closed by `g(q₀ + p h v₀) ≤ 0`, p from 0 … 1. 1/2 is Moreau's; with 1 balls that meet stop short of each
    /// other (by up to h times their speed) and hardly sink in.
    pub prediction: f64,
    /// Of contacts that share balls.
    pub solver: ContactSolver,
    /// Of these: the residual allowed, relative to the largest free velocity of them (> 0).
    pub tolerance: f64,
    /// Sweeps over them and linear solves before a step fails (≥ 1).
    pub sweeps: usize,
    /// Whether positions are projected onto g ≥ 0, and how.
    pub projection: Option<Projection>,
}

impl BallSettings {
    /// θ = 1/2, prediction h/2, no projection, contacts to 1e-10 in at most 20 000 sweeps.
    pub fn new(step: f64) -> Self {
        BallSettings {
            step,
            theta: 0.5,
            prediction: 0.5,
            solver: ContactSolver::GaussSeidel,
            tolerance: 1e-10,
            sweeps: 20_000,
            projection: None,
        }
    }
    /// With another θ.
    pub fn with_theta(mut self, theta: f64) -> Self {
        self.theta = theta;
        self
    }
    /// With projection.
    pub fn with_projection(mut self, projection: Projection) -> Self {
        self.projection = Some(projection);
        self
    }

    pub(crate) fn check(&self) -> Result<(), ParameterError> {
        let positive = |name, value: f64| checked(name, value, value > 0.0 && value.is_finite(), "positive and finite");
        checked_step(self.step)?;
        checked("theta", self.theta, (0.5..=1.0).contains(&self.theta), "between 1/2 and 1")?;
        checked("prediction", self.prediction, (0.0..=1.0).contains(&self.prediction), "between 0 and 1")?;
        positive("tolerance", self.tolerance)?;
        checked("sweeps", self.sweeps as f64, self.sweeps >= 1, "at least 1")?;
        if let Some(projection) = self.projection {
            positive("projection tolerance", projection.tolerance)?;
            checked("projection iterations", projection.iterations as f64, projection.iterations >= 1, "at least 1")?;
        }
        Ok(())
    }
}

impl Body {
    pub(crate) fn check(&self, start: f64) -> Result<(), ParameterError> {
        let State { time, position, velocity, angle, spin, dissipated, work } = self.start;
        checked("time", time, time == start, "finite, and the same for all balls (s)")?;
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
            checked(name, value, value.is_finite(), "finite")?;
        }
        let radius = self.ground.radius();
        checked("ground radius", radius, radius == self.ball.radius(), "the ball's radius (m)")?;
        let mass = self.forces.mass();
        checked("mass of the forces", mass, mass == self.ball.mass(), "the ball's mass (kg)")?;
        Ok(())
    }

    /// Up to this gap (m) rolling damping acts: a ball that stays on curved ground does so, with e > 0, in hops of
    /// `w ≤ (2 + 1/(1−e)) h a`, which are `w²/2a` high. 0 without damping.
    pub(crate) fn hop(&self, at: Interval, now: &Motion) -> f64 {
        if self.law.rolling_damping() == 0.0 {
            return 0.0;
        }
        let force = self.forces.force(at.time, now.position, now.velocity, now.spin);
        let hop = (2.0 + 1.0 / (1.0 - self.law.restitution())).min(32.0) * at.step;
        0.5 * hop * hop * force.norm() / self.ball.mass()
    }

    pub(crate) fn potential(&self, position: Vector2<f64>) -> f64 {
        -self.ball.mass() * self.forces.gravity_vector().dot(&position)
    }
}
