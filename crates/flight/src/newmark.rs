//! How does Newmark's method make a step of flight, under any force?

use curves::{Motion, Path};
use mechanics::{Forces, Jacobian, State};
use nalgebra::{Matrix2, Vector2};
use newmark::{
    Control, Extrapolation, Pace, Scheme, Substeps, Tolerance, Tried, extrapolate_once, longer, octic_error,
};
use numbers::Rounding;

use crate::tolerance_and_first_step::{FIRST_STEP, acceleration, by_pace, is_finite, paced};
use crate::{FlightCount, FlightError, FlightMethod, FlightStep, MethodError};

/// The Newmark scheme in flight. Under a constant force it takes one exact step to the end, whatever the control.
///
/// ```text
/// m a₁ = F(t₁, q₁, v₁)      v₁ = v₀ + h((1−γ)a₀ + γa₁)      q₁ = q₀ + h v₀ + h²/2((1−2β)a₀ + 2βa₁)
/// ```
///
/// solved by Newton's method with the force's own derivatives.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct Newmark {
    scheme: Scheme,
    /// Whether steps are extrapolated; by a tolerance they always are.
    extrapolate: bool,
    pace: Pace,
    table: Extrapolation,
    count: FlightCount,
}

/// `[q − q₀, v]` in a step from q₀. Differences are free of the rounding of places far from the origin, which over a
/// short step would count in velocities.
type Packed = [f64; 4];

/// Solver for `a₁`, shared by consecutive equal steps.
struct StepSolver {
    /// Inverse of `1 − βh² ∂a/∂q − γh ∂a/∂v`; recomputed only where many rounds are needed.
    inverse: Matrix2<f64>,
    /// Ratio of one change of Newton's method to the one before, as last seen.
    rate: f64,
    /// Last change of a; the next step's first guess is `a₀ + change + bend`, a parabola through the accelerations.
    change: Vector2<f64>,
    bend: Vector2<f64>,
    /// Whether `change` is still that predicted by the force's derivatives at the start.
    predicted: bool,
    /// Error of the velocity that Newton's method may leave, m/s; 0: to rounding.
    goal: f64,
}

impl StepSolver {
    /// Prepares steps of `h` s from `from` with the derivatives `slope` of the force. `rate` is the convergence rate
    /// seen in longer steps; 1: unknown.
    fn new(scheme: &Scheme, per_mass: f64, slope: &Jacobian, from: &Motion, h: f64, rate: f64, goal: f64) -> Self {
        let jerk = (slope.position * from.velocity + slope.velocity * from.acceleration) * per_mass;
        let inverse = inverse(scheme, per_mass, slope, h);
        // Over a step so long that the acceleration turns round, the tangent is no prediction.
        let gentle = h.abs() * jerk.norm() <= 0.5 * from.acceleration.norm();
        let change = if gentle { h * jerk } else { Vector2::zeros() };
        StepSolver { inverse, rate, change, bend: Vector2::zeros(), predicted: gentle, goal }
    }

    /// Notes the change of `a` over a step, from which the next one is guessed.
    #[inline(always)]
    fn note(&mut self, change: Vector2<f64>) {
        // On a parabola, the change differs from the tangent's by half of what the next change differs from this one.
        let bend = change - self.change;
        self.bend = if self.predicted { 2.0 * bend } else { bend };
        self.change = change;
        self.predicted = false;
    }
}

/// Inverse of Newton's matrix `1 − βh² ∂a/∂q − γh ∂a/∂v`; the identity where there is none.
fn inverse(scheme: &Scheme, per_mass: f64, slope: &Jacobian, h: f64) -> Matrix2<f64> {
    let (of_position, of_velocity) = (scheme.beta() * h * h * per_mass, scheme.gamma() * h * per_mass);
    let matrix = Matrix2::identity() - (slope.position * of_position + slope.velocity * of_velocity);
    matrix.try_inverse().unwrap_or_else(Matrix2::identity)
}

impl Newmark {
    /// Creates the method. With a tolerance, or with extrapolation, the scheme must be symmetric: γ = 1/2.
    pub fn new(scheme: Scheme, control: Control) -> Result<Self, MethodError> {
        let method = Newmark { scheme, ..Newmark::average(control) };
        let symmetric = scheme.gamma() == Scheme::AVERAGE.gamma();
        if method.extrapolate && !symmetric {
            return Err(MethodError::Unsymmetric { gamma: scheme.gamma() });
        }
        Ok(method)
    }

