//! How is a problem `w = M z + q` scaled for pivoting? By diagonal matrices R and C of powers of two: entries of
//! `R M C` and of `R q` (divided by its largest one) are near 1 or below, and `C⁻¹ z` solves the scaled problem.

use std::iter::repeat_n;

use numbers::elementary;

use crate::{Problem, refill};

/// The scaled problem.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scaled {
    pub(crate) size: usize,
    /// `R M C` row by row.
    pub(crate) matrix: Vec<f64>,
    /// `R q`, divided by its largest entry.
    pub(crate) vector: Vec<f64>,
    /// Diagonals of R and C.
    rows: Vec<f64>,
    columns: Vec<f64>,
    /// Power of two by which `R q` was divided.
    largest: f64,
}

/// The largest power of two ≤ x, so that scaling by it rounds nothing; 1 where x is not a normal number (0, infinite).
fn power(x: f64) -> f64 {
    if x.is_normal() { elementary::powi(2.0_f64, elementary::log2(x).floor() as i32) } else { 1.0 }
}

impl Scaled {
    /// Scales a problem: divides rows, then columns, by the square roots of their largest entries, and all that twice.
    pub(crate) fn load(&mut self, problem: Problem<'_>) {
        let n = problem.size();
        self.size = n;
        refill(&mut self.rows, repeat_n(1.0, n));
        refill(&mut self.columns, repeat_n(1.0, n));
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
        refill(&mut self.vector, problem.vector.iter().zip(&self.rows).map(|(q, r)| q * r));
        self.largest = power(self.vector.iter().fold(0.0_f64, |x, q| x.max(q.abs())));
        for q in &mut self.vector {
            *q /= self.largest;
        }
    }

    /// Converts a component of the scaled solution to the problem's units.
    pub(crate) fn unscale(&self, index: usize, value: f64) -> f64 {
        value * self.columns[index] * self.largest
    }

    /// Converts a scaled z to the weights `R⁻¹ C z`: the rows of `R M` with these weights have the sum that the rows of
    /// M have with `C z`, which is z in the problem's units.
    pub(crate) fn to_row_weights(&self, z: &mut [f64]) {
        for (i, z) in z.iter_mut().enumerate() {
            *z *= self.columns[i] / self.rows[i];
        }
    }
}
