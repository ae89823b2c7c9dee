//! The ball at one time.

use nalgebra::Vector2;
use supervisor::{Phase, Sample, Scene};

/// The ball at one time, in the frame at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Moment {
    /// Time, s.
    pub time: f64,
    /// Phase of the ball.
    pub phase: Phase,
    /// Position of the centre, m.
    pub position: Vector2<f64>,
    /// Velocity of the centre, m/s.
    pub velocity: Vector2<f64>,
    /// Acceleration of the centre, m/s².
    pub acceleration: Vector2<f64>,
    /// rad, anticlockwise.
    pub angle: f64,
    /// rad/s, anticlockwise.
    pub spin: f64,
    /// λ, N; 0 in flight.
    pub normal_force: f64,
    /// Friction along the tangent, N; 0 in flight.
    pub friction_force: f64,
}

impl Moment {
    pub(crate) fn of(scene: &Scene, sample: &Sample) -> Self {
        let Sample { state, acceleration, .. } = scene.world_sample(sample);
        Moment {
            time: state.time,
            phase: sample.phase,
            position: state.position,
            velocity: state.velocity,
            acceleration,
            angle: state.angle,
            spin: state.spin,
            normal_force: sample.normal_force,
            friction_force: sample.friction_force,
        }
    }
}
