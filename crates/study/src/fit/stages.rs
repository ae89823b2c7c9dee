//! Strategy of the search: fits growing parts of the table from the given start, then tries other starts, then a
//! simplex.

use identify::{Evaluation, Solution, SolveError, Solver, simplex};
use rayon::prelude::*;

use super::Searched;
use super::effect::is_blind;
use super::plan::RunError;
use super::search::{EVALUATIONS, FitSearch};
use super::verdict::SMALL;

/// Start or search that found the best parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// The given start.
    Start,
    /// Another start, from the measured places or a spread of starts.
    Other,
    /// The best point of a simplex.
    Simplex,
}

impl By {
    /// Name of the search for reports.
    pub fn name(self) -> &'static str {
        match self {
            By::Start => "start",
            By::Other => "other-start",
            By::Simplex => "simplex",
        }
    }
}

/// Residuals over noise beyond which other starts are tried.
const DOUBTFUL: f64 = 1.5;
/// Maximum number of runs of a stage from other starts.
const FEWER: u32 = 25;
/// Numbers of other starts after each round. A further round is made while the fit is poor, if the last one found a
/// better solution or, after the first, residuals are large. stay large.
const STARTS: [usize; 3] = [2, 12, 48];
/// A better solution has a cost less by this part.
const LESS: f64 = 0.01;
/// A number beyond this many times its start or size has diverged.
const FAR: f64 = 100.0;
/// Steps of a simplex per parameter.
const SIMPLEX: u64 = 80;

impl FitSearch<'_> {
    fn staged(&self, start: &[f64], evaluations: u32) -> Result<Solution, SolveError<RunError>> {
        let solver = Solver { evaluations, ..self.solver() };
        let data = |part: f64| self.observation.count_until(part);
        solver.solve_in_stages(start, data, |part, values| self.observation.evaluate(self.shown, part, values))
    }

    /// Finds the best parameters from this start or from others.
    pub fn run(&self, start: &[f64]) -> Result<Searched, SolveError<RunError>> {
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
            return first.map(|solution| Searched { solution, by: By::Start, starts: 1 });
        }
        let refusal = first.as_ref().err().cloned();
        let mut best = first.map(|solution| (solution, By::Start));
        let mut tried = 0;
        for (round, upto) in STARTS.into_iter().enumerate() {
            let before = best.as_ref().map_or(f64::INFINITY, |(known, _)| known.cost);
            let others = self.starts(start, tried..upto);
            let found: Vec<Solution> = others.par_iter().filter_map(|start| self.staged(start, FEWER).ok()).collect();
            for solution in found {
                if best.as_ref().map_or(true, |(known, _)| solution.cost < known.cost) {
                    best = Ok((solution, By::Other));
                }
            }
            tried = upto;
            let Ok((known, _)) = &best else { continue };
            let better = known.cost < (1.0 - LESS) * before;
            if !self.is_poor(&known.evaluation) || !better && (round > 0 || self.is_small(&known.evaluation)) {
                break;
            }
        }
        let (mut solution, mut by) = best?;
        if let Some(better) = self.off_plateaus(start, &solution) {
            (solution, by) = (better, By::Other);
        }
        let better = if self.is_poor(&solution.evaluation) { self.down_a_simplex(&solution) } else { None };
        if let Some(better) = better {
            (solution, by) = (better, By::Simplex);
        }
        match refusal.filter(|_| self.is_poor(&solution.evaluation)) {
            // No fit may be due to starts whose runs were refused: reports the refusal.
            Some(refusal) => Err(refusal),
            None => Ok(Searched { solution, by, starts: 1 + tried }),
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

    /// Searches with a simplex from a solution whose order of events is wrong: derivatives keep the order, a simplex
    /// can change it.
    fn down_a_simplex(&self, from: &Solution) -> Option<Solution> {
        let cost = |values: &[f64]| Some(self.cost(values)).filter(|cost| cost.is_finite());
        let sizes: Vec<f64> =
            from.parameters.iter().zip(&self.sizes).map(|(p, size)| 0.1 * p.abs().max(0.1 * size)).collect();
        let iterations = SIMPLEX * sizes.len() as u64;
        let (values, _) = simplex(&from.parameters, &sizes, &self.bounds, iterations, cost);
        self.direct(&values).ok().filter(|solution| solution.cost < 0.99 * from.cost)
    }
}
