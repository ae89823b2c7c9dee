//! Arc length between two parameters, and the parameter at an arc length.

use numbers::{Interval, integral};

use crate::Curve;

/// Arc length in metres between two parameters, negative if `to < from`.
///
/// Relative error about `1e-14` where the curve is smooth; exact along lines and arcs; an estimate where it oscillates
/// thousands of times.
pub fn arc_length(curve: &dyn Curve, from: f64, to: f64) -> f64 {
    if curve.shape().is_some() {
        return to - from;
    }
    integral(|s| curve.speed(s), from, to)
}

/// The parameter in `domain` at arc length `length` (m, negative: backwards) from `from`: by Newton's method, and by
/// bisection where that leaves the bracket.
pub fn parameter_at_length(curve: &dyn Curve, domain: Interval, from: f64, length: f64) -> f64 {
    if curve.shape().is_some() {
        return domain.clamp(from + length);
    }
    let (mut lo, mut hi) = (domain.lo, domain.hi);
    let mut s = domain.clamp(from + length / curve.jet(from).speed());
    for _ in 0..100 {
        let missing = length - arc_length(curve, from, s);
        if missing > 0.0 {
            lo = s
        } else {
            hi = s
        }
        let mut next = s + missing / curve.jet(s).speed();
        if !(lo <= next && next <= hi) {
            next = Interval::new(lo, hi).middle();
        }
        if (next - s).abs() <= 2.0 * f64::EPSILON * s.abs() || missing == 0.0 {
            return next;
        }
        s = next;
    }
    s
}
