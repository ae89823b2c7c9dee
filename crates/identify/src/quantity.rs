//! Quantities that can be read off a run.

use mechanics::State;
use supervisor::{Event, Jump, Moment, Sample, Scene};

/// Component of a state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Component {
    /// Time, s.
    Time,
    /// `x, y, vx, vy, ω, φ` by index (m, m/s, rad/s, rad).
    State(usize),
    /// `‖v‖`, m/s.
    Speed,
    /// Parameter of the nearest ground point, as in outputs; without derivatives.
    GroundParameter,
}

impl Component {
    /// Value in a state in the frame at rest; NaN for the ground's parameter, which a state does not have.
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

    /// Value in a sample.
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

/// A quantity of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Quantity {
    /// Component of the state at a moment.
    At {
        /// Component of the state.
        component: Component,
        /// Moment.
        moment: Moment,
        /// Whether just before the moment's event; else just after it.
        before: bool,
    },
    /// The greatest y of the centre, m.
    Height,
    /// The greatest λ between impacts, N; without derivatives.
    NormalForce,
    /// A quantity of the n-th jump (from 1); without derivatives.
    Jump(OfJump, usize),
}

/// A quantity of a jump: from where the ball leaves the ground to where it next touches it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum OfJump {
    /// Just after leaving the ground.
    LiftOff(Component),
    /// Just before touching it.
    Landing(Component),
    /// Distance between both places of the centre, m.
    Length,
    /// Speed at leaving, m/s.
    Speed,
    /// Angle between velocity and ground at the touch, rad.
    LandingAngle,
    /// `(v·n)²/(2g)` at the touch, m.
    FallHeight,
    /// P_n of the touch, N s.
    NormalImpulse,
}

impl OfJump {
    /// Value for a finished jump.
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
    /// Whether [`read`](crate::read) gives its derivatives.
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
