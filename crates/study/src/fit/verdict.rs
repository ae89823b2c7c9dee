//! Verdict on residuals beyond the noise: none, rows that scatter, those of a camera, something small, or another model.
//!
//! What a model lacks moves the ball, and so all rows beside each other alike. Rows that are off one by one say nothing of it.

use identify::{Evaluation, Loss, ParameterRange, Solution};
use nalgebra::DMatrix;

use super::camera;
use super::residuals::{self, CoordinateResiduals};
use super::search::FitSearch;

/// Residuals of so many times the table's noise are no noise.
pub(super) const MISFIT: f64 = 2.0;

/// Residuals below this part of the extent are small, if beyond the noise.
pub const SMALL: f64 = 0.02;

/// Kind of the residuals, and so what they say of the model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Verdict {
    /// Noise: not beyond that of the table, and neighbours do not hang together.
    Noise,
    /// Beyond the noise, and so are neighbours from each other, without hanging together: rows are off one by one.
    Scatter,
    /// They would be noise if the camera did what cameras do.
    Camera {
        /// Values that the numbers of `camera::TERMS` would have: parts of the half extent, or rad.
        terms: [f64; camera::COUNT],
    },
    /// The camera was sought, and would have done what none does.
    Beyond {
        /// The number of the camera.
        key: &'static str,
        /// Size of that number over the width that it may have.
        widths: f64,
    },
    /// No noise, and small beside all that was seen.
    Small,
    /// Neither noise nor small.
    Wrong,
}

impl Verdict {
    /// Whether the numbers found mean little.
    pub fn is_alarm(self) -> bool {
        matches!(self, Verdict::Wrong | Verdict::Beyond { .. })
    }

    /// Name of the verdict in files.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Noise => "noise",
            Verdict::Scatter => "scatter",
            Verdict::Camera { .. } => "camera",
            Verdict::Beyond { .. } => "beyond-camera",
            Verdict::Small => "small",
            Verdict::Wrong => "wrong",
        }
    }
}

/// Judges a solution; `part`: root mean square over the extent.
pub(super) fn verdict(
    search: &FitSearch,
    at: &Solution,
    is_misfit: bool,
    axes: &[Option<CoordinateResiduals>; 2],
    part: f64,
) -> Verdict {
    if let Some((key, widths)) = camera::beyond(search.observation.terms(&at.parameters)) {
        return Verdict::Beyond { key, widths };
    }
    let coloured = residuals::is_coloured(axes);
    if !is_misfit && !coloured {
        return Verdict::Noise;
    }
    if !coloured && search.times_neighbours(&at.evaluation) <= MISFIT {
        return Verdict::Scatter;
    }
    if let Some(terms) = by_camera(search, at) {
        return Verdict::Camera { terms };
    }
    if part <= SMALL { Verdict::Small } else { Verdict::Wrong }
}

/// Numbers of the camera with which it explains a solution without one: cameras do that, and what is left is noise.
fn by_camera(search: &FitSearch, at: &Solution) -> Option<[f64; camera::COUNT]> {
    if search.observation.camera.is_some() || search.loss != Loss::Squares {
        return None;
    }
    let observation = &search.observation.with_camera(search.noise)?;
    let bounds = [&search.bounds[..], &[ParameterRange::NONE; camera::COUNT]].concat();
    let sizes = [&search.sizes[..], &[1.0; camera::COUNT]].concat();
    let with = FitSearch { observation, bounds, sizes, ..search.clone() };
    let solution = with.direct(&[&at.parameters[..], &[0.0; camera::COUNT]].concat()).ok()?;
    let terms: [f64; camera::COUNT] = observation.terms(&solution.parameters).try_into().ok()?;
    let residuals = solution.evaluation.residuals[..observation.seen.len()].to_vec();
    let axes = residuals::SeenResiduals::of(observation, observation.view, &residuals, 0.0).axes(false);
    let left = Evaluation { jacobian: DMatrix::zeros(residuals.len(), 0), residuals };
    let is_noise = search.times_noise(&left) <= MISFIT && !residuals::is_coloured(&axes);
    (is_noise && camera::beyond(&terms).is_none()).then_some(terms)
}
