//! Steps by series that nothing ends, told from their coefficients and from ground that bends one way.

use curves::{Gentle, OSCULATING, Place};
use mechanics::Guard;
use newmark::Tolerance;
use numbers::Interval;
use numbers::polynomial::{first_root, least, slope_of};
use rolling::{ContactStep, ContactSystem, Polynomial};

use crate::osculating::ValleyRoom;
use crate::watch::Uneventful;

/// Proofs about the ground around, kept from step to step.
pub(crate) type Around<'a> = (&'a mut Uneventful, &'a mut OneBend, &'a mut ValleyRoom, &'a mut Option<Gentle>);

/// A stretch of ground of which it is known that it bends one way.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct OneBend {
    known: Option<Known>,
}

#[derive(Clone, Copy, Debug)]
struct Known {
    place: Place,
    range: Interval,
    /// Whether it bends one way, and the ball does not fit it.
    bends: bool,
    /// Largest angle that it turns over one unit of the parameter, rad.
    turn: f64,
}

/// Under a constant force what acts on a ball is that force, as the direction of the ground has it. Over less than this (rad) it changes
/// by no more than an eighth of the force between the least and the largest direction.
const SHORT: f64 = 1.0;
/// Number of steps that the next stretch reaches ahead.
const AHEAD: f64 = 4.0;

impl OneBend {
    /// Whether nothing happens on a step by series, for certain: no guard vanishes, no end is reached, and nothing acts on the way
    /// that its ends have not met. On ground that bends one way all directions lie between those of the ends of the way.
    pub fn proves(&mut self, system: &ContactSystem, step: &ContactStep, tolerance: Tolerance) -> bool {
        let Some(series) = step.series() else { return false };
        let h = step.duration();
        // A spin may change on the way.
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

    fn around(&mut self, system: &ContactSystem, place: Place, way: Interval, whole: Interval) -> Known {
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
            Known { place, range, bends: one_way && !fits && turn.is_finite(), turn }
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

/// Parameters that a step goes over, if what is at their ends has been met: where the ball does not turn round these are its own ends;
/// where it turns, once, the equation of motion is held to the series there as well.
fn way(system: &ContactSystem, step: &ContactStep, h: f64, tolerance: Tolerance) -> Option<Interval> {
    let series = step.series()?;
    let between = Interval::between(step.start.place.parameter(), step.end.place.parameter());
    let speed = &series.speed[..=series.degree];
    let sign = speed.iter().find(|c| **c != 0.0)?.signum();
    let onward: Polynomial = std::array::from_fn(|k| sign * series.speed[k]);
    if least(&onward[..=series.degree], h) > 0.0 {
        return Some(between);
    }
    // Slower all the time: one turn.
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

/// Whether a step has met what acts `t` s after its start: a series has where it obeys the equation of motion, as far as it matters over
/// the step; any other step where it has a node.
pub(crate) fn has_met(system: &ContactSystem, step: &ContactStep, t: f64, tolerance: Tolerance) -> bool {
    let Some(series) = step.series() else { return true };
    let acts = system.law(&series.at(system, &step.start, t)).acceleration;
    let missed = (slope_of(&series.speed[..=series.degree], t) - acts).abs() * step.duration();
    missed <= tolerance.allows(step.start.speed.abs()) * (series.degree + 1) as f64
}
