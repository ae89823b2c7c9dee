//! Polynomials by their coefficients, lowest first: value, slope, bounds, first root.

use crate::{Interval, Valued, first_event};

/// The value of a polynomial by its coefficients, lowest first.
#[inline(always)]
pub fn horner(coefficients: &[f64], t: f64) -> f64 {
    coefficients.iter().rev().fold(0.0, |sum, c| sum * t + c)
}

/// The slope of a polynomial by its coefficients, lowest first.
#[inline(always)]
pub fn slope_of(coefficients: &[f64], t: f64) -> f64 {
    let (_, slope) = coefficients.iter().rev().fold((0.0, 0.0), |(sum, slope), c| (sum * t + c, slope * t + sum));
    slope
}

/// The first `t ≥ 0` with `c + b t + a t²/2 ≤ 0`, where `c ≥ 0`; ∞ if there is none. For `c = 0` the start counts only
/// if the value falls from there; for `b > 0` that root is divided out.
#[inline(always)]
pub fn first_fall(c: f64, b: f64, a: f64) -> f64 {
    let root = b * b - 2.0 * a * c;
    if root < 0.0 {
        f64::INFINITY
    } else if b < 0.0 {
        2.0 * c / (root.sqrt() - b)
    } else if a < 0.0 {
        (b + root.sqrt()) / -a
    } else {
        f64::INFINITY
    }
}

/// Time, at most `horizon`, for which `c + bτ + aτ²/2 + jτ³/6` certainly stays positive, c > 0; 0 where a
/// coefficient is NaN. For j < 0 it is that of a parabola below the cubic, as `jτ³/6 ≥ (j·horizon/3)τ²/2`.
#[inline]
pub fn cubic_positive_for([c, b, a, j]: [f64; 4], horizon: f64) -> f64 {
    let bent = if j < 0.0 { a + j * horizon / 3.0 } else { a };
    let parabola = first_fall(c, b, bent).min(horizon);
    if !(j > 0.0) {
        return if j < 0.0 { parabola } else { 0.0 };
    }
    let square = a * a - 2.0 * b * j;
    if square <= 0.0 {
        return horizon;
    }
    // The only minimum of the cubic.
    let root = square.sqrt();
    let lowest = if a > 0.0 { -2.0 * b / (a + root) } else { (root - a) / j };
    let value = c + lowest * (b + lowest * (0.5 * a + lowest * j / 6.0));
    if lowest <= 0.0 || value > 0.0 { horizon } else { parabola }
}

/// A lower bound of a polynomial over [0, `until`], from the signs and sizes of its terms. Powers of t are divided out
/// first where the lowest coefficients are zero, so that a positive bound proves the polynomial positive after 0.
pub fn least(coefficients: &[f64], until: f64) -> f64 {
    let zeros = coefficients.iter().take_while(|c| **c == 0.0).count();
    let (mut power, mut sum) = (1.0, coefficients.get(zeros).copied().unwrap_or(0.0));
    for c in coefficients.iter().skip(zeros + 1) {
        power *= until;
        let term = c * power;
        sum += term.min(0.0) - 4.0 * f64::EPSILON * term.abs();
    }
    sum
}

/// A bound of the second derivative's size over [0, `until`].
pub fn most_bend(coefficients: &[f64], until: f64) -> f64 {
    let (mut power, mut bend) = (1.0, 0.0);
    for (k, c) in coefficients.iter().enumerate().skip(2) {
        bend += (k * (k - 1)) as f64 * c.abs() * power;
        power *= until;
    }
    bend
}

/// The first root in (0, `until`] of a polynomial by its coefficients, lowest first; the first must not be zero.
/// `None`: there is none, but perhaps a dip shorter than ε · `until`. Where 4096 parts decide nothing, the result is
/// the point up to which there is no root.
pub fn first_root(coefficients: &[f64], until: f64) -> Option<f64> {
    let [first, rest @ ..] = coefficients else { return None };
    let (mut power, mut most) = (1.0, 0.0);
    for c in rest {
        power *= until;
        most += c.abs() * power;
    }
    if first.abs() > most * (1.0 + 16.0 * f64::EPSILON) {
        return None;
    }
    let bend = most_bend(coefficients, until);
    let sign = first.signum();
    let value = |t: f64| sign * horner(coefficients, t);
    // The polynomial is off its chord by at most an eighth of the second derivative times the square of the width.
    let bound = |part: Interval, [a, b]: [f64; 2]| a.min(b) - 0.125 * bend * part.width() * part.width();
    let ends = [Valued { at: 0.0, value: first.abs() }, Valued { at: until, value: value(until) }];
    first_event(value, bound, ends, f64::EPSILON * until, 4096).point()
}
