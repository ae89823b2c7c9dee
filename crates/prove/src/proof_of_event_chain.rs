//! Proof of a run's events, one after the other.

use curves::{Frame, Place};
use mechanics::{ContactLaw, EffectiveMass, Impulses, Mode, Press};
use numbers::{Interval, Number, Taylor};
use supervisor::{Event, EventKind, Scene, Start};

use crate::Open;
use crate::enclosing_step::Set;
use crate::equations_of_motion::{AirMotion, GroundMotion, ProvenGuard, frame};
use crate::matrix::{Matrix, ONE, ZERO, dot, identity, product, split};
use crate::proof_of_first_contact::{Departing, FlightProof, Flying, Hit};
use crate::proof_of_guard_end::{GuardEnd, Sliding, first_end};

/// Enclosures of an event's true time and place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Proven {
    /// Time, s.
    pub time: Interval,
    /// Position of the ball's centre, m.
    pub position: [Interval; 2],
}

/// Events of a run, proven in order until one is not.
#[derive(Clone, Debug, PartialEq)]
pub struct Proof {
    /// The proven ones.
    pub proven: Vec<Proven>,
    /// Reason why the next one is not proven.
    pub open: Option<Open>,
}

/// Proves the events of a run from its start up to a time (s), in order.
pub fn prove(scene: &Scene, start: &Start, events: &[Event], until: f64) -> Proof {
    let mut proof = Proof { proven: Vec::with_capacity(events.len()), open: None };
    let followed = Follower::new(scene, start, until).and_then(|mut follower| {
        for event in events {
            let proven = follower.next(event)?;
            proof.proven.push(proven);
        }
        Ok(())
    });
    proof.open = followed.err();
    proof
}

/// Enclosure of `[s, v·τ, v·n, ω]` at an event, as a function of those at the event before.
type EventNumbers = Set<4, 4>;

impl EventNumbers {
    /// Numbers `centre + m r`: `centre` encloses those on the path from the exact centre of the start.
    fn with(centre: [Interval; 4], m: Matrix<4, 4>, r: [Interval; 4]) -> Self {
        let (c, e) = split(centre);
        EventNumbers { c, m, r, e }
    }
}

/// Derivative `(I − f gᵀ/(g·f)) M` of the state where a guard is zero: f its rates, g the guard's slope, `rate` g·f.
fn where_zero<const D: usize, const K: usize>(
    m: &Matrix<D, K>,
    guard: [Interval; D],
    rate: Interval,
    f: [Interval; D],
) -> Matrix<D, K> {
    let [fall] = product(&[guard], m);
    std::array::from_fn(|i| std::array::from_fn(|k| m[i][k] - f[i] * (fall[k] / rate)))
}

/// Phase of the ball, with its enclosure.
enum Following {
    Flight(Box<Flying>, Departing),
    Contact {
        piece: usize,
        set: Box<Sliding>,
        mode: Mode,
    },
    /// The proof has ended for this reason.
    Open(Open),
}

struct Follower<'a> {
    scene: &'a Scene,
    air: AirMotion,
    /// Inertia factor; `None`: the ball does not turn.
    inertia: Option<f64>,
    radius: f64,
    doing: Following,
    /// Time of the last event, s.
    time: Interval,
    until: f64,
}

