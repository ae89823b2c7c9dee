//! How does BDF (backward differentiation, with variable step and order) make a step? Radau IIA begins every arc.

mod past_velocities;

use curves::Motion;
use mechanics::{Forces, State};
use nalgebra::{Matrix2, Vector2};
use newmark::{Control, Pace, Tolerance, longer};
use numbers::{Rounding, elementary};

use crate::flight_trait_and_errors::shortest_step;
use crate::radau::Core;
use crate::tolerance_and_first_step::{acceleration, by_pace, pace, ratio};
use crate::{FlightError, FlightMethod, FlightStep, MethodError};
use past_velocities::{Basis, Differences, MAX_ORDER, Nodes, Polynomial};

/// BDF of order 1 to 5 with variable coefficients. Under a constant force it takes one exact step to the end.
///
/// ```text
/// p(t) interpolates v at tₙ₊₁, tₙ … tₙ₊₁₋ₖ        p'(tₙ₊₁) = F(tₙ₊₁, qₙ₊₁, vₙ₊₁)/m        qₙ₊₁ = qₙ + ∫ p dt
/// ```
///
/// p is given by Newton's divided differences over the actual past steps (Hairer, Nørsett, Wanner, *Solving ODEs I*,
/// 2nd ed., §III.5, eqs. (5.2) and (5.17)). So a change of the step needs no interpolation, and costs no more stability
/// than such grids do. The step's path is the integral of `p`, of degree and order k + 1, so that the method is of
/// order k. Strong drag is damped as by any BDF. A stiff spring is not: error control keeps its steps short.
///
/// Every arc begins with one Radau step, or up to four while the next could be more than twice as long. The velocities
/// at the quarters of the last one are the past of a BDF of order 4 (of the order set, with fixed steps) from then on.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct Bdf {
    pace: Pace,
    core: Core,
    max_order: usize,
    /// Time (s) and motion at the end of the last step; the past is valid only for a step that begins there.
    now: Option<(f64, Motion)>,
    nodes: Nodes,
    order: usize,
    /// Steps since order or step last changed.
    settled: usize,
    /// Radau steps made in this arc.
    starters: u32,
    /// Ratio of one change of Newton's method to the one before, as last seen.
    rate: f64,
}

/// Largest number of Radau steps at the beginning of an arc.
const STARTERS: u32 = 4;
/// Rounds of Newton's method before a shorter step is tried.
const ROUNDS: u32 = 8;

/// Solution of a step's implicit equation.
struct SolvedStep {
    velocity: Polynomial,
    /// Velocity at the end less the predicted one, m/s.
    end: Vector2<f64>,
    /// Inverse of Newton's matrix.
    inverse: Matrix2<f64>,
}

impl Bdf {
    /// Creates a BDF of order 5 with fixed steps, of orders 1 to 5 with a tolerance.
    pub fn new(control: Control) -> Result<Self, MethodError> {
        Ok(Bdf {
            pace: pace(control)?,
            core: Core::new(),
            max_order: MAX_ORDER,
            now: None,
            nodes: Nodes::default(),
            order: 4,
            settled: 0,
            starters: 0,
            rate: 0.1,
        })
    }

    /// Sets the order of fixed steps, the highest with a tolerance: 1 to 5.
    pub fn with_order(mut self, order: usize) -> Result<Self, MethodError> {
        if !(1..=MAX_ORDER).contains(&order) {
            return Err(MethodError::Order { order });
        }
        self.max_order = order;
        Ok(self)
    }

    /// The order of the next step; `None` at the beginning of an arc, where Radau steps.
    pub fn order(&self) -> Option<usize> {
        self.now.map(|_| self.order)
    }

    /// Makes a Radau step; velocities at its quarters become the past.
    fn begin(&mut self, forces: &Forces, start: &State, until: f64) -> Result<FlightStep, FlightError> {
        self.starters = if self.now.is_none() { 1 } else { self.starters + 1 };
        // With fixed steps it is four of them long, so that its quarters are one step apart.
        let fixed = self.pace.tolerance().is_none();
        let mut pace = self.pace;
        if fixed {
            let step = 4.0 * pace.next(f64::INFINITY);
            pace = Pace::new(Control::Step { step, extrapolate: false }, step);
        }
        let (path, longer) = self.core.controlled(&mut pace, forces, start, until)?;
        let h = path.duration();
        self.now = Some((start.time + h, path.at(h)));
        let step = FlightStep::new(start, path);
        if !fixed {
            self.pace = pace;
            if longer > 2.0 && self.starters < STARTERS {
                self.nodes = Nodes::default();
                return Ok(step);
            }
            self.pace.propose(0.25 * h);
        }
        let velocities = [1.0, 0.75, 0.5, 0.25, 0.0].map(|part| path.at(part * h).velocity);
        self.nodes = Nodes::spread(0.25 * h, velocities);
        self.order = if fixed { self.max_order } else { self.max_order.min(4) };
        self.settled = 0;
        Ok(step)
    }

