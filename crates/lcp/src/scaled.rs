//! `R M C`, `R q`: the same problem with entries near 1, and the exact solution of a chosen support.

use crate::Problem;
use crate::dense::Factors;

/// A scaled copy and what is needed to solve for a support.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scaled {
    pub(crate) size: usize,
    /// `R M C` row by row.
    pub(crate) matrix: Vec<f64>,
    /// `R q` over its largest entry.
    pub(crate) vector: Vec<f64>,
    rows: Vec<f64>,
    columns: Vec<f64>,
    largest: f64,
    factors: Factors,
    support: Vec<usize>,
    part: Vec<f64>,
    correction: Vec<f64>,
}

/// The power of two below x, so that scaling rounds nothing.
fn power(x: f64) -> f64 {
    if x.is_normal() { 2.0_f64.powi(x.log2().floor() as i32) } else { 1.0 }
}

impl Scaled {
    /// Rows and columns by the square roots of their largest entries, twice.
    pub(crate) fn load(&mut self, problem: Problem<'_>) {
        let n = problem.size();
        self.size = n;
        self.support.clear();
        self.support.reserve(n);
        for buffer in [&mut self.part, &mut self.correction] {
            buffer.clear();
            buffer.reserve(n);
        }
        self.factors.reserve(n);
        for scale in [&mut self.rows, &mut self.columns] {
            scale.clear();
            scale.resize(n, 1.0);
        }
        for _ in 0..2 {
            for i in 0..n {
                let largest =
                    (0..n).fold(0.0_f64, |x, j| x.max((problem.matrix[(i, j)] * self.columns[j] * self.rows[i]).abs()));
                self.rows[i] /= power(largest.sqrt());
            }
            for j in 0..n {
                let largest =
                    (0..n).fold(0.0_f64, |x, i| x.max((problem.matrix[(i, j)] * self.rows[i] * self.columns[j]).abs()));
                self.columns[j] /= power(largest.sqrt());
            }
        }
        self.matrix.clear();
        for i in 0..n {
            let (row, columns) = (self.rows[i], &self.columns);
            self.matrix.extend((0..n).map(|j| problem.matrix[(i, j)] * columns[j] * row));
        }
        self.vector.clear();
        self.vector.extend(problem.vector.iter().zip(&self.rows).map(|(q, r)| q * r));
        self.largest = power(self.vector.iter().fold(0.0_f64, |x, q| x.max(q.abs())));
        for q in &mut self.vector {
            *q /= self.largest;
        }
    }

    /// The solution in the problem's units.
    pub(crate) fn unscale(&self, index: usize, value: f64) -> f64 {
        value * self.columns[index] * self.largest
    }

    /// Scaled impulses as multipliers of the scaled rows: `R⁻¹ C z`.
    pub(crate) fn turn(&self, z: &mut [f64]) {
        for (i, z) in z.iter_mut().enumerate() {
            *z *= self.columns[i] / self.rows[i];
        }
    }

    /// Solves `M_αα z_α = −q_α`, `z = 0` elsewhere, refined twice; z scaled. False if `M_αα` is singular.
    pub(crate) fn solve_support(&mut self, inside: impl Fn(usize) -> bool, z: &mut [f64]) -> bool {
        let n = self.size;
        self.support.clear();
        self.support.extend((0..n).filter(|i| inside(*i)));
        let (support, matrix) = (&self.support, &self.matrix);
        z.fill(0.0);
        if support.is_empty() {
            return true;
        }
        if !self.factors.factor(support.len(), |i, j| matrix[support[i] * n + support[j]]) {
            return false;
        }
        for buffer in [&mut self.part, &mut self.correction, &mut self.factors.right] {
            buffer.clear();
            buffer.resize(support.len(), 0.0);
        }
        for _ in 0..3 {
            for (k, i) in support.iter().enumerate() {
                let taken: f64 = support.iter().zip(&self.part).map(|(j, x)| matrix[i * n + j] * x).sum();
                self.factors.right[k] = -self.vector[*i] - taken;
            }
            self.factors.solve(&mut self.correction);
            for (x, dx) in self.part.iter_mut().zip(&self.correction) {
                *x += dx;
            }
        }
        for (i, x) in support.iter().zip(&self.part) {
            z[*i] = *x;
        }
        z.iter().all(|x| x.is_finite())
    }
}
