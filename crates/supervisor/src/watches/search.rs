//! Crossings of one watch on a stretch, located or proven absent.

use numbers::{Interval, Rounding, bisect};

use super::quantity::{Watch, Watched};
use crate::enclosure::Rate;
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

/// Side of zero on which a quantity is over a part of a stretch.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Side {
    /// Beyond rounding on one side.
    Above(bool),
    /// Zero, but for rounding.
    On,
    /// Not known.
    Either,
}

impl Side {
    fn of(range: Interval, slack: f64) -> Self {
        match range {
            Interval { lo, .. } if lo > slack => Side::Above(true),
            Interval { hi, .. } if hi < -slack => Side::Above(false),
            Interval { lo, hi } if lo >= -slack && hi <= slack => Side::On,
            _ => Side::Either,
        }
    }
}

/// Sign of the rate of a quantity over a part of a stretch.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Rates {
    /// It does not change its sign.
    OneSign,
    /// It may have any sign.
    Any,
    /// Not known, nor is the quantity: it may be no number there.
    Undefined,
}

/// State of a watch during a run.
#[derive(Clone, Copy, Debug, Default, serde::Serialize, serde::Deserialize)]
pub(super) struct Known {
    /// The side where the quantity was last beyond rounding.
    above: Option<bool>,
    /// Crossings told, or times come to.
    pub told: usize,
    /// Parts that may yet be enclosed.
    left: u32,
    /// Time at which crossings were first not resolved, s.
    pub unresolved: Option<f64>,
}

impl Known {
    /// The state at the start of a run.
    pub fn new() -> Self {
        Known { left: MOST, ..Known::default() }
    }

    fn earn(&mut self) {
        self.left = (self.left + PARTS).min(MOST);
    }
}

/// The time (s) at which the quantity is not a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Undefined(pub f64);

/// Search for the crossings of one watch on one stretch.
pub(super) struct Look<'a> {
    pub scene: &'a Scene,
    pub stretch: &'a Stretch<'a>,
    pub watch: &'a Watch,
    pub index: usize,
    pub known: &'a mut Known,
}

impl Look<'_> {
    fn sample(&self, time: f64) -> Sample {
        let mut sample = self.stretch.seen(time);
        sample.state.time = time;
        sample
    }

    /// The quantity at a time, and what rounding makes of it; `None`: it is not there.
    fn at(&self, time: f64) -> Option<(f64, f64)> {
        self.watch.at(self.scene, &self.sample(time))
    }

    /// Finds the crossings on the stretch, in the order of time. Parts are halved, down to what the clock can tell, until each is on one
    /// side, at zero, or has a rate of one sign. Then its end tells the side; where that changes, the change of sign is located.
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
        let mut last = self.see(from, from, found)?;
        let mut parts = Parts::of(from, to);
        self.known.earn();
        let first = found.len();
        while let Some((begin, end)) = parts.pop() {
            if found.len() - first >= MOST as usize {
                self.known.left = 0;
            }
            let spent = self.known.left == 0;
            self.known.left -= u32::from(!spent);
            let over = if spent { None } else { self.over(begin, end) };
            let side = match over {
                Some((side, _)) => side,
                None => Side::Either,
            };
            match (side, over) {
                (Side::Above(_), _) => last = self.see(last, end, found)?,
                (Side::On, _) => {}
                (Side::Either, Some((_, Rates::OneSign))) => last = self.see(last, end, found)?,
                (Side::Either, proven) => {
                    let equal = proven.is_none() && end - begin <= (to - from) / EQUAL;
                    if spent {
                        self.known.unresolved.get_or_insert(begin);
                    }
                    if equal || spent || !parts.halve(begin, end) {
                        if proven.is_some_and(|(_, rates)| rates == Rates::Undefined)
                            && let Some(pole) = self.pole(begin, end)
                        {
                            return Err(pole);
                        }
                        last = self.see(last, end, found)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Takes in the quantity at a time, up to which it crosses zero at most once since `last`; the last time that its side is known.
    fn see(&mut self, last: f64, time: f64, found: &mut Vec<Crossing>) -> Result<f64, Undefined> {
        let Some((value, slack)) = self.at(time) else { return Ok(last) };
        if !value.is_finite() {
            let is_number = |time: f64| self.at(time).is_some_and(|(value, _)| value.is_finite());
            return Err(Undefined(if is_number(last) { bisect(is_number, last, time)[1] } else { last }));
        }
        let Side::Above(above) = Side::of(Interval::point(value), slack) else { return Ok(last) };
        if self.known.above.replace(above).is_some_and(|before| before != above) {
            let before = |time: f64| self.at(time).is_some_and(|(value, _)| (value > 0.0) != above);
            let at = if before(last) { bisect(before, last, time)[1] } else { last };
            self.emit(at, above, found);
        }
        Ok(time)
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

    /// The side over a part, and whether its rate has one sign; `None`: nothing is proven.
    fn over(&self, from: f64, to: f64) -> Option<(Side, Rates)> {
        let middle = 0.5 * (from + to);
        let (value, slack) = self.at(middle)?;
        let Rate { 0: [range, rate] } = self.watch.of.over(self.scene, &self.stretch.over(from, to)?)?;
        if range == Interval::REAL {
            return None;
        }
        if range.is_undefined() {
            return Some((Side::Either, Rates::Undefined));
        }
        let near = Interval::around(value, rate.magnitude() * 0.5 * (to - from) + slack);
        let range = if near.is_bounded() { near.intersection(range).unwrap_or(near) } else { range };
        let rates = if rate.mignitude() > 0.0 { Rates::OneSign } else { Rates::Any };
        Some((Side::of(range, slack), rates))
    }
}

/// Parts yet to be looked at, the next one on top; no more than double precision can tell apart.
struct Parts {
    ends: [f64; 64],
    open: usize,
    from: f64,
}

impl Parts {
    fn of(from: f64, to: f64) -> Self {
        Parts { ends: [to; 64], open: usize::from(from < to), from }
    }

    fn pop(&mut self) -> Option<(f64, f64)> {
        self.open = self.open.checked_sub(1)?;
        let part = (self.from, self.ends[self.open]);
        self.from = part.1;
        Some(part)
    }

    /// Puts back the halves of the part taken last; whether it has some.
    fn halve(&mut self, from: f64, to: f64) -> bool {
        let middle = 0.5 * (from + to);
        if !(to - from > Rounding::tick(to) && from < middle && middle < to && self.open + 2 <= self.ends.len()) {
            return false;
        }
        (self.ends[self.open], self.ends[self.open + 1]) = (to, middle);
        (self.open, self.from) = (self.open + 2, from);
        true
    }
}
