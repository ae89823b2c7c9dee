//! The number a profile is evaluated with.

use std::fmt::Debug;
use std::ops::{Add, Div, Mul, Neg, Sub};

use crate::Interval;
use crate::tape::Traced;

/// A number that formulas are evaluated over: `f64` for values, [`Taylor`](crate::Taylor) for derivatives,
/// [`Interval`](crate::Interval) for enclosures, and a Taylor series of intervals for enclosures of derivatives.
///
/// No function panics. Outside its domain a function gives NaN (an interval: NaN bounds), which spreads.
pub trait Number:
    Copy
    + Debug
    + 'static
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// The constant `value`.
    fn constant(value: f64) -> Self;
    /// Product `self · factor`.
    fn scale(self, factor: f64) -> Self;
    /// Sine and cosine of an angle in radians.
    fn sin_cos(self) -> (Self, Self);
    /// Tangent.
    fn tan(self) -> Self;
    /// Inverse sine, in `[−π/2, π/2]`, of a number in `[−1, 1]`.
    fn asin(self) -> Self;
    /// Inverse cosine, in `[0, π]`, of a number in `[−1, 1]`.
    fn acos(self) -> Self;
    /// Inverse tangent, in `(−π/2, π/2)`.
    fn atan(self) -> Self;
    /// Angle of the point (`x`, `self`), in `(−π, π]`.
    fn atan2(self, x: Self) -> Self;
    /// Hyperbolic sine.
    fn sinh(self) -> Self;
    /// Hyperbolic cosine.
    fn cosh(self) -> Self;
    /// Hyperbolic tangent.
    fn tanh(self) -> Self;
    /// Exponential.
    fn exp(self) -> Self;
    /// Natural logarithm of a positive number.
    fn ln(self) -> Self;
    /// Square root of a non-negative number.
    fn sqrt(self) -> Self;
    /// Whole power; `0⁰ = 1`.
    fn powi(self, exponent: i32) -> Self;
    /// Real power of a non-negative base.
    fn powf(self, exponent: f64) -> Self;
    /// Absolute value.
    fn abs(self) -> Self;
    /// The smaller of two.
    fn min(self, other: Self) -> Self;
    /// The larger of two.
    fn max(self, other: Self) -> Self;
    /// Whether `self ≥ other`; `None` where intervals overlap or a number is NaN.
    fn at_least(self, other: Self) -> Option<bool>;
    /// The smallest number of this kind that covers both; for numbers without extent, NaN unless equal.
    fn hull(self, other: Self) -> Self;
    /// `[x, y]` of a curve at `s` and the first of their derivatives `c⁽ᵏ⁾/k!`, `TERMS` numbers each (1 to 5); NaN for orders that
    /// this number can't know.
    fn series_of<const TERMS: usize, C: PlaneSeries + ?Sized>(curve: &C, s: Self) -> [[Self; TERMS]; 2];

    /// Sine.
    fn sin(self) -> Self {
        self.sin_cos().0
    }
    /// Cosine.
    fn cos(self) -> Self {
        self.sin_cos().1
    }
    /// Square; tighter than `self * self` over intervals.
    fn square(self) -> Self {
        self.powi(2)
    }
}

/// A plane curve that is known by its values and enclosures alone, such as one behind a pointer.
pub trait PlaneSeries {
    /// `[x, y]` at `s`.
    fn value(&self, s: f64) -> [f64; 2];
    /// `[x, y]` with their derivatives `c⁽ᵏ⁾/k!` to k = 4.
    fn series(&self, s: f64) -> [[f64; 5]; 2];
    /// Encloses `[x, y]`.
    fn value_over(&self, s: Interval) -> [Interval; 2];
    /// Encloses `[x, y]` with their derivatives.
    fn series_over(&self, s: Interval) -> [[Interval; 5]; 2];
    /// Writes `[x, y]` with their derivatives down.
    fn traced(&self, s: Traced) -> [[Traced; 5]; 2];
}

impl Number for f64 {
    #[inline(always)]
    fn constant(value: f64) -> Self {
        value
    }
    #[inline(always)]
    fn scale(self, factor: f64) -> Self {
        self * factor
    }
    #[inline(always)]
    fn sin_cos(self) -> (Self, Self) {
        f64::sin_cos(self)
    }
    fn sin(self) -> Self {
        f64::sin(self)
    }
    fn cos(self) -> Self {
        f64::cos(self)
    }
    fn tan(self) -> Self {
        f64::tan(self)
    }
    fn asin(self) -> Self {
        f64::asin(self)
    }
    fn acos(self) -> Self {
        f64::acos(self)
    }
    fn atan(self) -> Self {
        f64::atan(self)
    }
    fn atan2(self, x: Self) -> Self {
        f64::atan2(self, x)
    }
    fn sinh(self) -> Self {
        f64::sinh(self)
    }
    fn cosh(self) -> Self {
        f64::cosh(self)
    }
    fn tanh(self) -> Self {
        f64::tanh(self)
    }
    fn exp(self) -> Self {
        f64::exp(self)
    }
    fn ln(self) -> Self {
        f64::ln(self)
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        f64::sqrt(self)
    }
    fn powi(self, exponent: i32) -> Self {
        f64::powi(self, exponent)
    }
    fn powf(self, exponent: f64) -> Self {
        f64::powf(self, exponent)
    }
    #[inline(always)]
    fn abs(self) -> Self {
        f64::abs(self)
    }
    // `f64::min` would drop NaN.
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        if self <= other || self.is_nan() { self } else { other }
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        if self >= other || self.is_nan() { self } else { other }
    }
    #[inline(always)]
    fn at_least(self, other: Self) -> Option<bool> {
        self.partial_cmp(&other).map(|order| order.is_ge())
    }
    fn hull(self, other: Self) -> Self {
        if self == other { self } else { f64::NAN }
    }
    fn series_of<const TERMS: usize, C: PlaneSeries + ?Sized>(curve: &C, s: Self) -> [[Self; TERMS]; 2] {
        if TERMS == 1 {
            return curve.value(s).map(|c| [c; TERMS]);
        }
        curve.series(s).map(|c| std::array::from_fn(|k| c[k]))
    }
    #[inline(always)]
    fn square(self) -> Self {
        self * self
    }
}
