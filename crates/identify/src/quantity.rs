//! Numbers of a run.

use mechanics::State;
use supervisor::{Moment, Sample, Scene};

/// What is read off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Component {
    /// s
    Time,
    /// `x, y, vx, vy, ω, φ` by index (m, m/s, rad/s, rad).
    State(usize),
    /// `‖v‖`, m/s.
    Speed,
    /// The parameter of the nearest ground point, as outputs show it; it has no derivatives here.
    GroundParameter,
}

impl Component {
    /// Of a state seen from what stands still; NaN of the ground's parameter, which no state has.
    pub fn of_state(self, state: &State) -> f64 {
        match self {
            Component::Time => state.time,
            Component::State(0) => state.position.x,
            Component::State(1) => state.position.y,
            Component::State(2) => state.velocity.x,
            Component::State(3) => state.velocity.y,
            Component::State(4) => state.spin,
            Component::State(5) => state.angle,
            Component::Speed => state.velocity.norm(),
            Component::State(_) | Component::GroundParameter => f64::NAN,
        }
    }

    /// Of a sample.
    pub fn of_sample(self, scene: &Scene, sample: &Sample) -> f64 {
        match (self, sample.place) {
            (Component::GroundParameter, Some(place)) => scene.ground.shown_parameter(place),
            (Component::GroundParameter, None) => {
                let (place, _) = scene.nearest(sample.state.time, sample.state.position);
                scene.ground.shown_parameter(place)
            }
            _ => self.of_state(&scene.world(&sample.state)),
        }
    }
}

/// A number of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Quantity {
    /// At a moment; of an event just after it, or `before`.
    At {
        /// What.
        component: Component,
        /// When.
        moment: Moment,
        /// Just before the event.
        before: bool,
    },
    /// The greatest y of the centre, m.
    Height,
    /// The greatest λ between impacts, N; it has no derivatives here.
    NormalForce,
    /// How far the n-th jump (from 1) goes, m: from where the ball leaves the ground on which it was to where it first touches
    /// it again; it has no derivatives here.
    JumpLength(usize),
}

impl Quantity {
    /// Whether [`read`](crate::read) knows its derivatives.
    pub fn is_smooth(&self) -> bool {
        !matches!(
            self,
            Quantity::NormalForce
                | Quantity::JumpLength(_)
                | Quantity::At { component: Component::GroundParameter, .. }
                | Quantity::At { moment: Moment::Watch(..), .. }
        )
    }
}
