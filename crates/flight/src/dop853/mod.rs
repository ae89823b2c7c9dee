//! How does DOP853, Dormand and Prince's explicit method of order 8, make a step of flight?

mod tableau;

use curves::Path;
use mechanics::{Forces, State};
use nalgebra::Vector2;
use newmark::{Control, Pace, Tolerance, Tried, longer};

use crate::stiffness::StiffSteps;
use crate::tolerance_and_first_step::{acceleration, by_pace, is_finite, pace, paced};
use crate::{FlightCount, FlightError, FlightMethod, FlightStep, MethodError};
use tableau::*;

/// DOP853: explicit, 12 stages, order 8, with an error estimate from orders 5 and 3 and dense output of order 7, for
/// forces that are not stiff. Under a constant force it takes one exact step to the end.
///
/// ```text
/// y' = f(t, y), y = [q, v]                               kᵢ = f(t₀ + cᵢ h, y₀ + h Σ aᵢⱼ kⱼ)      y₁ = y₀ + h Σ bᵢ kᵢ
/// err = h e₅²/√(e₅² + e₃²/100),  eₚ = max |Σ eₚᵢ kᵢ| / allowed          h ← 0.9 h err^(−1/8)
/// ```
///
/// Source: Hairer, Nørsett, Wanner, *Solving ODEs I*, 2nd ed., §II.5 eq. (10.17) and §II.6. The velocity of the step's
/// path is the method's own interpolant of degree 7, exact at both ends. The position is its integral, of degree 8,
/// which differs from the method's `q₁` by an error of order 9. A cubic that is flat at both ends is added to correct
/// that: so the end is the method's own to rounding, and order 8 is kept.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct Dop853 {
    pace: Pace,
    count: FlightCount,
    stiff: StiffSteps,
}

/// Largest rate times step at which the method is stable (Hairer and Wanner's program `dop853.f`).
const STABLE: f64 = 6.1;

/// Velocity and acceleration at a stage.
type Rates = [f64; 4];

/// Dense output `r₀ + s(r₁ + s̄(r₂ + s(r₃ + s̄(r₄ + s(r₅ + s̄(r₆ + s r₇))))))` in powers of the part s of the step,
/// with `s̄ = 1 − s`: row j has the weights of r₀ … r₇ in the coefficient of sʲ.
const POWERS: [[f64; 8]; 8] = {
    let mut rows = [[0.0; 8]; 8];
    // s s̄ s s̄ …, factor by factor.
    let mut product = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    let mut i = 0;
    while i < 8 {
        let mut j = 8;
        while j > 0 {
            j -= 1;
            rows[j][i] = product[j];
            let shifted = if j > 0 { product[j - 1] } else { 0.0 };
            product[j] = if i % 2 == 0 { shifted } else { product[j] - shifted };
        }
        i += 1;
    }
    rows
};

/// Weighted sum of stages.
#[inline(always)]
fn sum<const M: usize>(k: &[Rates; 16], terms: &[(usize, f64); M]) -> Rates {
    let mut sum = [0.0; 4];
    for (i, a) in terms {
        for c in 0..4 {
            sum[c] += a * k[*i][c];
        }
    }
    sum
}

/// Stages of a step of `h` s.
struct Stages<'a> {
    forces: &'a Forces,
    start: &'a State,
    h: f64,
    k: [Rates; 16],
}

impl<'a> Stages<'a> {
    #[inline(always)]
    fn rates(&self, c: f64, q: Vector2<f64>, v: Vector2<f64>) -> Rates {
        let time = self.start.time + c * self.h;
        let a = acceleration(self.forces, time, q, v, self.start.spin);
        [v.x, v.y, a.x, a.y]
    }

    #[inline(always)]
    fn stage<const M: usize>(&mut self, i: usize, row: &[(usize, f64); M]) {
        let [vx, vy, ax, ay] = sum(&self.k, row);
        let q = self.start.position + self.h * Vector2::new(vx, vy);
        let v = self.start.velocity + self.h * Vector2::new(ax, ay);
        self.k[i] = self.rates(C[i], q, v);
    }

    /// Computes the stages after the first, up to the twelfth.
    #[inline(always)]
    fn main(&mut self) {
        self.stage(1, &A1);
        self.stage(2, &A2);
        self.stage(3, &A3);
        self.stage(4, &A4);
        self.stage(5, &A5);
        self.stage(6, &A6);
        self.stage(7, &A7);
        self.stage(8, &A8);
        self.stage(9, &A9);
        self.stage(10, &A10);
        self.stage(11, &A11);
    }

    /// Change of position and velocity over the step.
    #[inline(always)]
    fn rise(&self) -> [f64; 4] {
        sum(&self.k, &B).map(|x| self.h * x)
    }

