//! For numbers whose derivative is zero at a solution: finds out whether they have an effect at another value.
//!
//! Friction has no effect while every contact point sticks, and has one if a contact slips; the mass of a ball without
//! drag has none at any value.

use identify::{Evaluation, Solution};

use super::residuals::ROUNDING;
use super::several_starts::FitSearch;

/// Exponents of the other values tried for a number without effect: powers of four times its size, and times itself.
const POWERS: std::ops::RangeInclusive<i32> = -5..=2;
/// Distances of further values tried, in sizes of the number.
const OFF: [f64; 3] = [0.1, 1.0, 10.0];
/// Bisections towards the value at which an effect begins.
const BISECTIONS: u32 = 40;
/// A fit is better if its cost is less by at least this part.
const BETTER: f64 = 1e-9;

/// Whether all derivatives by number `j` are exactly zero.
pub(super) fn is_blind(at: &Evaluation, j: usize) -> bool {
    at.jacobian.column(j).amax() == 0.0
}

impl FitSearch<'_> {
    /// Numbers without effect on the measured places, neither at `values` nor at values beside them. Without an
    /// evaluation only runs are compared.
    pub fn idle(&self, values: &[f64], at: Option<&Evaluation>) -> Vec<usize> {
        let extent = self.observation.data.extent();
        let idle = |j: &usize| {
            let Some(at) = at else { return !self.has_effect(values, *j, f64::INFINITY) };
            let moves = self.observation.moves(at, *j);
            let own = if values[*j] == 0.0 { self.sizes[*j] } else { 10.0 * values[*j].abs() };
            // Derivatives that cancel leave rounding; an effective value then is far away.
            moves * own <= ROUNDING * extent && !self.has_effect(values, *j, extent / moves)
        };
        (0..self.observation.unknowns.list().len()).filter(idle).collect()
    }

    /// Other values of a number, within its bounds.
    fn beside(&self, values: &[f64], j: usize, far: f64) -> Vec<f64> {
        let (here, bounds) = (values[j], self.bounds[j]);
        // Powers of the size do not depend on the present value.
        let sizes = [self.sizes[j].copysign(here), here];
        let times = POWERS.flat_map(|power| sizes.map(|size| 4f64.powi(power) * size));
        let off = OFF.iter().map(|part| part * self.sizes[j]).chain([far]).flat_map(|by| [here - by, here + by]);
        let inside = times.chain([0.0]).chain(off).filter(|value| value.is_finite());
        let mut found: Vec<f64> = inside.map(|value| bounds.nearest(value)).filter(|value| *value != here).collect();
        found.sort_by(|a, b| (a - here).abs().total_cmp(&(b - here).abs()));
        found.dedup();
        found
    }

    /// The `values` with number `j` replaced by `value`.
    pub fn with(values: &[f64], j: usize, value: f64) -> Vec<f64> {
        let mut moved = values.to_vec();
        moved[j] = value;
        moved
    }

    /// Whether another value of a number changes the places of the run; values without a run are skipped.
    fn has_effect(&self, values: &[f64], j: usize, far: f64) -> bool {
        let Some(here) = self.observation.residuals(values) else { return true };
        let least = ROUNDING * self.observation.data.extent();
        self.beside(values, j, far).into_iter().any(|value| {
            let there = self.observation.residuals(&Self::with(values, j, value));
            let far = |((r, s), (i, axis)): ((&f64, &f64), &(usize, usize))| {
                !((r - s).abs() * self.observation.sigma(*i, *axis) <= least)
            };
            there.is_some_and(|there| here.iter().zip(&there).zip(&self.observation.seen).any(far))
        })
    }

    /// Leaves a solution at which a number has no effect: returns a better fit found where it has one, or else the edge
    /// of the region without effect, so that the result does not depend on the start. `None`: the solution stays.
    pub fn off_plateaus(&self, start: &[f64], from: &Solution) -> Option<Solution> {
        let mut best = from.clone();
        let mut moved = false;
        for j in 0..self.observation.unknowns.list().len() {
            if !is_blind(&best.evaluation, j) {
                continue;
            }
            let here = best.parameters[j];
            let beside = self.beside(&best.parameters, j, f64::INFINITY);
            let mut edge = None;
            for sign in [-1.0, 1.0] {
                let side = beside.iter().filter(|value| sign * (*value - here) > 0.0);
                let Some(slips) = side.copied().find(|value| self.is_seen(&best.parameters, j, *value)) else {
                    continue;
                };
                edge = edge.or(Some(slips));
                for others in [best.parameters.clone(), start.to_vec()] {
                    if let Ok(found) = self.direct(&Self::with(&others, j, slips))
                        && found.cost < (1.0 - BETTER) * best.cost
                    {
                        (best, moved) = (found, true);
                    }
                }
            }
            if let Some(slips) = edge.filter(|_| is_blind(&best.evaluation, j))
                && let Some(found) = self.at_edge(&best, j, slips)
            {
                (best, moved) = (found, true);
            }
        }
        moved.then_some(best)
    }

    /// Whether places depend on number `j` at this value of it.
    fn is_seen(&self, values: &[f64], j: usize, value: f64) -> bool {
        let there = self.observation.evaluate(1.0, &Self::with(values, j, value));
        there.is_ok_and(|there| !is_blind(&there, j))
    }

    /// The solution with a number moved to the edge of the region where it has an effect.
    fn at_edge(&self, from: &Solution, j: usize, seen: f64) -> Option<Solution> {
        let (mut blind, mut seen) = (from.parameters[j], seen);
        for _ in 0..BISECTIONS {
            let middle = 0.5 * (blind + seen);
            *(if self.is_seen(&from.parameters, j, middle) { &mut seen } else { &mut blind }) = middle;
        }
        let parameters = Self::with(&from.parameters, j, blind);
        let evaluation = self.observation.evaluate(1.0, &parameters).ok()?;
        let cost = self.solver().cost(&evaluation);
        (cost <= (1.0 + BETTER) * from.cost).then(|| Solution { parameters, evaluation, cost, ..from.clone() })
    }
}