    /// Solves the equation of a step of order k over `h` s, for the `change` of the end's velocity from that of the
    /// polynomial through past values: `h a = slope + change πₖ′/πₖ` at the end. `None`: Newton's method fails.
    fn solve(
        &mut self,
        forces: &Forces,
        start: &State,
        past: &Differences,
        basis: &Basis,
        h: f64,
        tolerance: Option<Tolerance>,
    ) -> Option<SolvedStep> {
        let k = self.order;
        let State { position: q0, spin, time, .. } = *start;
        let per_mass = 1.0 / forces.mass();
        let mut velocity = past.polynomial(basis, k);
        let end = basis.ends[k];
        let (before, slope, area) = (velocity.at_end(), velocity.slope_at_end(), velocity.area());
        // The prediction extrapolates through one more past value than the order needs.
        let foretold = past.velocities[k] * end.value;
        let mut change = foretold;
        let (per_change, part) = (end.slope / end.value, end.area / end.value);
        let jacobian = forces.jacobian(time + h, q0 + h * (area + part * change), before + change, spin);
        self.core.count.jacobians += 1;
        let unit = Matrix2::identity();
        let matrix =
            unit * per_change - jacobian.velocity * (h * per_mass) - jacobian.position * (h * h * part * per_mass);
        let inverse = matrix.try_inverse()?;
        let size_of = before + foretold;
        let allowed = |tolerance: Tolerance| tolerance.allows(size_of.x).min(tolerance.allows(size_of.y));
        let goal = 0.02 * tolerance.map_or(0.0, allowed);
        let rounding = Rounding::of_motion(q0.norm(), h, size_of.norm(), 0.0);
        let mut last = f64::INFINITY;
        for round in 1..=ROUNDS {
            let (q, v) = (q0 + h * (area + part * change), before + change);
            let a = acceleration(forces, time + h, q, v, spin);
            self.core.count.forces += 1;
            let correction = inverse * (h * a - slope - change * per_change);
            change += correction;
            let size = correction.norm();
            if !size.is_finite() {
                return None;
            }
            if round > 1 {
                self.rate = (size / last).max(1e-3);
            }
            let within = self.rate < 1.0 && size * self.rate <= goal * (1.0 - self.rate);
            if within || rounding.settles(size, last, h) {
                velocity.add(basis, k, change / end.value);
                return Some(SolvedStep { velocity, end: change - foretold, inverse });
            }
            if self.rate >= 1.0 {
                break;
            }
            last = size;
        }
        self.rate = 0.1;
        None
    }

    /// Error of a step over what is allowed.
    fn error(&self, start: &State, solved: &SolvedStep, h: f64, tolerance: Tolerance) -> f64 {
        // The next term of Newton's interpolation is D (t − tₙ₊₁) π(t), with slope D π at the end: (5.17).
        let k = self.order;
        let reach = 1.0 - self.nodes.part(k, h);
        let of_velocity = solved.inverse * solved.end / reach;
        ratio(tolerance, [h * of_velocity, of_velocity], [start.position, start.velocity])
    }

