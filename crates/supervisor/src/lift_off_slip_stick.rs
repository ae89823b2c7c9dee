//! Search for guards that end a mode of contact, on the dense output of a step: proven by bounds where nothing happens,
//! located to rounding where an event is.

use curves::{FrameOver, Gentle, OSCULATING, Place};
use mechanics::{ContactForces, Guard, Mode};
use newmark::Tolerance;
use numbers::polynomial::{first_root, least, slope_of};
use numbers::{Interval, Number, Rounding, Valued, elementary, first_event, first_of};
use rolling::{ContactState, ContactStep, ContactSystem, Dense, Polynomial};

use crate::scene::ValleyRoom;

/// Search for the first event on a step of contact.
pub(crate) struct GuardSearch<'a, 'b> {
    pub system: &'a ContactSystem<'b>,
    pub dense: &'a Dense,
}

/// Smallest part of a step, which counts by its ends.
const RESOLUTION: f64 = 1.0 / 4096.0;
/// Largest number of parts looked at: all of them.
const PARTS: u32 = 8192;

/// Nowhere on a step is the ground longer, for each unit of its parameter, than this times what the nodes of the step have met.
pub(crate) const LONGER: f64 = 2.0;

impl GuardSearch<'_, '_> {
    /// The first event on the step, and its time after the start.
    pub fn first(&self, duration: f64) -> Option<(f64, Guard)> {
        let guards = Guard::of(self.system.contact, self.system.mode).into_iter().flatten();
        first_of(guards, duration, |guard, until| self.crossing(guard, until))
    }

    fn crossing(&self, guard: Guard, until: f64) -> Option<f64> {
        let ContactStep { start, end, .. } = self.dense.step();
        let series = self.dense.step().series();
        let guarded = series.map(|series| series.guarded(self.system, guard));
        if guarded.is_some_and(|guarded| guarded.keeps(until)) {
            return None;
        }
        let noise = self.noise(guard);
        // Ends of the step are known to rounding. In between, velocities of the dense output are differences of places
        // over the step, which are coarse where it is short: a dip below zero within that is none.
        let dense = |t: f64| match &guarded {
            Some(guarded) => guarded.at(t),
            None => value(self.system, guard, &self.dense.at(self.system, t)),
        };
        let last = if until < self.dense.step().duration() { dense(until) } else { value(self.system, guard, end) };
        let blur = if guard.is_velocity() && last > noise && series.is_none() { self.blur() } else { 0.0 };
        let f = |t: f64| dense(t) + blur;
        let (mut from, starts) = (0.0, value(self.system, guard, start));
        if guard == Guard::Friction && starts < -noise {
            // Beyond a joint more friction may be needed at once than there is.
            let mut by_law = *start;
            self.system.relabel(&mut by_law);
            if value(self.system, guard, &by_law) < -noise {
                return Some(0.0);
            }
        }
        if starts <= noise {
            // A guard at zero at the start, such as a slip that has just begun: its sign is taken from the end of the
            // step, since rates of the dense output are of lower order.
            let end = value(self.system, guard, end);
            if end.abs() <= noise {
                return None;
            }
            if end < 0.0 {
                return Some(0.0);
            }
            let probes = (-6..=0).rev().map(|i| until * elementary::powi(10f64, i));
            from = probes.take_while(|t| f(*t) > noise).last()?;
        }
        // By series: off the chord by at most an eighth of the second derivative times the square of the length.
        let bend = guarded.map(|guarded| guarded.bend(until));
        let bound = |part: Interval, ends: [f64; 2]| match bend {
            Some(bend) => ends[0].min(ends[1]) - 0.125 * bend * part.width() * part.width(),
            None => self.lower_bound(guard, blur, part, ends),
        };
        let ends = [Valued { at: from, value: f(from) }, Valued { at: until, value: last }];
        first_event(f, bound, ends, RESOLUTION * until, PARTS).point()
    }