    /// Creates the method of [`Scheme::AVERAGE`].
    pub fn average(control: Control) -> Self {
        let extrapolate = !matches!(control, Control::Step { extrapolate: false, .. });
        let (pace, table, count) = (Pace::new(control, FIRST_STEP), Extrapolation::default(), FlightCount::default());
        Newmark { scheme: Scheme::AVERAGE, extrapolate, pace, table, count }
    }

    /// Derivatives of the force `t` seconds after a state, where constant acceleration takes the ball.
    fn slope_ahead(&mut self, forces: &Forces, start: &State, from: &Motion, t: f64) -> Jacobian {
        let Motion { velocity, acceleration, .. } = from;
        let ahead = start.position + t * (velocity + 0.5 * t * acceleration);
        self.count.jacobians += 1;
        forces.jacobian(start.time + t, ahead, velocity + t * acceleration, start.spin)
    }

    /// Adds the acceleration (m/s²) to `[q − q₀, v]`, `t` seconds after the start of a step.
    fn node(&mut self, forces: &Forces, start: &State, t: f64, packed: &Packed) -> Result<Motion, FlightError> {
        let [x, y, vx, vy] = *packed;
        let (time, position, velocity) = (start.time + t, Vector2::new(x, y), Vector2::new(vx, vy));
        self.count.forces += 1;
        let acceleration = acceleration(forces, time, start.position + position, velocity, start.spin);
        if is_finite(acceleration) {
            Ok(Motion { position, velocity, acceleration })
        } else {
            Err(FlightError::NotFinite { time })
        }
    }

    /// Makes one step of the scheme, of `h` s from `from` at the `time` (s), within a step of the method from `start`.
    #[inline(always)]
    fn advance(
        &mut self,
        forces: &Forces,
        start: &State,
        time: f64,
        h: f64,
        from: &Motion,
        solver: &mut StepSolver,
    ) -> Result<Motion, FlightError> {
        let (beta, gamma, per_mass) = (self.scheme.beta() * h * h, self.scheme.gamma() * h, 1.0 / forces.mass());
        let Motion { position: q0, velocity: v0, acceleration: a0 } = *from;
        let q = q0 + h * v0 + (0.5 * h * h - beta) * a0;
        let v = v0 + (h - gamma) * a0;
        let (end, spin) = (time + h, start.spin);
        let mut a = a0 + solver.change + solver.bend;
        let mut before = f64::INFINITY;
        for round in 1..=40 {
            let (q1, v1) = (start.position + (q + beta * a), v + gamma * a);
            self.count.forces += 1;
            let force = forces.force(end, q1, v1, spin);
            let change = solver.inverse * (force * per_mass - a);
            let size = change.norm();
            if !size.is_finite() {
                return Err(FlightError::NotFinite { time: end });
            }
            a += change;
            if before.is_finite() {
                solver.rate = (size / before).max(1e-3);
            }
            // Done where the remaining error is within the goal or at rounding, or where it no longer shrinks and
            // matters neither to velocity nor to place. (In a fall at terminal speed a is nothing but rounding.)
            let within = h.abs() * solver.rate * size <= solver.goal * (1.0 - solver.rate);
            let rounded = || {
                let pulls = a.norm() + a0.norm() + forces.gravity_vector().norm();
                let unit = Rounding::of_motion(q1.norm(), h.abs(), v0.norm(), pulls);
                size <= unit.acceleration || size >= 0.5 * before && unit.settles(h * size, h * before, h)
            };
            if within || rounded() {
                solver.note(a - a0);
                return Ok(Motion { position: q + beta * a, velocity: v + gamma * a, acceleration: a });
            }
            before = size;
            if round % 8 == 0 {
                self.count.jacobians += 1;
                solver.inverse = inverse(&self.scheme, per_mass, &forces.jacobian(end, q1, v1, spin), h);
            }
        }
        Err(FlightError::NoConvergence { time: end, residual: before })
    }

