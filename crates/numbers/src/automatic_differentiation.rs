//! Truncated Taylor series: derivatives of a formula from the formula alone.

use std::ops::{Add, Div, Mul, Neg, Sub};

use crate::{Number, OpaquePair};

/// A Taylor series `Σ cᵢ εⁱ` cut off after `TERMS` terms (1 to 5), `cᵢ = f⁽ⁱ⁾/i!`.
///
/// Evaluating a formula at [`Taylor::variable`] gives the value and the derivatives up to order `TERMS − 1`
/// (Griewank & Walther, *Evaluating Derivatives*, 2nd ed., ch. 13). Over [`Interval`](crate::Interval)s the
/// coefficients enclose those of every point of the interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Taylor<N, const TERMS: usize>(pub [N; TERMS]);

/// A value and its derivative.
pub type Dual = Taylor<f64, 2>;

impl<N: Number, const TERMS: usize> Taylor<N, TERMS> {
    /// The variable itself at `x`: `x + ε`.
    #[inline(always)]
    pub fn variable(x: N) -> Self {
        let mut c = [N::constant(0.0); TERMS];
        c[0] = x;
        if TERMS > 1 {
            c[1] = N::constant(1.0);
        }
        Taylor(c)
    }

    /// The first four terms of `f(self)` from the derivatives `[f, f′, f″, f‴]` at `self`'s value (Faà di Bruno).
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn compose(self, f: [N; 4]) -> Self {
        let a = self.0;
        let mut c = [f[0]; TERMS];
        if TERMS > 1 {
            c[1] = f[1] * a[1];
        }
        if TERMS > 2 {
            c[2] = f[1] * a[2] + (f[2] * a[1].square()).scale(0.5);
        }
        if TERMS > 3 {
            c[3] = f[1] * a[3] + f[2] * a[1] * a[2] + (f[3] * a[1].powi(3)).scale(1.0 / 6.0);
        }
        Taylor(c)
    }

    /// `self = f(a)` with its fifth term from the series of `f′(a)`: `c₄ = (f′(a)·a′)₃/4`.
    #[inline(always)]
    fn with_fifth(mut self, a: Self, derivative: impl FnOnce() -> Self) -> Self {
        if TERMS > 4 {
            self.0[4] = (derivative() * a.derivative()).0[3].scale(0.25);
        }
        self
    }

    /// `1 ± self²`, by the sign ±1.
    fn one_and_square(self, sign: f64) -> Self {
        Self::constant(1.0) + self.square().scale(sign)
    }

    /// Series of the derivative; its last term, which is unknown, is left at zero.
    fn derivative(self) -> Self {
        let mut c = [N::constant(0.0); TERMS];
        for i in 1..TERMS {
            c[i - 1] = self.0[i].scale(i as f64);
        }
        Taylor(c)
    }
}

impl<N: Number, const TERMS: usize> Add for Taylor<N, TERMS> {
    type Output = Self;
    #[inline(always)]
    fn add(mut self, b: Self) -> Self {
        for i in 0..TERMS {
            self.0[i] = self.0[i] + b.0[i];
        }
        self
    }
}

impl<N: Number, const TERMS: usize> Sub for Taylor<N, TERMS> {
    type Output = Self;
    #[inline(always)]
    fn sub(mut self, b: Self) -> Self {
        for i in 0..TERMS {
            self.0[i] = self.0[i] - b.0[i];
        }
        self
    }
}

impl<N: Number, const TERMS: usize> Neg for Taylor<N, TERMS> {
    type Output = Self;
    #[inline(always)]
    fn neg(mut self) -> Self {
        for i in 0..TERMS {
            self.0[i] = -self.0[i];
        }
        self
    }
}

impl<N: Number, const TERMS: usize> Mul for Taylor<N, TERMS> {
    type Output = Self;
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn mul(self, b: Self) -> Self {
        let (a, b) = (self.0, b.0);
        let mut c = [a[0] * b[0]; TERMS];
        for k in 1..TERMS {
            c[k] = a[0] * b[k];
            for i in 1..=k {
                c[k] = c[k] + a[i] * b[k - i];
            }
        }
        Taylor(c)
    }
}

impl<N: Number, const TERMS: usize> Div for Taylor<N, TERMS> {
    type Output = Self;
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn div(self, b: Self) -> Self {
        let (a, b) = (self.0, b.0);
        let mut c = [a[0] / b[0]; TERMS];
        for k in 1..TERMS {
            let mut rest = a[k];
            for i in 0..k {
                rest = rest - c[i] * b[k - i];
            }
            c[k] = rest / b[0];
        }
        Taylor(c)
    }
}

crate::number::beside_floats!(Taylor<N, TERMS>, N: Number, const TERMS: usize);

