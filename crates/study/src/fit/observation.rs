//! A run as a table would show it.

use std::sync::atomic::{AtomicU64, Ordering};

use identify::{Evaluation, Model, Observation, Runs, observe};
use nalgebra::DMatrix;
use scenario::input::InputError;
use scenario::unknowns::Unknowns;
use supervisor::Watching;

use super::plan::{Plan, Progress, RunError, View};
use super::table::Data;

/// What is held against each other: a table, and runs of a scenario. Parameters are its unknowns, then the scale if it is
/// free.
pub(super) struct ObservationModel<'a> {
    pub unknowns: &'a Unknowns,
    pub data: &'a Data,
    pub view: View,
    pub scale_free: bool,
    /// Coordinates seen: index of the row, axis.
    pub seen: Vec<(usize, usize)>,
    times: Vec<f64>,
    runs: Runs,
    /// Runs made.
    made: AtomicU64,
    progress: &'a (dyn Fn(Progress) + Sync),
}

/// Tolerance of runs; sensitivities are integrated to rounding in any case.
pub(super) const TOLERANCE: f64 = 1e-10;
/// Points of a drawn run, if there are not more rows.
const DRAWN: usize = 4000;
/// Events and steps of one run: some parameters that are tried make the ball bounce on and on, or the
/// force stiff.
const LIMIT: u64 = 30_000;

impl<'a> ObservationModel<'a> {
    pub fn new(unknowns: &'a Unknowns, data: &'a Data, plan: &Plan<'a>) -> Self {
        let mut options = unknowns.written().options();
        options.limit = Some(options.limit.unwrap_or(LIMIT).min(LIMIT));
        let seen = data.seen().map(|(i, axis, _)| (i, axis)).collect();
        let times = data.rows.iter().map(|row| row.time).collect();
        let runs = Runs { options, tolerance: TOLERANCE, watching: Watching::default() };
        let (view, scale_free, progress) = (plan.view, plan.scale.is_some(), plan.progress);
        ObservationModel { unknowns, data, view, scale_free, seen, times, runs, made: AtomicU64::new(0), progress }
    }

    /// Of runs to the last row.
    pub fn options(&self) -> supervisor::Options {
        supervisor::Options { duration: self.data.end(), ..self.runs.options }
    }

    /// When runs start, s.
    pub fn begin(&self) -> f64 {
        self.unknowns.written().start.time()
    }

    /// How many parameters.
    pub fn count(&self) -> usize {
        self.unknowns.list().len() + usize::from(self.scale_free)
    }

    /// The view at some values.
    pub fn view_at(&self, values: &[f64]) -> View {
        match values.last() {
            Some(scale) if self.scale_free => View { scale: *scale, ..self.view },
            _ => self.view,
        }
    }

    /// What was seen, in the order of `seen`.
    pub fn shown(&self) -> Vec<f64> {
        self.data.seen().map(|(.., value)| value).collect()
    }

    /// Coordinates seen after the start in the first part (0 … 1) of the time.
    pub fn seen_until(&self, part: f64) -> usize {
        let end = part * self.data.end();
        self.seen.iter().filter(|(i, _)| 0.0 < self.times[*i] && self.times[*i] <= end).count()
    }

    fn build(&self, values: &[f64]) -> Result<Model, InputError> {
        self.unknowns.model(values)
    }

    /// The run, at the first rows.
    pub fn observe(&self, rows: usize, values: &[f64]) -> Result<Vec<Observation>, RunError> {
        let count = self.unknowns.list().len();
        let found = observe(&self.times[..rows], &values[..count], |values| self.build(values), &self.runs);
        self.count_run();
        found
    }

    /// The run between rows, too: time since the start, s, and place, m.
    pub fn path(&self, values: &[f64]) -> Vec<(f64, [f64; 2])> {
        let parts = (DRAWN / self.times.len().max(1)).clamp(1, 8);
        let pairs = self.times.windows(2);
        let mut times: Vec<f64> = pairs
            .flat_map(|pair| (0..parts).map(|i| pair[0] + (pair[1] - pair[0]) * i as f64 / parts as f64))
            .collect();
        times.push(self.data.end());
        let samples = observe(&times, &[], |_: &[f64]| self.build(values), &self.runs).unwrap_or_default();
        samples.iter().map(|sample| (sample.time, [sample.state[0], sample.state[1]])).collect()
    }

    fn count_run(&self) {
        let before = self.made.fetch_add(1, Ordering::Relaxed);
        (self.progress)(Progress::Runs(before + 1));
    }

    /// Model less `shown` over sigma, for the first part (0 … 1) of the time, and derivatives.
    pub fn evaluate(&self, shown: &[f64], part: f64, values: &[f64]) -> Result<Evaluation, RunError> {
        let rows = self.times.partition_point(|t| *t <= part * self.data.end());
        let samples = self.observe(rows, values)?;
        let view = self.view_at(values);
        let seen: Vec<(usize, usize, f64)> = self
            .seen
            .iter()
            .zip(shown)
            .map(|((i, axis), value)| (*i, *axis, *value))
            .take_while(|(i, ..)| *i < samples.len())
            .collect();
        let residual = |(i, axis, value): &(usize, usize, f64)| {
            (view.shown(*axis, samples[*i].state[*axis]) - value) / self.data.rows[*i].sigma
        };
        let residuals = seen.iter().map(residual).collect();
        let unknowns = self.unknowns.list().len();
        let jacobian = DMatrix::from_fn(seen.len(), values.len(), |row, j| {
            let (i, axis, _) = seen[row];
            let by = if j < unknowns { samples[i].by[j][axis] } else { -samples[i].state[axis] / view.scale };
            view.sign(axis) * by / (view.scale * self.data.rows[i].sigma)
        });
        Ok(Evaluation { residuals, jacobian })
    }

    /// The same without derivatives, of the whole table.
    pub fn residuals(&self, shown: &[f64], values: &[f64]) -> Option<Vec<f64>> {
        let scenario = || self.build(values);
        let samples = observe(&self.times, &[], |_: &[f64]| scenario(), &self.runs).ok();
        self.count_run();
        let samples = samples?;
        let view = self.view_at(values);
        let residual = |((i, axis), value): (&(usize, usize), &f64)| {
            let state = samples.get(*i)?.state[*axis];
            Some((view.shown(*axis, state) - value) / self.data.rows[*i].sigma)
        };
        self.seen.iter().zip(shown).map(residual).collect()
    }
}
