//! Start of a run: in which motion it begins, by the state that the caller gives.

use std::sync::Arc;

use curves::{OffsetGround, Place};
use mechanics::{Mode, Press, State};
use nalgebra::Vector2;
use numbers::Rounding;
use rolling::CompressedState;

use crate::Scene;
use crate::phase_states::{Compression, Contact, Flight, Motion};

/// Start of a run: in flight, or on the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Start {
    /// State of a ball off the ground, or on it: one that touches and moves along the ground begins in contact. On
    /// compliant ground it may be compressed by less than the radius.
    Flight(State),
    /// On the ground.
    Contact {
        /// Place on the ground.
        place: Place,
        /// `v·τ`, m/s.
        speed: f64,
        /// Spin, rad/s; `None`: rolling without slip.
        spin: Option<f64>,
        /// Time, s.
        time: f64,
    },
}

/// Ground nearest to a start, kept from the check that the start is above it.
#[derive(Clone, Debug)]
pub struct Near {
    ground: Arc<OffsetGround>,
    centre: Vector2<f64>,
    place: Place,
    gap: f64,
}

impl Near {
    /// Finds the ground nearest to a centre (m) at a time (s).
    pub fn of(scene: &Scene, time: f64, centre: Vector2<f64>) -> Self {
        let (place, gap) = scene.nearest(time, centre);
        Near { ground: scene.ground.clone(), centre, place, gap }
    }

    /// The nearest place.
    pub fn place(&self) -> Place {
        self.place
    }

    /// Gap between the ball and the ground, m.
    pub fn gap(&self) -> f64 {
        self.gap
    }

    /// The place and its gap (m), if they belong to this ground and centre.
    fn holds(&self, ground: &Arc<OffsetGround>, centre: Vector2<f64>) -> Option<(Place, f64)> {
        (Arc::ptr_eq(&self.ground, ground) && self.centre == centre).then_some((self.place, self.gap))
    }
}

impl Start {
    /// Index of the part that a ball starts on, or which is nearest to it, and the start as that part sees it.
    pub(crate) fn on_part(self, scene: &Scene) -> (usize, Start) {
        if scene.parts.is_empty() {
            return (0, self);
        }
        match self {
            Start::Contact { place, .. } => (scene.part_of(place), self),
            Start::Flight(state) => {
                let number = scene.part_of(scene.nearest(state.time, state.position).0);
                (number, Start::Flight(scene.part(number).seen(&state)))
            }
        }
    }

    /// Time of the start, s.
    pub fn time(&self) -> f64 {
        match self {
            Start::Flight(state) => state.time,
            Start::Contact { time, .. } => *time,
        }
    }

    /// Place of the ball on the ground, or nearest to it, and its state; without a given spin it rolls.
    pub fn ball(&self, scene: &Scene) -> (Place, State) {
        match *self {
            Start::Flight(state) => (scene.nearest(state.time, state.position).0, state),
            Start::Contact { place, speed, spin, time } => {
                let frame = scene.ground.frame(place);
                let spin = spin.unwrap_or_else(|| scene.ball.stuck(speed, 0.0)[1]);
                let [displacement, ground_velocity] = scene.carried(place, time);
                let (position, velocity) = (frame.position + displacement, frame.tangent * speed + ground_velocity);
                (place, State { time, position, velocity, spin, ..State::default() })
            }
        }
    }

    /// Place of the ball on the ground, or nearest to it, and the gap there, m; from `near` if it belongs to the start.
    pub(crate) fn place_and_gap(&self, scene: &Scene, near: Option<&Near>) -> (Place, f64) {
        match *self {
            Start::Flight(State { position, .. }) => near
                .and_then(|near| near.holds(&scene.ground, position))
                .unwrap_or_else(|| scene.ground.place_and_gap(position)),
            Start::Contact { place, .. } => (place, 0.0),
        }
    }

    /// Compression at the start, m, if it is the radius or more, which no law of compliant contact covers.
    pub fn crushed(&self, scene: &Scene) -> Option<f64> {
        scene.compliance.as_ref()?;
        let Motion::Compression(Compression { state, .. }) = begin(scene, *self) else { return None };
        Some(state.compression()).filter(|compression| !(*compression < scene.ball.radius()))
    }

    /// Slip velocity of a start on ground whose friction allows none, m/s.
    pub fn forbidden_slip(&self, scene: &Scene) -> Option<f64> {
        if !scene.laws().any(|law| law.never_slips()) {
            return None;
        }
        let (number, start) = self.on_part(scene);
        let scene = scene.part(number);
        let Motion::Contact(Contact { state, mode: Mode::Sliding { .. } }) = begin(scene, start) else { return None };
        let slip = scene.ball.slip_velocity(state.speed, state.spin);
        (scene.law_at(state.place).never_slips() && slip != 0.0).then_some(slip)
    }
}

/// Largest size of a gap that is zero to rounding, m: 16 rounding errors of the centre, the radius and the place's
/// parameter as a length along the ground.
pub(crate) fn gap_rounding(ground: &OffsetGround, place: Place, centre: Vector2<f64>) -> f64 {
    let frame = ground.frame(place);
    let along = place.length(&frame) / ground.shrink(&frame).abs();
    Rounding::SUM * Rounding::of_motion(centre.norm() + ground.radius() + along, 0.0, 0.0, 0.0).length
}

