//! Numbers of a run.

use mechanics::State;
use supervisor::{Event, Jump, Moment, Sample, Scene};

/// Component of a state.
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
    /// Reads it off a state in the frame that stands still; NaN for the ground's parameter, which no state has.
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

    /// Reads it off a sample.
    pub fn of_sample(self, scene: &Scene, sample: &Sample) -> f64 {
        match (self, sample.place) {
            (Component::GroundParameter, Some(place)) => scene.ground.shown_parameter(place),
            (Component::GroundParameter, None) => {
                let (place, _) = scene.seen_by(sample).nearest(sample.state.time, sample.state.position);
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
        /// Component of the state.
        component: Component,
        /// Moment at which it is read.
        moment: Moment,
        /// Just before the event.
        before: bool,
    },
    /// The greatest y of the centre, m.
    Height,
    /// The greatest λ between impacts, N; it has no derivatives here.
    NormalForce,
    /// A number of the n-th jump (from 1); it has no derivatives here.
    Jump(OfJump, usize),
}

/// A number of a jump: from where the ball leaves the ground on which it was to where it first touches it again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum OfJump {
    /// Just after it leaves the ground.
    LiftOff(Component),
    /// Just before it touches it.
    Landing(Component),
    /// Distance of both places of the centre, m.
    Length,
    /// Speed with which the ball leaves, m/s.
    Speed,
    /// Angle of velocity and ground where the ball touches it, rad.
    LandingAngle,
    /// `(v·n)²/(2g)` there, m.
    FallHeight,
    /// P_n of the touch, N s.
    NormalImpulse,
}

impl OfJump {
    /// Reads it off a jump that has ended.
    pub fn of(self, scene: &Scene, jump: &Jump) -> f64 {
        let component = |component: Component, event: &Event, state: &State| match component {
            Component::GroundParameter => scene.ground.shown_parameter(event.place),
            _ => component.of_state(&scene.world(state)),
        };
        let Jump { left, back } = jump;
        match self {
            OfJump::LiftOff(of) => component(of, left, &left.after),
            OfJump::Landing(of) => component(of, back, &back.before),
            OfJump::Length => jump.length(scene),
            OfJump::Speed => scene.world(&left.after).velocity.norm(),
            OfJump::LandingAngle => jump.landing_angle(),
            OfJump::FallHeight => jump.fall_height(scene),
            OfJump::NormalImpulse => back.normal_impulse,
        }
    }
}

impl Quantity {
    /// Whether [`read`](crate::read) knows its derivatives.
    pub fn is_smooth(&self) -> bool {
        !matches!(
            self,
            Quantity::NormalForce
                | Quantity::Jump(..)
                | Quantity::At { component: Component::GroundParameter, .. }
                | Quantity::At { moment: Moment::Watch(..), .. }
        )
    }
}
