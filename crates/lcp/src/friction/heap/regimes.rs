//! Newton's method on regimes: which contacts stick, slide and open?

use nalgebra::Vector3;

use super::super::Block;
use super::super::delassus_of_bodies::{Bodies, along, push};
use super::{Heap, act, assemble};

/// Regularisation ε relative to the diagonal of W: the first, the least by rounds in turn, and the factor between two.
const FIRST: f64 = 1e-4;
const LEAST: [f64; 3] = [1e-7, 1e-8, 1e-6];
const SHRINK: f64 = 0.1;
/// Largest number of runs of Newton's method in [`Heap::settle`].
const SYSTEMS: usize = 80;
/// Newton steps, one linear system each, within which a run must settle the regimes.
const STEPS: usize = 8;

/// Regime of a contact in the linear system.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum RegimeCell {
    /// `p = 0`
    Open,
    /// `u = 0`
    Sticks,
    /// `u_n = 0`, `p_t = ratio p_n`
    Slides(f64),
}

fn cell(friction: f64, z: [f64; 2]) -> RegimeCell {
    if !(z[0] > 0.0) {
        RegimeCell::Open
    } else if friction == 0.0 {
        RegimeCell::Slides(0.0)
    } else if z[1].abs() <= friction * z[0] {
        RegimeCell::Sticks
    } else {
        RegimeCell::Slides(friction.copysign(z[1]))
    }
}

/// The impulse that z stands for in its regime, on the cone where the contact slides.
fn part(cell: RegimeCell, z: [f64; 2]) -> [f64; 2] {
    match cell {
        RegimeCell::Open => [0.0; 2],
        RegimeCell::Sticks => z,
        RegimeCell::Slides(ratio) => [z[0], ratio * z[0]],
    }
}

impl RegimeCell {
    /// Block D of `p = −D u` with regularisation ε.
    fn compliance(self, epsilon: f64, weights: [f64; 2]) -> Block {
        let [n, t] = weights.map(|w| 1.0 / (epsilon * w));
        match self {
            RegimeCell::Open => [[0.0; 2]; 2],
            RegimeCell::Sticks => [[n, 0.0], [0.0, t]],
            RegimeCell::Slides(ratio) => [[n, 0.0], [ratio * n, 0.0]],
        }
    }

    /// Coefficients a and b of the distances `a z₀ + b z₁` (N s) of z from the borders of the regime, positive inside.
    /// A regime with one border has it twice.
    fn borders(self, friction: f64) -> [[f64; 2]; 2] {
        match self {
            RegimeCell::Open => [[-1.0, 0.0]; 2],
            RegimeCell::Sticks => [[friction, -1.0], [friction, 1.0]],
            RegimeCell::Slides(0.0) => [[1.0, 0.0]; 2],
            RegimeCell::Slides(ratio) => [[1.0, 0.0], [-friction, ratio.signum()]],
        }
    }
}

impl Heap {
    /// Factorises the matrix of the current regimes.
    fn factorise(&mut self, problem: &Bodies<'_>, epsilon: f64) -> bool {
        self.iterations += 1;
        let (cells, weights) = (&self.cells, &self.weights);
        let compliance = |i: usize| (cells[i] != RegimeCell::Open).then(|| cells[i].compliance(epsilon, weights[i]));
        assemble(&mut self.elimination, &self.masses, problem, compliance)
    }

    /// Sets impulses to the solution for the current regimes, by one linear solve, and z with them.
    fn aim(&mut self, problem: &Bodies<'_>, epsilon: f64, impulse: &mut [[f64; 2]]) {
        let n = impulse.len();
        problem.move_by(impulse, &mut self.change);
        self.right.fill(Vector3::zeros());
        for i in 0..n {
            let u = problem.velocity_after(i, &self.change);
            let (p, c) = (impulse[i], self.centre[i]);
            self.missing[i] = [0, 1].map(|k| u[k] + epsilon * self.weights[i][k] * (p[k] - c[k]));
            let d = self.cells[i].compliance(epsilon, self.weights[i]);
            let kick = act(&d, self.missing[i]).map(|x| -x);
            push(&problem.levers[i], kick, &mut self.right);
        }
        self.elimination.solve(&mut self.right);
        for i in 0..n {
            let missing = along(&problem.levers[i], self.missing[i], &self.right);
            let d = self.cells[i].compliance(epsilon, self.weights[i]);
            let dp = act(&d, missing);
            impulse[i][0] -= dp[0];
            impulse[i][1] -= dp[1];
        }
        problem.move_by(impulse, &mut self.change);
        for i in 0..n {
            let (p, c, w) = (impulse[i], self.centre[i], self.weights[i]);
            let u = problem.velocity_after(i, &self.change);
            let eased = [0, 1].map(|k| u[k] + epsilon * w[k] * (p[k] - c[k]));
            self.z[i] = match self.cells[i] {
                RegimeCell::Open => [-eased[0] / w[0], -eased[1] / w[1]],
                RegimeCell::Sticks => p,
                RegimeCell::Slides(_) => [p[0], p[1] - eased[1] / w[1]],
            };
        }
    }

