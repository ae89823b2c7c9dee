//! Radau IIA with three stages, alone and as the beginning of every arc of a BDF.

use curves::{Motion, Path, Rounding};
use mechanics::{Forces, State};
use nalgebra::{Complex, Matrix2, Vector2};
use newmark::radau::{A, ALPHA, BETA, C, INVERSE, REAL, T};
use newmark::{Control, Tolerance};

use crate::control::{Pace, acceleration, is_finite, larger, ratio};
use crate::{FlightCount, FlightError, FlightMethod, FlightStep, MethodError};

/// The 3-stage Radau IIA method: order 5, L-stable. Under a constant force it takes one exact step to the end.
///
/// ```text
/// Vᵢ = v₀ + h Σ aᵢⱼ F(t₀+cⱼh, Qⱼ, Vⱼ)/m      Qᵢ = q₀ + h Σ aᵢⱼ Vⱼ      c = (4−√6)/10, (4+√6)/10, 1
/// ```
///
/// Hairer, Wanner, *Solving ODEs II*, 2nd ed., table IV.5.6 and §IV.8: simplified Newton with the force's own derivatives at
/// the start, its matrix split into one real and one complex block of 2 × 2.
///
/// The velocity's collocation polynomial is of order 3 only between nodes; the quintic through position, velocity and
/// acceleration of both ends, which are of order 5, is more accurate and is the step's path (error `h⁶` of the position,
/// `h⁵` of the velocity). By how much its acceleration misses the force's in between is the error estimate, damped by
/// Newton's real block as in §IV.8 (8.19) where the force is stiff.
#[derive(Clone, Debug)]
pub struct Radau {
    pub(crate) core: Core,
    pace: Pace,
}

/// The stages' solver, and its counters.
#[derive(Clone, Debug)]
pub(crate) struct Core {
    /// By what a round of Newton shrinks the error, as last seen.
    rate: f64,
    pub(crate) count: FlightCount,
}

/// A step with all that a multistep method wants to know of it.
pub(crate) struct Attempt {
    pub(crate) path: Path,
    /// Over what is allowed.
    pub(crate) error: f64,
}

/// The part of the tolerance a step is held to, so that a run keeps to it: see `Bdf`.
const SHARE: f64 = 0.008;
/// Rounds of Newton before a shorter step is tried.
const ROUNDS: u32 = 12;

fn row(vectors: &[Vector2<f64>; 3], weights: [f64; 3]) -> Vector2<f64> {
    vectors[0] * weights[0] + vectors[1] * weights[1] + vectors[2] * weights[2]
}

impl Core {
    pub(crate) fn new() -> Self {
        Core { rate: 0.1, count: FlightCount::default() }
    }

    /// The acceleration at the start of a step.
    pub(crate) fn first(&mut self, forces: &Forces, start: &State) -> Result<Vector2<f64>, FlightError> {
        self.count.forces += 1;
        let a = acceleration(forces, start.time, start.position, start.velocity, start.spin);
        if is_finite(a) { Ok(a) } else { Err(FlightError::NotFinite { time: start.time }) }
    }

    /// A step of `h` s, held to a tolerance or to rounding; `None` where Newton did not converge.
    pub(crate) fn attempt(
        &mut self,
        forces: &Forces,
        start: &State,
        first: Vector2<f64>,
        h: f64,
        tolerance: Option<Tolerance>,
    ) -> Option<Attempt> {
        let State { position: q0, velocity: v0, spin, time, .. } = *start;
        let per_mass = 1.0 / forces.mass();
        let slope = forces.jacobian(time, q0, v0, spin);
        self.count.jacobians += 1;
        let (by_position, by_velocity) = (slope.position * per_mass, slope.velocity * per_mass);
        let unit = Matrix2::identity();
        let real = (unit * (REAL / h) - by_velocity - by_position * (h / REAL)).try_inverse()?;
        let pair = Complex::new(ALPHA / h, BETA / h);
        let (a, b) = ((by_velocity).map(Complex::from), by_position.map(Complex::from));
        let complex = (unit.map(Complex::from) * pair - a - b * pair.inv()).try_inverse()?;
        let jerk = by_position * v0 + by_velocity * first;
        // Over a step so long that the acceleration turns round the tangent is no guide.
        let jerk = if h * jerk.norm() <= first.norm() { jerk } else { Vector2::zeros() };
        let mut w = C.map(|c| c * h * (first + 0.5 * c * h * jerk));
        let goal = match tolerance {
            Some(tolerance) => 1e-2 * tolerance.allows(v0.x).min(tolerance.allows(v0.y)),
            None => 0.0,
        };
        let rounding = Rounding::of_motion(q0.norm(), h, v0.norm(), first.norm());
        let mut before = f64::INFINITY;
        for round in 1..=ROUNDS {
            let stage = |i: usize| {
                let q = q0 + h * (C[i] * v0 + row(&w, A[i]));
                acceleration(forces, time + C[i] * h, q, v0 + w[i], spin)
            };
            let f = [stage(0), stage(1), stage(2)];
            self.count.forces += 3;
            // T⁻¹(F − A⁻¹W/h), where A⁻¹ is diagonal but for the pair.
            let [f0, f1, f2] = [0, 1, 2].map(|i| row(&f, INVERSE[i]));
            let [w0, w1, w2] = [0, 1, 2].map(|i| row(&w, INVERSE[i]));
            let r0 = f0 - w0 * (REAL / h);
            let r1 = f1 - (w1 * ALPHA - w2 * BETA) / h;
            let r2 = f2 - (w1 * BETA + w2 * ALPHA) / h;
            let d0 = real * r0;
            let d = complex * Vector2::new(Complex::new(r1.x, r2.x), Complex::new(r1.y, r2.y));
            let change = [d0, d.map(|z| z.re), d.map(|z| z.im)];
            let change = [0, 1, 2].map(|i| row(&change, T[i]));
            for (w, change) in w.iter_mut().zip(change) {
                *w += change;
            }
            let size = change.iter().map(|c| c.norm()).fold(0.0, larger);
            if !size.is_finite() {
                return None;
            }
            if round > 1 {
                self.rate = (size / before).max(1e-3);
            }
            let within = self.rate < 1.0 && size * self.rate <= goal * (1.0 - self.rate);
            if within || rounding.settles(size, before, h) {
                return Some(self.finish(forces, start, first, h, &w, &real, tolerance));
            }
            if self.rate >= 1.0 {
                break;
            }
            before = size;
        }
        self.rate = 0.1;
        None
    }