    /// Makes a BDF step; returns false if none of four tries is good, so that a new Radau step is needed.
    fn go_on(
        &mut self,
        forces: &Forces,
        start: &State,
        until: f64,
        step: &mut FlightStep,
    ) -> Result<bool, FlightError> {
        let acceleration = self.now.map_or_else(Vector2::zeros, |(_, now)| now.acceleration);
        let (tolerance, left) = (self.pace.tolerance(), until - start.time);
        let least = shortest_step(start, acceleration);
        for _ in 0..4 {
            let h = self.pace.next(left);
            if h < least.min(left) && tolerance.is_some() {
                break;
            }
            // The predictor needs one value more than the order; the estimate of a higher order one more.
            let most = self.order + if self.settled >= self.order { 2 } else { 1 };
            let past = self.nodes.differences(h, most);
            let basis = Basis::of(&past);
            let solved = self.solve(forces, start, &past, &basis, h, tolerance);
            let error = match (&solved, tolerance) {
                (None, _) => f64::INFINITY,
                (Some(_), None) => 0.0,
                (Some(solved), Some(tolerance)) => self.error(start, solved, h, tolerance),
            };
            if let Some(solved) = solved
                && error <= 1.0
            {
                self.accept(start, &solved, h, step);
                if let Some(tolerance) = tolerance {
                    self.choose(&past, &basis, h, error, tolerance);
                }
                self.core.count.steps += 1;
                return Ok(true);
            }
            if tolerance.is_none() {
                return Err(FlightError::NoConvergence { time: start.time, residual: f64::INFINITY });
            }
            self.settled = 0;
            self.pace.reject(h, longer(error, self.order as f64 + 1.0));
        }
        Ok(false)
    }

    /// Puts the integral of the solved velocity into `step`, and its end into the past.
    fn accept(&mut self, start: &State, solved: &SolvedStep, h: f64, step: &mut FlightStep) {
        let mut position = [Vector2::zeros(); MAX_ORDER + 2];
        position[0] = start.position;
        for i in 0..=self.order {
            position[i + 1] = solved.velocity.0[i] * (h / (i + 1) as f64);
        }
        let end = step.set_polynomial(start, &position, h).at(h);
        self.nodes.push(h, end.velocity);
        self.now = Some((start.time + h, end));
    }

    /// Chooses the order, at most one lower or higher, that allows the longest next step, and its length: h/2 to 2h.
    fn choose(&mut self, past: &Differences, basis: &Basis, h: f64, error: f64, tolerance: Tolerance) {
        self.settled += 1;
        let wish = |error: f64, order: usize, safety: f64| {
            safety * elementary::powf(0.5 / error.max(1e-12), 1.0 / (order + 1) as f64)
        };
        let k = self.order;
        // Step and order are kept for k steps after a change, while errors are small.
        if self.settled <= k && error <= 0.5 {
            return self.pace.accept(h, 1.0);
        }
        let mut best = (k, wish(error, k, 0.95));
        if self.settled > k {
            // Divided differences with the new value. The next term of order m is the (m+1)-th difference D times (t −
            // tₙ₊₁) π, with the slope D π at the end. Over π'/π, Newton's matrix without the force, this is D π²/π'.
            let value = self.nodes.velocities[0];
            let differences = past.with(value);
            let seen = |order: usize| {
                let end = basis.ends[order];
                let miss = differences[order + 1] * (end.value * end.value / end.slope);
                ratio(tolerance, [Vector2::zeros(), miss], [Vector2::zeros(), value])
            };
            let lower = (k > 1).then_some(k - 1);
            let higher = (k < self.max_order && past.len > k + 1).then_some(k + 1);
            for order in [lower, higher].into_iter().flatten() {
                let factor = wish(seen(order), order, 0.9);
                if factor > best.1 {
                    best = (order, factor);
                }
            }
        }
        let (order, factor) = best;
        let change = if self.settled > k && factor > 1.2 {
            factor.min(2.0)
        } else if factor < 0.9 {
            factor.max(0.5)
        } else {
            1.0
        };
        if order != k || change != 1.0 {
            self.settled = 0;
        }
        self.order = order;
        self.pace.accept(h, change);
    }
}

impl FlightMethod for Bdf {
    fn step(&mut self, forces: &Forces, start: &State, until: f64, step: &mut FlightStep) -> Result<(), FlightError> {
        if step.fall(forces, start, until)? {
            self.core.count.steps += 1;
            self.now = None;
            return Ok(());
        }
        // The past is valid only where it ends at this start.
        let goes_on = |(time, end): (f64, Motion)| {
            time == start.time && end.position == start.position && end.velocity == start.velocity
        };
        if !self.now.is_some_and(goes_on) {
            self.now = None;
            self.nodes = Nodes::default();
        }
        if self.now.is_some() && self.nodes.len > 0 && self.go_on(forces, start, until, step)? {
            return Ok(());
        }
        *step = self.begin(forces, start, until)?;
        Ok(())
    }

    by_pace!(core.count, now);
}