    /// Rounding of a guard at the ends of a step.
    fn noise(&self, guard: Guard) -> f64 {
        let step = self.dense.step();
        let unit = step.start.rounding(self.system, step.duration());
        let forces = unit.force * self.system.ball.mass();
        let one = match guard {
            Guard::Slip | Guard::Turn | Guard::Spin => unit.velocity,
            Guard::Normal => forces,
            Guard::Friction => forces * self.system.contact.sticking_coefficient().max(1.0),
        };
        Rounding::SUM * one
    }

    /// Rounding of the slip velocity between the ends, m/s: in slopes of the polynomial that of places counts at most
    /// 64-fold.
    fn blur(&self) -> f64 {
        let step = self.dense.step();
        let way = (step.start.place.parameter() * step.start.frame.speed).abs();
        64.0 * f64::EPSILON * (way + (step.start.angle * self.system.ball.radius()).abs()) / step.duration()
    }

    /// A lower bound of a guard over a part of the step, by intervals; `blur` is the rounding added to it, `ends` are
    /// its values at both ends.
    fn lower_bound(&self, guard: Guard, blur: f64, Interval { lo: from, hi: to }: Interval, ends: [f64; 2]) -> f64 {
        let (over, motion) = part_of(self.system, self.dense, from, to);
        let bound = lower_bound(self.system, guard, &over, &motion) + blur;
        if bound > 0.0 || !guard.is_velocity() {
            return bound;
        }
        // Speed is ṡ‖c′‖(1 − κR), and a small slip is a difference of large terms: bounds by the rate are tighter on
        // bent ground. The guard is off its chord by at most a quarter of the spread of the rate times the length.
        let rate = rate_of(guard, self.system, &over, &motion);
        let bow = if rate.lo >= 0.0 || rate.hi <= 0.0 { 0.0 } else { 0.25 * rate.width() * (to - from) };
        bound.max(ends[0].min(ends[1]) - bow)
    }
}

/// Ranges of the motion over a part of a step, or over several steps.
#[derive(Clone, Copy)]
pub(crate) struct MotionRange {
    pub time: Interval,
    pub speed: Interval,
    /// Spin, rad/s; unused where rolling determines it.
    pub spin: Interval,
}

impl MotionRange {
    /// The spin; rolling, by the speed.
    pub fn spin_of(&self, system: &ContactSystem) -> Interval {
        match system.mode {
            Mode::Rolling { .. } if system.ball.turns() => self.speed.scale(-1.0 / system.ball.radius()),
            _ => self.spin,
        }
    }

    fn holds(&self, other: &MotionRange) -> bool {
        let holds = |a: &Interval, b: &Interval| a.lo <= b.lo && b.hi <= a.hi;
        holds(&self.time, &other.time) && holds(&self.speed, &other.speed) && holds(&self.spin, &other.spin)
    }

    /// The ranges, widened by `steps` further steps of the same kind.
    fn ahead(&self, steps: f64) -> MotionRange {
        let widen =
            |range: &Interval| Interval::new(range.lo - steps * range.width(), range.hi + steps * range.width());
        let time = Interval::new(self.time.lo, self.time.hi + steps * self.time.width());
        MotionRange { time, speed: widen(&self.speed), spin: widen(&self.spin) }
    }
}

/// Frame and motion over a part of a step.
pub(crate) fn part_of(system: &ContactSystem, dense: &Dense, from: f64, to: f64) -> (FrameOver<Interval>, MotionRange) {
    let start = &dense.step().start;
    let [s, _] = dense.path().bounds(from, to);
    let [rate, turning] = dense.path().velocity_bounds(from, to);
    let over = system.ground.enclosure(start.place, s);
    let motion = MotionRange {
        time: Interval::new(start.time + from, start.time + to),
        speed: rate * over.speed,
        spin: if system.ball.turns() { turning } else { Interval::point(start.spin) },
    };
    (over, motion)
}

