//! Other solutions that the data may allow as well as the best: which impacts slip and which stick makes patterns, and each of
//! them has a valley of its own. What is read off one valley says nothing of the next.

use identify::{Solution, Solver};
use rayon::prelude::*;

use super::search::FitSearch;

/// Frictions from which others are sought, over that of the solution.
const FRICTIONS: [f64; 4] = [8.0, 2.0, 0.5, 0.125];
/// With this, or with the first of them, all sticks.
const LARGE: f64 = 1.0;
/// Tangential restitutions, and spins over that of the solution.
const RESTITUTIONS: [f64; 3] = [1.0, 0.5, 0.0];
const SPINS: [f64; 3] = [2.0, 0.0, -1.0];
/// Parts of a rise within which a part of the rows has one solution, and beyond which it has none that all of them allow.
const ONE: f64 = 1e-3;
const NEAR: f64 = 10.0;
/// Runs of a refit.
const EVALUATIONS: u32 = 25;

/// Values from which other patterns are sought.
fn others(key: &str, here: f64) -> Vec<f64> {
    let times = |times: &[f64]| times.iter().map(|times| times * here).collect::<Vec<f64>>();
    match key {
        "contact.friction" => [&[LARGE.max(FRICTIONS[0] * here)], &times(&FRICTIONS)[..]].concat(),
        "contact.tangential-restitution" => RESTITUTIONS.to_vec(),
        "initial.spin" => times(&SPINS),
        _ => Vec::new(),
    }
}

impl FitSearch<'_> {
    /// Where refits end that start with other frictions (the largest first), tangential restitutions and spins, the others as
    /// in the solution and as at the start. Of many rows a part says which of them may have a cost above that of the best by no more than
    /// is sought.
    pub fn rivals(&self, best: &Solution, start: &[f64], sought: f64, tolerance: f64) -> Vec<Solution> {
        let mut starts = Vec::new();
        for (j, unknown) in self.observation.unknowns.list().iter().enumerate() {
            let mut values = others(&unknown.key, best.parameters[j]);
            values.iter_mut().for_each(|value| *value = self.bounds[j].nearest(*value));
            values.dedup();
            let with = |value: f64| [&best.parameters[..], start].map(|others| Self::with(others, j, value));
            starts.extend(values.into_iter().flat_map(with));
        }
        let solver = Solver { evaluations: EVALUATIONS, tolerance, ..self.solver() };
        let Some(coarse) = self.coarse else {
            return starts.par_iter().filter_map(|start| self.by(&solver, start).ok()).collect();
        };
        let Ok(home) = coarse.by(&solver, &best.parameters) else { return Vec::new() };
        let others = starts.par_iter().filter_map(|start| coarse.by(&solver, start).ok());
        let near = others.filter(|other| {
            let above = other.cost - home.cost;
            above.abs() > ONE * sought && above < NEAR * sought
        });
        near.filter_map(|other| self.by(&solver, &other.parameters).ok()).collect()
    }
}
