//! A linear complementarity problem, how good a solution of it is, and why there may be none.

use nalgebra::DMatrixView;

/// `w = M z + q`, `0 ≤ w ⟂ z ≥ 0`.
#[derive(Clone, Copy, Debug)]
pub struct Problem<'a> {
    /// `M`, n × n; for contacts the Delassus operator, 1/kg.
    pub matrix: DMatrixView<'a, f64>,
    /// `q`, n; for contacts the free velocity plus restitution, m/s.
    pub vector: &'a [f64],
}

/// Work and quality of a solution.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Solved {
    /// Pivots made; for a [`Heap`](crate::friction::Heap) sweeps and linear systems together.
    pub iterations: usize,
    /// Residual, at most the solver's tolerance: relative for a [`Problem`] (see [`Problem::residual`]), in m/s for
    /// contacts with [friction](crate::friction).
    pub residual: f64,
    /// Number of contacts with infinite μ that slide: see [`Heap::infinite`](crate::friction::Heap::infinite).
    pub slipped: usize,
}

impl Problem<'_> {
    /// Number of unknowns.
    pub fn size(&self) -> usize {
        self.vector.len()
    }

    /// Checks that the matrix and a solution of this length fit the vector, and that every number is finite.
    pub fn check(&self, solution: usize) -> Result<(), Failure> {
        let n = self.size();
        Failure::size("matrix", self.matrix.shape(), (n, n))?;
        Failure::size("solution", (solution, 1), (n, 1))?;
        let vector = self.vector.iter().enumerate();
        Failure::finite("vector", vector.map(|(row, value)| (row, 0, *value)))?;
        Failure::finite("matrix", entries(self.matrix))
    }

    /// Relative residual: the largest `|min(w_i, d_i z_i)|`, divided by the largest `|q_i|` or `|M_ij z_j|/1000`.
    /// `d_i`, the largest `|M_ji|` of column i, gives z the unit of w. Where terms much larger than q cancel, their
    /// rounding can't be avoided: the second divisor keeps it below 1e-11.
    ///
    /// Sizes must fit. NaN if a number or a product `M_ij z_j` is not finite.
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
            // In a column of zeros only the sign of z matters.
            let d = if d > 0.0 { d } else { 1.0 };
            let (a, b) = (w, d * solution[i]);
            if a.is_nan() || b.is_nan() {
                return f64::NAN;
            }
            worst = worst.max(a.min(b).abs());
        }
        // An infinite divisor would hide every error.
        if !scale.is_finite() {
            return f64::NAN;
        }
        if worst == 0.0 { 0.0 } else { worst / scale.max(f64::MIN_POSITIVE) }
    }
}

/// Entries of a matrix with their rows and columns, column by column.
pub(crate) fn entries(matrix: DMatrixView<'_, f64>) -> impl Iterator<Item = (usize, usize, f64)> + '_ {
    let at = move |column| (0..matrix.nrows()).map(move |row| (row, column, matrix[(row, column)]));
    (0..matrix.ncols()).flat_map(at)
}

impl Failure {
    /// Refuses a matrix or vector of another size, given by rows and columns.
    pub fn size(name: &'static str, found: (usize, usize), expected: (usize, usize)) -> Result<(), Failure> {
        let ((rows, columns), (expected_rows, expected_columns)) = (found, expected);
        if found == expected {
            return Ok(());
        }
        Err(Failure::Size { name, rows, columns, expected_rows, expected_columns })
    }

    /// Refuses entries that are not finite, by row and column of the first one.
    pub fn finite(name: &'static str, mut entries: impl Iterator<Item = (usize, usize, f64)>) -> Result<(), Failure> {
        match entries.find(|(.., value)| !value.is_finite()) {
            Some((row, column, value)) => Err(Failure::Entry { name, row, column, value, rule: "finite" }),
            None => Ok(()),
        }
    }

    /// Refuses a tolerance that is negative or not finite.
    pub(crate) fn tolerance(value: f64) -> Result<(), Failure> {
        if value >= 0.0 && value.is_finite() {
            Ok(())
        } else {
            Err(Failure::Setting { name: "tolerance", value, rule: "finite and ≥ 0" })
        }
    }
}

/// Reason why a problem has no answer.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Failure {
    /// No solution exists, or the method's path ends without one.
    #[error(
        "no solution found in {pivots} pivots, {artificial:e} of q is left uncovered: {}",
        if *.proven { "it is certain that there is none" } else { "there may be one all the same" }
    )]
    NoSolution {
        /// Number of pivots; for [`one`](crate::friction::one()) contact the number of regimes, all of them tried.
        pivots: usize,
        /// Lemke's z₀ at the end, relative to the largest `|q_i|`; 1 for methods without one.
        artificial: f64,
        /// Whether it is proven that there is none: by a `v ≥ 0` with `Mᵀv ≤ 0` and `qᵀv < 0`, or, for one contact,
        /// because no regime comes nearer to its inequalities than 1e-6 of its velocities.
        proven: bool,
    },
    /// The allowed work was spent before the tolerance was reached.
    #[error(
        "residual {residual:e} after {iterations} iterations, but tolerance is {tolerance:e}: allow more, or loosen it"
    )]
    NotReached {
        /// Residual reached.
        residual: f64,
        /// Residual asked for.
        tolerance: f64,
        /// Pivots, or sweeps and linear systems.
        iterations: usize,
    },
    /// An entry that breaks a rule.
    #[error("{name}[{row}, {column}] is {value}: it must be {rule}")]
    Entry {
        /// `matrix`, `vector`, `solution`, `velocity`, `friction`, ...
        name: &'static str,
        /// Row, or contact, from 0.
        row: usize,
        /// Column, or component, from 0.
        column: usize,
        /// The entry.
        value: f64,
        /// Rule that is broken.
        rule: &'static str,
    },
    /// Sizes that don't fit.
    #[error("{name} is {rows} × {columns}, but should be {expected_rows} × {expected_columns}")]
    Size {
        /// Name of the matrix or vector.
        name: &'static str,
        /// Rows of the matrix or vector.
        rows: usize,
        /// Columns of the matrix or vector.
        columns: usize,
        /// Rows it should have.
        expected_rows: usize,
        /// Columns it should have.
        expected_columns: usize,
    },
    /// An invalid setting.
    #[error("{name} is {value}: it must be {rule}")]
    Setting {
        /// Name of the field.
        name: &'static str,
        /// Value of the field.
        value: f64,
        /// Rule that is broken.
        rule: &'static str,
    },
}