impl<'a> Follower<'a> {
    fn new(scene: &'a Scene, start: &Start, until: f64) -> Result<Self, Open> {
        let forces = &scene.forces;
        let refused = [
            (forces.carriage().is_some(), "moving ground"),
            (forces.has_external(), "an external force"),
            (scene.compliance.is_some(), "a ball that gives way"),
            (scene.laws().any(|law| law.rolling_resistance() > 0.0), "rolling resistance"),
            (scene.laws().any(|law| law.own_impact().is_some()), "a law of impact beside Newton's"),
            (scene.ground.gates_before(start.ball(scene).0).is_some(), "a ground that crosses itself"),
        ];
        if let Some((_, what)) = refused.iter().find(|(is, _)| *is) {
            return Err(Open::Scene(what));
        }
        let air = AirMotion::of(scene).ok_or(Open::Scene("this gravity"))?;
        let (ball, point) = (&scene.ball, Interval::point);
        let inertia = ball.turns().then(|| ball.inertia_factor());
        let mut follower = Follower {
            scene,
            air,
            inertia,
            radius: ball.radius(),
            doing: Following::Open(Open::Nothing),
            time: point(start.time()),
            until,
        };
        follower.doing = match *start {
            Start::Flight(state) => {
                let gap = scene.ground.gap(state.position);
                if !(gap > 16.0 * scene.ground.rounding(scene.ground.place_below(state.position))) {
                    return Err(Open::Scene("a start in flight that is on the ground"));
                }
                let [q, v] = [state.position, state.velocity];
                let c = [q.x, q.y, v.x, v.y, state.spin];
                Following::Flight(
                    Box::new(Flying { c, m: [[ZERO; 4]; 5], r: [ZERO; 4], e: [ZERO; 5] }),
                    Departing::Above,
                )
            }
            Start::Contact { place, speed, spin, .. } => {
                let Place::Piece { index, parameter } = place else { return Err(Open::Several) };
                let spin = match (spin, inertia) {
                    (Some(spin), _) => point(spin),
                    (None, Some(_)) => -(point(speed) / point(follower.radius)),
                    (None, None) => ZERO,
                };
                let rolls = matches!(start, Start::Contact { spin: None, .. });
                let numbers = [point(parameter), point(speed), ZERO, spin];
                follower.settle(index, numbers, rolls)?
            }
        };
        Ok(follower)
    }

    fn law(&self, piece: usize) -> &ContactLaw {
        self.scene.law_at(Place::Piece { index: piece, parameter: 0.0 })
    }

    /// Proves the next event, which in the run is `event`.
    fn next(&mut self, event: &Event) -> Result<Proven, Open> {
        if event.kind == EventKind::Landing && !self.scene.law_at(event.place).is_plastic(-event.velocity_before().0) {
            return Err(Open::Capture);
        }
        let most = self.until - self.time.lo;
        match std::mem::replace(&mut self.doing, Following::Open(Open::Nothing)) {
            Following::Flight(set, left) => {
                let found = FlightProof::new(self.scene, &self.air).first_contact(*set, left, most)?;
                let (before, hit) = found.ok_or(Open::Nothing)?;
                self.strike(event, before, &hit)
            }
            Following::Contact { piece, set, mode } => {
                let contact = self.contact(piece, mode);
                let found = first_end(&contact, self.scene.ground.ground(), piece, *set, most)?;
                let (before, ended) = found.ok_or(Open::Nothing)?;
                self.leave(event, piece, mode, before, &ended)
            }
            Following::Open(why) => Err(why),
        }
    }

    /// Moves the time on to the next event, `before` plus `time` s after the last; an error if it may be after the end.
    fn passed(&mut self, before: f64, time: Interval) -> Result<Interval, Open> {
        self.time = self.time + (Interval::point(before) + time);
        if self.time.hi <= self.until { Ok(self.time) } else { Err(Open::Nothing) }
    }

