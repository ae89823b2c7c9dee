//! Verdict on a fit by its residuals: noise, scattered rows, the camera's distortion, a small misfit, a wrong model.
//!
//! An effect that the model lacks moves the ball, and so neighbouring rows alike. Rows scattered one by one are no sign
//! of it.

use identify::{Loss, Solution};

use super::camera;
use super::residuals::{self, CoordinateResiduals};
use super::several_starts::FitSearch;

/// Residuals beyond this many times the table's noise are a misfit.
pub(super) const MISFIT: f64 = 2.0;

/// A misfit is small if residuals are below this part of the table's extent.
pub const SMALL: f64 = 0.02;

/// Least correlation of neighbouring residuals that are off together, whatever their number.
const SCATTERED: f64 = 0.5;

/// Kind of the residuals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Verdict {
    /// Noise: not beyond that of the table, and uncorrelated.
    Noise,
    /// Beyond the noise, but uncorrelated: rows are scattered one by one.
    Scatter,
    /// Explained by a distortion usual for cameras.
    Camera {
        /// Values of `camera::TERMS`: parts of the half extent, or rad.
        terms: [f64; camera::COUNT],
    },
    /// The camera's terms were fitted and are larger than those of any camera.
    Beyond {
        /// Name of the largest term.
        key: &'static str,
        /// Its size in standard deviations.
        widths: f64,
    },
    /// Beyond the noise, but small compared with the table's extent.
    Small,
    /// A wrong model: neither noise nor small.
    Wrong,
}

impl Verdict {
    /// Whether the numbers found are unreliable.
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
    if !coloured && axes.iter().flatten().all(|axis| axis.lag1 < SCATTERED) {
        return Verdict::Scatter;
    }
    if let Some(terms) = by_camera(search, at) {
        return Verdict::Camera { terms };
    }
    if part <= SMALL { Verdict::Small } else { Verdict::Wrong }
}

/// Terms of the camera that explain the residuals of a solution without one: they are of usual size, and leave noise.
fn by_camera(search: &FitSearch, at: &Solution) -> Option<[f64; camera::COUNT]> {
    if search.observation.camera.is_some() || search.loss != Loss::Squares {
        return None;
    }
    let with = search.with_camera()?;
    let solution = with.direct(&[&at.parameters[..], &[0.0; camera::COUNT]].concat()).ok()?;
    let observation = &with.observation;
    let terms: [f64; camera::COUNT] = observation.terms(&solution.parameters).try_into().ok()?;
    let left = &solution.evaluation.residuals[..observation.seen.len()];
    let axes = residuals::SeenResiduals::of(observation, observation.view, left, 0.0).axes(false);
    let is_noise = search.times_noise(left) <= MISFIT && !residuals::is_coloured(&axes);
    (is_noise && camera::beyond(&terms).is_none()).then_some(terms)
}
