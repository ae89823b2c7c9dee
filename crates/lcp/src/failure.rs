//! Errors: why a problem has no answer.

/// Reason why a problem has no answer.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Failure {
    /// No solution exists, or the method's path to one ends.
    #[error(
        "no solution found in {pivots} pivots, {artificial:e} of q is left uncovered: {}",
        if *.proven { "it is certain that there is none" } else { "there may be one all the same" }
    )]
    NoSolution {
        /// Pivots, or supports or regimes tried.
        pivots: usize,
        /// Lemke's z₀ at the end over the largest `|q_i|`; 1 where the method has none.
        artificial: f64,
        /// Whether it is certain that there is none: by a `v ≥ 0` with `Mᵀv ≤ 0` and `qᵀv < 0`, or because every
        /// support was tried and was regular.
        proven: bool,
    },
    /// Work ran out before the tolerance.
    #[error(
        "residual {residual:e} after {iterations} iterations, but tolerance is {tolerance:e}: allow more, or loosen it"
    )]
    NotReached {
        /// Residual that was reached.
        residual: f64,
        /// Residual that was asked for.
        tolerance: f64,
        /// Pivots, or sweeps and linear systems.
        iterations: usize,
    },
    /// An entry that is NaN or infinite.
    #[error("{name}[{row}, {column}] is {value}: every entry must be finite")]
    NotFinite {
        /// `matrix`, `vector`, `solution`, `velocity`, `friction`, ...
        name: &'static str,
        /// Row, or contact, from 0.
        row: usize,
        /// Column, or component, from 0.
        column: usize,
        /// The entry.
        value: f64,
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
    /// A coefficient of friction below 0.
    #[error("friction[{contact}] is {value}: it must be ≥ 0")]
    NegativeFriction {
        /// Index of the contact, from 0.
        contact: usize,
        /// Coefficient of friction μ of the contact.
        value: f64,
    },
    /// A diagonal entry that the method divides by.
    #[error("matrix[{index}, {index}] is {value}: this method needs a positive diagonal")]
    Diagonal {
        /// Row and column from 0.
        index: usize,
        /// The entry.
        value: f64,
    },
    /// Block rows that are not in order.
    #[error("block row {row}: {rule} (entry {entry} of starts or columns is {value})")]
    Structure {
        /// Block row from 0.
        row: usize,
        /// Entry of `starts` or `columns`, from 0.
        entry: usize,
        /// Value of that entry.
        value: usize,
        /// Rule that is broken.
        rule: &'static str,
    },
    /// A setting that makes no sense.
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