    /// Makes `count` equal steps over `h` s, each solved to `goal` m/s; `rate` is that of [`StepSolver`] so far.
    #[allow(clippy::too_many_arguments, reason = "what one attempt at a step shares")]
    fn substeps(
        &mut self,
        forces: &Forces,
        start: &State,
        first: &Motion,
        slope: &Jacobian,
        h: f64,
        count: u32,
        goal: f64,
        rate: &mut f64,
    ) -> Result<Substeps<4>, FlightError> {
        let part = h / f64::from(count);
        let mut node = *first;
        let mut middle = pack(first);
        let mut solver = StepSolver::new(&self.scheme, 1.0 / forces.mass(), slope, first, part, *rate, goal);
        for i in 0..count {
            let time = start.time + part * f64::from(i);
            node = self.advance(forces, start, time, part, &node, &mut solver)?;
            if 2 * (i + 1) == count {
                middle = pack(&node);
            }
        }
        *rate = solver.rate;
        Ok(Substeps { middle, end: pack(&node) })
    }

    /// Makes a fixed step of `h` s, extrapolated once if so set: its path, a quintic through both ends.
    fn fixed(&mut self, forces: &Forces, start: &State, first: &Motion, h: f64) -> Result<Path, FlightError> {
        let slope = self.slope_ahead(forces, start, first, h);
        let end = if self.extrapolate {
            let mut run = |n| self.substeps(forces, start, first, &slope, h, n, 0.0, &mut 1.0);
            let better = extrapolate_once(&run(1)?.end, &run(2)?.end);
            self.node(forces, start, h, &better)?
        } else {
            let mut solver = StepSolver::new(&self.scheme, 1.0 / forces.mass(), &slope, first, h, 1.0, 0.0);
            self.advance(forces, start, start.time, h, first, &mut solver)?
        };
        Ok(Path::quintic(*first, end, h))
    }

    /// Tries a step of `h` s with a tolerance: the octic through start, middle and end, its error judged at a quarter.
    fn extrapolated(
        &mut self,
        tolerance: Tolerance,
        forces: &Forces,
        start: &State,
        first: &Motion,
        h: f64,
    ) -> Result<Tried<Path>, FlightError> {
        // The table multiplies errors of its columns by less than 10.
        let goal = 1e-3 * tolerance.allows(first.velocity.norm()).min(tolerance.absolute / h);
        let slope = self.slope_ahead(forces, start, first, 0.5 * h);
        let (mut rate, mut table) = (1.0, self.table);
        let run = |n| self.substeps(forces, start, first, &slope, h, n, goal, &mut rate);
        let nodes = table.step(tolerance, &pack(first), &[0.0; 4], run)?;
        self.table = table;
        let middle = self.node(forces, start, 0.5 * h, &nodes.value.middle)?;
        let end = self.node(forces, start, h, &nodes.value.end)?;
        let path = Path::octic(*first, middle, end, h);
        if nodes.error > 1.0 {
            return Ok(Tried { error: nodes.error, longer: nodes.longer, value: path });
        }
        let there = path.at(0.25 * h);
        let Motion { position: q, velocity: v, .. } = there;
        let quarter = self.node(forces, start, 0.25 * h, &[q.x, q.y, v.x, v.y])?;
        let defect = (there.acceleration - quarter.acceleration).norm();
        let error = octic_error(tolerance, h, defect, f64::EPSILON * q.norm(), q.norm(), v.norm());
        Ok(Tried { error, longer: nodes.longer.min(longer(error, 8.0)), value: path })
    }
}

impl FlightMethod for Newmark {
    #[inline]
    fn step(&mut self, forces: &Forces, start: &State, until: f64, step: &mut FlightStep) -> Result<(), FlightError> {
        if step.fall(forces, start, until)? {
            self.count.steps += 1;
            return Ok(());
        }
        let first = self.node(forces, start, 0.0, &[0.0, 0.0, start.velocity.x, start.velocity.y])?;
        let mut pace = self.pace;
        let found = paced(&mut pace, start, first.acceleration, until, |h| match self.pace.tolerance() {
            Some(tolerance) => self.extrapolated(tolerance, forces, start, &first, h),
            None => Ok(Tried { error: 0.0, longer: 1.0, value: self.fixed(forces, start, &first, h)? }),
        });
        self.pace = pace;
        let (_, path) = found?;
        self.count.steps += 1;
        *step = FlightStep::new(start, path.moved(start.position));
        Ok(())
    }

    by_pace!(count);
}

fn pack(node: &Motion) -> Packed {
    let Motion { position: q, velocity: v, .. } = node;
    [q.x, q.y, v.x, v.y]
}