/// A lower bound of a guard over ranges of place and motion.
fn lower_bound(system: &ContactSystem, guard: Guard, over: &FrameOver<Interval>, motion: &MotionRange) -> f64 {
    let spin = motion.spin_of(system);
    let velocities = || [system.ball.slip(motion.speed, spin), motion.speed, spin.scale(system.ball.radius())];
    let bound = guard.value(system.contact, system.mode, velocities, || law_over(system, over, motion));
    if bound.lo.is_nan() { f64::NEG_INFINITY } else { bound.lo }
}

/// Contact forces over ranges of place and motion.
#[inline(always)]
pub(crate) fn law_over(
    system: &ContactSystem,
    over: &FrameOver<Interval>,
    motion: &MotionRange,
) -> ContactForces<Interval> {
    let (axes, spin) = ([over.tangent, over.normal], motion.spin_of(system));
    let force = match system.forces.constant(spin.magnitude()) {
        Some(force) => axes.map(|axis| axis[0].scale(force.x) + axis[1].scale(force.y)),
        None => {
            let velocity = over.tangent.map(|c| c * motion.speed);
            let [x, y] = system.forces.at(motion.time, over.position, velocity, spin);
            axes.map(|axis| x * axis[0] + y * axis[1])
        }
    };
    ContactForces::over(system.ball, system.contact, system.mode, over.curvature, motion.speed, force)
}

/// Range of the rate of a guard that is a velocity, m/s².
fn rate_of(guard: Guard, system: &ContactSystem, over: &FrameOver<Interval>, motion: &MotionRange) -> Interval {
    let law = law_over(system, over, motion);
    let around = law.spin_acceleration.scale(system.ball.radius());
    guard.value(system.contact, system.mode, || [law.acceleration + around, law.acceleration, around], || law)
}

/// Ground proven to have no events, kept from step to step, so that most steps need no bounds of their own.
pub(crate) struct Uneventful {
    known: Option<ProvenGround>,
    /// Number of steps ahead that the next enclosure covers.
    ahead: f64,
}

/// Range of parameters, its enclosure, and the motions on it that have no event.
struct ProvenGround {
    part: Interval,
    over: FrameOver<Interval>,
    proven: MotionRange,
}

impl Uneventful {
    pub fn new() -> Self {
        Uneventful { known: None, ahead: 8.0 }
    }

    /// Whether bounds prove that nothing happens on a step: no guard vanishes, no end is reached.
    #[inline]
    pub fn proves(&mut self, system: &ContactSystem, step: &ContactStep) -> bool {
        let (needed, motion) = swept(system, step);
        let sure = |over: &FrameOver<Interval>, motion: &MotionRange| {
            Guard::of(system.contact, system.mode)
                .into_iter()
                .flatten()
                .all(|guard| lower_bound(system, guard, over, motion) > 0.0)
        };
        let inside = |known: &Interval| known.lo <= needed.lo && needed.hi <= known.hi;
        if let Some(ProvenGround { part, over, proven }) = &mut self.known
            && inside(part)
        {
            if proven.holds(&motion) {
                return true;
            }
            let ahead = motion.ahead(self.ahead);
            if sure(over, &ahead) {
                *proven = ahead;
                return true;
            }
            // Too wide: the next enclosures reach less far ahead.
            self.ahead = (0.5 * self.ahead).max(1.0);
            if sure(over, &motion) {
                return true;
            }
        } else {
            self.ahead = (2.0 * self.ahead).min(64.0);
        }
        let (s0, s1) = (step.start.place.parameter(), step.end.place.parameter());
        let whole = system.ground.range(step.start.place);
        if !inside(&whole) {
            return false;
        }
        let reach = (self.ahead - 1.0) * (needed.width() + f64::EPSILON * s0.abs());
        let wide = if s1 >= s0 {
            Interval::new(needed.lo, (needed.hi + reach).min(whole.hi))
        } else {
            Interval::new((needed.lo - reach).max(whole.lo), needed.hi)
        };
        for part in [wide, needed] {
            let over = system.ground.enclosure(step.start.place, part);
            if !(over.curvature.hi * system.ground.radius() < 0.5 / OSCULATING
                && over.speed.hi <= LONGER * over.speed.lo)
            {
                // The ball may fit its valley there, or the ground be longer than the ends of a step say.
                continue;
            }
            for proven in [motion.ahead(self.ahead), motion] {
                if sure(&over, &proven) {
                    self.known = Some(ProvenGround { part, over, proven });
                    return true;
                }
            }
            self.ahead = (0.5 * self.ahead).max(1.0);
        }
        self.known = None;
        false
    }

