//! [`FitSearch`]: solves the least squares from a start, and proposes other starts.

use std::ops::Range;

use identify::{Evaluation, Loss, ParameterRange, Solution, SolveError, Solver};

use super::camera;
use super::noise::Share;
use super::observation::ObservationModel;
use super::plan::RunError;
use super::residual_noise::Colour;
use super::robust::{Points, ShortArc};
use crate::halton::{PRIMES, halton};

/// A fit is poor if a tenth of its residuals exceeds this many times the table's own noise.
const POOR: f64 = 3.0;
/// Maximum number of runs of a stage.
pub(super) const EVALUATIONS: u32 = 100;
/// Relative spread of other start values.
const SPREAD: f64 = 0.3;
/// A search for the parameters of the best fit.
#[derive(Clone)]
pub(super) struct FitSearch<'a> {
    pub observation: ObservationModel<'a>,
    pub bounds: Vec<ParameterRange>,
    /// Large change of each parameter.
    pub sizes: Vec<f64>,
    /// Loss of residuals; Huber's bound in units of residuals.
    pub loss: Loss,
    /// Noise of the table over sigma.
    pub noise: f64,
    /// This search with fewer rows, if there are many.
    pub coarse: Option<Box<FitSearch<'a>>>,
}

impl FitSearch<'_> {
    pub fn solver(&self) -> Solver {
        Solver { bounds: self.bounds.clone(), loss: self.loss, evaluations: EVALUATIONS, tolerance: 1e-10 }
    }

    /// Changes the loss, that of the search with fewer rows, too.
    pub fn set_loss(&mut self, loss: Loss) {
        self.loss = loss;
        self.coarse.iter_mut().for_each(|coarse| coarse.set_loss(loss));
    }

    /// This search with whitened residuals.
    pub fn whitened(&self, colour: Colour) -> Self {
        let coarse = self.coarse.as_ref().map(|coarse| Box::new(coarse.whitened(colour)));
        let observation = self.observation.whitened(colour);
        FitSearch { observation, loss: Loss::Squares, noise: 1.0, coarse, ..self.clone() }
    }

    /// This search with free terms of the camera; `None`: all places are equal.
    pub fn with_camera(&self) -> Option<Self> {
        let observation = self.observation.with_camera(self.noise)?;
        let bounds = [&self.bounds[..], &[ParameterRange::NONE; camera::COUNT]].concat();
        let sizes = [&self.sizes[..], &[1.0; camera::COUNT]].concat();
        let coarse = self.coarse.as_ref().and_then(|coarse| coarse.with_camera()).map(Box::new);
        Some(FitSearch { observation, bounds, sizes, coarse, ..self.clone() })
    }

    /// Fits the whole table at once with this solver.
    pub fn by(&self, solver: &Solver, start: &[f64]) -> Result<Solution, SolveError<RunError>> {
        solver.solve(start, |values| self.observation.evaluate(1.0, values))
    }

    /// Fits the whole table at once, to the tolerance of [`FitSearch::solver`], from the fit of fewer rows from
    /// `start`.
    pub fn direct(&self, start: &[f64]) -> Result<Solution, SolveError<RunError>> {
        let near = self.coarse.as_ref().and_then(|coarse| coarse.direct(start).ok());
        self.by(&self.solver(), near.as_ref().map_or(start, |near| &near.parameters))
    }

    /// Sum of losses; ∞ without a run.
    pub fn cost(&self, values: &[f64]) -> f64 {
        let residuals = self.observation.residuals(values);
        residuals.map_or(f64::INFINITY, |residuals| residuals.iter().map(|r| self.loss.cost(*r)).sum())
    }

    /// Whether residuals are far beyond noise: the order of events is wrong, or the model.
    pub fn is_poor(&self, evaluation: &Evaluation) -> bool {
        self.is_beyond(POOR, evaluation)
    }

    pub fn is_beyond(&self, factor: f64, evaluation: &Evaluation) -> bool {
        !(self.times_noise(evaluation) <= factor)
    }

    /// 90 % quantile of absolute residuals over that of the table's own noise; with Huber's loss the 75 % quantile,
    /// since outliers are allowed for.
    pub fn times_noise(&self, evaluation: &Evaluation) -> f64 {
        let share = if self.loss == Loss::Squares { Share::TENTH } else { Share::QUARTER };
        let mut sizes: Vec<f64> = evaluation.residuals.iter().map(|r| r.abs()).collect();
        let beyond = share.of(&mut sizes).unwrap_or(0.0);
        if beyond == 0.0 { 0.0 } else { beyond / self.noise }
    }

    /// Other starts: number 0 is suggested by the first places, the others are spread about it and the given one
    /// (Halton's sequence).
    pub fn starts(&self, given: &[f64], numbers: Range<usize>) -> Vec<Vec<f64>> {
        let seen = self.seen_start(given);
        let spread = |i: usize| {
            let about = if i.is_multiple_of(2) { &seen } else { given };
            let moved = (0..given.len()).map(|j| {
                let part = halton(i as u32, PRIMES[j % PRIMES.len()]);
                let ParameterRange { lower, upper } = self.bounds[j];
                if lower.is_finite() && upper.is_finite() {
                    return lower + part * (upper - lower);
                }
                if lower.is_finite() && about[j] > lower {
                    return lower + 2.0 * part * (about[j] - lower);
                }
                let reach = if about[j] == 0.0 { 0.1 * self.sizes[j] } else { SPREAD * about[j].abs() };
                self.bounds[j].nearest(about[j] + reach * (2.0 * part - 1.0))
            });
            moved.collect::<Vec<f64>>()
        };
        numbers.map(|i| if i == 0 { seen.clone() } else { spread(i) }).collect()
    }

    /// The given start, with place and velocity from a parabola through the first rows.
    fn seen_start(&self, given: &[f64]) -> Vec<f64> {
        let mut start = given.to_vec();
        let (view, data) = (self.observation.view_at(given), self.observation.data);
        for (unknown, value) in self.observation.unknowns.list().iter().zip(&mut start) {
            let axis = match unknown.key.rsplit('.').next() {
                Some("x" | "0") => 0,
                Some("y" | "1") => 1,
                _ => continue,
            };
            let seen = data.seen().filter(|(_, a, _)| *a == axis).take(PARABOLA);
            let points: Points = seen.map(|(i, _, shown)| (data.rows[i].time, view.place(axis, shown))).collect();
            let Some(ShortArc { middle, place, velocity, acceleration, .. }) = ShortArc::of(&points) else { continue };
            *value = unknown.bounds.nearest(match (unknown.key.split('.').nth(1), unknown.rate()) {
                (Some("position"), Some(_)) => place - middle * (velocity - 0.5 * acceleration * middle),
                (Some("velocity"), Some(_)) => velocity - acceleration * middle,
                _ => continue,
            });
        }
        start
    }
}

/// Number of rows of this parabola.
const PARABOLA: usize = 7;
