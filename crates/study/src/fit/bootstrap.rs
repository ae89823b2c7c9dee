//! Intervals by resampled residuals.

use identify::Loss;
use rayon::prelude::*;

use super::plan::Progress;
use super::search::Search;

/// What the spread of refitted parameters says.
#[derive(Clone, Debug, PartialEq)]
pub struct Bootstrap {
    /// Tables made up.
    pub count: usize,
    /// Of them, those whose fit did not end.
    pub failed: usize,
    /// Standard deviation of each parameter.
    pub standard_errors: Vec<f64>,
    /// 2.5 % and 97.5 % quantile of each.
    pub intervals: Vec<[f64; 2]>,
}

/// Residuals, each made larger by `√(n/(n−p))`, are drawn with replacement within each axis, less their middle, and added to the fitted places;
/// the parameters are fitted to that, `count` times. The same for the same seed, whatever the number of cores.
pub(super) fn bootstrap(
    search: &Search,
    values: &[f64],
    residuals: &[f64],
    seed: u64,
    count: usize,
    tick: &(dyn Fn(Progress) + Sync),
) -> Bootstrap {
    let observation = search.observation;
    let freedom = residuals.len().saturating_sub(values.len()).max(1);
    let larger = (residuals.len() as f64 / freedom as f64).sqrt();
    let of_axis = |axis: usize| {
        let own = observation.seen.iter().zip(residuals).filter(|((_, a), _)| *a == axis);
        own.map(|(_, residual)| *residual).collect::<Vec<f64>>()
    };
    let pools = [of_axis(0), of_axis(1)].map(|pool| centred(pool, search.loss));
    let done = std::sync::atomic::AtomicUsize::new(0);
    let one = |index: usize| {
        let mut random = Random(seed ^ (index as u64 + 1).wrapping_mul(0xd134_2543_de82_ef95));
        let made: Vec<f64> = observation
            .seen
            .iter()
            .zip(search.shown)
            .zip(residuals)
            .map(|(((i, axis), shown), residual)| {
                let pool = &pools[*axis];
                let drawn = pool[random.below(pool.len())];
                let sigma = observation.sigma(*i, *axis);
                shown + sigma * (residual - larger * drawn)
            })
            .collect();
        let found = Search { shown: &made, bounds: search.bounds.clone(), sizes: search.sizes.clone(), ..*search };
        let found = found.roughly(values).ok().filter(|solution| solution.converged);
        let before = done.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        tick(Progress::Tables(before + 1));
        found.map(|solution| solution.parameters)
    };
    let all: Vec<Vec<f64>> = (0..count).into_par_iter().map(one).collect::<Vec<_>>().into_iter().flatten().collect();
    let column = |j: usize| {
        let mut column: Vec<f64> = all.iter().map(|parameters| parameters[j]).collect();
        column.sort_by(f64::total_cmp);
        column
    };
    let columns: Vec<Vec<f64>> = (0..values.len()).map(column).collect();
    Bootstrap {
        count,
        failed: count - all.len(),
        standard_errors: columns.iter().map(|column| deviation(column)).collect(),
        intervals: columns.iter().map(|column| [quantile(column, 0.025), quantile(column, 0.975)]).collect(),
    }
}

/// Less their middle as the loss sees it: the mean of squares, and one that outliers hardly move with Huber's.
fn centred(mut values: Vec<f64>, loss: Loss) -> Vec<f64> {
    for _ in 0..20 {
        let weights: f64 = values.iter().map(|value| loss.weight(*value)).sum();
        let sum: f64 = values.iter().map(|value| loss.weight(*value) * value).sum();
        let middle = if weights > 0.0 { sum / weights } else { 0.0 };
        values.iter_mut().for_each(|value| *value -= middle);
    }
    values
}

fn deviation(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0)).sqrt()
}

/// Of sorted values, between neighbours by their distance; NaN of none.
fn quantile(sorted: &[f64], part: f64) -> f64 {
    let at = part * (sorted.len().max(1) - 1) as f64;
    let (low, rest) = (at.floor() as usize, at.fract());
    match (sorted.get(low), sorted.get(low + 1)) {
        (Some(a), Some(b)) => a + rest * (b - a),
        (Some(a), None) => *a,
        _ => f64::NAN,
    }
}

/// SplitMix64 (Steele, Lea & Flood, OOPSLA 2014).
struct Random(u64);

impl Random {
    /// A whole number below `bound`; the bias is below 2⁻⁴⁰ for tables that can be read.
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        ((u128::from(z) * bound as u128) >> 64) as usize
    }
}
