//! Inputs that are refused, and reasons why a step can not be made.

use mechanics::ParameterError;

/// An invalid system, law or start.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum InputError {
    /// A number outside its range.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// A parameter of one relation's law outside its range.
    #[error("relation {relation}: {source}")]
    Law {
        /// Index of the relation, from 0.
        relation: usize,
        /// Parameter with its rule.
        source: ParameterError,
    },
    /// A matrix or vector of the wrong size, or an entry that is not finite: of `M`, `C`, `K`, `H`, `b`, ... (column 0
    /// of a vector, row and column 0 of a number).
    #[error(transparent)]
    Entries(#[from] lcp::Failure),
    /// A mass matrix that is not symmetric.
    #[error("M[{row}, {column}] is {value:?}, but M[{column}, {row}] is {mirrored:?}: M must be symmetric")]
    Asymmetric {
        /// Row from 0.
        row: usize,
        /// Column from 0.
        column: usize,
        /// The entry.
        value: f64,
        /// The entry on the other side of the diagonal.
        mirrored: f64,
    },
    /// A relation without a gradient.
    #[error("column {relation} of H is zero: a relation must depend on q")]
    NoGradient {
        /// Index of the relation, from 0.
        relation: usize,
    },
    /// A relation with friction that has no tangential gradient.
    #[error(
        "relation {relation} has friction {friction:?}, but column {relation} of H_t is zero: give its tangential gradient, or no friction"
    )]
    NoTangential {
        /// Index of the relation, from 0.
        relation: usize,
        /// Coefficient of friction μ.
        friction: f64,
    },
    /// M is singular or not positive definite.
    #[error(
        "M is not positive definite ({}{size} × {size}): every degree of freedom must have mass",
        pivot.map_or(String::new(), |pivot| format!("pivot {pivot} of "))
    )]
    Singular {
        /// Index of the pivot that is not positive, from 0; `None`: not known, as mostly for sparse M.
        pivot: Option<usize>,
        /// Size of M.
        size: usize,
    },
    /// `M + hθC + h²θ²K`, or of Newmark's scheme `M + γhC + βh²K`, has no inverse.
    #[error("the iteration matrix of M, C and K is singular at h = {step:?}; choose another h or check them")]
    Iteration {
        /// Step h, s.
        step: f64,
    },
    /// A start below the ground.
    #[error("relation {relation} starts with y = {gap:?}: it must be ≥ 0")]
    Penetration {
        /// Index of the relation, from 0.
        relation: usize,
        /// y at the start.
        gap: f64,
    },
}

impl InputError {
    /// Refuses values that are not finite, by the first one.
    pub(crate) fn finite(name: &'static str, values: &[f64]) -> Result<(), InputError> {
        Ok(lcp::Failure::finite(name, values.iter().enumerate().map(|(row, value)| (row, 0, *value)))?)
    }
}

/// Reason why a step could not be made; the state is still that before the step.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StepError {
    /// A reason that any system may have.
    #[error(transparent)]
    Scheme(#[from] moreau::StepError),
    /// The law of impact gives no impulse.
    #[error(transparent)]
    Impact(#[from] mechanics::ImpactError),
    /// M(q) is not finite, not symmetric or not positive definite at a place within the step.
    #[error("in the step from t = {time:?}: {source}")]
    Mass {
        /// Start of the step, s.
        time: f64,
        /// Error of the entry or pivot.
        source: InputError,
    },
    /// A value or gradient of a closed relation became NaN or infinite.
    #[error("{field} of relation {relation} is {value:?} in the step from t = {time:?}: it must be finite")]
    Relation {
        /// Index of the relation, from 0.
        relation: usize,
        /// `y`, `∂h/∂t` (of the gap y = h(q, t)), `H` or `H_t`.
        field: &'static str,
        /// The value, or the first entry that is not finite.
        value: f64,
        /// Start of the step, s.
        time: f64,
    },
    /// A closed relation with zero gradient, which no impulse can keep.
    #[error("relation {relation} is closed in the step from t = {time:?}, but column {relation} of H is zero")]
    NoGradient {
        /// Index of the relation, from 0.
        relation: usize,
        /// Start of the step, s.
        time: f64,
    },
}