    /// Forgets the proven ground, since the place changed.
    pub fn forget(&mut self) {
        self.known = None;
    }
}

/// Range of parameters that a step may cover, and ranges of its motion.
pub(crate) fn swept(system: &ContactSystem, step: &ContactStep) -> (Interval, MotionRange) {
    let (start, end) = (&step.start, &step.end);
    let h = step.duration();
    // The speed is off its chord by at most a quarter of the spread of v̇ times h.
    let push = |state: &ContactState| (state.normal_force.abs() + state.friction_force.abs()) / system.ball.mass();
    let size = |state: &ContactState| state.acceleration.x.abs() + state.acceleration.y.abs();
    let force = size(start) + size(end) + push(start) + push(end);
    let bow = 0.5 * h * force;
    let range = |a: f64, b: f64, bow: f64| {
        let Interval { lo, hi } = Interval::between(a, b);
        Interval::new(lo - bow, hi + bow)
    };
    let speed = range(start.speed, end.speed, bow);
    let (s0, s1) = (start.place.parameter(), end.place.parameter());
    // A ball that does not turn round stays between the ends.
    let slack =
        if speed.mignitude() > 0.0 { 0.0 } else { h * speed.magnitude() / start.frame.speed.min(end.frame.speed) };
    let needed = range(s0, s1, slack);
    let motion = MotionRange {
        time: Interval::new(start.time, end.time),
        speed,
        spin: range(start.spin, end.spin, if system.ball.turns() { 4.0 * bow / system.ball.radius() } else { 0.0 }),
    };
    (needed, motion)
}

pub(crate) fn value(system: &ContactSystem, guard: Guard, state: &ContactState) -> f64 {
    let ContactState { normal_force, friction_force, .. } = *state;
    let [acceleration, spin_acceleration] = [0.0; 2];
    let forces = || ContactForces { normal_force, friction_force, acceleration, spin_acceleration };
    let rim = || system.ball.radius() * state.spin;
    guard.value(system.contact, system.mode, || [system.slip(state), state.speed, rim()], forces)
}

/// Proven properties of the ground around the ball, kept from step to step.
pub(crate) struct Around {
    pub uneventful: Uneventful,
    pub one_bend: OneBend,
    pub valley: ValleyRoom,
    pub gentle: Option<Gentle>,
}

impl Around {
    /// Nothing proven yet, around a place.
    pub fn new(place: Place) -> Self {
        let (uneventful, one_bend) = (Uneventful::new(), OneBend::default());
        Around { uneventful, one_bend, valley: ValleyRoom::around(place), gentle: None }
    }
}

/// A range of ground whose curvature is proven to keep its sign.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct OneBend {
    known: Option<BendKnown>,
}

#[derive(Clone, Copy, Debug)]
struct BendKnown {
    place: Place,
    range: Interval,
    /// Whether curvature keeps its sign, and the ball does not fit the ground.
    bends: bool,
    /// Largest turn of the ground for a unit of the parameter, rad.
    turn: f64,
}

/// Angle, rad: a constant force has components that depend on the direction of the ground only; over less than this
/// angle they exceed their range at both ends by no more than an eighth of the force.
const SHORT: f64 = 1.0;
/// Number of steps that the next range covers.
const AHEAD: f64 = 4.0;

