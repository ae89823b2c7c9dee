//! How does Radau IIA with three stages make a step of flight? It is a method of its own, and begins every arc of BDF.

use curves::{Motion, Path};
use mechanics::{Forces, State};
use nalgebra::Vector2;
use newmark::radau::{A, C, Newton, REAL, mix};
use newmark::{Control, Pace, Tolerance, Tried, longer};
use numbers::Rounding;

use crate::tolerance_and_first_step::{acceleration, by_pace, is_finite, pace, paced, ratio};
use crate::{FlightCount, FlightError, FlightMethod, FlightStep, MethodError};

/// The 3-stage Radau IIA method: order 5, L-stable. Under a constant force it takes one exact step to the end.
///
/// ```text
/// Vᵢ = v₀ + h Σ aᵢⱼ F(t₀+cⱼh, Qⱼ, Vⱼ)/m      Qᵢ = q₀ + h Σ aᵢⱼ Vⱼ      c = (4−√6)/10, (4+√6)/10, 1
/// ```
///
/// Source: Hairer, Wanner, *Solving ODEs II*, 2nd ed., table IV.5.6 and §IV.8. The stages are solved by simplified
/// Newton with the force's own derivatives at the start, its matrix split into one real and one complex block of 2 × 2.
///
/// The velocity's collocation polynomial has only order 3 between nodes. So the path is the quintic through position,
/// velocity and acceleration of both ends, which have order 5 (error `h⁶` of the position, `h⁵` of the velocity). The
/// error estimate is the difference of its acceleration from the force's at two times in between, damped by Newton's
/// real block where the force is stiff (§IV.8, (8.19)).
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct Radau {
    pub(crate) core: Core,
    pace: Pace,
}

/// Solver of the stages, and its counters.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct Core {
    /// Convergence rate of Newton's method, as last seen.
    rate: f64,
    pub(crate) count: FlightCount,
}

/// Rounds of Newton's method before a shorter step is tried.
const ROUNDS: u32 = 12;

impl Core {
    pub(crate) fn new() -> Self {
        Core { rate: 0.1, count: FlightCount::default() }
    }

    /// Solves for the velocities of a step's stages less that of the start, to a tolerance or to rounding. Returns them
    /// and the Newton solver.
    fn stages(
        &mut self,
        forces: &Forces,
        start: &State,
        first: Vector2<f64>,
        h: f64,
        tolerance: Option<Tolerance>,
    ) -> Result<([Vector2<f64>; 3], Newton<2>), FlightError> {
        let singular = FlightError::NoConvergence { time: start.time, residual: f64::INFINITY };
        let State { position: q0, velocity: v0, spin, time, .. } = *start;
        let per_mass = 1.0 / forces.mass();
        let slope = forces.jacobian(time, q0, v0, spin);
        self.count.jacobians += 1;
        let (by_position, by_velocity) = (slope.position * per_mass, slope.velocity * per_mass);
        let newton = Newton::new(h, by_velocity, by_position).ok_or(singular)?;
        let jerk = by_position * v0 + by_velocity * first;
        // Over a step so long that the acceleration turns round, the tangent is no prediction.
        let jerk = if h * jerk.norm() <= first.norm() { jerk } else { Vector2::zeros() };
        let mut w = C.map(|c| c * h * (first + 0.5 * c * h * jerk));
        let goal = tolerance.map_or(0.0, |tolerance| 1e-2 * tolerance.allows(v0.x).min(tolerance.allows(v0.y)));
        let rounding = Rounding::of_motion(q0.norm(), h, v0.norm(), first.norm());
        let mut before = f64::INFINITY;
        for round in 1..=ROUNDS {
            let stage = |i: usize| {
                let q = q0 + h * (C[i] * v0 + mix(&w, A[i]));
                acceleration(forces, time + C[i] * h, q, v0 + w[i], spin)
            };
            let f = [stage(0), stage(1), stage(2)];
            self.count.forces += 3;
            let change = newton.change(&w, &f);
            for (w, change) in w.iter_mut().zip(change) {
                *w += change;
            }
            let size = change.iter().map(|c| c.norm_squared()).sum::<f64>().sqrt();
            if !size.is_finite() {
                return Err(FlightError::NotFinite { time });
            }
            if round > 1 {
                self.rate = (size / before).max(1e-3);
            }
            let within = self.rate < 1.0 && size * self.rate <= goal * (1.0 - self.rate);
            if within || rounding.settles(size, before, h) {
                return Ok((w, newton));
            }
            if self.rate >= 1.0 {
                break;
            }
            before = size;
        }
        self.rate = 0.1;
        Err(FlightError::NoConvergence { time, residual: before / h })
    }

