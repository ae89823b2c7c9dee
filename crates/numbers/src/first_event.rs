//! The first event on a stretch: where a witness triggers, or the proof that it does not.
//!
//! A witness is a function along the stretch that is positive until its event; [`first_event`] asks for its value at a
//! point and for a lower bound over a part. It triggers
//!
//! - where it comes down through zero: at the smallest number looked at with a value ≤ 0;
//! - at the start, if it is not positive there and not positive `finest` later. One that is positive by then has only
//!   begun at zero, and its next zero counts;
//! - at the end, if it is zero there;
//! - at a double zero, where it only touches zero, if a value looked at is not positive. Bounds that prove a part
//!   positive exclude one, and a dip shorter than `finest` is none.
//!
//! A witness whose zero counts only beyond noise adds the noise to its value. NaN counts as positive, except at the
//! point `finest` after a start that is not positive: there it triggers. A witness that shall end the stretch where it
//! is undefined returns −1 there.

use crate::Interval;

/// Outcome of a search for the first event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Trigger {
    /// Point from which the witness is no longer positive, to rounding.
    At(f64),
    /// The witness stays positive.
    Never,
    /// The witness is positive up to here, and undecided beyond: the budget was spent.
    Undecided(f64),
}

impl Trigger {
    /// Point up to which the witness is known to be positive, if that is not the whole stretch.
    pub fn point(self) -> Option<f64> {
        match self {
            Trigger::At(point) | Trigger::Undecided(point) => Some(point),
            Trigger::Never => None,
        }
    }
}

/// The first event of several witnesses; `find` searches each up to a point, that of the first event so far.
pub fn first_of<W: Copy>(
    witnesses: impl IntoIterator<Item = W>,
    until: f64,
    find: impl Fn(W, f64) -> Option<f64>,
) -> Option<(f64, W)> {
    witnesses.into_iter().fold(None, |first, witness| {
        let found = find(witness, first.map_or(until, |(at, _)| at));
        found.map(|at| (at, witness)).or(first)
    })
}

/// A function at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Valued {
    /// Argument of the function.
    pub at: f64,
    /// Value of the function.
    pub value: f64,
}

/// Largest number of nested halvings: double precision resolves no more.
const DEPTH: usize = 64;

/// The first event of a witness between two points. `bound` gives a lower bound over a part, whose values at both ends
/// it is given; a part that it does not prove positive is halved. A part no longer than `finest` is judged by its ends.
/// At most `budget` parts are looked at.
pub fn first_event(
    value: impl Fn(f64) -> f64,
    bound: impl Fn(Interval, [f64; 2]) -> f64,
    [mut start, end]: [Valued; 2],
    finest: f64,
    budget: u32,
) -> Trigger {
    if start.value <= 0.0 {
        let (first, next) = (start.at, (start.at + finest).min(end.at));
        start = Valued { at: next, value: value(next) };
        if !(start.value > 0.0) {
            return Trigger::At(first);
        }
    }
    let mut ends = [end; DEPTH];
    let mut open = 1;
    for _ in 0..budget {
        if open == 0 {
            return Trigger::Never;
        }
        let end = ends[open - 1];
        let part = Interval::new(start.at, end.at);
        if end.value > 0.0 && bound(part, [start.value, end.value]) > 0.0 {
            (start, open) = (end, open - 1);
            continue;
        }
        let middle = 0.5 * (start.at + end.at);
        if part.width() > finest && open < DEPTH && start.at < middle && middle < end.at {
            ends[open] = Valued { at: middle, value: value(middle) };
            open += 1;
        } else if end.value <= 0.0 {
            return Trigger::At(zero_between(value, start, end));
        } else {
            (start, open) = (end, open - 1);
        }
    }
    if open == 0 { Trigger::Never } else { Trigger::Undecided(start.at) }
}

/// Narrows a zero between a point where a function is positive and one where it is not, until both are neighbouring
/// numbers; returns the one at which it is not positive. The ITP method with κ₁ = 0.2, κ₂ = 2, n₀ = 1 needs at most one
/// step more than bisection (Oliveira & Takahashi, *ACM Trans. Math. Softw.* 47 (2020) 5). NaN counts as positive.
fn zero_between(value: impl Fn(f64) -> f64, mut positive: Valued, mut other: Valued) -> f64 {
    let whole = other.at - positive.at;
    let unit = 0.5 * f64::EPSILON * other.at.abs();
    // Width that bisection would have reached with one step to spare.
    let mut reach = whole;
    loop {
        let [a, b] = [positive.at, other.at];
        let (middle, width) = (0.5 * (a + b), b - a);
        if !(a < middle && middle < b) || width <= unit {
            return b;
        }
        let chord = (a * other.value - b * positive.value) / (other.value - positive.value);
        // Slightly beyond the secant's zero, so that both ends close in.
        let beyond = (0.2 * width * (width / whole)).max(unit);
        let way = middle - chord;
        let aim = if beyond <= way.abs() { chord + beyond.copysign(way) } else { middle };
        let spare = (reach - 0.5 * width).max(0.0);
        let aim = if (aim - middle).abs() <= spare { aim } else { middle - spare.copysign(way) };
        let at = if a < aim && aim < b { aim } else { middle };
        let found = Valued { at, value: value(at) };
        *(if found.value <= 0.0 { &mut other } else { &mut positive }) = found;
        reach *= 0.5;
    }
}

/// Narrows the place where `holds` becomes false, between `from`, where it is true, and `to`, where it is false.
/// Returns the last point where it is true and the first where it is false: neighbours among numbers of the size of
/// `to`.
pub fn bisect(holds: impl Fn(f64) -> bool, from: f64, to: f64) -> [f64; 2] {
    halve(holds, from, to, 0.5 * f64::EPSILON * to.abs())
}

/// Narrows like [`bisect`] down to a width of `unit`; with 0 to neighbouring numbers.
pub fn halve(holds: impl Fn(f64) -> bool, from: f64, to: f64, unit: f64) -> [f64; 2] {
    let (mut lo, mut hi) = (from, to);
    loop {
        let middle = 0.5 * lo + 0.5 * hi;
        if !(lo < middle && middle < hi) || hi - lo <= unit {
            return [lo, hi];
        }
        *(if holds(middle) { &mut lo } else { &mut hi }) = middle;
    }
}
