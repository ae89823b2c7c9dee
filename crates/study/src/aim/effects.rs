//! Finds the free numbers without an effect on the goals.

use identify::{GoalError, Reading};

use super::search::{AimSearch, Best, Missed, STARTS, is_none, size};

/// Multiples of a number at which its effect is tested.
const PARTS: [f64; 5] = [0.0, 0.25, 0.0625, 1.0 / 64.0, 1.0 / 256.0];

impl AimSearch<'_> {
    /// Indices of numbers without effect at `values`: derivatives of zero, and equal readings a size to both sides and
    /// at the given number.
    pub fn without_effect(&self, values: &[f64]) -> Vec<usize> {
        let smooth = self.is_smooth();
        let found = self.read(values, smooth).or_else(|_| self.read(values, false));
        let Ok(there) = found else { return Vec::new() };
        let flat = |j: usize| {
            let still = |r: &Reading| r.by.get(j).is_none_or(|by| is_none(by * self.sizes[j], r.value));
            there.iter().all(still)
        };
        (0..values.len()).filter(|j| flat(*j) && self.is_idle(values, *j, &there)).collect()
    }

    /// Whether the readings remain those `there` if number `j` of all is changed by its size or to the scenario's
    /// value.
    pub fn is_idle(&self, whole: &[f64], j: usize, there: &[Reading]) -> bool {
        let unknown = &self.unknowns.list()[j];
        let (here, size, bounds) = (whole[j], size(unknown), unknown.bounds);
        let beside = [unknown.start, here - size, here + size].map(|p| bounds.nearest(p));
        let mut seen = false;
        for p in beside.into_iter().filter(|p| *p != here) {
            let mut moved = whole.to_vec();
            moved[j] = p;
            match self.look(&moved, self.runs.options.duration) {
                Ok(readings) => {
                    let same = |(a, b): (&Reading, &Reading)| is_none(a.value - b.value, b.value);
                    if !readings.iter().zip(there).all(same) {
                        return false;
                    }
                    seen = true;
                }
                // Without a scenario at this value nothing is known.
                Err(Missed::Why(GoalError::Family(_))) => {}
                Err(_) => return false,
            }
        }
        seen
    }

    /// The best other start whose reading differs from that at `values`, for a search where no number has an effect.
    pub fn another_reading(&self, values: &[f64]) -> Option<(Vec<f64>, f64)> {
        let known = self.best()?.cost;
        let part = |(j, part): (usize, f64)| {
            let mut start = values.to_vec();
            start[j] = self.bounds[j].nearest(part * start[j]);
            let cost = self.cost(&self.read(&start, false).ok()?);
            Some((start, cost))
        };
        let parts = (0..values.len()).flat_map(|j| PARTS.map(|part| (j, part))).filter_map(part);
        let others = parts.chain(self.others(values, STARTS[0].0.clone()));
        let other = others.filter(|(_, cost)| !is_none(cost - known, known));
        other.min_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// Fixes the `idle` numbers at the scenario's values; returns the `values` of the others.
    pub fn hold(&mut self, values: &[f64], idle: &[usize]) -> Vec<f64> {
        self.move_but(idle);
        self.active.of(values)
    }

    /// Makes all numbers but the `idle` ones free, from the best point on. The idle ones must have the scenario's
    /// values, or no effect.
    pub fn move_but(&mut self, idle: &[usize]) -> Vec<f64> {
        let known = self.best().map(|best| (self.active.whole(&best.values), best));
        self.activate(self.active.without(idle));
        if let Some((whole, best)) = known {
            self.replace_best(Best { values: self.active.of(&whole), ..best });
        }
        self.best().map_or(self.active.start(), |best| best.values)
    }
}
