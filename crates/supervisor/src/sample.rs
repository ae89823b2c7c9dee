//! Samples: the ball at one time, as outputs show it.

use curves::{Frame, OffsetGround, Place, Touched};
use mechanics::State;
use nalgebra::Vector2;
use rolling::{CompressedState, CompressedSystem, ContactState, ContactSystem};

use crate::Phase;

/// The ball at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Phase of the ball.
    pub phase: Phase,
    /// State of the ball.
    pub state: State,
    /// Acceleration of the centre, m/s².
    pub acceleration: Vector2<f64>,
    /// Place of contact, if any.
    pub place: Option<Place>,
    /// Last touch of ground that crosses itself; it selects the strands that are solid for this ball.
    pub last: Touched,
    /// λ, N (0 in flight).
    pub normal_force: f64,
    /// f along τ, N (0 in flight); of compliant contact with the viscous force.
    pub friction_force: f64,
    /// λ of the second contact of a wedged ball, N; else 0.
    pub second_normal_force: f64,
}

impl Sample {
    pub(crate) fn in_flight(state: State, acceleration: Vector2<f64>) -> Self {
        Sample {
            phase: Phase::Flight,
            state,
            acceleration,
            place: None,
            last: Touched::default(),
            normal_force: 0.0,
            friction_force: 0.0,
            second_normal_force: 0.0,
        }
    }

    /// Returns the sample with this last touch, moved to its own place if the same strands are solid there.
    #[inline(always)]
    pub(crate) fn after(mut self, last: Touched, ground: &OffsetGround) -> Self {
        let now = self.place.map_or(last, |place| ground.touching(last, place));
        self.last = if now.strands() == last.strands() { now } else { last };
        self
    }

    pub(crate) fn in_contact(system: &ContactSystem, state: &ContactState) -> Self {
        let acceleration = system.acceleration(&state.frame, state.speed, &system.law(state));
        Sample {
            phase: system.mode.into(),
            place: Some(state.place),
            normal_force: state.normal_force,
            friction_force: state.friction_force,
            ..Sample::in_flight(state.state(), acceleration)
        }
    }

    /// Returns the sample with the method's own λ and f (N), and the acceleration that follows.
    pub(crate) fn with_multiplier(self, system: &ContactSystem, frame: &Frame, [normal, friction]: [f64; 2]) -> Self {
        let more = frame.normal * (normal - self.normal_force) + frame.tangent * (friction - self.friction_force);
        let acceleration = self.acceleration + more / system.ball.mass();
        Sample { acceleration, normal_force: normal, friction_force: friction, ..self }
    }

    pub(crate) fn compressed(system: &CompressedSystem, state: &CompressedState) -> Self {
        let (push, acceleration) = system.forces_at(state);
        Sample {
            phase: Phase::Compressed,
            place: Some(state.place),
            normal_force: push.normal_force,
            friction_force: push.friction_force + push.viscous_force,
            ..Sample::in_flight(state.state(system.ground), acceleration)
        }
    }
}
