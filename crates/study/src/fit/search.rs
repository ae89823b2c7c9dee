//! [`FitSearch`]: solves the least squares from a start, and proposes other starts.

use std::ops::Range;

use identify::{Evaluation, Loss, ParameterRange, Solution, SolveError, Solver, Undetermined, statistics};

use super::noise::{Share, off_neighbours};
use super::observation::ObservationModel;
use super::plan::RunError;
use super::residual_noise::SeenAt;
use super::robust::parabola;
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
    pub observation: &'a ObservationModel<'a>,
    pub shown: &'a [f64],
    pub bounds: Vec<ParameterRange>,
    /// Large change of each parameter.
    pub sizes: Vec<f64>,
    /// Loss of residuals; Huber's bound in units of residuals.
    pub loss: Loss,
    /// Noise of the table over sigma.
    pub noise: f64,
    /// This search with fewer rows, if there are many.
    pub coarse: Option<&'a FitSearch<'a>>,
}

impl FitSearch<'_> {
    pub fn solver(&self) -> Solver {
        Solver { bounds: self.bounds.clone(), loss: self.loss, evaluations: EVALUATIONS, tolerance: 1e-10 }
    }

    /// Fits the whole table at once with this solver.
    pub fn by(&self, solver: &Solver, start: &[f64]) -> Result<Solution, SolveError<RunError>> {
        solver.solve(start, |values| self.observation.evaluate(self.shown, 1.0, values))
    }

    /// Fits the whole table at once from `start`, to the tolerance of [`FitSearch::solver`].
    pub fn direct(&self, start: &[f64]) -> Result<Solution, SolveError<RunError>> {
        self.by(&self.solver(), start)
    }

    /// Sum of losses; ∞ without a run.
    pub fn cost(&self, values: &[f64]) -> f64 {
        let residuals = self.observation.residuals(self.shown, values);
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
        let beyond = self.beyond(evaluation.residuals.iter().map(|r| r.abs()).collect());
        if beyond == 0.0 { 0.0 } else { beyond / self.noise }
    }

    /// [`FitSearch::times_noise`] with the scatter of neighbouring residuals as the noise, if that is larger: no smooth
    /// motion fits such rows.
    pub fn times_neighbours(&self, evaluation: &Evaluation) -> f64 {
        let places = self.observation.places();
        let apart = [0, 1].iter().flat_map(|axis| {
            let all = places.iter().zip(&self.observation.seen).zip(&evaluation.residuals);
            let own = all.filter(|((place, _), _)| place.0 == *axis);
            let one = |(((_, time), (i, _)), r): ((&SeenAt, &(usize, usize)), &f64)| {
                let sigma = self.observation.sigma(*i, *axis);
                (*time, r * sigma, sigma)
            };
            off_neighbours(&own.map(one).collect::<Vec<_>>()).collect::<Vec<f64>>()
        });
        let apart = self.beyond(apart.collect()) / self.noise;
        self.times_noise(evaluation) / apart.max(1.0)
    }

    /// That quantile of absolute values, over the one of a normal distribution.
    fn beyond(&self, mut sizes: Vec<f64>) -> f64 {
        let share = if self.loss == Loss::Squares { Share::TENTH } else { Share::QUARTER };
        share.of(&mut sizes).unwrap_or(0.0)
    }

    /// The combination of parameters that these rows do not determine, neither at the start (with evaluation `at`) nor
    /// at the starts beside it.
    pub fn never_told(&self, start: &[f64], at: &Evaluation) -> Option<Undetermined> {
        let told = |at: &Evaluation| match statistics(at, &self.sizes, self.loss, None) {
            Err(why @ Undetermined::Combination { .. }) => Some(why),
            _ => None,
        };
        let first = told(at)?;
        let there = |other: &Vec<f64>| self.observation.evaluate(self.shown, 1.0, other).ok();
        let all = self.starts(start, 1..3).iter().all(|other| there(other).as_ref().and_then(told).is_some());
        all.then_some(first)
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
        let view = self.observation.view_at(given);
        for (unknown, value) in self.observation.unknowns.list().iter().zip(&mut start) {
            let axis = match unknown.key.rsplit('.').next() {
                Some("x" | "0") => 0,
                Some("y" | "1") => 1,
                _ => continue,
            };
            let derivative = match (unknown.key.split('.').nth(1), unknown.rate()) {
                (Some("position" | "velocity"), Some(rate)) => rate as usize,
                _ => continue,
            };
            let points: Vec<(f64, f64)> = self
                .observation
                .data
                .seen()
                .filter(|(_, a, _)| *a == axis)
                .map(|(i, _, shown)| (self.observation.data.rows[i].time, view.place(axis, shown)))
                .take(PARABOLA)
                .collect();
            if let Some((coefficients, _)) = parabola(&points) {
                *value = unknown.bounds.nearest(coefficients[derivative]);
            }
        }
        start
    }
}

/// Number of rows of this parabola.
const PARABOLA: usize = 7;
