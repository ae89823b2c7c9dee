//! Strategy of the search: fits growing parts of the table from the given start, then from other starts.

use identify::{Evaluation, Solution, SolveError, Solver};
use rayon::prelude::*;

use super::effect::is_blind;
use super::plan::RunError;
use super::search::{EVALUATIONS, FitSearch};
use super::verdict::SMALL;

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

impl FitSearch<'_> {
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
            if !self.is_poor(&known.evaluation) || !better && (round > 0 || self.is_small(&known.evaluation)) {
                break;
            }
        }
        let best = best.map(|best| self.off_plateaus(start, &best).unwrap_or(best))?;
        match refusal.filter(|_| self.is_poor(&best.evaluation)) {
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
