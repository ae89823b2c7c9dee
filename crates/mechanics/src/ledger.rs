//! The energy ledger along a step.

use nalgebra::Vector2;

use crate::Power;

/// Dissipated energy and work over one step, as polynomials of time: the Hermite interpolant of energy and power
/// at the ends (cubic) and, if known, in the middle (quintic) and the power at the quarters (degree 7).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ledger {
    duration: f64,
    coefficients: [Vector2<f64>; 8],
}

/// Energy (J) and power (W) at one time of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry {
    /// Dissipated so far, J.
    pub dissipated: f64,
    /// Work done so far, J.
    pub work: f64,
    /// Their rates.
    pub power: Power,
}

impl Entry {
    fn energy(&self) -> Vector2<f64> {
        Vector2::new(self.dissipated, self.work)
    }
    fn rate(&self) -> Vector2<f64> {
        Vector2::new(self.power.dissipated, self.power.work)
    }

    /// The entry `h` seconds later by the trapezoidal rule, which is symmetric in time.
    #[inline(always)]
    pub fn after(&self, h: f64, power: Power) -> Entry {
        Entry {
            dissipated: self.dissipated + 0.5 * h * (self.power.dissipated + power.dissipated),
            work: self.work + 0.5 * h * (self.power.work + power.work),
            power,
        }
    }
}

impl Ledger {
    /// Through the ends of a step of `duration` s, and its middle if known.
    pub fn through(start: Entry, middle: Option<Entry>, end: Entry, duration: f64) -> Self {
        let h = duration;
        let (rise, p0, p1) = (end.energy() - start.energy(), h * start.rate(), h * end.rate());
        let zero = Vector2::zeros();
        let mut c = [start.energy(), p0, 3.0 * rise - 2.0 * p0 - p1, p0 + p1 - 2.0 * rise, zero, zero, zero, zero];
        if let Some(middle) = middle {
            // The rest is t²(t−1)²(r + s(2t−1)).
            let value = middle.energy() - c[0] - 0.5 * (c[1] + 0.5 * (c[2] + 0.5 * c[3]));
            let slope = h * middle.rate() - (c[1] + c[2] + 0.75 * c[3]);
            let (r, s) = (16.0 * value, 8.0 * slope);
            for (k, weight) in [(2, 1.0), (3, -2.0), (4, 1.0)] {
                c[k] += weight * (r - s);
                c[k + 1] += weight * 2.0 * s;
            }
        }
        Ledger { duration, coefficients: c }
    }

    /// The same with the power at a quarter and three quarters, for a ledger through a middle: adds
    /// `s²(s−½)²(s−1)² (a + b(s−½))`.
    pub fn with_quarters(mut self, powers: [Power; 2]) -> Self {
        let h = self.duration;
        let miss = |s: f64, power: Power| {
            let slope = (1..8).rev().fold(Vector2::zeros(), |sum, k| sum * s + k as f64 * self.coefficients[k]);
            h * Vector2::new(power.dissipated, power.work) - slope
        };
        let (first, third) = (miss(0.25, powers[0]), miss(0.75, powers[1]));
        // The factor's slope is ∓3/512 there and its value 9/4096.
        let (a, b) = ((third - first) * (256.0 / 3.0), (first + third) * (2048.0 / 15.0));
        for (k, weight) in [(2, 0.25), (3, -1.5), (4, 3.25), (5, -3.0), (6, 1.0)] {
            self.coefficients[k] += weight * (a - 0.5 * b);
            self.coefficients[k + 1] += weight * b;
        }
        self
    }

    /// Error of a ledger with a middle and quarters between its nodes, by the power that acts an eighth after the start:
    /// (dissipated, work) in J. The remainder's derivative `K u(u²−1/16)(u²−1/4)(u²−γ)`, `u = s − ½`, is there 1/0.147 of
    /// the remainder's largest value.
    pub fn error_by_eighth(&self, power: Power) -> (f64, f64) {
        let slope = (1..8).rev().fold(Vector2::zeros(), |sum, k| sum * 0.125 + k as f64 * self.coefficients[k]);
        let miss = self.duration * Vector2::new(power.dissipated, power.work) - slope;
        (0.147 * miss.x.abs(), 0.147 * miss.y.abs())
    }

    /// By the coefficients of (dissipated, work), J, in powers of the part of the step, lowest first.
    pub fn polynomial(coefficients: [Vector2<f64>; 8], duration: f64) -> Self {
        Ledger { duration, coefficients }
    }

    /// (dissipated, work) in J, `t` seconds after the start of the step.
    pub fn at(&self, t: f64) -> (f64, f64) {
        let s = t / self.duration;
        let sum = self.coefficients.iter().rev().fold(Vector2::zeros(), |sum: Vector2<f64>, c| sum * s + c);
        (sum.x, sum.y)
    }
}