    /// Sets the regimes by z; returns how many changed.
    fn turn(&mut self, impulse: &mut [[f64; 2]]) -> usize {
        let mut changed = 0;
        for i in 0..impulse.len() {
            let new = cell(self.friction[i], self.z[i]);
            changed += usize::from(new != self.cells[i]);
            self.cells[i] = new;
            // Where the regime is as before this is the impulse as before.
            impulse[i] = part(new, self.z[i]);
        }
        changed
    }

    /// Runs Newton's method on the regimes; returns after how many changes they settle, 0 if they were right at once.
    /// `None`: they don't within [`STEPS`], or a matrix is singular.
    fn newton(&mut self, problem: &Bodies<'_>, epsilon: f64, impulse: &mut [[f64; 2]]) -> Option<usize> {
        for step in 0..STEPS {
            if !self.factorise(problem, epsilon) {
                return None;
            }
            self.aim(problem, epsilon, impulse);
            if self.turn(impulse) == 0 {
                return Some(step);
            }
        }
        None
    }

    /// Computes z from the impulses of sweeps.
    fn enter(&mut self, problem: &Bodies<'_>, impulse: &[[f64; 2]]) {
        problem.move_by(impulse, &mut self.change);
        for i in 0..impulse.len() {
            let u = problem.velocity_after(i, &self.change);
            self.z[i] = [0, 1].map(|k| impulse[i][k] - u[k] / self.weights[i][k]);
        }
    }

    /// Repeats Newton's method around its last impulses (proximal point), with smaller and smaller ε. Returns the last
    /// residual, m/s; where regimes don't settle, the least one of all methods so far.
    pub(super) fn settle(&mut self, problem: &Bodies<'_>, round: usize, impulse: &mut [[f64; 2]]) -> f64 {
        let least = LEAST[round % LEAST.len()];
        let (mut residual, mut before) = (f64::INFINITY, f64::INFINITY);
        let mut epsilon = FIRST;
        self.enter(problem, impulse);
        for _ in 0..SYSTEMS {
            self.turn(impulse);
            self.centre.copy_from_slice(impulse);
            self.best.copy_from_slice(&self.z);
            let Some(steps) = self.newton(problem, epsilon, impulse) else { return self.reached };
            residual = self.residual(problem, impulse);
            if residual <= self.goal || residual.is_nan() {
                return residual;
            }
            let ratio = residual / before;
            let first = before.is_infinite();
            before = residual;
            if (ratio > 0.1 || first) && epsilon > least {
                epsilon = (epsilon * SHRINK).max(least);
            } else if ratio > 0.5 && steps == 0 {
                // Changes of z form a geometric series: all further ones sum to ratio/(1 − ratio) times the last.
                before = f64::INFINITY;
                if !self.drift(if ratio < 0.9999 { ratio / (1.0 - ratio) } else { f64::INFINITY }) {
                    return self.reached;
                }
            }
        }
        residual
    }

    /// Extrapolates z along its way from `best`, by at most `most` such ways, to just beyond the first border of a
    /// regime; false: there is none.
    fn drift(&mut self, most: f64) -> bool {
        let mut step = most;
        for (i, (z, from)) in self.z.iter().zip(&self.best).enumerate() {
            for [a, b] in self.cells[i].borders(self.friction[i]) {
                let rate = a * (z[0] - from[0]) + b * (z[1] - from[1]);
                if rate < 0.0 {
                    step = step.min((a * z[0] + b * z[1]).max(0.0) / -rate);
                }
            }
        }
        if !step.is_finite() {
            return false;
        }
        step *= 1.0 + 1e-9;
        for (z, from) in self.z.iter_mut().zip(&self.best) {
            *z = [0, 1].map(|k| z[k] + step * (z[k] - from[k]));
        }
        true
    }
}
