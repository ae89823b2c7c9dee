//! Fit of longer and longer parts of the data, so that a start that is far off keeps its bounces in step.

use crate::{Evaluation, Solution, SolveError, Solver};

/// Parts of the data fitted roughly, one after the other, before the whole.
const STAGES: [f64; 9] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];

impl Solver {
    /// Minimises over longer and longer parts of the data. `model` gives residuals of the first `part` (0 … 1) of them,
    /// `data` how many of these are after the start. Parts with no more data than parameters are skipped.
    pub fn solve_in_stages<E>(
        &self,
        start: &[f64],
        data: impl Fn(f64) -> usize,
        model: impl Fn(f64, &[f64]) -> Result<Evaluation, E>,
    ) -> Result<Solution, SolveError<E>> {
        let rough = Solver { tolerance: 1e-3, ..self.clone() };
        let (mut parameters, mut used) = (start.to_vec(), 0);
        for part in STAGES.into_iter().filter(|part| data(*part) > start.len()) {
            // A part that can't be run is skipped. The next begins at `start`: the fit so far, to few data, may be off.
            match rough.solve(&parameters, |values| model(part, values)) {
                Ok(solution) => {
                    used += solution.evaluations;
                    parameters = solution.parameters;
                }
                Err(_) => parameters = start.to_vec(),
            }
        }
        let last = match self.solve(&parameters, |values| model(1.0, values)) {
            Err(_) if parameters != start => self.solve(start, |values| model(1.0, values))?,
            last => last?,
        };
        Ok(Solution { evaluations: used + last.evaluations, ..last })
    }
}
