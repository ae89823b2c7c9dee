//! Functions of intervals.

use crate::interval::{WIDEN, library, outward, widen};
use crate::{Interval, Number, PlaneSeries};

impl Number for Interval {
    fn series_of<const TERMS: usize, C: PlaneSeries + ?Sized>(curve: &C, s: Self) -> [[Self; TERMS]; 2] {
        if TERMS == 1 {
            return curve.value_over(s).map(|c| [c; TERMS]);
        }
        curve.series_over(s).map(|c| std::array::from_fn(|k| c[k]))
    }
    #[inline(always)]
    fn constant(value: f64) -> Self {
        // An infinite bound stands for numbers below it; infinity is none.
        if value.is_finite() { Interval::point(value) } else { Interval::UNDEFINED }
    }
    #[inline(always)]
    fn scale(self, factor: f64) -> Self {
        if factor > 0.0 {
            outward(self.lo * factor, self.hi * factor)
        } else if factor < 0.0 {
            outward(self.hi * factor, self.lo * factor)
        } else {
            self * Interval::point(factor)
        }
    }
    #[inline(always)]
    fn square(self) -> Self {
        let (a, b) = (self.mignitude(), self.magnitude());
        if self.is_undefined() { self } else { outward(a * a, b * b) }
    }
    fn sin_cos(self) -> (Self, Self) {
        if self.is_undefined() {
            return (Interval::UNDEFINED, Interval::UNDEFINED);
        }
        const FULL: Interval = Interval { lo: -1.0, hi: 1.0 };
        // Beyond 2⁵⁰ the quadrant can't be told from the rounded quotient.
        if !(self.width() < std::f64::consts::TAU && self.magnitude() < (1u64 << 50) as f64) {
            return (FULL, FULL);
        }
        (sine(self, 0), sine(self, 1))
    }
    fn tan(self) -> Self {
        let (_, c) = self.sin_cos();
        if c.mignitude() > 0.0 && self.width() < std::f64::consts::PI {
            self.rising(f64::tan)
        } else {
            Interval::UNDEFINED
        }
    }
    fn asin(self) -> Self {
        unit(self).map_or(Interval::UNDEFINED, |u| u.rising(f64::asin))
    }
    fn acos(self) -> Self {
        unit(self).map_or(Interval::UNDEFINED, |u| library(f64::acos(u.hi), f64::acos(u.lo)))
    }
    fn atan(self) -> Self {
        self.rising(f64::atan)
    }
    fn atan2(self, x: Self) -> Self {
        let y = self;
        if y.is_undefined() || x.is_undefined() || (x.lo <= 0.0 && y.contains(0.0)) {
            // On the branch cut or at the origin the angle jumps.
            return Interval::UNDEFINED;
        }
        // Free of the cut, the angle takes its extremes at corners of the box.
        let corners = [y.lo.atan2(x.lo), y.lo.atan2(x.hi), y.hi.atan2(x.lo), y.hi.atan2(x.hi)];
        library(
            corners.into_iter().fold(f64::INFINITY, f64::min),
            corners.into_iter().fold(f64::NEG_INFINITY, f64::max),
        )
    }
    fn sinh(self) -> Self {
        self.rising(f64::sinh)
    }
    fn cosh(self) -> Self {
        if self.is_undefined() {
            return self;
        }
        library(self.mignitude().cosh(), self.magnitude().cosh())
    }
    fn tanh(self) -> Self {
        self.rising(f64::tanh)
    }
    fn exp(self) -> Self {
        self.rising(f64::exp)
    }
    fn ln(self) -> Self {
        if self.lo > 0.0 { self.rising(f64::ln) } else { Interval::UNDEFINED }
    }
    fn sqrt(self) -> Self {
        // A bound that is negative by rounding alone is a zero.
        if self.lo >= -8.0 * WIDEN * self.hi.abs() {
            let r = outward(self.lo.max(0.0).sqrt(), self.hi.sqrt());
            Interval { lo: r.lo.max(0.0), hi: r.hi }
        } else {
            Interval::UNDEFINED
        }
    }
    fn powi(self, exponent: i32) -> Self {
        if self.is_undefined() {
            return self;
        }
        match exponent {
            0 => Interval::point(1.0),
            1 => self,
            n if n < 0 => Interval::point(1.0) / self.powi(n.checked_neg().unwrap_or(i32::MAX)),
            n => {
                // Repeated multiplication: n roundings at most.
                let power = |x: f64| x.powi(n);
                let slack = f64::from(n) * WIDEN;
                let (a, b) = if n % 2 == 0 {
                    (power(self.mignitude()), power(self.magnitude()))
                } else {
                    (power(self.lo), power(self.hi))
                };
                widen(a, b, slack)
            }
        }
    }
    fn powf(self, exponent: f64) -> Self {
        if self.lo > 0.0 || (self.lo >= 0.0 && exponent > 0.0) {
            let (a, b) = (self.lo.powf(exponent), self.hi.powf(exponent));
            library(Number::min(a, b), Number::max(a, b))
        } else {
            Interval::UNDEFINED
        }
    }
    fn abs(self) -> Self {
        if self.is_undefined() { self } else { Interval { lo: self.mignitude(), hi: self.magnitude() } }
    }
    fn min(self, other: Self) -> Self {
        Interval { lo: Number::min(self.lo, other.lo), hi: Number::min(self.hi, other.hi) }
    }
    fn at_least(self, other: Self) -> Option<bool> {
        if self.lo >= other.hi {
            Some(true)
        } else if self.hi < other.lo {
            Some(false)
        } else {
            None
        }
    }
    #[inline(always)]
    fn hull(self, other: Self) -> Self {
        Interval { lo: Number::min(self.lo, other.lo), hi: Number::max(self.hi, other.hi) }
    }
    fn max(self, other: Self) -> Self {
        Interval { lo: Number::max(self.lo, other.lo), hi: Number::max(self.hi, other.hi) }
    }
}

/// The part of an argument of asin or acos in [−1, 1]; `None` if it sticks out by more than rounding.
fn unit(x: Interval) -> Option<Interval> {
    let slack = 8.0 * WIDEN;
    (x.lo >= -1.0 - slack && x.hi <= 1.0 + slack).then(|| Interval::new(x.lo.max(-1.0), x.hi.min(1.0)))
}

/// The range of `sin(x + shift·π/2)` over an interval shorter than 2π.
fn sine(x: Interval, shift: i64) -> Interval {
    let f = |t: f64| if shift == 0 { t.sin() } else { t.cos() };
    // Maxima at π/2 + 2πj, minima at −π/2 + 2πj, less the shift. The index is widened, so that an extremum
    // near an end counts as inside.
    let quarter = std::f64::consts::FRAC_PI_2;
    let slack = 1e-12 + 4.0 * WIDEN * x.magnitude();
    let has = |offset: f64| {
        let first = ((x.lo - slack - offset) / std::f64::consts::TAU).ceil();
        first * std::f64::consts::TAU + offset <= x.hi + slack
    };
    let offset = quarter * (1 - shift) as f64;
    let (a, b) = (f(x.lo), f(x.hi));
    let r = library(a.min(b), a.max(b));
    Interval {
        lo: if has(offset - std::f64::consts::PI) { -1.0 } else { r.lo.max(-1.0) },
        hi: if has(offset) { 1.0 } else { r.hi.min(1.0) },
    }
}
