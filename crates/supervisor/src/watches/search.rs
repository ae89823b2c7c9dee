//! Crossings of one watch on a stretch, located or proven absent.

use std::cell::Cell;

use numbers::{Interval, Rounding, Taylor, Trigger, Valued, bisect, first_event};

use super::quantity::{Watch, Watched};
use crate::{Crossing, Sample, Scene, Stretch};

/// Parts that may be enclosed for each stretch and each crossing found,
const PARTS: u32 = 4096;
/// of which so many are kept for later: what has to be looked at in more is left unresolved, and told. So many crossings of a stretch are
/// found at most.
const MOST: u32 = 1 << 18;
/// Ratio of the two distances from a place at which growth is compared: that of a square root has faded to a thousandth.
const FADES: f64 = (1 << 20) as f64;
/// Parts of equal length, beside, of motion without enclosures.
const EQUAL: f64 = 64.0;

/// State of a watch during a run.
#[derive(Clone, Copy, Debug, Default, serde::Serialize, serde::Deserialize)]
pub(super) struct WatchState {
    /// The side where the quantity was last beyond rounding.
    above: Option<bool>,
    /// Crossings told, or times come to.
    pub told: usize,
    /// Parts that may yet be enclosed.
    left: u32,
    /// Time at which crossings were first not resolved, s.
    pub unresolved: Option<f64>,
}

impl WatchState {
    /// The state at the start of a run.
    pub fn new() -> Self {
        WatchState { left: MOST, ..WatchState::default() }
    }

    fn earn(&mut self) {
        self.left = (self.left + PARTS).min(MOST);
    }
}

/// The time (s) at which the quantity is not a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Undefined(pub f64);

/// Search for the crossings of one watch on one stretch.
pub(super) struct Crossings<'a> {
    pub scene: &'a Scene,
    pub stretch: &'a Stretch<'a>,
    pub watch: &'a Watch,
    pub index: usize,
    pub known: &'a mut WatchState,
}

