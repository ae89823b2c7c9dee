//! The ball at one time.

use supervisor::{Phase, Sample, Scene};

/// The ball at one time, seen from what stands still.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    /// s
    pub time: f64,
    /// What the ball does.
    pub phase: Phase,
    /// Of the centre, m.
    pub position: [f64; 2],
    /// Of the centre, m/s.
    pub velocity: [f64; 2],
    /// Acceleration of the centre, m/s².
    pub acceleration: [f64; 2],
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
            position: state.position.into(),
            velocity: state.velocity.into(),
            acceleration: acceleration.into(),
            angle: state.angle,
            spin: state.spin,
            normal_force: sample.normal_force,
            friction_force: sample.friction_force,
        }
    }
}