    fn contact(&self, piece: usize, mode: Mode) -> GroundMotion<'a> {
        let law = self.law(piece).clone();
        let curve = self.scene.ground.ground().pieces()[piece].curve();
        GroundMotion { curve, radius: self.radius, inertia: self.inertia, air: self.air.clone(), law, mode }
    }

    /// Proves an impact, and begins the phase after it.
    fn strike(&mut self, event: &Event, before: f64, hit: &Hit) -> Result<Proven, Open> {
        let law = self.law(hit.piece).clone();
        let met = self.met(hit);
        let whole = met.whole();
        let plastic = law.is_plastic(-whole[2]);
        let kind = if plastic { EventKind::Landing } else { EventKind::Impact };
        // A plastic impact after which the ball leaves the ground at once is reported as an impact.
        if event.kind != kind && !(plastic && event.kind == EventKind::Impact) {
            return Err(Open::Differs(kind));
        }
        let time = self.passed(before, hit.time)?;
        let curve = self.scene.ground.ground().pieces()[hit.piece].curve();
        let position = frame(curve, whole[0]).offset(self.radius).position;
        let after = self.rebound(&law, &met)?;
        self.doing = match event.kind {
            EventKind::Impact if plastic => Following::Open(Open::Slow),
            EventKind::Impact => Following::Flight(Box::new(self.flying(hit.piece, &after)), Departing::Touch),
            _ => self.settle(hit.piece, after.whole(), false).unwrap_or_else(Following::Open),
        };
        Ok(Proven { time, position })
    }

    /// Numbers at the touch: the Poincaré map of the flight, and its derivative `(I − f nᵀ/(n·f)) J M`.
    fn met(&self, hit: &Hit) -> EventNumbers {
        let set = hit.step.at(hit.time);
        let z = set.whole();
        let centre = {
            let z = hit.step.at(hit.centre_time).centre();
            let foot = &hit.centre_foot;
            let frame = &foot.frame;
            let v = [z[2], z[3]];
            [foot.s, dot(&v, &frame.tangent), dot(&v, &frame.normal), z[4]]
        };
        let Frame { normal: n, tangent, curvature, speed, .. } = hit.foot.frame;
        let v = [z[2], z[3]];
        let [vt, vn] = [dot(&v, &tangent), dot(&v, &n)];
        let [ax, ay] = self.air.acceleration(v, z[4]);
        let moved = where_zero(&set.m, [n[0], n[1], ZERO, ZERO, ZERO], vn, [v[0], v[1], ax, ay, ZERO]);
        let mut slope = [[ZERO; 4]; 4];
        for k in 0..4 {
            let [x, y, vx, vy, spin] = moved.map(|row| row[k]);
            // By arc length of the ground.
            let way = dot(&tangent, &[x, y]) / hit.foot.frame.shrink(self.radius);
            let turned = curvature * way;
            slope[0][k] = way / speed;
            slope[1][k] = dot(&tangent, &[vx, vy]) + turned * vn;
            slope[2][k] = dot(&n, &[vx, vy]) - turned * vt;
            slope[3][k] = spin;
        }
        EventNumbers::with(centre, slope, set.r)
    }

    /// Newton's restitution with Coulomb's friction (design §2), for a proven grip: the law at the centre, and its
    /// derivatives over the whole enclosure.
    fn rebound(&self, law: &ContactLaw, met: &EventNumbers) -> Result<EventNumbers, Open> {
        let k = self.inertia.map(Interval::point);
        let radius = Interval::point(if k.is_some() { self.radius } else { 0.0 });
        // Impulses for each kilogram.
        let mass = EffectiveMass { normal: ONE, tangential: k.map_or(ONE, |k| k / (ONE + k)) };
        let turn = k.map_or(ZERO, |k| ONE / (k * radius));
        let asked = |[_, vt, vn, spin]: [Interval; 4]| law.asked(mass, vn, vt + radius * spin);
        let whole = met.whole();
        let grip = law.grip(asked(whole)).ok_or(Open::Friction)?;
        if law.restitution(-whole[2]).width().is_nan() {
            return Err(Open::Scene("restitution beyond 0 … 1"));
        }
        let still = |x: Interval| Taylor::<Interval, 2>([x, ZERO]);
        let after = |numbers: [Taylor<Interval, 2>; 4]| {
            let [s, vt, vn, spin] = numbers;
            let mass = EffectiveMass { normal: still(mass.normal), tangential: still(mass.tangential) };
            let Impulses { tangential, .. } = law.impulses(law.asked(mass, vn, vt + still(radius) * spin), grip);
            [s, vt + tangential, -(law.restitution(-vn) * vn), spin + tangential * still(turn)]
        };
        let unit = identity::<4>();
        let column =
            |j: usize| after(std::array::from_fn(|i| Taylor([whole[i], unit[i][j]]))).map(|Taylor([_, by])| by);
        let columns: [[Interval; 4]; 4] = std::array::from_fn(column);
        let slopes = std::array::from_fn(|i| std::array::from_fn(|j| columns[j][i]));
        let centre = after(met.centre().map(still)).map(|Taylor([value, _])| value);
        Ok(EventNumbers::with(centre, product(&slopes, &met.m), met.r))
    }

    /// The flight that begins on the ground with these numbers.
    fn flying(&self, piece: usize, numbers: &EventNumbers) -> Flying {
        let curve = self.scene.ground.ground().pieces()[piece].curve();
        let whole = numbers.whole();
        let (c, r) = split(whole);
        let put = |[s, vt, vn, spin]: [Interval; 4]| {
            let Frame { position: q, tangent: t, normal: n, .. } = frame(curve, s).offset(self.radius);
            [q[0], q[1], t[0] * vt + n[0] * vn, t[1] * vt + n[1] * vn, spin]
        };
        let (c, e) = split(put(c.map(Interval::point)));
        let mut flying = Flying { c, m: [[ZERO; 4]; 5], r, e };
        // Derivatives of `[x, y, vx, vy, ω]` by `[s, v·τ, v·n, ω]`.
        let at = frame(curve, whole[0]);
        let (t, n) = (at.tangent, at.normal);
        let (stretch, turn) = (at.offset(self.radius).speed, at.speed * at.curvature);
        let [_, vt, vn, _] = whole;
        for i in 0..2 {
            flying.m[i] = [stretch * t[i], ZERO, ZERO, ZERO];
            flying.m[2 + i] = [turn * (n[i] * vt - t[i] * vn), t[i], n[i], ZERO];
        }
        flying.m[4] = [ZERO, ZERO, ZERO, ONE];
        flying
    }

    /// The contact that begins with these numbers; `rolls`: exactly without slip.
    fn settle(&self, piece: usize, [s, vt, _, spin]: [Interval; 4], rolls: bool) -> Result<Following, Open> {
        let law = self.law(piece);
        let slip = if self.inertia.is_some() { vt + spin.scale(self.radius) } else { vt };
        let z = [s, vt, spin];
        let rolling = || {
            let motion = self.contact(piece, Mode::ROLLING).motion(z);
            let holds = law.sticking_limit(motion.normal).at_least(motion.friction.abs()) == Some(true);
            (holds && self.inertia.is_some()).then_some(Mode::ROLLING).ok_or(Open::Friction)
        };
        let mode = match slip.at_least(ZERO) {
            _ if law.is_smooth() => Mode::slides(0.0),
            _ if rolls => rolling()?,
            Some(forward) if slip.mignitude() > 0.0 => Mode::slides(if forward { 1.0 } else { -1.0 }),
            _ => return Err(Open::Friction),
        };
        if Press::of(self.contact(piece, mode).motion(z).normal, 0.0) != Some(Press::Presses) {
            return Err(Open::Graze);
        }
        let (c, r) = split(z);
        Ok(Following::Contact { piece, set: Box::new(Sliding { c, m: identity(), r, e: [ZERO; 3] }), mode })
    }

    /// Proves the end of contact, or of its mode, where a guard is zero, and begins the phase after it.
    fn leave(
        &mut self,
        event: &Event,
        piece: usize,
        mode: Mode,
        before: f64,
        ended: &GuardEnd,
    ) -> Result<Proven, Open> {
        let kind = match ended.guard {
            ProvenGuard::Normal => EventKind::LiftOff,
            ProvenGuard::Slip(_) if self.inertia.is_none() => EventKind::Rest,
            ProvenGuard::Slip(_) => EventKind::Stick,
            ProvenGuard::Cone(_) => EventKind::Slip,
        };
        if event.kind != kind && !(kind == EventKind::Rest && event.kind == EventKind::Stick) {
            return Err(Open::Differs(kind));
        }
        let time = self.passed(before, ended.time)?;
        let set = ended.step.at(ended.time);
        let z = set.whole();
        let c = ended.step.at(ended.centre_time).centre();
        let rate = self.contact(piece, mode).motion(z).rate;
        let [s, v, spin] = where_zero(&set.m, ended.slope, ended.rate, rate).map(|[a, b, c]| [a, b, c, ZERO]);
        let ([a, b, c], [r, q, p]) = (c, set.r);
        let numbers = EventNumbers::with([a, b, ZERO, c], [s, v, [ZERO; 4], spin], [r, q, p, ZERO]);
        let whole = numbers.whole();
        let curve = self.scene.ground.ground().pieces()[piece].curve();
        let position = frame(curve, whole[0]).offset(self.radius).position;
        self.doing = match ended.guard {
            ProvenGuard::Normal => Following::Flight(Box::new(self.flying(piece, &numbers)), Departing::LiftOff),
            ProvenGuard::Slip(_) if kind == EventKind::Rest => Following::Open(Open::Rest),
            ProvenGuard::Slip(_) => self.settle(piece, whole, true).unwrap_or_else(Following::Open),
            // The contact point slips by a distance of third order in time: too little for bounds to show its sign.
            ProvenGuard::Cone(_) => Following::Open(Open::Slow),
        };
        Ok(Proven { time, position })
    }
}
