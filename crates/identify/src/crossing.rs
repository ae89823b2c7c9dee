//! What an event is to the state before it: when it comes, and what it does.

use curves::{Beyond, Number, Place};
use mechanics::Mode;
use supervisor::{Event, EventKind};

use crate::capture::{self, Bounces};
use crate::model::{Dual, Grip, Model, Phase, Vector, constant, dot};

/// The kinds of conditions and resets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Crossing {
    /// `gap = 0`; the law of impact. In contact after it: `lands`; where that is since e = 0, a little more of it bounces: `landed`.
    Impact { grip: Grip, lands: bool, landed: Option<Landed> },
    /// `λ = 0`; flight with the state as it is.
    LiftOff,
    /// The end of a piece or corner, up or down; flight.
    End { forward: bool },
    /// The same; on along the ground.
    Joint { forward: bool, next: Place },
    /// `±f = μλ` (0: either); the contact point begins to slip.
    Slip { sign: f64 },
    /// `u = 0`; slipping the other way.
    Turn,
    /// `u = 0`; rolling.
    Stick,
    /// `u = 0`; at rest.
    Rest,
}

/// Contact that begins with an impact without restitution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Landed {
    mode: Mode,
    /// s
    time: f64,
}

impl Landed {
    /// The state in contact after an impact of a model with a little restitution, `x` being that of the first hop: what contact would
    /// have to begin with to be, after the hops, where they end.
    fn after(self, model: &Model, place: Place, s: Dual, x: &Vector<Dual>) -> Vector<Dual> {
        let Landed { mode, time } = self;
        let bounces = Bounces { place, sticks: matches!(mode, Mode::Rolling | Mode::Resting), at_once: false };
        let jump = capture::jump(model, bounces, constant(time), s, x);
        let rates = model.rates(Phase::Contact { place, mode }, constant(time), &jump.after);
        std::array::from_fn(|i| jump.after[i] - rates[i] * jump.duration)
    }
}

impl Crossing {
    /// From an event and the phase before it; `None`: a kind of event whose time has no derivative here.
    pub fn of(model: &Model, event: &Event, before: Phase, after: Phase, friction: f64) -> Option<Crossing> {
        let hits = matches!(event.kind, EventKind::Impact | EventKind::Landing);
        let Phase::Contact { place, mode } = before else {
            return hits.then(|| {
                let (normal, along) = event.velocity_before();
                let push = -(1.0 + model.scene.law.restitution()) * model.scene.ball.mass() * normal;
                let slip = along + model.lever() * event.before.spin;
                let grip = model.grip(push, slip, model.rebound());
                let landed = match after {
                    Phase::Contact { mode, .. } if model.scene.law.restitution() == 0.0 => {
                        Some(Landed { mode, time: event.time() })
                    }
                    _ => None,
                };
                Crossing::Impact { grip, lands: after != Phase::Flight, landed }
            });
        };
        // On the ground it is an impact on two contacts.
        if hits {
            return None;
        }
        let Phase::Contact { mode: next, .. } = after else {
            let forward = event.after.velocity.dot(&event.frame.tangent) > 0.0;
            let off_a_corner = || {
                let range = model.scene.ground.range(place);
                let edge = if forward { range.hi } else { range.lo };
                let near = (event.place.parameter() - edge).abs() <= 1e-9 * (1.0 + edge.abs());
                near && model.scene.ground.beyond(event.place, forward) == Beyond::CornerAir
            };
            return match event.kind {
                EventKind::LiftOff if off_a_corner() => Some(Crossing::End { forward }),
                EventKind::LiftOff => Some(Crossing::LiftOff),
                EventKind::EndOfGround => Some(Crossing::End { forward }),
                _ => None,
            };
        };
        match (mode, next) {
            (Mode::Rolling | Mode::Resting, Mode::Sliding { .. }) => Some(Crossing::Slip { sign: friction.signum() }),
            (Mode::Sliding { .. }, Mode::Sliding { .. }) => Some(Crossing::Turn),
            (Mode::Sliding { .. }, Mode::Rolling) => Some(Crossing::Stick),
            (Mode::Sliding { .. }, Mode::Resting) => Some(Crossing::Rest),
            _ => None,
        }
    }

    /// The condition; `touched` holds the parameter of the contact point, which is kept for `gap`.
    pub fn condition(&self, model: &Model, before: Phase, touched: Place, time: Dual, x: &Vector<Dual>) -> Dual {
        let Phase::Contact { place, mode } = before else {
            let frame = model.frame(touched, constant(touched.parameter()));
            let away = [x[0] - frame.position[0], x[1] - frame.position[1]];
            return dot(away, frame.normal.map(|c| constant(c.0[0])));
        };
        match *self {
            Crossing::LiftOff => model.contact(place, mode, time, x).normal_force,
            Crossing::Slip { sign } => {
                let contact = model.contact(place, mode, time, x);
                let limit = contact.normal_force.scale(model.scene.law.friction_coefficient());
                limit - contact.friction_force.scale(sign)
            }
            Crossing::End { forward } | Crossing::Joint { forward, .. } => constant(edge(model, place, forward)) - x[0],
            _ => model.slip(x),
        }
    }

    /// The state after; `s` is the contact point's parameter.
    pub fn reset(&self, model: &Model, place: Place, s: Dual, x: &Vector<Dual>) -> Vector<Dual> {
        let zero = constant(0.0);
        match *self {
            Crossing::Impact { grip, lands, landed } => {
                let [px, py, vx, vy, spin, angle] = *x;
                let frame = model.frame(place, s);
                let velocity = [vx, vy];
                let hit = [dot(velocity, frame.normal), dot(velocity, frame.tangent), spin];
                let [normal, along, spin] = model.struck(grip, hit);
                let [vx, vy] = [0, 1].map(|i| frame.normal[i] * normal + frame.tangent[i] * along);
                let flies = [px, py, vx, vy, spin, angle];
                match landed {
                    Some(landed) if normal.0[0] > 0.0 => landed.after(model, place, s, &flies),
                    _ if lands => [s, along, spin, angle, zero, zero],
                    _ => flies,
                }
            }
            Crossing::LiftOff | Crossing::End { .. } => {
                model.on_ground(Phase::Contact { place, mode: Mode::Resting }, x)
            }
            Crossing::Joint { forward, next } => [constant(edge(model, next, !forward)), x[1], x[2], x[3], zero, zero],
            Crossing::Slip { .. } | Crossing::Turn => *x,
            Crossing::Stick => [x[0], x[1], x[1].scale(-1.0 / model.scene.ball.radius()), x[3], zero, zero],
            Crossing::Rest => [x[0], zero, x[2], x[3], zero, zero],
        }
    }
}

/// Where a place's piece or corner ends (`forward`) or begins.
pub(crate) fn edge(model: &Model, place: Place, forward: bool) -> f64 {
    let range = model.scene.ground.range(place);
    if forward { range.hi } else { range.lo }
}
