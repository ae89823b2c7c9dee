//! [`FitSearch`]: fits growing parts of the table from the given start, then from other starts.

use std::ops::Range;

use identify::{Evaluation, Loss, ParameterRange, Solution, SolveError, Solver};
use rayon::prelude::*;

use super::camera::{self, Camera};
use super::effect::is_blind;
use super::fit_options::RunError;
use super::noise::Share;
use super::observation::ObservationModel;
use super::residual_noise::Colour;
use super::robust::{Points, ShortArc};
use super::verdict::SMALL;
use crate::halton::halton;

/// A fit is poor if a tenth of its residuals exceeds this many times the table's own noise: the order of events is
/// wrong, or the model.
const POOR: f64 = 3.0;
/// Residuals over noise beyond which other starts are tried.
const DOUBTFUL: f64 = 1.5;
/// Maximum number of runs of a stage from other starts.
const FEWER: u32 = 25;
/// Numbers of other starts after each round. A further round is made while the fit is poor, if the last one found a
/// better solution or, after the first, residuals are large.
const STARTS: [usize; 3] = [2, 12, 48];
/// A better solution has a cost less by this part.
const LESS: f64 = 0.01;
/// A number beyond this many times its start or size has diverged.
const FAR: f64 = 100.0;
/// Maximum number of runs of a stage.
const EVALUATIONS: u32 = 100;
/// Relative spread of other start values.
const SPREAD: f64 = 0.3;
/// Number of rows of the parabola that suggests a start.
const PARABOLA: usize = 7;

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
        let mut white = FitSearch { loss: Loss::Squares, noise: 1.0, coarse, ..self.clone() };
        (white.observation.colour, white.observation.deviation) = (Some(colour), 1.0);
        white
    }

    /// This search with free terms of the camera; `None`: all places are equal.
    pub fn with_camera(&self) -> Option<Self> {
        let mut observation = self.observation.clone();
        (observation.camera, observation.deviation) = (Some(Camera::of(observation.data)?), self.noise);
        let bounds = [&self.bounds[..], &[ParameterRange::NONE; camera::COUNT]].concat();
        let sizes = [&self.sizes[..], &[1.0; camera::COUNT]].concat();
        let coarse = self.coarse.as_ref().and_then(|coarse| coarse.with_camera()).map(Box::new);
        Some(FitSearch { observation, bounds, sizes, coarse, ..self.clone() })
    }

    /// Fits the whole table at once with this solver.
    pub fn by(&self, solver: &Solver, start: &[f64]) -> Result<Solution, SolveError<RunError>> {
        solver.solve(start, |values| self.observation.evaluate(1.0, values))
    }

    /// Fits the whole table at once, to the tolerance of [`FitSearch::solver`], from `start`'s fit of fewer rows.
    pub fn direct(&self, start: &[f64]) -> Result<Solution, SolveError<RunError>> {
        let near = self.coarse.as_ref().and_then(|coarse| coarse.direct(start).ok());
        self.by(&self.solver(), near.as_ref().map_or(start, |near| &near.parameters))
    }

    /// Sum of losses; ∞ without a run.
    pub fn cost(&self, values: &[f64]) -> f64 {
        let residuals = self.observation.residuals(values);
        residuals.map_or(f64::INFINITY, |residuals| residuals.iter().map(|r| self.loss.cost(*r)).sum())
    }

    /// Whether residuals exceed the table's own noise by more than a factor.
    pub fn is_beyond(&self, factor: f64, evaluation: &Evaluation) -> bool {
        !(self.times_noise(&evaluation.residuals) <= factor)
    }

    /// 90 % quantile of absolute residuals over that of the table's own noise; with Huber's loss the 75 % quantile,
    /// since outliers are allowed for.
    pub fn times_noise(&self, residuals: &[f64]) -> f64 {
        let share = if self.loss == Loss::Squares { Share::TENTH } else { Share::QUARTER };
        let mut sizes: Vec<f64> = residuals.iter().map(|r| r.abs()).collect();
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
                let part = halton(i as u32, j);
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

    fn staged(&self, start: &[f64], evaluations: u32) -> Result<Solution, SolveError<RunError>> {
        let solver = Solver { evaluations, ..self.solver() };
        let data = |part: f64| self.observation.count_until(part);
        solver.solve_in_stages(start, data, |part, values| self.observation.evaluate(part, values))
    }

    /// Finds the best parameters from this start or from others.
    pub fn run(&self, start: &[f64]) -> Result<Solution, SolveError<RunError>> {
        let mut first = self.staged(start, EVALUATIONS);
        // A number poorly determined by a part of the table may have moved to where it has no effect.
        if let Ok(solution) = &first
            && self.is_far(start, &solution.parameters)
            && let Ok(direct) = self.direct(start)
            && direct.cost <= solution.cost
        {
            first = Ok(direct);
        }
        if let Ok(solution) = &first
            && !self.is_beyond(DOUBTFUL, &solution.evaluation)
            && !(0..start.len()).any(|j| is_blind(&solution.evaluation, j))
        {
            return first;
        }
        let refusal = first.as_ref().err().cloned();
        let (mut best, mut tried) = (first, 0);
        for (round, upto) in STARTS.into_iter().enumerate() {
            let before = best.as_ref().map_or(f64::INFINITY, |known| known.cost);
            let others = self.starts(start, tried..upto);
            let found: Vec<Solution> = others.par_iter().filter_map(|start| self.staged(start, FEWER).ok()).collect();
            let found = found.into_iter().min_by(|a, b| a.cost.total_cmp(&b.cost));
            if let Some(solution) = found.filter(|solution| solution.cost < before) {
                best = Ok(solution);
            }
            tried = upto;
            let Ok(known) = &best else { continue };
            let better = known.cost < (1.0 - LESS) * before;
            if !self.is_beyond(POOR, &known.evaluation) || !better && (round > 0 || self.is_small(&known.evaluation)) {
                break;
            }
        }
        let best = best.map(|best| self.off_plateaus(start, &best).unwrap_or(best))?;
        match refusal.filter(|_| self.is_beyond(POOR, &best.evaluation)) {
            // No fit may be due to starts whose runs were refused: reports the refusal.
            Some(refusal) => Err(refusal),
            None => Ok(best),
        }
    }

    /// Whether residuals are small compared with the extent of the table.
    fn is_small(&self, at: &Evaluation) -> bool {
        let seen = self.observation.seen.iter().zip(&at.residuals);
        let squares: f64 = seen.map(|((i, axis), r)| (r * self.observation.sigma(*i, *axis)).powi(2)).sum();
        (squares / self.observation.seen.len().max(1) as f64).sqrt() <= SMALL * self.observation.data.extent()
    }

    /// Whether a number has diverged.
    fn is_far(&self, start: &[f64], values: &[f64]) -> bool {
        (0..start.len()).any(|j| values[j].abs() > FAR * start[j].abs().max(self.sizes[j]))
    }
}