    #[allow(clippy::too_many_arguments, reason = "what an attempt at a step has found")]
    fn finish(
        &mut self,
        forces: &Forces,
        start: &State,
        first: Vector2<f64>,
        h: f64,
        w: &[Vector2<f64>; 3],
        real: &Matrix2<f64>,
        tolerance: Option<Tolerance>,
    ) -> Attempt {
        let State { position: q0, velocity: v0, spin, time, .. } = *start;
        let rise = h * (v0 + row(w, A[2]));
        let (q1, v1) = (q0 + rise, v0 + w[2]);
        let last = acceleration(forces, time + h, q1, v1, spin);
        self.count.forces += 1;
        let begin = Motion { position: q0, velocity: v0, acceleration: first };
        let end = Motion { position: q1, velocity: v1, acceleration: last };
        // Not from q₁ − q₀, whose rounding over a short h would be felt in the velocity between the nodes.
        let (from, to) = (Motion { position: Vector2::zeros(), ..begin }, Motion { position: rise, ..end });
        let path = Path::quintic(from, to, h).moved(q0);
        let mut error = if is_finite(last) { 0.0 } else { f64::NAN };
        if let Some(tolerance) = tolerance {
            // The path misses the motion by K s³(1−s)³, at most K/64, its slope by 0.0537 K, and its second derivative by
            // 0.375 K in the middle and 0.297 K an eighth after the start.
            let mut defect = Vector2::zeros();
            for (part, weight) in [(0.5, 0.375), (0.125, 0.297)] {
                let seen = path.at(part * h);
                let force = acceleration(forces, time + part * h, seen.position, seen.velocity, spin);
                let miss = (force - seen.acceleration) / weight;
                defect = Vector2::new(larger(miss.x.abs(), defect.x), larger(miss.y.abs(), defect.y));
            }
            self.count.forces += 2;
            // The quintic multiplies rounding of velocities by no more than this. A shorter step would only make it worse.
            let grain = 64.0 * f64::EPSILON * (rise.norm() / h + v0.norm()) / h;
            let defect = defect.map(|d| if d <= grain { 0.0 } else { d - grain });
            let damped = real * defect * (REAL / h);
            error = larger(ratio(&tolerance, 0.054 * h * damped, v0), ratio(&tolerance, h * h / 64.0 * damped, q0));
        }
        Attempt { path, error }
    }
}

/// The next step over this one, by an error of order 5.
pub(crate) fn factor(error: f64) -> f64 {
    (0.9 * error.max(1e-10).powf(-0.2)).clamp(0.2, 5.0)
}

impl Radau {
    /// With fixed steps or a tolerance.
    pub fn new(control: Control) -> Result<Self, MethodError> {
        Ok(Radau { core: Core::new(), pace: Pace::new(control, SHARE)? })
    }
}

impl FlightMethod for Radau {
    fn step(&mut self, forces: &Forces, start: &State, until: f64, step: &mut FlightStep) -> Result<(), FlightError> {
        if step.fall(forces, start, until) {
            self.core.count.steps += 1;
            return Ok(());
        }
        let left = until - start.time;
        let first = self.pace.begin(start.time);
        *step = self.core.controlled(&mut self.pace, forces, start, left, first)?.0;
        Ok(())
    }

    fn restart(&mut self) {
        self.pace.restart();
    }

    fn count(&self) -> FlightCount {
        self.core.count
    }
}

impl Core {
    /// A step that is good enough, what a multistep method wants to know of it, and how much longer the next may be.
    pub(crate) fn controlled(
        &mut self,
        pace: &mut Pace,
        forces: &Forces,
        start: &State,
        left: f64,
        fresh: bool,
    ) -> Result<(FlightStep, Attempt, f64), FlightError> {
        let first = self.first(forces, start)?;
        let tolerance = pace.tolerance();
        loop {
            let h = pace.propose(left);
            let attempt = self.attempt(forces, start, first, h, tolerance);
            let error = attempt.as_ref().map_or(f64::INFINITY, |attempt| attempt.error);
            if let Some(attempt) = attempt
                && attempt.error <= 1.0
            {
                let longer = factor(error);
                pace.accept(h, longer, fresh);
                self.count.steps += 1;
                return Ok((FlightStep::new(start, attempt.path), attempt, longer));
            }
            self.count.rejected += 1;
            if pace.fixed().is_some() {
                return Err(FlightError::NoConvergence { time: start.time, residual: error });
            }
            pace.reject(h, if error.is_finite() { factor(error).min(0.9) } else { 0.25 }, start, error.is_finite())?;
        }
    }
}
