//! What residuals beyond the noise are: none, rows that scatter, those of a camera, something small, or another model.
//!
//! What a model lacks moves the ball, and so all rows beside each other alike. Rows that are off one by one say nothing of it.

use identify::{Bounds, Evaluation, Loss, Solution, Solver};
use nalgebra::DMatrix;

use super::camera::{self, Camera};
use super::judge::{self, Axis};
use super::observation::ObservationModel;
use super::search::Search;

/// Residuals of so many times the table's noise are no noise.
pub(super) const MISFIT: f64 = 2.0;

/// Residuals below this part of the extent are small, if beyond the noise.
pub const SMALL: f64 = 0.02;

/// What residuals say of the model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Verdict {
    /// They are noise: not beyond that of the table, and neighbours do not hang together.
    Noise,
    /// They are beyond it, and so are neighbours from each other, without hanging together: rows are off one by one.
    Scatter,
    /// They would be noise if the camera did what cameras do.
    Camera {
        /// What the numbers of `camera::TERMS` would be: parts of the half extent, or rad.
        terms: [f64; camera::COUNT],
    },
    /// The camera was sought, and would have done what none does.
    Beyond {
        /// The number of the camera.
        key: &'static str,
        /// How many times what it may be it is.
        widths: f64,
    },
    /// They are no noise, and small beside all that was seen.
    Small,
    /// They are neither.
    Wrong,
}

impl Verdict {
    /// Whether the numbers found mean little.
    pub fn is_alarm(self) -> bool {
        matches!(self, Verdict::Wrong | Verdict::Beyond { .. })
    }

    /// For files.
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

/// Of a solution; `part`: root mean square over the extent.
pub(super) fn verdict(search: &Search, at: &Solution, is_misfit: bool, axes: &[Option<Axis>; 2], part: f64) -> Verdict {
    if let Some((key, widths)) = camera::beyond(search.observation.terms(&at.parameters)) {
        return Verdict::Beyond { key, widths };
    }
    let coloured = judge::is_coloured(axes);
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

/// What the camera would have done, by the derivatives at a solution without one, if cameras do that and what is left is noise.
fn by_camera(search: &Search, at: &Solution) -> Option<[f64; camera::COUNT]> {
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
        let sigma = observation.sigma(*i, *axis);
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
    let terms: [f64; camera::COUNT] = solution.parameters.get(count..)?.try_into().ok()?;
    let axes = judge::axes(observation, observation.view, &left.residuals, 0.0, false);
    let noise = search.times_noise(&left) <= MISFIT && !judge::is_coloured(&axes);
    (noise && camera::beyond(&terms).is_none()).then_some(terms)
}
