//! Options ([`FitPlan`], [`View`]) and errors ([`FitError`]) of a fit.

use identify::ModelError;
use scenario::input::InputError;

/// Names of the coordinates.
pub(super) const AXES: [&str; 2] = ["x", "y"];

/// Map between places of the scenario and those in the table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// m per unit of the table.
    pub scale: f64,
    /// Place of the scenario's origin in the table, in the unit of the table.
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

    /// Converts a difference of places from the unit of the table to m.
    pub fn length(&self, axis: usize, shown: f64) -> f64 {
        self.sign(axis) * shown * self.scale
    }

    /// Converts a coordinate from m to the unit of the table.
    pub fn shown(&self, axis: usize, place: f64) -> f64 {
        self.origin[axis] + self.sign(axis) * place / self.scale
    }

    /// Converts a coordinate from the unit of the table to m.
    pub fn place(&self, axis: usize, shown: f64) -> f64 {
        self.length(axis, shown - self.origin[axis])
    }
}

/// Options of a fit.
pub struct FitPlan<'a> {
    /// Map between places of the scenario and those of the table.
    pub view: View,
    /// Start of the scale if it is free; `Some(None)`: suggested by the run; `None`: the scale is fixed.
    pub scale: Option<Option<f64>>,
    /// Whether the camera's terms are free, too.
    pub camera: bool,
    /// Huber's k in standard deviations; `None`: squares.
    pub huber: Option<f64>,
    /// Called with the number of runs made.
    pub progress: &'a (dyn Fn(u64) + Sync),
}

/// Reason why there is no fit.
#[derive(Debug, thiserror::Error)]
pub enum FitError {
    /// Invalid input.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The scenario's run stopped.
    #[error("the run can't be held against the table: {0}")]
    Run(Box<RunError>),
}

/// Reason why a scenario has no run with some parameters.
pub(super) type RunError = ModelError<InputError>;