    /// Tries a step of `h` s: its error, its path, and the factor for the next one.
    fn attempt(
        &mut self,
        forces: &Forces,
        start: &State,
        first: Vector2<f64>,
        h: f64,
        tolerance: Option<Tolerance>,
    ) -> Result<Tried<(Path, f64)>, FlightError> {
        let (w, newton) = self.stages(forces, start, first, h, tolerance)?;
        let State { position: q0, velocity: v0, spin, time, .. } = *start;
        let rise = h * (v0 + mix(&w, A[2]));
        let (q1, v1) = (q0 + rise, v0 + w[2]);
        let last = acceleration(forces, time + h, q1, v1, spin);
        self.count.forces += 1;
        // `rise` is used instead of q₁ − q₀, whose rounding over a short h would count in the velocity.
        let from = Motion { position: Vector2::zeros(), velocity: v0, acceleration: first };
        let to = Motion { position: rise, velocity: v1, acceleration: last };
        let path = Path::quintic(from, to, h).moved(q0);
        let mut error = if is_finite(last) { 0.0 } else { f64::NAN };
        if let Some(tolerance) = tolerance {
            // At the part s of the step the path is off the motion by K s³(1−s)³: at most K/64, its slope by 0.0537 K.
            // Its second derivative by s is off by 0.375 K in the middle and by 0.297 K an eighth after the start.
            let mut defect = Vector2::zeros();
            for (part, weight) in [(0.5, 0.375), (0.125, 0.297)] {
                let seen = path.at(part * h);
                let force = acceleration(forces, time + part * h, seen.position, seen.velocity, spin);
                let miss = (force - seen.acceleration).abs() / weight;
                // Makes the error NaN if any component is.
                error += 0.0 * miss.sum();
                defect = defect.sup(&miss);
            }
            self.count.forces += 2;
            // Rounding of velocities counts in the quintic's acceleration by at most this; a shorter step would make it
            // worse.
            let grain = 64.0 * f64::EPSILON * (rise.norm() / h + v0.norm()) / h;
            let defect = defect.map(|d| if d <= grain { 0.0 } else { d - grain });
            let damped = newton.damp(defect) * (REAL / h);
            error += ratio(tolerance, [h * h / 64.0 * damped, 0.054 * h * damped], [q0, v0]);
        }
        let longer = longer(error, 5.0);
        Ok(Tried { error, longer, value: (path, longer) })
    }

    /// Makes the first good step: its path, and the factor for the next one.
    pub(crate) fn controlled(
        &mut self,
        pace: &mut Pace,
        forces: &Forces,
        start: &State,
        until: f64,
    ) -> Result<(Path, f64), FlightError> {
        self.count.forces += 1;
        let first = acceleration(forces, start.time, start.position, start.velocity, start.spin);
        if !is_finite(first) {
            return Err(FlightError::NotFinite { time: start.time });
        }
        let tolerance = pace.tolerance();
        let (_, found) = paced(pace, start, first, until, |h| self.attempt(forces, start, first, h, tolerance))?;
        self.count.steps += 1;
        Ok(found)
    }
}

impl Radau {
    /// Creates the method with fixed steps or a tolerance.
    pub fn new(control: Control) -> Result<Self, MethodError> {
        Ok(Radau { core: Core::new(), pace: pace(control)? })
    }
}

impl FlightMethod for Radau {
    fn step(&mut self, forces: &Forces, start: &State, until: f64, step: &mut FlightStep) -> Result<(), FlightError> {
        if step.fall(forces, start, until)? {
            self.core.count.steps += 1;
            return Ok(());
        }
        *step = FlightStep::new(start, self.core.controlled(&mut self.pace, forces, start, until)?.0);
        Ok(())
    }

    by_pace!(core.count);
}