impl Crossings<'_> {
    fn sample(&self, time: f64) -> Sample {
        let mut sample = self.stretch.seen(time);
        sample.state.time = time;
        sample
    }

    /// The quantity at a time, and what rounding makes of it; `None`: it is not there.
    fn at(&self, time: f64) -> Option<(f64, f64)> {
        self.watch.at(self.scene, &self.sample(time))
    }

    /// Finds the crossings on the stretch, in the order of time: each ends where the quantity is beyond rounding on the other side of zero.
    pub fn all(mut self, found: &mut Vec<Crossing>) -> Result<(), Undefined> {
        let (from, to) = (self.stretch.from(), self.stretch.to());
        if let Watched::Times(times) = &self.watch.of {
            let due = times[self.known.told.min(times.len())..].iter().take_while(|time| **time < to);
            for time in due {
                self.known.told += 1;
                // What is before the start is passed over.
                if *time >= from {
                    let sample = self.sample(*time);
                    found.push(Crossing { watch: self.index, sample, rising: true });
                }
            }
            return Ok(());
        }
        if self.watch.first && self.known.told > 0 {
            return Ok(());
        }
        // Off the ground there is no side of it.
        if self.watch.of.is_of_ground() && self.at(from).is_none() {
            self.known.above = None;
            return Ok(());
        }
        self.see(from, from, found)?;
        self.known.earn();
        let (first, tick) = (found.len(), Rounding::tick(to));
        let mut from = from;
        while from < to {
            if found.len() - first >= MOST as usize {
                self.known.left = 0;
            }
            let (left, pole) = (Cell::new(self.known.left), Cell::new(None));
            let value = |time: f64| match self.at(time) {
                Some((value, slack)) if value.is_finite() => self.left(Interval::point(value), slack),
                Some(_) => -1.0,
                None => f64::INFINITY,
            };
            let bound = |part: Interval, ends: [f64; 2]| {
                left.set(left.get().saturating_sub(1));
                self.bound(part, ends, &pole)
            };
            let ends = [from, to].map(|at| Valued { at, value: value(at) });
            let trigger = first_event(value, bound, ends, tick, left.get());
            if let Trigger::At(time) = trigger {
                self.bound(Interval::new(time.next_down().max(from), time), [0.0; 2], &pole);
            }
            let (left, pole) = (left.get(), pole.get());
            self.known.left = left;
            if let Some(pole) = pole {
                return Err(pole);
            }
            if let Trigger::Undecided(time) = trigger {
                self.known.unresolved.get_or_insert(time);
            }
            // What is left unresolved counts by its end.
            let time = if let Trigger::At(time) = trigger { time } else { to };
            self.see(from, time, found)?;
            from = time;
        }
        Ok(())
    }

    /// Distance of a range of the quantity from being beyond rounding on the other side of zero, or on one if none is known.
    fn left(&self, range: Interval, slack: f64) -> f64 {
        let left = match self.known.above {
            Some(true) => range.lo,
            Some(false) => -range.hi,
            None => -range.magnitude(),
        };
        // Rounding itself is not beyond.
        left + slack + f64::MIN_POSITIVE
    }

    /// A lower bound of that over a part, and the `pole` in it if it is the first. Where there are no enclosures a part of equal length
    /// counts by its ends.
    fn bound(&self, part: Interval, ends: [f64; 2], pole: &Cell<Option<Undefined>>) -> f64 {
        let enclosed = || {
            let over = self.watch.of.over(self.scene, &self.stretch.over(part.lo, part.hi)?)?;
            (over.0[0] != Interval::REAL).then_some(over)
        };
        let (Some((value, slack)), Some(Taylor([range, rate]))) = (self.at(part.middle()), enclosed()) else {
            let few = part.width() > (self.stretch.to() - self.stretch.from()) / EQUAL;
            return if few { f64::NEG_INFINITY } else { f64::INFINITY };
        };
        if range.is_undefined() {
            // No shorter part is looked at.
            if part.width() <= Rounding::tick(self.stretch.to()) && pole.get().is_none() {
                pole.set(self.pole(part.lo, part.hi));
            }
            return f64::NEG_INFINITY;
        }
        if rate.mignitude() > 0.0 {
            return ends[0].min(ends[1]);
        }
        let near = Interval::around(value, rate.magnitude() * 0.5 * part.width() + slack);
        let range = if near.is_bounded() { near.intersection(range).unwrap_or(near) } else { range };
        self.left(range, slack)
    }

    /// Takes in the quantity at a time, up to which it crosses zero at most once.
    fn see(&mut self, from: f64, time: f64, found: &mut Vec<Crossing>) -> Result<(), Undefined> {
        let Some((value, slack)) = self.at(time) else { return Ok(()) };
        if !value.is_finite() {
            let is_number = |time: f64| self.at(time).is_some_and(|(value, _)| value.is_finite());
            return Err(Undefined(if is_number(from) { bisect(is_number, from, time)[1] } else { from }));
        }
        let above = value > 0.0;
        if value.abs() > slack && self.known.above.replace(above).is_some_and(|before| before != above) {
            // From where it was last beyond rounding on the side that it comes from.
            let far =
                |time: f64| self.at(time).is_some_and(|(there, slack)| (if above { -there } else { there }) > slack);
            let mut back = Rounding::tick(time);
            while time - back > from && !far(time - back) {
                back *= 2.0;
            }
            let (before, last) =
                (|time: f64| self.at(time).is_some_and(|(value, _)| (value > 0.0) != above), (time - back).max(from));
            let at = if before(last) { bisect(before, last, time)[1] } else { last };
            self.emit(at, above, found);
        }
        Ok(())
    }

    /// Where the quantity grows beyond bounds in a part that the clock does not halve. There it changes its sign without a zero; or
    /// its growth on the second half of the way there does not fade, as it does on the way to a number.
    fn pole(&self, begin: f64, end: f64) -> Option<Undefined> {
        let value = |time: f64| self.at(time).map_or(f64::NAN, |(value, _)| value);
        let (from, to) = (value(begin), value(end));
        let near = 2.0 * Rounding::tick(end);
        let grows = |start: f64, room: f64, way: f64| {
            let by = |half: f64| {
                let [there, before] = [half, 2.0 * half].map(|far| value(start + way * far).abs());
                (there - before, Rounding::SUM * f64::EPSILON * there)
            };
            let (growth, grain) = by(near);
            2.0 * FADES * near <= room && growth > grain && growth > 0.5 * by(FADES * near).0
        };
        let changes_sign = from.min(to) < 0.0 && from.max(to) > 0.0;
        let grows = grows(begin, begin - self.stretch.from(), -1.0) || grows(end, self.stretch.to() - end, 1.0);
        (changes_sign || grows).then_some(Undefined(if to.abs() > from.abs() { end } else { begin }))
    }

    fn emit(&mut self, time: f64, rising: bool, found: &mut Vec<Crossing>) {
        let falls = self.watch.of == Watched::Apex && rising;
        if self.watch.rising.is_some_and(|asked| asked != rising) || falls || self.watch.first && self.known.told > 0 {
            return;
        }
        self.known.told += 1;
        self.known.earn();
        let sample = self.sample(time);
        found.push(Crossing { watch: self.index, sample, rising });
    }
}
