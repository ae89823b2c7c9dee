//! Search for the least or greatest value of one quantity.

use identify::{DescentEnd, Limits, ParameterRange, descend};

use super::aimed::{AimError, Aimed, ExtremeEnd, Way};
use super::ending::Ending;
use super::search::{AimSearch, Best, Missed, REACH};

/// Maximum number of searches: one begins anew where a better point was found around the end of the last.
const ROUNDS: u32 = 4;
/// A simplex begins anew at its end until the relative gain is below this.
const GAIN: f64 = 1e-9;
/// A number nearer to its bound than this, in sizes, is set to the bound if that is better; within `AT` in any case.
const NEAR: f64 = 1e-4;
const AT: f64 = 1e-9;

impl AimSearch<'_> {
    /// Minimises or maximises the one quantity: by L-BFGS from the start, and by a simplex where it is not smooth.
    pub fn extreme(&mut self) -> Result<Aimed, AimError> {
        let mut begun = self.begin()?;
        let mut idle = self.without_effect(&begun);
        if idle.len() == begun.len() {
            let Some(best) = self.best() else { return Err(self.no_value(Missed::Spent)) };
            let Some((other, cost)) = self.another_reading(&begun) else { return Err(self.no_effect(&best.readings)) };
            if cost < best.cost {
                begun = other;
                idle = self.without_effect(&begun);
            }
            if idle.len() == begun.len() {
                // A plateau: no number has an effect.
                idle.clear();
            }
        }
        let mut from = if idle.is_empty() { begun } else { self.hold(&begun, &idle) };
        let (mut way, mut history) = (Way::Simplex, Vec::new());
        let (best, end) = loop {
            let end = self.rounds(&from, &mut way, &mut history);
            let best = self.best().ok_or_else(|| self.no_value(Missed::Spent))?;
            let whole = self.active.whole(&best.values);
            let idle_here = |j: &usize| !end.is_one() || self.is_idle(&whole, *j, &best.readings);
            let still: Vec<usize> = idle.iter().copied().filter(idle_here).collect();
            if still.len() == idle.len() {
                break (best, end);
            }
            idle = still;
            from = self.move_but(&idle);
        };
        let (cut, reached) = (self.is_cut(&best, &end), end.is_one());
        Ok(Aimed { reached, history, end: Some(end), cut, ..self.aimed(best, way, &idle)? })
    }

    fn rounds(&self, from: &[f64], way: &mut Way, history: &mut Vec<f64>) -> ExtremeEnd {
        let mut from = from.to_vec();
        for _ in 0..ROUNDS {
            let far = self.down(&from, way, history);
            self.snap();
            match self.verdict(*way, far) {
                Ending::Ends(end) => return end,
                Ending::Better => from = self.best().map_or(from, |best| best.values),
            }
        }
        ExtremeEnd::Unsettled(
            "looks about it found better again and again; begin elsewhere with --set, or give ranges".to_owned(),
        )
    }

    /// Makes one search; returns the index of the number that went beyond [`REACH`], if one did.
    fn down(&self, from: &[f64], way: &mut Way, history: &mut Vec<f64>) -> Option<usize> {
        let sign = self.sign();
        if self.is_smooth() {
            let cost = |values: &[f64]| {
                let reading = self.read(values, true).ok()?.pop()?;
                Some((sign * reading.value, reading.by.iter().map(|d| sign * d).collect()))
            };
            let limits = Limits { evaluations: self.left(), reach: REACH };
            if let Some(found) = descend(from, &self.sizes, &self.bounds, limits, cost) {
                *way = Way::Descent;
                history.extend(found.history.iter().map(|cost| sign * cost));
                return match found.ended {
                    DescentEnd::Far(j) => Some(j),
                    DescentEnd::Settled | DescentEnd::Spent => None,
                };
            }
        }
        *way = Way::Simplex;
        let mut from = from.to_vec();
        let mut cost = self.best().map(|best| best.cost);
        for part in [0.5, 0.2, 0.1, 0.05, 0.02, 0.01] {
            let _values = self.down_a_simplex(&from, part);
            let Some(best) = self.best() else { break };
            history.push(sign * best.cost);
            if cost.is_some_and(|cost| !(cost - best.cost > GAIN * cost.abs())) {
                break;
            }
            (from, cost) = (best.values, Some(best.cost));
        }
        None
    }

    /// Sets numbers next to a bound to the bound, if that is better.
    fn snap(&self) {
        let Some(best) = self.best() else { return };
        let within = |part: f64| -> Vec<f64> {
            let put = |(j, value): (usize, &f64)| {
                let ParameterRange { lower, upper } = self.bounds[j];
                let near = |bound: &f64| (value - bound).abs() <= part * self.sizes[j];
                [lower, upper].into_iter().find(near).unwrap_or(*value)
            };
            best.values.iter().enumerate().map(put).collect()
        };
        let values = within(AT);
        if values != best.values
            && let Ok(readings) = self.read(&values, false)
        {
            self.replace_best(Best { cost: self.cost(&readings), values, readings });
        }
        let values = within(NEAR);
        if values != best.values {
            let _known = self.read(&values, false);
        }
    }
}
