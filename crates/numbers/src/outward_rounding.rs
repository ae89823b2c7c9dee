//! By how much bounds are moved outward after each operation, so that an enclosure survives rounding.

use crate::Interval;

/// Relative widening of one arithmetic operation: one unit in the last place is at most ε = 2⁻⁵².
pub(crate) const WIDEN: f64 = f64::EPSILON;

/// Widens both bounds by `part` of themselves. A lower bound that overflowed becomes `f64::MAX`, an upper one
/// `f64::MIN`: only a bound on its own side may be infinite. Zero is exact; underflow below 1e-300 is left out.
#[inline(always)]
pub(crate) fn widen(lo: f64, hi: f64, part: f64) -> Interval {
    let (lo, hi) = (lo - lo.abs().min(f64::MAX) * part, hi + hi.abs().min(f64::MAX) * part);
    // `f64::min` would drop NaN.
    Interval { lo: if f64::MAX < lo { f64::MAX } else { lo }, hi: if f64::MIN > hi { f64::MIN } else { hi } }
}

/// Rounds outward after one operation that is exact to half a unit in the last place.
#[inline(always)]
pub(crate) fn outward(lo: f64, hi: f64) -> Interval {
    widen(lo, hi, WIDEN)
}

/// Rounds outward after a library function.
pub(crate) fn library(lo: f64, hi: f64) -> Interval {
    widen(lo, hi, 4.0 * WIDEN)
}
