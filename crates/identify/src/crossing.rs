//! Conditions and resets of events, over dual numbers: when an event comes, and the state after it.

use curves::{Beyond, Place};
use mechanics::{Arrival, EffectiveMass, Grip, Guard, Impact, Mode};
use numbers::Dual;
use supervisor::{Event, EventKind};

use crate::capture::{self, Bounces};
use crate::model::{Model, Phase, Vector, constant, dot};

/// The kinds of conditions and resets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Crossing {
    /// `gap = 0`; the law of impact. In contact after it: `lands`; where that is since e = 0, a little more of it bounces: `landed`.
    Impact { grip: Grip, lands: bool, landed: Option<Plastic> },
    /// `λ = 0`; flight with the state as it is.
    LiftOff,
    /// The end of a piece or corner, up or down; flight.
    End { forward: bool },
    /// The end of a piece or corner, up or down; contact goes on along `next`.
    Joint { forward: bool, next: Place },
    /// `|f| = μλ`; the contact point begins to slip.
    Slip,
    /// `u = 0`; slipping the other way, or not.
    Stick,
    /// `v·τ = 0` of a ball that rolls against resistance, or whose spin that holds; rest, or on the other way.
    Turn,
    /// `ω = 0` of a ball that slides against rolling resistance; held there, or spinning the other way.
    Spin,
}

/// Contact that begins with an impact without restitution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Plastic {
    mode: Mode,
    /// s
    time: f64,
}

impl Plastic {
    /// State with which contact begins in a model of a little restitution, so that it is where the hops end; `x`: state of the first hop.
    fn after(self, model: &Model, place: Place, s: Dual, x: &Vector<Dual>) -> Vector<Dual> {
        let Plastic { mode, time } = self;
        let bounces = Bounces { place, sticks: matches!(mode, Mode::Rolling { .. } | Mode::Resting), at_once: false };
        let jump = capture::jump(model, bounces, constant(time), s, x);
        let rates = model.rates(Phase::Contact { place, mode }, constant(time), &jump.after);
        std::array::from_fn(|i| jump.after[i] - rates[i] * jump.duration)
    }
}

impl Crossing {
    /// From an event and the phase before it; `None`: a kind of event whose time has no derivative here.
    pub fn of(model: &Model, event: &Event, before: Phase, after: Phase) -> Option<Crossing> {
        let hits = matches!(event.kind, EventKind::Impact | EventKind::Landing);
        let Phase::Contact { place, mode } = before else {
            return hits.then(|| {
                let (ball, law) = (&model.scene.ball, model.scene.law_at(event.place));
                let (normal, along) = event.velocity_before();
                let slip = ball.slip(along, event.before.spin);
                let grip = law.grip(law.asked(EffectiveMass::of(ball), normal, slip)).unwrap_or(Grip::Slides(0.0));
                let landed = match after {
                    Phase::Contact { mode, .. } if law.is_plastic() => Some(Plastic { mode, time: event.time() }),
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
                let near = (event.place.parameter() - edge).abs() <= 1e-9 * (range.extent() + edge.abs());
                near && model.scene.ground.beyond(event.place, forward) == Beyond::CornerAir
            };
            return match event.kind {
                EventKind::LiftOff if off_a_corner() => Some(Crossing::End { forward }),
                EventKind::LiftOff => Some(Crossing::LiftOff),
                // Off the arc around the end.
                EventKind::EndOfGround if matches!(event.place, Place::Corner { .. }) => Some(Crossing::LiftOff),
                EventKind::EndOfGround => Some(Crossing::End { forward }),
                _ => None,
            };
        };
        let (stands, law) = (event.after.velocity.norm() == 0.0, model.scene.law_at(place));
        match (mode, next) {
            (Mode::Rolling { sign }, _) if sign != 0.0 && stands => Some(Crossing::Turn),
            (Mode::Rolling { .. } | Mode::Resting, Mode::Sliding { .. }) => Some(Crossing::Slip),
            (Mode::Sliding { spin, .. }, _) if spin != 0.0 && event.after.spin == 0.0 => Some(Crossing::Spin),
            (Mode::Sliding { .. }, _) if mode.spin_is_held(law) => Some(Crossing::Turn),
            (Mode::Sliding { .. }, _) => Some(Crossing::Stick),
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
        let guard = match *self {
            Crossing::End { forward } | Crossing::Joint { forward, .. } => {
                return constant(edge(model, place, forward)) - x[0];
            }
            Crossing::LiftOff => Guard::Normal,
            Crossing::Slip => Guard::Friction,
            Crossing::Turn if mode.rolls() => Guard::Turn,
            Crossing::Spin => Guard::Spin,
            _ => Guard::Slip,
        };
        let rim = || x[2] * constant(model.scene.ball.radius());
        let forces = || model.contact(place, mode, time, x).forces;
        guard.value(model.scene.law_at(place), mode, || [model.slip(x), x[1], rim()], forces)
    }

    /// The state after; `s` is the contact point's parameter.
    pub fn reset(&self, model: &Model, place: Place, s: Dual, x: &Vector<Dual>) -> Vector<Dual> {
        let zero = constant(0.0);
        match *self {
            Crossing::Impact { grip, lands, landed } => {
                let [px, py, vx, vy, spin, angle] = *x;
                let frame = model.frame(place, s);
                let [normal, along] = [frame.normal, frame.tangent].map(|direction| dot([vx, vy], direction));
                let (ball, law) = (&model.scene.ball, model.scene.law_at(place));
                let hit = Impact::over(ball, law, grip, Arrival { normal, along, spin, slip: ball.slip(along, spin) });
                let Impact { normal_velocity: normal, tangential_velocity: along, spin, .. } = hit;
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
            Crossing::Slip => *x,
            Crossing::Turn => [x[0], zero, zero, x[3], zero, zero],
            Crossing::Spin => [x[0], x[1], zero, x[3], zero, zero],
            Crossing::Stick => {
                let [speed, spin] = model.scene.ball.stuck(x[1], x[2]);
                [x[0], speed, spin, x[3], zero, zero]
            }
        }
    }
}

/// Where a place's piece or corner ends (`forward`) or begins.
pub(crate) fn edge(model: &Model, place: Place, forward: bool) -> f64 {
    let range = model.scene.ground.range(place);
    if forward { range.hi } else { range.lo }
}
