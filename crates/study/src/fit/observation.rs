//! [`ObservationModel`]: the places of a run as the table would show them, and their residuals.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use identify::{Evaluation, Observation, RunSettings, observe};
use nalgebra::DMatrix;
use scenario::unknowns::Unknowns;
use supervisor::Watching;

use super::camera::{self, Camera};
use super::data::Data;
use super::fit_options::{FitPlan, RunError, View};
use super::residual_noise::{Colour, SeenAt};

/// Key of the scale in the list of parameters.
pub(super) const SCALE: &str = "data.scale";

/// Compares a table with runs of a scenario. Parameters are the unknowns, then the scale if it is free, then the
/// terms of the camera, each of which adds a residual behind those of the table.
#[derive(Clone)]
pub(super) struct ObservationModel<'a> {
    pub unknowns: &'a Unknowns,
    pub data: &'a Data,
    pub view: View,
    pub scale_free: bool,
    /// Camera whose terms are free, too; `None`: no camera.
    pub camera: Option<Camera>,
    /// Standard deviation of a residual, by which the camera's rows are scaled.
    pub deviation: f64,
    /// Noise of each axis over that of the less noisy one; residuals are divided by sigma and by this.
    pub apart: [f64; 2],
    /// Correlation by which residuals are whitened; `None`: they are not.
    pub colour: Option<Colour>,
    /// Measured coordinates: index of the row, axis.
    pub seen: Vec<(usize, usize)>,
    times: Vec<f64>,
    runs: RunSettings,
    /// Number of runs made.
    made: Arc<AtomicU64>,
    progress: &'a (dyn Fn(u64) + Sync),
}

/// Tolerance of runs; sensitivities are integrated to rounding in any case.
pub(super) const TOLERANCE: f64 = 1e-10;
/// Least number of points of a drawn run.
const DRAWN: usize = 4000;
/// Maximum number of events and of steps of one run: some parameters tried make the ball bounce endlessly, or the
/// force stiff.
const LIMIT: u64 = 30_000;

impl<'a> ObservationModel<'a> {
    pub fn new(unknowns: &'a Unknowns, data: &'a Data, plan: &FitPlan<'a>) -> Self {
        let mut options = unknowns.written().options();
        options.limit = Some(options.limit.unwrap_or(LIMIT).min(LIMIT));
        let model = ObservationModel {
            unknowns,
            data,
            view: plan.view,
            scale_free: plan.scale.is_some(),
            camera: if plan.camera { Camera::of(data) } else { None },
            deviation: 1.0,
            apart: [1.0; 2],
            colour: None,
            seen: Vec::new(),
            times: Vec::new(),
            runs: RunSettings { options, tolerance: TOLERANCE, watching: Watching::default() },
            made: Arc::default(),
            progress: plan.progress,
        };
        model.of(data)
    }

    /// This model for other rows of the table.
    pub fn of(&self, data: &'a Data) -> Self {
        let seen = data.seen().map(|(i, axis, _)| (i, axis)).collect();
        ObservationModel { data, seen, times: data.rows.iter().map(|row| row.time).collect(), ..self.clone() }
    }

    /// Length of a residual of 1, in the unit of the table.
    pub fn sigma(&self, row: usize, axis: usize) -> f64 {
        self.data.rows[row].sigma * self.apart[axis]
    }

    /// Root mean square of the places' derivatives by parameter `j`, in the unit of the table.
    pub fn moves(&self, at: &Evaluation, j: usize) -> f64 {
        let column = at.jacobian.column(j);
        let squares = column.iter().zip(&self.seen).map(|(by, (i, axis))| (by * self.sigma(*i, *axis)).powi(2));
        (squares.sum::<f64>() / column.len().max(1) as f64).sqrt()
    }

    /// Axis and time of each measured coordinate.
    pub fn places(&self) -> Vec<SeenAt> {
        self.seen.iter().map(|(i, axis)| (*axis, self.times[*i])).collect()
    }

    /// Number of parameters asked for: all but the camera's.
    pub fn asked(&self) -> usize {
        self.unknowns.list().len() + usize::from(self.scale_free)
    }

    /// Name of a parameter.
    pub fn key(&self, j: usize) -> &str {
        match self.unknowns.list().get(j) {
            Some(unknown) => &unknown.key,
            None if j < self.asked() => SCALE,
            None => camera::TERMS.get(j - self.asked()).map_or("", |(key, _)| key),
        }
    }

    /// Map to the table's places with these parameters.
    pub fn view_at(&self, values: &[f64]) -> View {
        match values.get(self.unknowns.list().len()) {
            Some(scale) if self.scale_free => View { scale: *scale, ..self.view },
            _ => self.view,
        }
    }

