//! A fit: the numbers found, their errors, and the residuals.

use identify::{ParameterRange, Statistics};
use scenario::Scenario;

use super::data::FilmRow;
use super::plan::View;
use super::profile::IntervalEnd;
use super::residual_noise::Colour;
use super::residuals::{CoordinateResiduals, Outlier};
use super::stages::By;
use super::verdict::{MISFIT, Verdict};

/// A number found.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Key of the number; `data.scale` for the scale.
    pub key: String,
    /// Value from which the search began.
    pub start: f64,
    /// Value found.
    pub estimate: f64,
    /// Standard deviation of that, by the curvature; ∞ if the data have only an opinion on one side of it.
    pub standard_error: f64,
    /// 95 % interval; infinite where nothing ends it.
    pub interval: [f64; 2],
    /// Criterion that sets each end of the interval.
    pub ends: [IntervalEnd; 2],
    /// ParameterRange of the number.
    pub bounds: ParameterRange,
    /// Whether it ended at one of them.
    pub held: bool,
}

/// A row beside the run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fitted {
    /// The row.
    pub row: FilmRow,
    /// The run's place there, in the unit of the table.
    pub model: [f64; 2],
    /// Weight of each coordinate, 0 … 1; NaN: not seen.
    pub weight: [f64; 2],
}

/// The numbers found, their errors, and how the run is beside the table.
#[derive(Debug)]
pub struct Fit {
    /// Numbers in the order asked for, the scale last.
    pub parameters: Vec<Parameter>,
    /// Degrees of freedom, correlation.
    pub statistics: Statistics,
    /// The rows beside the run.
    pub rows: Vec<Fitted>,
    /// The run between rows, too: time since the start (s) and place (m).
    pub path: Vec<(f64, [f64; 2])>,
    /// Residuals of x and y; `None`: not seen.
    pub axes: [Option<CoordinateResiduals>; 2],
    /// Rows far from the run.
    pub outliers: Vec<Outlier>,
    /// Verdict of the residuals on the model.
    pub verdict: Verdict,
    /// Root mean square of residuals, m.
    pub rms: f64,
    /// The root mean square over the larger side of the box around all places; with a robust loss without outliers.
    pub part: f64,
    /// Correlation of residuals, or noise of each axis by itself: errors and intervals count that.
    pub colour: Option<Colour>,
    /// Noise of x and of y that residuals were weighed by, in units of sigma; their ratio counts.
    pub weighed_by: [f64; 2],
    /// `Σ (r/σ)²`, if sigmas were given.
    pub chi_square: Option<f64>,
    /// Huber's bound in standard deviations; `None`: squares.
    pub huber: Option<f64>,
    /// Search that found it.
    pub found: By,
    /// Number of starts tried.
    pub starts: usize,
    /// Whether the solver came to its end.
    pub converged: bool,
    /// Whether a tenth of the residuals is beyond three times the table's own noise.
    pub poor: bool,
    /// The size that a tenth of the residuals is beyond, over that of the table's own noise.
    pub times_noise: f64,
    /// The table's own noise, by differences of neighbours, in sigmas.
    pub noise: Option<f64>,
    /// Places in the table.
    pub view: View,
    /// The scenario at the estimates.
    pub scenario: Scenario,
    /// `KEY=VALUE` settings that make it.
    pub settings: Vec<String>,
}

impl Fit {
    /// Whether residuals are no noise.
    pub fn is_misfit(&self) -> bool {
        self.verdict != Verdict::Noise
    }
}

/// Whether residuals are far beyond the noise of neighbouring rows, or beyond the sigmas where rows are too few to tell.
pub(super) fn is_misfit(times: f64, noise: Option<f64>, chi_square: Option<f64>, freedom: usize) -> bool {
    let beyond = |chi: f64| chi > MISFIT.powi(2) * freedom as f64;
    times > MISFIT || noise.is_none() && chi_square.is_some_and(beyond)
}

/// The unit in which residuals are drawn: how many of it are 1 m, and its name.
pub(super) fn drawn_unit(rms: f64) -> (f64, &'static str) {
    if rms < 1.0 { (1e3, "mm") } else { (1.0, "m") }
}
