//! How a run starts.

use curves::{OffsetGround, Place, Rounding};
use mechanics::{Friction, Mode, State};
use nalgebra::Vector2;

use crate::Scene;
use crate::compressed_phase::{compressed_by, pressed};
use crate::run::Motion;

/// How a run starts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Start {
    /// Off the ground, or on it and leaving it; on compliant ground also compressed, by less than the radius.
    Flight(State),
    /// On the ground.
    Contact {
        /// Where.
        place: Place,
        /// `v·τ`, m/s.
        speed: f64,
        /// rad/s; `None`: rolling without slip.
        spin: Option<f64>,
    },
}

impl Start {
    /// How deep the ball starts compressed, m, if that is its radius or more: beyond every law of compliant contact.
    pub fn crushed(&self, scene: &Scene) -> Option<f64> {
        let Motion::Compressed { state, .. } = begin(scene, *self) else { return None };
        Some(state.compression()).filter(|compression| !(*compression < scene.ball.radius()))
    }

    /// The slip velocity of a start on the ground whose friction allows none, m/s.
    pub fn forbidden_slip(&self, scene: &Scene) -> Option<f64> {
        let Motion::Contact { state, mode: Mode::Sliding { .. } } = begin(scene, *self) else { return None };
        let slip = scene.ball.slip_velocity(state.speed, state.spin);
        (scene.law.friction() == Friction::Infinite && slip != 0.0).then_some(slip)
    }
}

/// What rounding makes of the gap at a place, m: of the centre, and of the ground point that it is reckoned from.
fn grain(ground: &OffsetGround, place: Place, centre: Vector2<f64>) -> f64 {
    let along = (place.parameter() * ground.frame(place).speed).abs();
    Rounding::SUM * Rounding::of_motion(centre.norm() + ground.radius() + along, 0.0, 0.0, 0.0).length
}

/// The motion a run starts with. A ball on ground that falls away faster than the ball is in flight.
pub(crate) fn begin(scene: &Scene, start: Start) -> Motion {
    let Scene { ground, ball, forces, law, .. } = scene;
    let (place, speed, spin) = match start {
        Start::Flight(mut state) => {
            // No work is done yet.
            state.work = -forces.carried_energy(&state);
            let place = ground.place_below(state.position);
            let frame = ground.frame(place);
            let grain = grain(ground, place, state.position);
            let inside = -ground.gap(state.position);
            let touches = inside.abs() <= grain;
            if inside > grain
                && inside < 2.0 * ball.radius()
                && let Some(motion) = compressed_by(scene, place, &state, inside)
            {
                return motion;
            }
            let along = Rounding::vanishes(state.velocity.dot(&frame.normal), frame.rounding() * state.velocity.norm());
            if !(touches && along) {
                return Motion::Flight { state, departure: None };
            }
            // A ball put onto the ground is on it.
            (place, state.velocity.dot(&frame.tangent), Some(state.spin))
        }
        Start::Contact { place, speed, spin } => (place, speed, spin),
    };
    let frame = ground.frame(place);
    let turning = if ball.turns() { -speed / ball.radius() } else { 0.0 };
    let slip = if spin.is_none() && ball.turns() { 0.0 } else { ball.slip_velocity(speed, spin.unwrap_or(0.0)) };
    let velocity = frame.tangent * speed;
    let state = State {
        time: 0.0,
        position: frame.position,
        velocity,
        angle: 0.0,
        spin: spin.unwrap_or(turning),
        dissipated: 0.0,
        work: 0.0,
    };
    let state = State { work: -forces.carried_energy(&state), ..state };
    // Where the ball fits its valley no force is finite; the run stops at once.
    if ground.is_snug(&frame) {
        return Motion::Flight { state, departure: None };
    }
    let force = forces.force_at(&state);
    let mode = Mode::begin(ball, law, &frame, force, speed, slip);
    let contact = scene.system(mode).begin(&state, place);
    // What one of two contacts does not hold at rest the other may.
    let other = || ground.second_contact(place, grain(ground, place, state.position));
    if speed == 0.0
        && contact.normal_force < 0.0
        && let Some((other, _)) = other()
        && force.dot(&ground.frame(other).normal) < 0.0
    {
        return begin(scene, Start::Contact { place: other, speed, spin: Some(state.spin) });
    }
    // Nothing compresses a ball that does not press.
    if contact.normal_force < 0.0 || (scene.compliance.is_some() && contact.normal_force == 0.0) {
        return Motion::Flight { state, departure: None };
    }
    let held = matches!(start, Start::Contact { .. });
    if let Some(state) = pressed(scene, place, &state, contact.normal_force, held) {
        return Motion::Compressed { state, pressing: true };
    }
    Motion::Contact { state: contact, mode }
}
