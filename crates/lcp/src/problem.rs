//! The problem, and how well it is solved.

use nalgebra::DMatrixView;

use crate::Failure;

/// `w = M z + q`, `0 ≤ w ⟂ z ≥ 0`.
#[derive(Clone, Copy, Debug)]
pub struct Problem<'a> {
    /// `M`, n × n; for contacts the Delassus operator, 1/kg.
    pub matrix: DMatrixView<'a, f64>,
    /// `q`, n; for contacts the free velocity and the part of restitution, m/s.
    pub vector: &'a [f64],
}

/// Work and quality of a solution.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Solved {
    /// Pivots made.
    pub iterations: usize,
    /// Residual, see [`Problem::residual`]; at most the solver's tolerance.
    pub residual: f64,
}

impl Problem<'_> {
    /// Number of unknowns.
    pub fn size(&self) -> usize {
        self.vector.len()
    }

    /// Sizes fit, for a solution of this length too, and every number is finite.
    pub fn check(&self, solution: usize) -> Result<(), Failure> {
        let n = self.size();
        let (rows, columns) = (self.matrix.nrows(), self.matrix.ncols());
        if (rows, columns) != (n, n) {
            return Err(Failure::Size { name: "matrix", rows, columns, expected_rows: n, expected_columns: n });
        }
        if solution != n {
            return Err(Failure::Size {
                name: "solution",
                rows: solution,
                columns: 1,
                expected_rows: n,
                expected_columns: 1,
            });
        }
        finite("vector", self.vector)?;
        for column in 0..n {
            for row in 0..n {
                let value = self.matrix[(row, column)];
                if !value.is_finite() {
                    return Err(Failure::NotFinite { name: "matrix", row, column, value });
                }
            }
        }
        Ok(())
    }

    /// Largest `|min(w_i, d_i z_i)|`, with `d_i` the largest `|M_ji|` of column i, over the largest of all `|q_i|` and
    /// `|M_ij z_j|/1000`: how far it is from a solution as part of the data. Terms that are far larger than q and cancel
    /// count so that their rounding, which nothing can help, stays below 1e-11.
    ///
    /// Call it with sizes that fit; NaN if something is not finite.
    pub fn residual(&self, solution: &[f64]) -> f64 {
        let n = self.size().min(solution.len());
        let (mut worst, mut scale) = (0.0_f64, 0.0_f64);
        for i in 0..n {
            let (mut w, mut d) = (0.0, 0.0_f64);
            for (j, z) in solution.iter().enumerate() {
                let term = self.matrix[(i, j)] * z;
                w += term;
                scale = scale.max(1e-3 * term.abs());
                d = d.max(self.matrix[(j, i)].abs());
            }
            w += self.vector[i];
            scale = scale.max(self.vector[i].abs());
            // A column of zeros: only the sign of z matters.
            let d = if d > 0.0 { d } else { 1.0 };
            let (a, b) = (w, d * solution[i]);
            if a.is_nan() || b.is_nan() {
                return f64::NAN;
            }
            worst = worst.max(a.min(b).abs());
        }
        if worst == 0.0 { 0.0 } else { worst / scale.max(f64::MIN_POSITIVE) }
    }
}

/// Refuses values that are not finite, and names the first.
pub(crate) fn finite(name: &'static str, values: &[f64]) -> Result<(), Failure> {
    match values.iter().enumerate().find(|(_, value)| !value.is_finite()) {
        Some((row, value)) => Err(Failure::NotFinite { name, row, column: 0, value: *value }),
        None => Ok(()),
    }
}

/// A tolerance that can be met or not.
pub(crate) fn tolerance(value: f64) -> Result<(), Failure> {
    if value >= 0.0 && value.is_finite() {
        Ok(())
    } else {
        Err(Failure::Setting { name: "tolerance", value, rule: "finite and ≥ 0" })
    }
}
