//! Noise of a film: standard deviation of its places from neighbouring rows, and rounding of their digits.

use super::data::Data;
use super::robust::{DEVIATION_PER_MEDIAN, ranked};

impl Data {
    /// Standard deviation of the noise along each axis, in units of sigma: from the distance of each place to the
    /// parabola through the three places before it, by the median, so that bounces and outliers count little. Both axes
    /// have one noise, unless they differ by more than by chance; then each has its own, by the lower quartile, since
    /// half of the rows of one axis may be beside bounces. With sigmas there is one noise; without them it is at least
    /// that of rounding to the digits written. `None`: too few rows. `part`: a half, or three quarters, whose quantile
    /// missing frames do not change as long as there are no more of them than one in five rows.
    pub(super) fn noise(&self, part: Share) -> Option<[f64; 2]> {
        let off = [0, 1].map(|axis| {
            let own = self.seen().filter(|(_, a, _)| *a == axis);
            let own: Vec<_> = own.map(|(i, _, value)| (self.rows[i].time, value, self.rows[i].sigma)).collect();
            // Four equal places, as of a ball held at rest, show no noise.
            let moves = own.windows(4).map(|four| four.iter().any(|other| other.1 != four[0].1));
            off_neighbours(&own).zip(moves).filter(|(_, moves)| *moves).map(|(off, _)| off).collect::<Vec<f64>>()
        });
        let written = |axis: usize| if self.weighted { 0.0 } else { self.rounding(axis) };
        let both = part.of(&mut off.concat())?;
        let one = [0, 1].map(|axis| both.max(written(axis)));
        if self.weighted {
            return Some([both; 2]);
        }
        let chance = APART * off.iter().map(|own| 1.0 / own.len() as f64).sum::<f64>().sqrt();
        let own = [0, 1].map(|axis| Some(Share::THREE_QUARTERS.of(&mut off[axis].clone())?.max(written(axis))));
        let ([Some(x), Some(y)], true) = (own, chance.is_finite()) else { return Some(one) };
        Some(if (x / y).ln().abs() > chance { [x, y] } else { one })
    }

    /// Standard deviation of rounding to the digits written or to the grid: spacing/√12.
    pub(super) fn rounding(&self, axis: usize) -> f64 {
        self.grain[axis] / 12f64.sqrt()
    }
}

/// A quantile of absolute values: the share of values beyond it, and its value in a normal distribution of unit
/// variance.
#[derive(Clone, Copy)]
pub(super) struct Share(f64, f64);

impl Share {
    pub const HALF: Share = Share(0.5, 1.0 / DEVIATION_PER_MEDIAN);
    pub const THREE_QUARTERS: Share = Share(0.75, 0.318_639_363_964_375);
    pub const QUARTER: Share = Share(0.25, 1.1503493803760079);
    pub const TENTH: Share = Share(0.1, 1.6448536269514722);

    /// Standard deviation of a normal distribution by this quantile of absolute values.
    pub fn of(self, sizes: &mut [f64]) -> Option<f64> {
        let within = sizes.len() - (self.0 * sizes.len() as f64).ceil() as usize;
        ranked(sizes, within).map(|size| size / self.1)
    }
}

/// Spacing of the grid that holds all values, or `digit` (the unit of their last digit) if there is none: all distances
/// of neighbours are multiples of the least one up to rounding. By chance each distance is one with a probability of 2
/// `digit` over the least; all are in one of 1e6 tables.
pub(super) fn spacing(values: impl Iterator<Item = f64>, digit: f64) -> f64 {
    let mut values: Vec<f64> = values.filter(|value| value.is_finite()).collect();
    values.sort_by(f64::total_cmp);
    let rounding = 1.01 * digit;
    let steps = values.windows(2).map(|pair| pair[1] - pair[0]).filter(|step| *step > rounding);
    let mut steps: Vec<f64> = steps.collect();
    steps.sort_by(f64::total_cmp);
    let least = steps.first().copied().unwrap_or(f64::INFINITY);
    // The least distance has a rounding error, too; the mean over all steps has less.
    let (mut sum, mut count) = (0.0, 0.0);
    for step in &steps {
        let grid = if count > 0.0 { sum / count } else { least };
        let times = (step / grid).round();
        if (step - times * grid).abs() > rounding {
            return digit;
        }
        (sum, count) = (sum + step, count + times);
    }
    let by_chance = steps.len() as f64 * (2.0 * rounding / least).ln();
    if by_chance < -(1e6_f64.ln()) { sum / count } else { digit }
}

/// Bound of |ln(quartile ratio)| over √(1/n + 1/m) for two samples of equal noise with n and m values, in 99 % of
/// cases; by simulation, since overlapping groups of four rows are correlated.
const APART: f64 = 5.5;

/// Distance of each value from the parabola through the three values before it, over the distance expected from their
/// standard deviations. Values: (time, value, standard deviation), times growing.
fn off_neighbours(values: &[(f64, f64, f64)]) -> impl Iterator<Item = f64> {
    values.windows(4).map(|four| {
        // Lagrange's weights for the last of four.
        let weight = |k: usize| {
            let others = (0..3).filter(|j| *j != k);
            others.map(|j| (four[3].0 - four[j].0) / (four[k].0 - four[j].0)).product::<f64>()
        };
        let weights = [weight(0), weight(1), weight(2)];
        let off = four[3].1 - (0..3).map(|k| weights[k] * four[k].1).sum::<f64>();
        let size = four[3].2.powi(2) + (0..3).map(|k| (weights[k] * four[k].2).powi(2)).sum::<f64>();
        off.abs() / size.sqrt()
    })
}
