//! Plan of a fit, and why there may be none.

use identify::ModelError;
use scenario::input::InputError;

/// Names of the coordinates.
pub(super) const AXES: [&str; 2] = ["x", "y"];

/// Map between places of the scenario and those in the table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// m per unit of the table.
    pub scale: f64,
    /// Place of the scenario's origin in the table, in its unit.
    pub origin: [f64; 2],
    /// Whether y counts downwards in the table, as pixels do.
    pub down: bool,
}

impl View {
    /// The view of a table in m.
    pub const PLAIN: View = View { scale: 1.0, origin: [0.0; 2], down: false };

    pub(super) fn sign(&self, axis: usize) -> f64 {
        if axis == 1 && self.down { -1.0 } else { 1.0 }
    }

    /// A difference of places in the unit of the table, in m.
    pub fn length(&self, axis: usize, shown: f64) -> f64 {
        self.sign(axis) * shown * self.scale
    }

    /// m to the unit of the table.
    pub fn shown(&self, axis: usize, place: f64) -> f64 {
        self.origin[axis] + self.sign(axis) * place / self.scale
    }

    /// The unit of the table to m.
    pub fn place(&self, axis: usize, shown: f64) -> f64 {
        self.length(axis, shown - self.origin[axis])
    }
}

/// Choices of a fit.
pub struct FitPlan<'a> {
    /// View of the scenario's places in the table.
    pub view: View,
    /// Whether the scale is to be found; `Some(None)`: from a start that the run suggests.
    pub scale: Option<Option<f64>>,
    /// Whether what the camera may have done is to be found, too.
    pub camera: bool,
    /// Huber's k in standard deviations; `None`: squares.
    pub huber: Option<f64>,
    /// Hears how many runs were held against the table.
    pub progress: &'a (dyn Fn(u64) + Sync),
}

/// Reason why there is no fit.
#[derive(Debug, thiserror::Error)]
pub enum FitError {
    /// Input that can't be fitted.
    #[error(transparent)]
    Input(Box<InputError>),
    /// The scenario's run could not go on.
    #[error("the run can't be held against the table: {0}")]
    Run(Box<RunError>),
}

impl From<InputError> for FitError {
    fn from(error: InputError) -> Self {
        FitError::Input(Box::new(error))
    }
}

/// Reason why a scenario at some values has no run.
pub(super) type RunError = ModelError<InputError>;