/// Motion at the start. A ball whose contact would need λ < 0, since the ground falls away faster, is in flight.
pub(crate) fn begin(scene: &Scene, start: Start) -> Motion {
    let (place, gap) = start.place_and_gap(scene, None);
    begin_at(scene, start, place, gap)
}

/// Motion at the start, given the result of [`Start::place_and_gap`].
pub(crate) fn begin_at(scene: &Scene, start: Start, place: Place, gap: f64) -> Motion {
    let Scene { ground, ball, forces, .. } = scene;
    let (place, speed, spin, time) = match start {
        Start::Flight(mut state) => {
            // The reported work, `work + carried_energy`, begins at 0.
            state.work = -forces.carried_energy(&state);
            let frame = ground.frame(place);
            let rounding = gap_rounding(ground, place, state.position);
            let (compression, touches) = (-gap, gap.abs() <= rounding);
            // A ball deeper than 2R is beside ground that ends there, not in it.
            if compression > rounding
                && compression < 2.0 * ball.radius()
                && let Some(motion) = compressed_by(scene, place, &state, compression)
            {
                return motion;
            }
            let along = Rounding::vanishes(state.velocity.dot(&frame.normal), frame.rounding() * state.velocity.norm());
            if !(touches && along) {
                return Flight::free(state).into();
            }
            // A ball that touches is put exactly onto the ground.
            (place, state.velocity.dot(&frame.tangent), Some(state.spin), state.time)
        }
        Start::Contact { place, speed, spin, time } => (place, speed, spin, time),
    };
    let frame = ground.frame(place);
    let slip = if spin.is_none() && ball.turns() { 0.0 } else { ball.slip_velocity(speed, spin.unwrap_or(0.0)) };
    let (_, state) = Start::Contact { place, speed, spin, time }.ball(scene);
    let state = State { work: -forces.carried_energy(&state), ..state };
    // Where the ball fits its valley (κR = 1) no contact force is finite: `Motion::check_start` stops the run at once.
    if ground.osculates(&frame) {
        return Flight::leaving(ground, state, place).into();
    }
    let force = forces.force_at(&state);
    let mode = Mode::begin(ball, scene.law_at(place), &frame, force, speed, slip);
    let contact = scene.system(mode, place).begin(&state, place);
    // A second contact may hold a ball at rest that the first does not.
    let other = || ground.second_contact(place, gap_rounding(ground, place, state.position), -force);
    let press = Press::of(contact.normal_force, 0.0);
    if speed == 0.0
        && press == Some(Press::Leaves)
        && let Some((other, _)) = other()
        && Press::of(-force.dot(&ground.frame(other).normal), 0.0) == Some(Press::Presses)
    {
        return begin(scene, Start::Contact { place: other, speed, spin: Some(state.spin), time });
    }
    // A point within rounding of its curve is on the side that it presses.
    if press == Some(Press::Leaves)
        && let (Start::Flight(_), Some(place)) = (start, ground.other_side(place))
    {
        return begin(scene, Start::Contact { place, speed: -speed, spin: Some(state.spin), time });
    }
    // A ball that does not press is not compressed.
    if press == Some(Press::Leaves) || scene.compliance.is_some() && press == Some(Press::Touches) {
        return Flight::leaving(ground, state, place).into();
    }
    if let Some(state) = pressed(scene, place, &state, contact.normal_force, matches!(start, Start::Contact { .. })) {
        return Compression { state, pressing: true }.into();
    }
    Contact { state: contact, mode }.into()
}

/// State of a ball that starts on compliant ground which pushes with `normal_force` N (≥ 0): if `held`, compressed as
/// far as that force does; else it only touches. `None` on rigid ground.
fn pressed(scene: &Scene, place: Place, state: &State, normal_force: f64, held: bool) -> Option<CompressedState> {
    let depth = scene.compliance.as_ref()?.compression_holding(normal_force);
    if held {
        return Some(CompressedState { root: depth.sqrt(), ..CompressedState::touching(state, place) });
    }
    // √δ = 0 with v·n = 0 is a fixed point of the equations in fictitious time: the ball begins after a fall over 1e-12
    // of the depth instead.
    let pull = normal_force / scene.ball.mass();
    let fallen = 1e-12 * depth;
    let speed = (2.0 * pull * fallen).sqrt();
    let normal = scene.ground.frame(place).normal;
    let time = if pull > 0.0 { state.time + speed / pull } else { state.time };
    let moving = State { time, velocity: state.velocity - speed * normal, ..*state };
    Some(CompressedState { root: fallen.sqrt(), ..CompressedState::touching(&moving, place) })
}

/// A start compressed by δ (m, > 0); `None` on rigid ground.
fn compressed_by(scene: &Scene, place: Place, state: &State, compression: f64) -> Option<Motion> {
    let system = scene.compressed(true)?;
    let state = CompressedState { root: compression.sqrt(), ..CompressedState::touching(state, place) };
    let pressing = system.cut(&state).is_none_or(|force| Press::of(force, 0.0) == Some(Press::Presses));
    Some(Compression { state, pressing }.into())
}
