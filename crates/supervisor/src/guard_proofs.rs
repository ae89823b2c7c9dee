//! Proofs that no guard ends contact on a step, kept from step to step: by enclosures of the ground ahead, or, for
//! steps by series, by curvature that keeps its sign.

use curves::{FrameOver, Gentle, OSCULATING, Place};
use mechanics::Guard;
use newmark::Tolerance;
use numbers::Interval;
use numbers::polynomial::{first_root, least};
use rolling::{ContactState, ContactStep, ContactSystem, Polynomial};

use crate::guard_search::{MotionRange, lower_bound};
use crate::scene::ValleyRoom;
use crate::step_too_long::{LONGER, has_met};

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
        loop {
            let reach = (self.ahead - 1.0) * (needed.width() + f64::EPSILON * s0.abs());
            let part = if s1 >= s0 {
                Interval::new(needed.lo, (needed.hi + reach).min(whole.hi))
            } else {
                Interval::new((needed.lo - reach).max(whole.lo), needed.hi)
            };
            let over = system.ground.enclosure(step.start.place, part);
            // On other ground the ball may fit its valley, or the ground be longer than the ends of a step say. With κc
            // of the centre path 1 − κR = 1/(1 + κc R), here near twice OSCULATING at least.
            if over.curvature.hi * system.ground.radius() < 0.5 / OSCULATING && over.speed.hi <= LONGER * over.speed.lo
            {
                for proven in [motion.ahead(self.ahead), motion] {
                    if sure(&over, &proven) {
                        self.known = Some(ProvenGround { part, over, proven });
                        return true;
                    }
                }
            }
            if self.ahead <= 1.0 {
                break;
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
    // The speed is off its chord by at most h/4 times the spread of v̇, which is taken as twice `force`, m/s².
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

/// Largest turn of the ground on a step, rad. A constant force F has components F cos θ by the ground's direction θ:
/// over this angle they exceed their range at both ends by no more than F (1 − cos ½), an eighth of it.
const SHORT: f64 = 1.0;
/// Number of steps that the next range covers.
const AHEAD: f64 = 4.0;

impl OneBend {
    /// Whether it is certain that nothing happens on a step by series: no guard vanishes, no end is reached, and forces
    /// are within those at its ends. Where curvature keeps its sign, directions lie between those of the ends.
    pub fn proves(&mut self, system: &ContactSystem, step: &ContactStep, tolerance: Tolerance) -> bool {
        let Some(series) = step.series() else { return false };
        let h = step.duration();
        // The force must be constant, also for a spin that changes.
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

    /// Known curvature over a range around `way`: a wider one, if it bends one way there and turns little, else `way`.
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

/// Range of parameters that a step by series covers, with forces known at its ends: between its own ends where the ball
/// does not turn round; where it turns once, up to there, if the series obeys the equation of motion there.
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
