//! Conditions and resets of events over dual numbers: when an event happens, and the state after it; also the reset of
//! summed-up bounces. States are laid out as [`Vector`] says.

use curves::{Beyond, Place};
use mechanics::{Arrival, EffectiveMass, Grip, Guard, Impact, Impulses, Jump, Mode, Rebound, normal_force};
use numbers::Dual;
use rolling::foot;
use supervisor::{Event, EventKind};

use crate::dual_equations_of_motion::{Model, SweepPhase, Vector, constant, dot};

/// Condition and reset of an event, by its kind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum EventRule {
    /// `gap = 0`; law of impact. `lands`: contact follows; `plastic`: by e = 0, where a larger e would give a bounce.
    Impact { grip: Grip, lands: bool, plastic: Option<Plastic> },
    /// `λ = 0`; flight from the same state.
    LiftOff,
    /// End (`forward`) or begin of a piece or corner; flight.
    End { forward: bool },
    /// End (`forward`) or begin of a piece or corner; contact continues at `next`.
    Joint { forward: bool, next: Place },
    /// `|f| = μλ`; slip begins.
    Slip,
    /// `u = 0`; slip reverses, or ends.
    Stick,
    /// `v·τ = 0` of a ball that rolls against resistance, or slides with its spin held by it; it rests, or turns back.
    Turn,
    /// `ω = 0` of a ball that slides against rolling resistance; the spin is held, or reverses.
    Spin,
}

/// Contact after an impact with e = 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Plastic {
    /// Mode of the contact.
    mode: Mode,
    /// Time of the impact, s.
    time: f64,
}

impl Plastic {
    /// State `x(T) − ẋ T` in contact at the time of the impact, for a model with slightly larger e. That model ends its
    /// hops, of duration T, in the state x(T); contact without hops from the state returned leads there, too. `x` is
    /// the state at the begin of the first hop.
    fn after_hops(self, model: &Model, place: Place, s: Dual, x: &Vector<Dual>) -> Vector<Dual> {
        let Plastic { mode, time } = self;
        let bounces = Bounces { place, sticks: matches!(mode, Mode::Rolling { .. } | Mode::Resting), at_once: false };
        let jump = jump(model, bounces, constant(time), s, x);
        let rates = model.rates(SweepPhase::Contact { place, mode }, constant(time), &jump.after);
        std::array::from_fn(|i| jump.after[i] - rates[i] * jump.duration)
    }
}

impl EventRule {
    /// Rule of an event, by the phases around it; `None`: events of this kind have no differentiable time.
    pub fn of(model: &Model, event: &Event, before: SweepPhase, after: SweepPhase) -> Option<EventRule> {
        let hits = matches!(event.kind, EventKind::Impact | EventKind::Landing);
        let SweepPhase::Contact { place, mode } = before else {
            return hits.then(|| {
                let (ball, law) = (&model.scene.ball, model.scene.law_at(event.place));
                let (normal, along) = event.velocity_before();
                let slip = ball.slip(along, event.before.spin);
                let grip = law.grip(law.asked(EffectiveMass::of(ball), normal, slip)).unwrap_or(Grip::Slides(0.0));
                let plastic = match after {
                    SweepPhase::Contact { mode, .. } if law.is_plastic(-normal) => {
                        Some(Plastic { mode, time: event.time() })
                    }
                    _ => None,
                };
                EventRule::Impact { grip, lands: after != SweepPhase::Flight, plastic }
            });
        };
        // An impact of a ball that is on the ground already has two contacts.
        if hits {
            return None;
        }
        let SweepPhase::Contact { mode: next, .. } = after else {
            let forward = event.after.velocity.dot(&event.frame.tangent) > 0.0;
            let off_a_corner = || {
                let (range, edge) = (model.scene.ground.range(place), edge(model, place, forward));
                let near = (event.place.parameter() - edge).abs() <= 1e-9 * (range.extent() + edge.abs());
                near && model.scene.ground.beyond(event.place, forward) == Beyond::CornerAir
            };
            return match event.kind {
                EventKind::LiftOff if off_a_corner() => Some(EventRule::End { forward }),
                EventKind::LiftOff => Some(EventRule::LiftOff),
                // The end of the arc around a free end.
                EventKind::EndOfGround if matches!(event.place, Place::Corner { .. }) => Some(EventRule::LiftOff),
                EventKind::EndOfGround => Some(EventRule::End { forward }),
                _ => None,
            };
        };
        let (stops, law) = (event.after.velocity.norm() == 0.0, model.scene.law_at(place));
        match (mode, next) {
            (Mode::Rolling { sign }, _) if sign != 0.0 && stops => Some(EventRule::Turn),
            (Mode::Rolling { .. } | Mode::Resting, Mode::Sliding { .. }) => Some(EventRule::Slip),
            (Mode::Sliding { spin, .. }, _) if spin != 0.0 && event.after.spin == 0.0 => Some(EventRule::Spin),
            (Mode::Sliding { .. }, _) if mode.spin_is_held(law) => Some(EventRule::Turn),
            (Mode::Sliding { .. }, _) => Some(EventRule::Stick),
            _ => None,
        }
    }

