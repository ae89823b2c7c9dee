//! The first zero of a function of one variable, found or proven absent.

use crate::Interval;

/// Outcome of a search for the first zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FirstZero {
    /// Point from which the function is no longer positive, to rounding.
    Zero(f64),
    /// The function stays positive.
    None,
    /// The function is positive up to here; the budget went no further.
    Undecided(f64),
}

/// A function at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Valued {
    /// Argument of the function.
    pub at: f64,
    /// Value of the function.
    pub value: f64,
}

/// Halvings of a part that double precision can tell apart.
const DEPTH: usize = 64;

/// The first zero between two points of a function that is positive at the first; else it is there, unless the function is positive
/// `finest` later: then it begins at zero.
///
/// `bound` gives a lower bound over a part, whose ends it is told; a part that it does not prove positive is halved. One no longer
/// than `finest` counts by its ends, so that a dip below zero as short as that is no zero. NaN counts as positive. At most `budget`
/// parts are looked at.
pub fn first_zero(
    value: impl Fn(f64) -> f64,
    bound: impl Fn(Interval, [f64; 2]) -> f64,
    [mut start, end]: [Valued; 2],
    finest: f64,
    budget: u32,
) -> FirstZero {
    if start.value <= 0.0 {
        let (first, next) = (start.at, (start.at + finest).min(end.at));
        start = Valued { at: next, value: value(next) };
        if !(start.value > 0.0) {
            return FirstZero::Zero(first);
        }
    }
    let mut ends = [end; DEPTH];
    let mut open = 1;
    for _ in 0..budget {
        if open == 0 {
            return FirstZero::None;
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
            return FirstZero::Zero(zero_between(value, start, end));
        } else {
            (start, open) = (end, open - 1);
        }
    }
    if open == 0 { FirstZero::None } else { FirstZero::Undecided(start.at) }
}

/// Narrows a zero between a point where a function is positive and one where it is not. Returns the first number known at which it is
/// not, as close as numbers of that size are told apart. The ITP method with κ₁ = 0.2, κ₂ = 2, n₀ = 1 is slower than halving by one step
/// at most (Oliveira & Takahashi, *ACM Trans. Math. Softw.* 47 (2020) 5). NaN counts as positive.
fn zero_between(value: impl Fn(f64) -> f64, mut positive: Valued, mut other: Valued) -> f64 {
    let whole = other.at - positive.at;
    let unit = 0.5 * f64::EPSILON * other.at.abs();
    // Width that halving with a step to spare would have left.
    let mut reach = whole;
    loop {
        let [a, b] = [positive.at, other.at];
        let (middle, width) = (0.5 * (a + b), b - a);
        if !(a < middle && middle < b) || width <= unit {
            return b;
        }
        let chord = (a * other.value - b * positive.value) / (other.value - positive.value);
        // A little beyond what the chord says, so that both ends close in.
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

/// Narrows where `holds` ends, from a point where it does to one where it does not: the last point known of the one kind and the
/// first of the other, as close as numbers of the size of `to` are told apart.
pub fn bisect(holds: impl Fn(f64) -> bool, from: f64, to: f64) -> [f64; 2] {
    let (mut lo, mut hi) = (from, to);
    loop {
        let middle = 0.5 * (lo + hi);
        if !(lo < middle && middle < hi) || hi - lo <= 0.5 * f64::EPSILON * to.abs() {
            return [lo, hi];
        }
        *(if holds(middle) { &mut lo } else { &mut hi }) = middle;
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::{FRAC_PI_2, SQRT_2};

    use super::*;
    use crate::Number;

    fn search(f: impl Fn(f64) -> f64, over: impl Fn(Interval) -> Interval, budget: u32) -> FirstZero {
        let ends = [0.0, 2.0].map(|at| Valued { at, value: f(at) });
        first_zero(f, |part, _| over(part).lo, ends, 0.0, budget)
    }

    /// The first of two zeros, though both ends are positive; none of a parabola that stays above; a search that is cut short says so.
    #[test]
    fn parabolas() {
        let parabola = |depth: f64| {
            move |budget: u32| {
                let f = move |t: f64| (t - 1.0).powi(2) - depth;
                search(f, move |t| (t - Interval::point(1.0)).square() - Interval::point(depth), budget)
            }
        };
        let FirstZero::Zero(t) = parabola(1e-10)(10_000) else { panic!() };
        assert!((t - (1.0 - 1e-5)).abs() < 1e-15);
        assert_eq!(parabola(-1e-12)(10_000), FirstZero::None);
        assert_eq!(parabola(1e-10)(3), FirstZero::Undecided(0.5));
    }

    /// Smooth functions take some ten evaluations, one that says nothing but its sign one more than halving, and none is off by more
    /// than rounding.
    #[test]
    fn work_of_a_zero() {
        let found = |f: &dyn Fn(f64) -> f64, zero: f64| {
            let count = std::cell::Cell::new(0);
            let counted = |t: f64| {
                count.set(count.get() + 1);
                f(t)
            };
            let [start, end] = [0.0, 2.0].map(|at| Valued { at, value: f(at) });
            let at = zero_between(counted, start, end);
            assert!((at - zero).abs() <= 2.0 * f64::EPSILON && f(at) <= 0.0, "{at} for {zero}");
            count.get()
        };
        let smooth =
            [found(&|t| t.cos(), FRAC_PI_2), found(&|t| 3.0 - t.exp(), 3.0_f64.ln()), found(&|t| 2.0 - t * t, SQRT_2)];
        let steps = [0.3, 1.0, 1.7].map(|zero| found(&|t| if t < zero { 1.0 } else { -1e-6 }, zero));
        println!("{smooth:?} {steps:?}");
        assert!(smooth.iter().all(|count| *count <= 14), "{smooth:?}");
        assert!(steps.iter().all(|count| (45..=55).contains(count)), "{steps:?}");
    }

    /// A function that falls from zero is there, one that rises from it has its next zero; one that is undefined somewhere has its zero where it is defined.
    #[test]
    fn odd_ends() {
        assert_eq!(search(|t| -t, |t| -t, 10), FirstZero::Zero(0.0));
        let rises = |t: f64| t * (1.0 - t);
        let ends = [0.0, 2.0].map(|at| Valued { at, value: rises(at) });
        assert_eq!(first_zero(rises, |_, _| f64::NEG_INFINITY, ends, 0.125, 1000), FirstZero::Zero(1.0));
        let f = |t: f64| if t < 1.0 { f64::NAN } else { 1.5 - t };
        let ends = [Valued { at: 0.0, value: 1.0 }, Valued { at: 2.0, value: f(2.0) }];
        let found = first_zero(f, |_, _| f64::NEG_INFINITY, ends, 0.25, 1000);
        assert_eq!(found, FirstZero::Zero(1.5));
    }
}
