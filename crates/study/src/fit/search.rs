//! Runs of a scenario held against a table, from one start or another.

use std::ops::Range;

use identify::{Evaluation, Loss, ParameterRange, Solution, SolveError, Solver, Undetermined, statistics};

use super::noise::{Share, off_neighbours};
use super::observation::ObservationModel;
use super::plan::RunError;
use super::residual_noise::SeenAt;
use super::robust::parabola;
use crate::halton::{PRIMES, halton};

/// A fit is poor if a tenth of its residuals is beyond this many times the noise that the table has of its own.
const POOR: f64 = 3.0;
/// Runs of a stage.
pub(super) const EVALUATIONS: u32 = 100;
/// Part of a value that others are off.
const SPREAD: f64 = 0.3;
/// Runs held against a table.
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
    /// Search by fewer rows, where there are many.
    pub coarse: Option<&'a FitSearch<'a>>,
}

impl FitSearch<'_> {
    pub fn solver(&self) -> Solver {
        Solver { bounds: self.bounds.clone(), loss: self.loss, evaluations: EVALUATIONS, tolerance: 1e-10 }
    }

    /// The whole table at once, by a solver.
    pub fn by(&self, solver: &Solver, start: &[f64]) -> Result<Solution, SolveError<RunError>> {
        solver.solve(start, |values| self.observation.evaluate(self.shown, 1.0, values))
    }

    /// Fits the whole table at once from `start`, to the tolerance of [`FitSearch::solver`].
    pub fn direct(&self, start: &[f64]) -> Result<Solution, SolveError<RunError>> {
        self.by(&self.solver(), start)
    }

    /// Sum of losses; ∞ where there is no run.
    pub fn cost(&self, values: &[f64]) -> f64 {
        let residuals = self.observation.residuals(self.shown, values);
        residuals.map_or(f64::INFINITY, |residuals| residuals.iter().map(|r| self.loss.cost(*r)).sum())
    }

    /// Whether events are out of step, or the model is another.
    pub fn is_poor(&self, evaluation: &Evaluation) -> bool {
        self.is_beyond(POOR, evaluation)
    }

    pub fn is_beyond(&self, factor: f64, evaluation: &Evaluation) -> bool {
        !(self.times_noise(evaluation) <= factor)
    }

    /// The size that a tenth of the residuals is beyond, over that of the table's own noise; with Huber's loss a quarter, since outliers
    /// are allowed for.
    pub fn times_noise(&self, evaluation: &Evaluation) -> f64 {
        let beyond = self.beyond(evaluation.residuals.iter().map(|r| r.abs()).collect());
        if beyond == 0.0 { 0.0 } else { beyond / self.noise }
    }

    /// [`FitSearch::times_noise`], over the scatter of neighbouring residuals where that is more: no smooth motion goes through such rows.
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

    /// The size that a part of all is beyond, over that part of a normal distribution.
    fn beyond(&self, mut sizes: Vec<f64>) -> f64 {
        let share = if self.loss == Loss::Squares { Share::TENTH } else { Share::QUARTER };
        share.of(&mut sizes).unwrap_or(0.0)
    }

    /// The combination that these rows never tell apart: neither at the start, of which the evaluation is known, nor at the
    /// starts beside it.
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

    /// The start that the first places suggest (number 0), and others spread about it and the one given (Halton's sequence).
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

    /// The start given, with place and velocity from a parabola through the first rows.
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

/// Rows of the first parabola.
const PARABOLA: usize = 7;