    /// The camera's terms among the parameters; empty: no camera.
    pub fn terms<'v>(&self, values: &'v [f64]) -> &'v [f64] {
        values.get(self.asked()..).unwrap_or(&[])
    }

    /// Number of coordinates measured in the first part (0 … 1) of the time.
    pub fn count_until(&self, part: f64) -> usize {
        let end = part * self.data.end();
        self.seen.iter().filter(|(i, _)| 0.0 < self.times[*i] && self.times[*i] <= end).count()
    }

    /// States of the run at the times of the first rows.
    pub fn observe(&self, rows: usize, values: &[f64]) -> Result<Vec<Observation>, RunError> {
        let count = self.unknowns.list().len();
        let found = observe(&self.times[..rows], &values[..count], |values| self.unknowns.model(values), &self.runs);
        self.count_run();
        found
    }

    /// The run at many times: time since the start (s) and place (m).
    pub fn path(&self, values: &[f64]) -> Vec<(f64, [f64; 2])> {
        let parts = (DRAWN / self.times.len().max(1)).clamp(1, 8);
        let pairs = self.times.windows(2);
        let mut times: Vec<f64> = pairs
            .flat_map(|pair| (0..parts).map(|i| pair[0] + (pair[1] - pair[0]) * i as f64 / parts as f64))
            .collect();
        times.push(self.data.end());
        let samples = observe(&times, &[], |_: &[f64]| self.unknowns.model(values), &self.runs).unwrap_or_default();
        samples.iter().map(|sample| (sample.time, [sample.state[0], sample.state[1]])).collect()
    }

    fn count_run(&self) {
        let before = self.made.fetch_add(1, Ordering::Relaxed);
        (self.progress)(before + 1);
    }

    /// Residuals (model − measured)/sigma at the first rows, then those of the camera.
    fn against(&self, values: &[f64], samples: &[Observation]) -> Vec<f64> {
        let (view, terms) = (self.view_at(values), self.terms(values));
        let seen = self.seen.iter().take_while(|(i, _)| *i < samples.len());
        let residual = |(i, axis): &(usize, usize)| {
            let place = [0, 1].map(|axis| view.shown(axis, samples[*i].state[axis]));
            let off = self.camera.map_or(0.0, |camera| camera.off(terms, place, *axis));
            (place[*axis] + off - self.data.rows[*i].place[*axis]) / self.sigma(*i, *axis)
        };
        let camera = terms.iter().zip(camera::TERMS).map(|(term, (_, width))| self.deviation * term / width);
        seen.map(residual).chain(camera).collect()
    }

    /// Whitens the residuals, if wanted; `terms`: number of the camera's rows behind those of the table.
    fn white(&self, raw: Evaluation, terms: usize) -> Evaluation {
        let Some(colour) = self.colour else { return raw };
        colour.whitened(&raw, &self.places()[..raw.residuals.len() - terms])
    }

    /// Residuals (model − measured)/sigma in the first part (0 … 1) of the time, then the camera's; with derivatives.
    pub fn evaluate(&self, part: f64, values: &[f64]) -> Result<Evaluation, RunError> {
        let rows = self.times.partition_point(|t| *t <= part * self.data.end());
        let samples = self.observe(rows, values)?;
        let residuals = self.against(values, &samples);
        let (view, unknowns, asked) = (self.view_at(values), self.unknowns.list().len(), self.asked());
        let terms = self.terms(values);
        let count = residuals.len() - terms.len();
        let mut jacobian = DMatrix::zeros(residuals.len(), values.len());
        for (row, (i, axis)) in self.seen.iter().copied().enumerate().take(count) {
            let (sample, sigma) = (&samples[i], self.sigma(i, axis));
            let place = [0, 1].map(|axis| view.shown(axis, sample.state[axis]));
            let bent = self.camera.map(|camera| (camera.slopes(terms, place, axis), camera.moves(place, axis)));
            for j in 0..asked {
                let by = |axis: usize| {
                    let by = if j < unknowns { sample.by[j][axis] } else { -sample.state[axis] / view.scale };
                    view.sign(axis) * by / view.scale
                };
                let through = bent.map_or(0.0, |([x, y], _)| x * by(0) + y * by(1));
                jacobian[(row, j)] = (by(axis) + through) / sigma;
            }
            for (k, moved) in bent.iter().flat_map(|(_, moves)| moves.iter().enumerate()) {
                jacobian[(row, asked + k)] = moved / sigma;
            }
        }
        for (k, (_, width)) in camera::TERMS.iter().enumerate().take(terms.len()) {
            jacobian[(count + k, asked + k)] = self.deviation / width;
        }
        Ok(self.white(Evaluation { residuals, jacobian }, terms.len()))
    }

    /// Residuals of the whole table without derivatives; `None`: no run.
    pub fn residuals(&self, values: &[f64]) -> Option<Vec<f64>> {
        let samples = observe(&self.times, &[], |_: &[f64]| self.unknowns.model(values), &self.runs).ok();
        self.count_run();
        let samples = samples.filter(|samples| samples.len() == self.times.len())?;
        let residuals = self.against(values, &samples);
        let jacobian = DMatrix::zeros(residuals.len(), 0);
        Some(self.white(Evaluation { residuals, jacobian }, self.terms(values).len()).residuals)
    }
}
