//! A ball in a step.

use mechanics::{Ball, State};
use nalgebra::{Matrix2, Vector2};

use crate::scheme::Stage;

/// A ball in a step: before, free of contacts, after.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Particle {
    pub ball: Ball,
    pub now: BallMotion,
    pub next: BallMotion,
    /// Velocity `v_free` without contacts, m/s.
    pub free: Vector2<f64>,
    /// Block of W that acts on the velocity, 1/kg.
    pub mobility: Matrix2<f64>,
    /// The friction force's arm, R, or 0 if the ball does not turn.
    pub arm: f64,
    /// `R²/I`, 1/kg.
    pub spin_mobility: f64,
    /// Rolling damping d where it is on the ground, N s/m.
    pub damping: f64,
    /// Way that forces moved it in the last step, `h |v_free − v₀|`, m; with projection alone.
    pub fall: f64,
    /// Place where the step ends before the projection, m.
    pub unprojected: Vector2<f64>,
    /// Forces evaluated so far, without derivatives and what the energy ledger asks for.
    pub evaluations: u64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BallMotion {
    pub position: Vector2<f64>,
    pub angle: f64,
    pub velocity: Vector2<f64>,
    pub spin: f64,
}

impl Particle {
    pub fn new(ball: Ball, start: &State) -> Self {
        let State { position, velocity, angle, spin, .. } = *start;
        let motion = BallMotion { position, velocity, angle, spin };
        let arm = if ball.turns() { ball.radius() } else { 0.0 };
        Particle {
            ball,
            now: motion,
            next: motion,
            free: velocity,
            mobility: Matrix2::identity() / ball.mass(),
            arm,
            spin_mobility: arm * ball.spin_by(1.0),
            damping: 0.0,
            fall: 0.0,
            unprojected: position,
            evaluations: 0,
        }
    }

    /// Velocity of the centre, and of the rim `R ω`, m/s.
    #[inline(always)]
    pub fn moves(&self, stage: Stage) -> (Vector2<f64>, f64) {
        match stage {
            Stage::Before => (self.now.velocity, self.arm * self.now.spin),
            Stage::Free => (self.free, self.arm * self.now.spin),
            Stage::After => (self.next.velocity, self.arm * self.next.spin),
        }
    }
}
