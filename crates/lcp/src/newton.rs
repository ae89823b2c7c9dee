//! Semismooth Newton: De Luca, Facchinei & Kanzow 1996, with steps of the min-function where they do better.

use crate::dense::Factors;
use crate::problem::{finite, tolerance};
use crate::scaled::Scaled;
use crate::{Failure, Problem, Solved, Solver};

/// Newton on `Φ_i = √(w_i² + z_i²) − w_i − z_i`, damped by Armijo's rule on `½‖Φ‖²`, from the given start.
///
/// Each step first tries the Newton step of `min(w, z)`, that is the solution for the support `{z_i > w_i}`, and takes
/// it if it halves `‖Φ‖`: it ends the iteration exactly. Converges for P-matrices; elsewhere it may stop at a minimum of
/// `‖Φ‖` that is no solution, which is an error.
#[derive(Clone, Debug)]
pub struct SemismoothNewton {
    /// Largest [`Problem::residual`]; 1e-11.
    pub tolerance: f64,
    /// Most steps; 200.
    pub steps: usize,
    scaled: Scaled,
    factors: Factors,
    z: Vec<f64>,
    w: Vec<f64>,
    trial: Vec<f64>,
    trial_w: Vec<f64>,
    step: Vec<f64>,
    slope: Vec<f64>,
    weights: Vec<(f64, f64)>,
}

impl Default for SemismoothNewton {
    fn default() -> Self {
        SemismoothNewton {
            tolerance: 1e-11,
            steps: 200,
            scaled: Scaled::default(),
            factors: Factors::default(),
            z: Vec::new(),
            w: Vec::new(),
            trial: Vec::new(),
            trial_w: Vec::new(),
            step: Vec::new(),
            slope: Vec::new(),
            weights: Vec::new(),
        }
    }
}

/// `√(w² + z²) − w − z`, without cancellation where both are positive.
fn fischer(w: f64, z: f64) -> f64 {
    let (root, sum) = (w.hypot(z), w + z);
    if sum > 0.0 { -2.0 * (w * z) / (root + sum) } else { root - sum }
}

/// `½‖Φ‖²`
fn merit(w: &[f64], z: &[f64]) -> f64 {
    0.5 * w.iter().zip(z).map(|(w, z)| fischer(*w, *z).powi(2)).sum::<f64>()
}

impl SemismoothNewton {
    /// The step of `min(w, z)`; accepted if it halves the norm.
    fn support_step(&mut self, before: f64) -> bool {
        let (w, z) = (&self.w, &self.z);
        if !self.scaled.solve_support(|i| z[i] > w[i], true, &mut self.trial) {
            return false;
        }
        self.scaled.slack_into(&self.trial, &mut self.trial_w);
        merit(&self.trial_w, &self.trial) <= 0.25 * before
    }

    /// The damped step of Φ; false if nothing lowers the merit.
    fn fischer_step(&mut self, before: f64) -> bool {
        let n = self.scaled.size;
        self.weights.clear();
        for (w, z) in self.w.iter().zip(&self.z) {
            let root = w.hypot(*z);
            // Any direction will do at the origin.
            let (a, b) = if root > 0.0 { (w / root, z / root) } else { (0.5_f64.sqrt(), 0.5_f64.sqrt()) };
            self.weights.push((a - 1.0, b - 1.0));
        }
        let (weights, matrix) = (&self.weights, &self.scaled.matrix);
        let entry = |i: usize, j: usize| weights[i].0 * matrix[i * n + j] + if i == j { weights[i].1 } else { 0.0 };
        self.slope.fill(0.0);
        for i in 0..n {
            let value = fischer(self.w[i], self.z[i]);
            for j in 0..n {
                self.slope[j] += entry(i, j) * value;
            }
        }
        let steepest: f64 = self.slope.iter().map(|g| g * g).sum();
        let mut along = 0.0;
        // Where the matrix is singular: of M + εI, with ε going to 0 at a solution.
        for shift in [0.0, before.sqrt().min(1e-2)] {
            if self.factors.factor(n, |i, j| entry(i, j) - if i == j { shift } else { 0.0 }) {
                self.factors.right.clear();
                self.factors.right.extend(self.w.iter().zip(&self.z).map(|(w, z)| -fischer(*w, *z)));
                self.factors.solve(&mut self.step);
                along = self.slope.iter().zip(&self.step).map(|(g, d)| g * d).sum();
            }
            if along < -1e-10 * steepest.min(before) {
                break;
            }
        }
        if !(along < -1e-10 * steepest.min(before)) {
            for (d, g) in self.step.iter_mut().zip(&self.slope) {
                *d = -g;
            }
            along = -steepest;
        }
        let mut length = 1.0;
        for _ in 0..40 {
            for ((t, z), d) in self.trial.iter_mut().zip(&self.z).zip(&self.step) {
                *t = z + length * d;
            }
            self.scaled.slack_into(&self.trial, &mut self.trial_w);
            let after = merit(&self.trial_w, &self.trial);
            if after <= before + 1e-4 * length * along && after < before {
                return true;
            }
            length *= 0.5;
        }
        false
    }
}

impl Solver for SemismoothNewton {
    fn solve(&mut self, problem: Problem<'_>, solution: &mut [f64]) -> Result<Solved, Failure> {
        tolerance(self.tolerance)?;
        problem.check(solution.len())?;
        finite("solution", solution)?;
        let n = problem.size();
        self.scaled.load(problem);
        self.factors.reserve(n);
        self.weights.clear();
        self.weights.reserve(n);
        for buffer in [&mut self.z, &mut self.w, &mut self.trial, &mut self.trial_w, &mut self.step, &mut self.slope] {
            buffer.clear();
            buffer.resize(n, 0.0);
        }
        for i in 0..n {
            self.z[i] = self.scaled.scale(i, solution[i].max(0.0));
            if !self.z[i].is_finite() {
                self.z[i] = 0.0;
            }
        }
        self.scaled.slack_into(&self.z, &mut self.w);
        let (mut residual, mut iterations) = (f64::NAN, 0);
        loop {
            for (i, to) in solution.iter_mut().enumerate() {
                *to = self.scaled.unscale(i, self.z[i].max(0.0));
            }
            let reached = problem.residual(solution);
            if !(reached >= residual) {
                residual = reached;
            }
            if reached <= self.tolerance {
                return Ok(Solved { iterations, residual: reached });
            }
            let before = merit(&self.w, &self.z);
            if iterations >= self.steps || !(self.support_step(before) || self.fischer_step(before)) {
                return Err(Failure::NotReached { residual, tolerance: self.tolerance, iterations });
            }
            std::mem::swap(&mut self.z, &mut self.trial);
            std::mem::swap(&mut self.w, &mut self.trial_w);
            iterations += 1;
        }
    }
}
