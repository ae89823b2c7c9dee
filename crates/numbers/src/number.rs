//! The number a formula is evaluated over.

use std::fmt::Debug;
use std::ops::{Add, Div, Mul, Neg, Sub};

use crate::{Interval, Traced, elementary};

/// A number that formulas are evaluated over: `f64` for values, [`Taylor`](crate::Taylor) for derivatives, [`Interval`]
/// for enclosures, a Taylor series of intervals for enclosures of derivatives, and [`Traced`] for the list of a
/// formula's operations.
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
    + Add<f64, Output = Self>
    + Sub<f64, Output = Self>
    + Mul<f64, Output = Self>
    + Div<f64, Output = Self>
    + BesideFloats<Float = f64>
    + BesideFloats<
        Float: Add<Self, Output = Self>
                   + Sub<Self, Output = Self>
                   + Mul<Self, Output = Self>
                   + Div<Self, Output = Self>
                   // Without these four the compiler would read `2.0 * x` as a product with `Self` for an `f64` x, too.
                   + Add<f64, Output = f64>
                   + Sub<f64, Output = f64>
                   + Mul<f64, Output = f64>
                   + Div<f64, Output = f64>,
    >
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
    /// Whether `self ≥ other`; `None` where intervals overlap, a number is NaN, or a traced number is no constant.
    fn at_least(self, other: Self) -> Option<bool>;
    /// The smallest number of this kind that covers both; for numbers without extent, NaN unless equal.
    fn hull(self, other: Self) -> Self;
    /// The first `TERMS` (1 to 5) coefficients `f⁽ᵏ⁾/k!` at `s` of both functions of a pair. Parts of a coefficient
    /// that need derivatives above the fourth, the last that a pair knows, are NaN.
    fn series_of<const TERMS: usize, P: OpaquePair + ?Sized>(pair: &P, s: Self) -> [[Self; TERMS]; 2];

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

/// Two functions of one argument, such as the coordinates of a curve, over one kind of number.
pub trait FunctionPair<N> {
    /// Values at `s`.
    fn value(&self, s: N) -> [N; 2];
    /// Values at `s` with the derivatives `f⁽ᵏ⁾/k!` to k = 4.
    fn series(&self, s: N) -> [[N; 5]; 2];
}

/// Two functions that can be evaluated only over these three kinds of numbers, since a trait object has no generic
/// methods. Over Taylor series of these kinds they follow from their derivatives ([`Number::series_of`]).
pub trait OpaquePair: FunctionPair<f64> + FunctionPair<Interval> + FunctionPair<Traced> {}

impl<P: FunctionPair<f64> + FunctionPair<Interval> + FunctionPair<Traced> + ?Sized> OpaquePair for P {}

/// The first `TERMS` (1 to 5) coefficients of both functions of a pair; for the value alone no derivative is computed.
pub(crate) fn terms_of<const TERMS: usize, N: Copy, P: FunctionPair<N> + ?Sized>(pair: &P, s: N) -> [[N; TERMS]; 2] {
    match TERMS {
        1 => pair.value(s).map(|f| [f; TERMS]),
        _ => pair.series(s).map(|f| std::array::from_fn(|k| f[k])),
    }
}

/// Whole power by repeated squaring; `0⁰ = 1`.
#[inline]
pub(crate) fn power_by_squares<N: Number>(base: N, exponent: i32) -> N {
    let (mut power, mut square, mut left) = (N::constant(1.0), base, exponent.unsigned_abs());
    loop {
        if left % 2 == 1 {
            power = power * square;
        }
        left /= 2;
        if left == 0 {
            break;
        }
        square = square.square();
    }
    if exponent < 0 { N::constant(1.0) / power } else { power }
}

/// `f64` as an associated type. Bounds on it are part of what [`Number`] promises, so that generic code may write
/// `1.0 - 0.5 * s * s`; a where-clause on `f64` itself would have to be repeated by each user of [`Number`].
pub trait BesideFloats {
    /// `f64`.
    type Float;
}

impl<N> BesideFloats for N {
    type Float = f64;
}

/// Writes the four operations of a number beside an `f64`, on either side of it.
macro_rules! beside_floats {
    ($number:ty $(, $($generics:tt)*)?) => {
        $crate::number::beside_floats!(@ Add add, |a, b| a + <$number as $crate::Number>::constant(b), |a, b| <$number as $crate::Number>::constant(a) + b, $number $(, $($generics)*)?);
        $crate::number::beside_floats!(@ Sub sub, |a, b| a - <$number as $crate::Number>::constant(b), |a, b| <$number as $crate::Number>::constant(a) - b, $number $(, $($generics)*)?);
        $crate::number::beside_floats!(@ Mul mul, |a, b| $crate::Number::scale(a, b), |a, b| $crate::Number::scale(b, a), $number $(, $($generics)*)?);
        $crate::number::beside_floats!(@ Div div, |a, b| a / <$number as $crate::Number>::constant(b), |a, b| <$number as $crate::Number>::constant(a) / b, $number $(, $($generics)*)?);
    };
    (@ $trait:ident $method:ident, $right:expr, $left:expr, $number:ty $(, $($generics:tt)*)?) => {
        impl $(<$($generics)*>)? std::ops::$trait<f64> for $number {
            type Output = Self;
            #[inline]
            fn $method(self, other: f64) -> Self {
                let does: fn(Self, f64) -> Self = $right;
                does(self, other)
            }
        }
        impl $(<$($generics)*>)? std::ops::$trait<$number> for f64 {
            type Output = $number;
            #[inline]
            fn $method(self, other: $number) -> $number {
                let does: fn(f64, $number) -> $number = $left;
                does(self, other)
            }
        }
    };
}
pub(crate) use beside_floats;

/// Writes methods of `f64` by the functions of `elementary`, which are equal on every machine.
macro_rules! elementary {
    ($($name:ident),*) => {
        $(fn $name(self) -> Self {
            elementary::$name(self)
        })*
    };
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
    fn sin_cos(self) -> (Self, Self) {
        elementary::sin_cos(self)
    }
    elementary!(sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, exp, ln);
    fn atan2(self, x: Self) -> Self {
        elementary::atan2(self, x)
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        f64::sqrt(self)
    }
    #[inline]
    fn powi(self, exponent: i32) -> Self {
        elementary::powi(self, exponent)
    }
    fn powf(self, exponent: f64) -> Self {
        elementary::powf(self, exponent)
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
    fn series_of<const TERMS: usize, P: OpaquePair + ?Sized>(pair: &P, s: Self) -> [[Self; TERMS]; 2] {
        terms_of(pair, s)
    }
    #[inline(always)]
    fn square(self) -> Self {
        self * self
    }
}
