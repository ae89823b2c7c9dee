//! Scaling `R M C`, `R q` to entries near 1, and the solution of a given support.

use numbers::elementary;

use crate::Problem;

/// The scaled problem, and workspace to solve for a support.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scaled {
    pub(crate) size: usize,
    /// `R M C` row by row.
    pub(crate) matrix: Vec<f64>,
    /// `R q`, divided by its largest entry.
    pub(crate) vector: Vec<f64>,
    rows: Vec<f64>,
    columns: Vec<f64>,
    largest: f64,
    factors: Factors,
    support: Vec<usize>,
    part: Vec<f64>,
    correction: Vec<f64>,
}

/// The largest power of two ≤ x: scaling by it is exact.
fn power(x: f64) -> f64 {
    if x.is_normal() { elementary::powi(2.0_f64, elementary::log2(x).floor() as i32) } else { 1.0 }
}

impl Scaled {
    /// Scales rows and columns by the square roots of their largest entries, twice.
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

    /// A component of the solution in the problem's units.
    pub(crate) fn unscale(&self, index: usize, value: f64) -> f64 {
        value * self.columns[index] * self.largest
    }

    /// Converts scaled impulses to multipliers of the scaled rows: `R⁻¹ C z`.
    pub(crate) fn turn(&self, z: &mut [f64]) {
        for (i, z) in z.iter_mut().enumerate() {
            *z *= self.columns[i] / self.rows[i];
        }
    }

    /// Solves `M_αα z_α = −q_α`, `z = 0` elsewhere, with two refinements, in scaled units. False if `M_αα` is singular.
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

/// LU factors of a dense matrix.
#[derive(Clone, Debug, Default)]
pub(crate) struct Factors {
    size: usize,
    /// Entries row by row; rows are swapped in place.
    entries: Vec<f64>,
    order: Vec<usize>,
    pub(crate) right: Vec<f64>,
}

impl Factors {
    pub(crate) fn reserve(&mut self, size: usize) {
        self.entries.clear();
        self.entries.reserve(size * size);
        self.order.clear();
        self.order.reserve(size);
        self.right.clear();
        self.right.reserve(size);
    }

    /// Factorises; false if singular or not finite.
    pub(crate) fn factor(&mut self, size: usize, entry: impl Fn(usize, usize) -> f64) -> bool {
        self.size = size;
        self.entries.clear();
        for i in 0..size {
            self.entries.extend((0..size).map(|j| entry(i, j)));
        }
        self.order.clear();
        self.order.extend(0..size);
        let largest = self.entries.iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
        if !(largest.is_finite() && self.entries.iter().all(|x| x.is_finite())) {
            return false;
        }
        let tiny = 1e-14 * largest;
        for k in 0..size {
            let (mut pivot, mut value) = (k, self.entries[k * size + k].abs());
            for i in k + 1..size {
                let candidate = self.entries[i * size + k].abs();
                if candidate > value {
                    (pivot, value) = (i, candidate);
                }
            }
            if !(value > tiny) {
                return false;
            }
            if pivot != k {
                self.order.swap(k, pivot);
                for j in 0..size {
                    self.entries.swap(k * size + j, pivot * size + j);
                }
            }
            let (head, tail) = self.entries.split_at_mut((k + 1) * size);
            let row = &head[k * size..];
            let inverse = 1.0 / row[k];
            for other in tail.chunks_exact_mut(size) {
                let factor = other[k] * inverse;
                if factor != 0.0 {
                    other[k] = factor;
                    for (x, y) in other[k + 1..].iter_mut().zip(&row[k + 1..]) {
                        *x -= factor * y;
                    }
                }
            }
        }
        true
    }

    /// `x ← A⁻¹ b`, with `b` in `right` (kept).
    pub(crate) fn solve(&self, x: &mut [f64]) {
        let n = self.size;
        for i in 0..n {
            let row = &self.entries[i * n..i * n + i];
            let taken: f64 = row.iter().zip(&*x).map(|(a, b)| a * b).sum();
            x[i] = self.right[self.order[i]] - taken;
        }
        for i in (0..n).rev() {
            let row = &self.entries[i * n..(i + 1) * n];
            let taken: f64 = row[i + 1..].iter().zip(&x[i + 1..]).map(|(a, b)| a * b).sum();
            x[i] = (x[i] - taken) / row[i];
        }
    }
}