impl OneBend {
    /// Whether it is certain that nothing happens on a step by series: no guard vanishes, no end is reached, and all
    /// forces on the way are within those at its ends. On ground of one sign of curvature all directions lie between
    /// those of the ends.
    pub fn proves(&mut self, system: &ContactSystem, step: &ContactStep, tolerance: Tolerance) -> bool {
        let Some(series) = step.series() else { return false };
        let h = step.duration();
        // Forces may depend on a spin that changes.
        if system.forces.constant(1.0).is_none() {
            return false;
        }
        let guards = Guard::of(system.contact, system.mode);
        if !guards.into_iter().flatten().all(|guard| series.guarded(system, guard).keeps(h)) {
            return false;
        }
        let Some(way) = way(system, step, h, tolerance) else { return false };
        let whole = system.ground.range(step.start.place);
        if !(whole.lo < way.lo && way.hi < whole.hi) {
            return false;
        }
        let known = self.around(system, step.start.place, way, whole);
        known.bends && known.turn * way.width() < SHORT
    }

    fn around(&mut self, system: &ContactSystem, place: Place, way: Interval, whole: Interval) -> BendKnown {
        if let Some(known) = self.known
            && known.place.same_feature(place)
            && known.range.lo <= way.lo
            && way.hi <= known.range.hi
        {
            return known;
        }
        let look = |range: Interval| {
            let over = system.ground.enclosure(place, range);
            let (bend, turn) = (over.curvature, over.curvature.magnitude() * over.speed.magnitude());
            let one_way = bend.lo >= 0.0 || bend.hi <= 0.0;
            let fits = !(bend.hi * system.ground.radius() < 0.5 / OSCULATING);
            BendKnown { place, range, bends: one_way && !fits && turn.is_finite(), turn }
        };
        let reach = AHEAD * way.width();
        let wide = Interval::new((way.lo - reach).max(whole.lo), (way.hi + reach).min(whole.hi));
        let mut known = look(wide);
        if !(known.bends && known.turn * way.width() < SHORT) {
            known = look(way);
        }
        self.known = Some(known);
        known
    }
}

/// Range of parameters of a step whose forces at the ends are known: its own ends where the ball does not turn round;
/// where it turns, once, the equation of motion is compared with the series there as well.
fn way(system: &ContactSystem, step: &ContactStep, h: f64, tolerance: Tolerance) -> Option<Interval> {
    let series = step.series()?;
    let between = Interval::between(step.start.place.parameter(), step.end.place.parameter());
    let speed = &series.speed[..=series.degree];
    let sign = speed.iter().find(|c| **c != 0.0)?.signum();
    let onward: Polynomial = std::array::from_fn(|k| sign * series.speed[k]);
    if least(&onward[..=series.degree], h) > 0.0 {
        return Some(between);
    }
    // It slows down all the time, so that it turns at most once.
    let slower: Polynomial =
        std::array::from_fn(|k| if k < series.degree { -((k + 1) as f64) * onward[k + 1] } else { 0.0 });
    if !(least(&slower[..series.degree], h) > 0.0 && onward[0] > 0.0) {
        return None;
    }
    let turn = first_root(&onward[..=series.degree], h)?;
    let farthest = series.at(system, &step.start, turn).place.parameter();
    let met = has_met(system, step, turn, tolerance);
    met.then(|| Interval::new(between.lo.min(farthest), between.hi.max(farthest)))
}

/// Whether a step has evaluated the forces `t` s after its start: a series where it obeys the equation of motion, to an
/// error that matters over the step; any other step at its nodes.
pub(crate) fn has_met(system: &ContactSystem, step: &ContactStep, t: f64, tolerance: Tolerance) -> bool {
    let Some(series) = step.series() else { return true };
    let acts = system.law(&series.at(system, &step.start, t)).acceleration;
    let missed = (slope_of(&series.speed[..=series.degree], t) - acts).abs() * step.duration();
    missed <= tolerance.allows(step.start.speed.abs()) * (series.degree + 1) as f64
}