impl<N: Number, const TERMS: usize> Number for Taylor<N, TERMS> {
    #[inline(always)]
    fn constant(value: f64) -> Self {
        let mut c = [N::constant(0.0); TERMS];
        c[0] = N::constant(value);
        Taylor(c)
    }
    #[inline(always)]
    fn scale(mut self, factor: f64) -> Self {
        for i in 0..TERMS {
            self.0[i] = self.0[i].scale(factor);
        }
        self
    }
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn sin_cos(self) -> (Self, Self) {
        let (s, c) = self.0[0].sin_cos();
        let (sine, cosine) = (self.compose([s, c, -s, -c]), self.compose([c, -s, -c, s]));
        (sine.with_fifth(self, || cosine), cosine.with_fifth(self, || -sine))
    }
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn sin(self) -> Self {
        let (s, c) = self.0[0].sin_cos();
        self.compose([s, c, -s, -c]).with_fifth(self, || self.compose([c, -s, -c, s]))
    }
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn cos(self) -> Self {
        let (s, c) = self.0[0].sin_cos();
        self.compose([c, -s, -c, s]).with_fifth(self, || -self.compose([s, c, -s, -c]))
    }
    fn tan(self) -> Self {
        let t = self.0[0].tan();
        let d = N::constant(1.0) + t.square();
        let tan = self.compose([t, d, (t * d).scale(2.0), d.scale(2.0) * (d + t.square().scale(2.0))]);
        tan.with_fifth(self, || tan.one_and_square(1.0))
    }
    fn asin(self) -> Self {
        let x = self.0[0];
        let slope = || Self::constant(1.0) / self.one_and_square(-1.0).sqrt();
        self.compose(inverse_sine(x, x.asin())).with_fifth(self, slope)
    }
    fn acos(self) -> Self {
        let x = self.0[0];
        let [f, d1, d2, d3] = inverse_sine(x, x.acos());
        let slope = || -(Self::constant(1.0) / self.one_and_square(-1.0).sqrt());
        self.compose([f, -d1, -d2, -d3]).with_fifth(self, slope)
    }
    fn atan(self) -> Self {
        let x = self.0[0];
        let d = N::constant(1.0) / (N::constant(1.0) + x.square());
        let d2 = (x * d.square()).scale(-2.0);
        self.compose([x.atan(), d, d2, d.powi(3) * (x.square().scale(6.0) - N::constant(2.0))])
            .with_fifth(self, || Self::constant(1.0) / self.one_and_square(1.0))
    }
    fn atan2(self, x: Self) -> Self {
        // dα = (x dy − y dx)/(x² + y²), integrated term by term.
        let rate = (x * self.derivative() - self * x.derivative()) / (x * x + self * self);
        let mut c = [self.0[0].atan2(x.0[0]); TERMS];
        for i in 1..TERMS {
            c[i] = rate.0[i - 1].scale(1.0 / i as f64);
        }
        Taylor(c)
    }
    fn sinh(self) -> Self {
        let (s, c) = (self.0[0].sinh(), self.0[0].cosh());
        self.compose([s, c, s, c]).with_fifth(self, || self.compose([c, s, c, s]))
    }
    fn cosh(self) -> Self {
        let (s, c) = (self.0[0].sinh(), self.0[0].cosh());
        self.compose([c, s, c, s]).with_fifth(self, || self.compose([s, c, s, c]))
    }
    fn tanh(self) -> Self {
        let t = self.0[0].tanh();
        // 1 − tanh² would cancel where tanh is nearly ±1.
        let d = N::constant(1.0) / self.0[0].cosh().square();
        let tanh = self.compose([t, d, (t * d).scale(-2.0), d.scale(2.0) * (t.square().scale(3.0) - N::constant(1.0))]);
        tanh.with_fifth(self, || tanh.one_and_square(-1.0))
    }
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn exp(self) -> Self {
        let e = self.0[0].exp();
        let exp = self.compose([e, e, e, e]);
        exp.with_fifth(self, || exp)
    }
    fn ln(self) -> Self {
        let x = self.0[0];
        let d = N::constant(1.0) / x;
        self.compose([x.ln(), d, -d.square(), d.powi(3).scale(2.0)]).with_fifth(self, || Self::constant(1.0) / self)
    }
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn sqrt(self) -> Self {
        let x = self.0[0];
        let r = x.sqrt();
        let d = N::constant(0.5) / r;
        let d2 = -(d / x).scale(0.5);
        let root = self.compose([r, d, d2, -(d2 / x).scale(1.5)]);
        root.with_fifth(self, || Self::constant(0.5) / root)
    }
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn powi(self, exponent: i32) -> Self {
        let x = self.0[0];
        let derivatives = |exponent: i32| {
            let n = f64::from(exponent);
            // For a whole n the factor is zero before the exponent is negative: 0 · x⁻¹ would be NaN at x = 0.
            let term = |factor: f64, power: i32| {
                if factor == 0.0 { N::constant(0.0) } else { x.powi(power).scale(factor) }
            };
            [
                x.powi(exponent),
                if TERMS > 1 { term(n, exponent.saturating_sub(1)) } else { x },
                if TERMS > 2 { term(n * (n - 1.0), exponent.saturating_sub(2)) } else { x },
                if TERMS > 3 { term(n * (n - 1.0) * (n - 2.0), exponent.saturating_sub(3)) } else { x },
            ]
        };
        self.compose(derivatives(exponent)).with_fifth(self, || match exponent {
            0 => Self::constant(0.0),
            _ => self.compose(derivatives(exponent.saturating_sub(1))).scale(f64::from(exponent)),
        })
    }
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn square(self) -> Self {
        let a = self.0;
        let mut c = [a[0].square(); TERMS];
        for k in 1..TERMS {
            // Products of two different terms come twice.
            let mut twice = a[0] * a[k];
            for i in 1..k.div_ceil(2) {
                twice = twice + a[i] * a[k - i];
            }
            c[k] = twice.scale(2.0);
            if k % 2 == 0 {
                c[k] = c[k] + a[k / 2].square();
            }
        }
        Taylor(c)
    }
    fn powf(self, exponent: f64) -> Self {
        let x = self.0[0];
        let p = exponent;
        let derivatives = |p: f64| {
            [
                x.powf(p),
                if TERMS > 1 { x.powf(p - 1.0).scale(p) } else { x },
                if TERMS > 2 { x.powf(p - 2.0).scale(p * (p - 1.0)) } else { x },
                if TERMS > 3 { x.powf(p - 3.0).scale(p * (p - 1.0) * (p - 2.0)) } else { x },
            ]
        };
        self.compose(derivatives(p)).with_fifth(self, || self.compose(derivatives(p - 1.0)).scale(p))
    }
    fn abs(self) -> Self {
        self.max(-self)
    }
    fn min(self, other: Self) -> Self {
        -(-self).max(-other)
    }
    /// The larger of both. Where intervals overlap, the slope is the hull of both slopes, and higher terms are
    /// undefined: a corner may be inside.
    fn max(self, other: Self) -> Self {
        let (a, b) = (self.0, other.0);
        match a[0].at_least(b[0]) {
            Some(true) => self,
            Some(false) => other,
            None => {
                let mut c = [N::constant(f64::NAN); TERMS];
                c[0] = a[0].max(b[0]);
                if TERMS > 1 {
                    c[1] = a[1].hull(b[1]);
                }
                Taylor(c)
            }
        }
    }
    fn at_least(self, other: Self) -> Option<bool> {
        self.0[0].at_least(other.0[0])
    }
    fn hull(self, other: Self) -> Self {
        let mut c = self.0;
        for i in 0..TERMS {
            c[i] = c[i].hull(other.0[i]);
        }
        Taylor(c)
    }
    /// Each derivative along `s = s₀ + δ(ε)`: `f⁽ᵏ⁾(s)/k! = Σⱼ C(k+j, j) (f⁽ᵏ⁺ʲ⁾(s₀)/(k+j)!) δʲ`.
    fn series_of<const WANTED: usize, P: OpaquePair + ?Sized>(pair: &P, s: Self) -> [[Self; WANTED]; 2] {
        let mut away = s;
        away.0[0] = N::constant(0.0);
        // δʲ begins at order j.
        let mut powers = [Self::constant(1.0); TERMS];
        for j in 1..TERMS {
            powers[j] = if j == 1 { away } else { powers[j - 1] * away };
        }
        N::series_of::<5, P>(pair, s.0[0]).map(|known| {
            std::array::from_fn(|k| {
                let mut sum = Self::constant(0.0);
                let mut binomial = 1.0;
                for j in 0..TERMS {
                    let Some(derivative) = known.get(k + j) else {
                        // All further terms are unknown.
                        sum.0[j..].fill(N::constant(f64::NAN));
                        break;
                    };
                    for i in j..TERMS {
                        sum.0[i] = sum.0[i] + *derivative * powers[j].0[i].scale(binomial);
                    }
                    binomial = binomial * (k + j + 1) as f64 / (j + 1) as f64;
                }
                sum
            })
        })
    }
}

/// `f` and the derivatives of asin at `x`.
fn inverse_sine<N: Number>(x: N, f: N) -> [N; 4] {
    let one = N::constant(1.0);
    let d = one / (one - x.square()).sqrt();
    let d3 = d.powi(3);
    [f, d, x * d3, d3 * (one + (x * d).square().scale(3.0))]
}