    /// Error over what is allowed; NaN where something is not finite.
    #[inline(always)]
    fn error(&self, tolerance: Tolerance, rise: &[f64; 4]) -> f64 {
        let State { position: q, velocity: v, .. } = self.start;
        let start = [q.x, q.y, v.x, v.y];
        let (fifth, low) = (sum(&self.k, &E5), sum(&self.k, &B3));
        let over = |error: &dyn Fn(usize) -> f64| {
            tolerance.ratio((0..4).map(|c| [error(c), start[c].abs().max((start[c] + rise[c]).abs()), 0.0]))
        };
        let (e5, e3) = (over(&|c| fifth[c]), over(&|c| rise[c] / self.h - low[c]));
        let scale = (e5 * e5 + 0.01 * e3 * e3).sqrt();
        if scale > 0.0 { self.h.abs() * e5 * e5 / scale } else { 0.0 }
    }

    /// Coefficients of the velocity over the step, in powers of its part, by its `rise` and the stages' accelerations.
    fn dense(&self, rise: &[f64; 4], end: &Rates) -> [Vector2<f64>; 8] {
        let h = self.h;
        let velocity = |[.., x, y]: [f64; 4]| Vector2::new(x, y);
        let up = velocity(*rise);
        let bend = h * velocity(self.k[0]) - up;
        let rows =
            [sum(&self.k, &D4), sum(&self.k, &D5), sum(&self.k, &D6), sum(&self.k, &D7)].map(|row| h * velocity(row));
        let nested =
            [self.start.velocity, up, bend, up - h * velocity(*end) - bend, rows[0], rows[1], rows[2], rows[3]];
        POWERS.map(|weights| weights.iter().zip(nested).map(|(weight, r)| *weight * r).sum())
    }

    /// Makes the step from its stages, with three more for its dense output.
    #[inline(always)]
    fn finish(&mut self, rise: &[f64; 4], end: Rates) -> FlightStep {
        self.k[12] = end;
        self.stage(13, &A13);
        self.stage(14, &A14);
        self.stage(15, &A15);
        let unit = self.dense(rise, &end);
        let h = self.h;
        let mut position = [Vector2::zeros(); 9];
        position[0] = self.start.position;
        let mut reached = Vector2::zeros();
        for (i, row) in unit.iter().enumerate() {
            position[i + 1] = row * (h / (i + 1) as f64);
            reached += position[i + 1];
        }
        // The cubic 3s² − 2s³ is flat at both ends.
        let rest = Vector2::new(rise[0], rise[1]) - reached;
        position[2] += 3.0 * rest;
        position[3] -= 2.0 * rest;
        FlightStep::new(self.start, Path::polynomial(&position, h))
    }
}

impl Dop853 {
    /// Creates the method with fixed steps or a tolerance.
    pub fn new(control: Control) -> Result<Self, MethodError> {
        Ok(Dop853 { pace: pace(control)?, count: FlightCount::default(), stiff: StiffSteps::default() })
    }

    /// Counts steps limited by stability. The decay rate of velocities follows from two of them at the end of the step,
    /// `end` and `beside`, and their accelerations (Hairer, Wanner, *Solving ODEs II*, §IV.2, (2.30)).
    fn watch(&mut self, time: f64, step: f64, end: &Rates, beside: &Rates) -> Result<(), FlightError> {
        let apart = |i: usize| Vector2::new(end[i] - beside[i], end[i + 1] - beside[i + 1]).norm_squared();
        let (velocity, acceleration) = (apart(0), apart(2));
        // Two equal velocities tell no rate.
        if velocity > 0.0 { self.stiff.note(1, time, step, (acceleration / velocity).sqrt(), STABLE) } else { Ok(()) }
    }
}

impl FlightMethod for Dop853 {
    #[inline]
    fn step(&mut self, forces: &Forces, start: &State, until: f64, step: &mut FlightStep) -> Result<(), FlightError> {
        if step.fall(forces, start, until)? {
            self.count.steps += 1;
            return Ok(());
        }
        let mut stages = Stages { forces, start, h: 0.0, k: [[0.0; 4]; 16] };
        stages.k[0] = stages.rates(0.0, start.position, start.velocity);
        self.count.forces += 1;
        let first = Vector2::new(stages.k[0][2], stages.k[0][3]);
        if !is_finite(first) {
            return Err(FlightError::NotFinite { time: start.time });
        }
        let (tolerance, mut pace) = (self.pace.tolerance(), self.pace);
        let found = paced(&mut pace, start, first, until, |h| {
            stages.h = h;
            stages.main();
            self.count.forces += 11;
            let rise = stages.rise();
            let error = tolerance.map_or(0.0, |tolerance| stages.error(tolerance, &rise));
            let [x, y, vx, vy] = rise;
            let (q, v) = (start.position + Vector2::new(x, y), start.velocity + Vector2::new(vx, vy));
            let end = stages.rates(1.0, q, v);
            self.count.forces += 1;
            if !end.iter().sum::<f64>().is_finite() {
                return Err(FlightError::NotFinite { time: start.time });
            }
            if error <= 1.0 {
                *step = stages.finish(&rise, end);
                self.count.forces += 3;
            }
            Ok(Tried { error, longer: longer(error, 8.0), value: end })
        });
        self.pace = pace;
        let (h, end) = found?;
        self.count.steps += 1;
        self.watch(start.time, h, &end, &stages.k[11])
    }

    by_pace!(count);
}
