//! [`Fit`]: the numbers found, their errors, and the residuals.

use identify::{ParameterRange, Statistics};
use scenario::Scenario;

use super::data::FilmRow;
use super::fit_options::View;
use super::profile::IntervalEnd;
use super::residual_noise::Colour;
use super::residuals::{CoordinateResiduals, Outlier};
use super::verdict::Verdict;

/// A number found, with its error.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Key of the number; `data.scale` for the scale.
    pub key: String,
    /// Value at the start of the search.
    pub start: f64,
    /// Value found.
    pub estimate: f64,
    /// Its standard error by the curvature; ∞ if the data bound the number on one side only.
    pub standard_error: f64,
    /// 95 % interval; infinite where the data set no end.
    pub interval: [f64; 2],
    /// Criterion that sets each end of the interval.
    pub ends: [IntervalEnd; 2],
    /// Range of the number.
    pub bounds: ParameterRange,
    /// Whether it ended at a bound of the range.
    pub held: bool,
}

/// A row with the run's place at its time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fitted {
    /// The row.
    pub row: FilmRow,
    /// Place of the run, in the unit of the table.
    pub model: [f64; 2],
    /// Weight of each coordinate, 0 … 1; NaN: not measured.
    pub weight: [f64; 2],
}

/// Result of a fit: numbers with errors, residuals and the verdict on them.
#[derive(Debug)]
pub struct Fit {
    /// Numbers found, in the order asked for, the scale last.
    pub parameters: Vec<Parameter>,
    /// Degrees of freedom, correlation.
    pub statistics: Statistics,
    /// Rows with the run's places.
    pub rows: Vec<Fitted>,
    /// The run at many times: time since the start (s) and place (m).
    pub path: Vec<(f64, [f64; 2])>,
    /// Residuals of x and y; `None`: not measured.
    pub axes: [Option<CoordinateResiduals>; 2],
    /// Rows far from the run.
    pub outliers: Vec<Outlier>,
    /// Verdict of the residuals on the model.
    pub verdict: Verdict,
    /// Root mean square of residuals, m.
    pub rms: f64,
    /// Root mean square of residuals over the larger side of the places' bounding box; with a robust loss without
    /// outliers.
    pub part: f64,
    /// Correlated noise or different noise of the axes, which errors and intervals allow for; `None`: one white noise.
    pub colour: Option<Colour>,
    /// Noise of x and of y by which residuals were weighted, in units of sigma; only their ratio matters.
    pub weighed_by: [f64; 2],
    /// `Σ (r/σ)²`, if sigmas were given.
    pub chi_square: Option<f64>,
    /// Huber's bound in standard deviations; `None`: squares.
    pub huber: Option<f64>,
    /// Whether the solver converged.
    pub converged: bool,
    /// 90 % quantile of the residuals over that of the table's own noise.
    pub times_noise: f64,
    /// The table's own noise from differences of neighbouring rows, in sigmas.
    pub noise: Option<f64>,
    /// Map between places of the scenario and those of the table.
    pub view: View,
    /// The scenario at the estimates.
    pub scenario: Scenario,
    /// `KEY=VALUE` settings that change the given scenario to it.
    pub settings: Vec<String>,
}

impl Fit {
    /// Residuals of a coordinate, measured − modelled, in the unit in which they are drawn.
    pub(super) fn off(&self, axis: usize) -> Vec<f64> {
        let per_metre = drawn_unit(self.rms).0;
        let off = |row: &Fitted| per_metre * self.view.length(axis, row.row.place[axis] - row.model[axis]);
        self.rows.iter().map(off).collect()
    }

    /// Whether residuals are too large for noise.
    pub fn is_misfit(&self) -> bool {
        self.verdict != Verdict::Noise
    }
}

/// Unit in which residuals are drawn: number of units per metre, and name.
pub(super) fn drawn_unit(rms: f64) -> (f64, &'static str) {
    if rms < 1.0 { (1e3, "mm") } else { (1.0, "m") }
}
