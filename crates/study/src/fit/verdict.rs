//! What residuals beyond the noise are: none, those of a camera, something small, or another model.

use identify::{Bounds, Evaluation, Loss, Solution, Solver};
use nalgebra::DMatrix;

use super::camera::{self, Camera};
use super::observation::ObservationModel;
use super::search::Search;

/// Residuals of so many times the table's noise are no noise.
pub(super) const MISFIT: f64 = 2.0;

/// Residuals below this part of the extent are small, if beyond the noise.
pub const SMALL: f64 = 0.02;

/// What residuals say of the model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Verdict {
    /// They are noise.
    Noise,
    /// They are beyond it, and within twice of it if the camera did this.
    Camera {
        /// What the numbers of `camera::TERMS` would be: parts of the half extent, or rad.
        terms: [f64; camera::COUNT],
    },
    /// They are beyond it, and small beside all that was seen.
    Small,
    /// They are neither.
    Wrong,
}

impl Verdict {
    /// For files.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Noise => "noise",
            Verdict::Camera { .. } => "camera",
            Verdict::Small => "small",
            Verdict::Wrong => "wrong",
        }
    }
}

/// Of a solution; `part`: root mean square over the extent.
pub(super) fn verdict(search: &Search, at: &Solution, is_misfit: bool, part: f64) -> Verdict {
    if !is_misfit {
        return Verdict::Noise;
    }
    if let Some((terms, times)) = by_camera(search, at)
        && times <= MISFIT
    {
        return Verdict::Camera { terms };
    }
    if part <= SMALL { Verdict::Small } else { Verdict::Wrong }
}

/// What the camera would have done, by the derivatives at a solution without one, and the residuals over the noise that are left.
fn by_camera(search: &Search, at: &Solution) -> Option<([f64; camera::COUNT], f64)> {
    let observation: &ObservationModel = search.observation;
    if observation.camera.is_some() || search.loss != Loss::Squares {
        return None;
    }
    let camera = Camera::of(observation.data.seen().map(|(_, axis, value)| (axis, value)))?;
    let (rows, count) = at.evaluation.jacobian.shape();
    let mut place = vec![[f64::NAN; 2]; observation.data.rows.len()];
    let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    for ((i, axis), value) in observation.seen.iter().zip(search.shown) {
        place[*i][*axis] = *value;
        (low[*axis], high[*axis]) = (low[*axis].min(*value), high[*axis].max(*value));
    }
    let middle = |axis: usize| if low[axis] <= high[axis] { 0.5 * (low[axis] + high[axis]) } else { 0.0 };
    let place = |i: usize| [0, 1].map(|axis| if place[i][axis].is_nan() { middle(axis) } else { place[i][axis] });
    let known = search.noise;
    let mut jacobian = DMatrix::zeros(rows + camera::COUNT, count + camera::COUNT);
    jacobian.view_mut((0, 0), (rows, count)).copy_from(&at.evaluation.jacobian);
    for (row, (i, axis)) in observation.seen.iter().enumerate() {
        let sigma = observation.data.rows[*i].sigma;
        for (k, moved) in camera.moves(place(*i), *axis).iter().enumerate() {
            jacobian[(row, count + k)] = moved / sigma;
        }
    }
    for (k, (_, width)) in camera::TERMS.iter().enumerate() {
        jacobian[(rows + k, count + k)] = known / width;
    }
    let linear = |values: &[f64]| -> Result<Evaluation, std::convert::Infallible> {
        let mut residuals = at.evaluation.residuals.clone();
        residuals.resize(rows + camera::COUNT, 0.0);
        for (i, residual) in residuals.iter_mut().enumerate() {
            *residual += (0..values.len()).map(|k| jacobian[(i, k)] * values[k]).sum::<f64>();
        }
        Ok(Evaluation { residuals, jacobian: jacobian.clone() })
    };
    let solver = Solver {
        bounds: vec![Bounds::NONE; count + camera::COUNT],
        loss: Loss::Squares,
        evaluations: 20,
        tolerance: 1e-10,
    };
    let solution = solver.solve(&vec![0.0; count + camera::COUNT], linear).ok()?;
    let left =
        Evaluation { residuals: solution.evaluation.residuals[..rows].to_vec(), jacobian: DMatrix::zeros(rows, 0) };
    let terms = solution.parameters.get(count..)?.try_into().ok()?;
    Some((terms, search.times_noise(&left)))
}