    /// Condition at a state `x` of the phase `before`; of an impact the gap along the normal at the place `touched`.
    pub fn condition(&self, model: &Model, before: SweepPhase, touched: Place, time: Dual, x: &Vector<Dual>) -> Dual {
        let SweepPhase::Contact { place, mode } = before else {
            let frame = model.frame(touched, constant(touched.parameter()));
            let away = [x[0] - frame.position[0], x[1] - frame.position[1]];
            return dot(away, frame.normal.map(|c| constant(c.0[0])));
        };
        let guard = match *self {
            EventRule::End { forward } | EventRule::Joint { forward, .. } => {
                return constant(edge(model, place, forward)) - x[0];
            }
            EventRule::LiftOff => Guard::Normal,
            EventRule::Slip => Guard::Friction,
            EventRule::Turn if mode.rolls() => Guard::Turn,
            EventRule::Spin => Guard::Spin,
            _ => Guard::Slip,
        };
        let rim = || x[2] * constant(model.scene.ball.radius());
        let forces = || model.contact(place, mode, time, x).forces;
        guard.value(model.scene.law_at(place), mode, || [model.slip(x), x[1], rim()], forces)
    }

    /// State after the event from the state `x` before it; `s` is the parameter of the contact point.
    pub fn reset(&self, model: &Model, place: Place, s: Dual, x: &Vector<Dual>) -> Vector<Dual> {
        let zero = constant(0.0);
        match *self {
            EventRule::Impact { grip, lands, plastic } => {
                let [px, py, vx, vy, spin, angle] = *x;
                let frame = model.frame(place, s);
                let [normal, along] = [frame.normal, frame.tangent].map(|direction| dot([vx, vy], direction));
                let (ball, law) = (&model.scene.ball, model.scene.law_at(place));
                let hit = Impact::over(ball, law, grip, Arrival { normal, along, spin, slip: ball.slip(along, spin) });
                let Impact { normal_velocity: normal, tangential_velocity: along, spin, .. } = hit;
                let [vx, vy] = [0, 1].map(|i| frame.normal[i] * normal + frame.tangent[i] * along);
                let flies = [px, py, vx, vy, spin, angle];
                match plastic {
                    Some(plastic) if normal.0[0] > 0.0 => plastic.after_hops(model, place, s, &flies),
                    _ if lands => [s, along, spin, angle, zero, zero],
                    _ => flies,
                }
            }
            EventRule::LiftOff | EventRule::End { .. } => {
                model.on_ground(SweepPhase::Contact { place, mode: Mode::Resting }, x)
            }
            EventRule::Joint { forward, next } => [constant(edge(model, next, !forward)), x[1], x[2], x[3], zero, zero],
            EventRule::Slip => *x,
            EventRule::Turn => [x[0], zero, zero, x[3], zero, zero],
            EventRule::Spin => [x[0], x[1], zero, x[3], zero, zero],
            EventRule::Stick => {
                let [speed, spin] = model.scene.ball.stuck(x[1], x[2]);
                [x[0], speed, spin, x[3], zero, zero]
            }
        }
    }
}

/// Parameter at which the piece or corner of a place ends (`forward`) or begins.
pub(crate) fn edge(model: &Model, place: Place, forward: bool) -> f64 {
    let range = model.scene.ground.range(place);
    if forward { range.hi } else { range.lo }
}

/// End of summed-up bounces.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Landed {
    /// Their duration T, s.
    pub duration: Dual,
    /// State in contact after them.
    pub after: Vector<Dual>,
}

/// Summed-up bounces of the run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounces {
    /// Place of the bounces.
    pub place: Place,
    /// Whether friction stops the contact point; else it slides all the time.
    pub sticks: bool,
    /// Whether T = 0 was taken, since e = 1 gives no duration.
    pub at_once: bool,
}

/// [`Rebound::jump`] over dual numbers, from the state after an impact at parameter `s`.
pub(crate) fn jump(model: &Model, bounces: Bounces, time: Dual, s: Dual, x: &Vector<Dual>) -> Landed {
    let Bounces { place, sticks, at_once } = bounces;
    let (ball, law) = (&model.scene.ball, model.scene.law_at(place));
    let [px, py, vx, vy, spin, angle] = *x;
    let frame = model.frame(place, s);
    let (rise, along) = (dot([vx, vy], frame.normal), dot([vx, vy], frame.tangent));
    let force = model.force(time, [px, py], frame.tangent.map(|t| t * along), spin);
    let [drive, across] = [frame.tangent, frame.normal].map(|direction| dot(force, direction));
    let per_mass = |force: Dual| force / constant(ball.mass());
    let pull = per_mass(normal_force(ball.mass(), frame.curvature, along, across));
    // The derivative of the damping by drag is left out: it would change the jump in second order only.
    let run = model.scene.ground.frame(place.at(s.0[0]));
    let damping = constant(model.scene.forces.damping(time.0[0], run.tangent * along.0[0], run.normal));
    let rebound = Rebound { rise, along, spin, pull, drive: per_mass(drive), damping };
    let duration = if at_once { constant(0.0) } else { rebound.duration(law) };
    let direction = |asked: Impulses<Dual>| if at_once { 0.0 } else { asked.tangential.0[0].signum() };
    let grip = |asked| if sticks { Grip::Sticks } else { Grip::Slides(direction(asked)) };
    let Jump { travel, speed, spin, turned, .. } = rebound.jump(ball, law, duration, ball.slip(along, spin), grip);
    // One more Newton step for the foot than its value needs gives its derivative.
    let end = [0, 1].map(|i| [px, py][i] + frame.tangent[i] * travel);
    let found = foot(&model.scene.ground, place.at(s.0[0]), run, [end[0].0[0], end[1].0[0]].into());
    let near = found.map_or(f64::NAN, |found| found.place.parameter());
    let at = model.frame(place, constant(near));
    let away = [0, 1].map(|i| at.position[i] - end[i]);
    let foot =
        constant(near) - dot(away, at.tangent) / (at.speed * (constant(1.0) + at.curvature * dot(away, at.normal)));
    Landed { duration, after: [foot, speed, spin, angle + turned, constant(0.0), constant(0.0)] }
}
