//! Profile intervals, for numbers whose sum of squares does not rise as the curvature at the estimate says: friction
//! where every impact sticks has an effect below some value, and none beyond it.
//!
//! Each pattern of slipping and sticking impacts has a minimum of its own, whose curvature says nothing of the others.
//! So each number is fixed a little off its estimate, to both sides, and the others are refitted. Where the rise is not
//! the one forecast by the curvature, the end of the interval is found by such refits.

use identify::{Evaluation, ParameterRange, Solution, Solver, Statistics};
use rayon::prelude::*;
use serde::Serialize;

use super::effect::is_blind;
use super::several_starts::FitSearch;

/// Criterion that sets an end of an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum IntervalEnd {
    /// The curvature at the estimate.
    Curvature,
    /// Refits with the number fixed: the sum of squares there exceeds its minimum by the rise that belongs to 95 %.
    Profile,
    /// Bound of the number.
    Bound,
    /// None: the data allow all values on this side.
    Open,
}

/// An end of an interval, with the criterion that sets it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct RangeEnd {
    pub value: f64,
    pub by: IntervalEnd,
}

/// Both ends of an interval, the lower first.
pub(super) type BothEnds = [RangeEnd; 2];

/// The empty interval.
const NOTHING: BothEnds = [
    RangeEnd { value: f64::INFINITY, by: IntervalEnd::Curvature },
    RangeEnd { value: f64::NEG_INFINITY, by: IntervalEnd::Curvature },
];

/// Parameters with a better fit than the estimate.
pub(super) struct Better(pub Vec<f64>);

/// Range of the ratio rise/forecast in which the curvature is taken as right.
const RIGHT: [f64; 2] = [0.5, 2.0];
/// Distance at which the curvature is tested, in half widths of the interval: three standard errors.
const LOOK: f64 = 1.5;
/// A fall by this part of the rise sought is more than rounding: a better fit was found.
const FALL: f64 = 0.05;
/// Maximum number of runs of a refit near the estimate.
const EVALUATIONS: u32 = 12;
/// Factor by which steps outwards grow.
const GROWTH: f64 = 4.0;
/// Bisections towards the rise sought: maximum number, and relative width at which they end.
const BISECTIONS: (u32, f64) = (16, 0.01);
/// Distance within which solutions count as one, in standard errors.
const SAME: f64 = 0.3;
/// This distance for a number without a standard error, as a part of a large change of it.
const NEAR: f64 = 0.01;
/// First step of a number without a standard error, as a part of a large change of it.
const FIRST: f64 = 1e-3;

/// The 95 % intervals of all parameters, widened by other solutions; `limits`: a large change of each, `noise`: the
/// standard deviation of a residual if it is known.
pub(super) fn profiles(
    search: &FitSearch,
    at: &Solution,
    statistics: &Statistics,
    limits: &[f64],
    start: &[f64],
    noise: Option<f64>,
) -> Result<Vec<BothEnds>, Better> {
    let best = Valley { search, at, statistics, limits, noise, above: 0.0 };
    let sought = (0..limits.len()).map(|j| best.rise_sought(j)).fold(0.0, f64::max);
    // At the edge of a plateau the other parameters are judged from within the plateau.
    let is_blind = |j: usize| is_blind(&at.evaluation, j);
    let is_edge = (0..limits.len()).any(is_blind);
    let mut ranges = vec![NOTHING; limits.len()];
    let mut known = if is_edge { Vec::new() } else { vec![at.clone()] };
    for rival in search.rivals(at, start, sought, best.tolerance(sought)) {
        let above = rival.cost - at.cost;
        if above < -FALL * sought {
            return Err(Better(rival.parameters));
        }
        if above > sought || known.iter().any(|other| is_same(&rival, other, statistics, limits)) {
            continue;
        }
        if let Ok(own) = identify::statistics(&rival.evaluation, limits, search.loss, noise) {
            let same = is_same(&rival, at, statistics, limits);
            let by_curvature = if same { IntervalEnd::Curvature } else { IntervalEnd::Profile };
            let own = Valley { search, at: &rival, statistics: &own, limits, noise, above };
            (0..search.observation.asked()).try_for_each(|j| own.widen(&mut ranges[j], j, by_curvature))?;
        }
        known.push(rival);
    }
    // The camera's terms need no intervals; they only widen those of the others.
    let asked = search.observation.asked();
    let widened = |(j, range): (usize, &mut BothEnds)| {
        let needed = j < asked && (!is_edge || is_blind(j) || *range == NOTHING);
        if needed { best.widen(range, j, IntervalEnd::Curvature) } else { Ok(()) }
    };
    let all: Vec<_> = ranges.par_iter_mut().enumerate().map(widened).collect();
    all.into_iter().collect::<Result<(), _>>()?;
    ranges.splice(asked.., by_curvatures(at, statistics, &search.bounds).into_iter().skip(asked));
    Ok(ranges)
}

/// An end of an interval by the curvature, or the bound before it.
fn by_curvature(value: f64, bound: f64, sign: f64) -> RangeEnd {
    let inside = sign * (bound - value) > 0.0;
    let (value, by) = if inside { (value, IntervalEnd::Curvature) } else { (bound, IntervalEnd::Bound) };
    RangeEnd { value, by }
}

/// Intervals from the curvature alone.
pub(super) fn by_curvatures(at: &Solution, statistics: &Statistics, bounds: &[ParameterRange]) -> Vec<BothEnds> {
    let one = |j: usize| {
        let (estimate, half) = (at.parameters[j], statistics.half_widths[j]);
        let low = by_curvature(estimate - half, bounds[j].lower, -1.0);
        [low, by_curvature(estimate + half, bounds[j].upper, 1.0)]
    };
    (0..bounds.len()).map(one).collect()
}

/// Whether two solutions are equal within a part of the standard errors; numbers without effect do not count.
fn is_same(a: &Solution, b: &Solution, statistics: &Statistics, limits: &[f64]) -> bool {
    (0..a.parameters.len()).all(|j| {
        let (error, apart) = (statistics.standard_errors[j], (a.parameters[j] - b.parameters[j]).abs());
        let blind = [a, b].map(|at| is_blind(&at.evaluation, j));
        let near = if error.is_finite() { SAME * error } else { NEAR * limits[j] };
        blind == [true; 2] || (error.is_finite() || blind == [false; 2]) && apart <= near
    })
}

/// Whether a rise agrees with the forecast.
fn is_right(rise: f64, forecast: f64) -> bool {
    RIGHT[0] * forecast <= rise && rise <= RIGHT[1] * forecast
}

/// A refit with one number fixed.
struct HeldRefit {
    parameters: Vec<f64>,
    rise: f64,
}

/// A solution, whose intervals are sought.
struct Valley<'a> {
    search: &'a FitSearch<'a>,
    at: &'a Solution,
    statistics: &'a Statistics,
    limits: &'a [f64],
    /// Standard deviation of a residual, if it is known.
    noise: Option<f64>,
    /// Its sum of losses, less that of the best solution.
    above: f64,
}

impl Valley<'_> {
    /// Widens a parameter's interval by that of this solution; `by_curvature`: the criterion to record for ends by the
    /// curvature.
    fn widen(&self, range: &mut BothEnds, j: usize, by_curvature: IntervalEnd) -> Result<(), Better> {
        let sought = self.rise_sought(j) - self.above;
        if !(sought > 0.0) {
            return Ok(());
        }
        for (widest, sign) in range.iter_mut().zip([-1.0, 1.0]) {
            let RangeEnd { value, by } = self.end(j, sign, sought)?;
            if sign * (value - widest.value) > 0.0 {
                *widest = RangeEnd { value, by: if by == IntervalEnd::Curvature { by_curvature } else { by } };
            }
        }
        Ok(())
    }

    /// An end of a parameter's interval, at which the sum of losses has risen by `sought`.
    fn end(&self, j: usize, sign: f64, sought: f64) -> Result<RangeEnd, Better> {
        let estimate = self.at.parameters[j];
        let ParameterRange { lower, upper } = self.search.bounds[j];
        let bound = if sign < 0.0 { lower } else { upper };
        let room = (bound - estimate).abs();
        let at_bound = RangeEnd { value: bound, by: IntervalEnd::Bound };
        if !(room > 0.0) {
            return Ok(at_bound);
        }
        let half = self.statistics.half_widths[j] * (sought / (sought + self.above)).sqrt();
        let curved = half.is_finite();
        let reach = if curved { LOOK * half } else { FIRST * self.limits[j] }.min(room);
        let by_curvature = || by_curvature(estimate + sign * half, bound, sign);
        let ahead = self.ahead(j, sign * reach).into_iter().zip(&self.search.bounds);
        let start: Vec<f64> = ahead.map(|(value, bounds)| bounds.nearest(value)).collect();
        if curved {
            // Also with the others unchanged, which may be the better start beyond a kink.
            let alone = FitSearch::with(&self.at.parameters, j, estimate + sign * reach);
            if [&start, &alone].iter().all(|at| is_right(self.search.cost(at) - self.at.cost, self.forecast(at))) {
                return Ok(by_curvature());
            }
        }
        let first = self.held(j, sign * reach, &start, sought)?;
        if curved && is_right(first.rise, sought * (reach / half).powi(2)) {
            return Ok(by_curvature());
        }
        let far = if room.is_finite() { room } else { self.limits[j].max(2.0 * reach) };
        let (mut low, mut high, mut last) = (0.0, reach, first);
        while last.rise < sought {
            if high >= far {
                let open = RangeEnd { value: sign * f64::INFINITY, by: IntervalEnd::Open };
                return Ok(if far < room { open } else { at_bound });
            }
            low = high;
            high = (GROWTH * high).min(far);
            last = self.held(j, sign * high, &last.parameters, sought)?;
        }
        let mut inside = self.at.parameters.clone();
        for _ in 0..BISECTIONS.0 {
            if high - low < BISECTIONS.1 * if curved { half.min(high) } else { reach.min(high) } {
                break;
            }
            let middle = 0.5 * (low + high);
            let there = self.held(j, sign * middle, &inside, sought)?;
            if there.rise < sought {
                (low, inside) = (middle, there.parameters);
            } else {
                high = middle;
            }
        }
        Ok(RangeEnd { value: estimate + sign * high, by: IntervalEnd::Profile })
    }

    /// The solution with this parameter moved and the others adjusted by the curvature, regardless of bounds.
    fn ahead(&self, j: usize, by: f64) -> Vec<f64> {
        let Statistics { standard_errors, correlation, .. } = self.statistics;
        let moved = |k: usize| {
            let own = if j == k {
                by
            } else if standard_errors[k].is_finite() && standard_errors[j].is_finite() {
                by * correlation[(j, k)] * standard_errors[k] / standard_errors[j]
            } else {
                0.0
            };
            self.at.parameters[k] + own
        };
        (0..self.limits.len()).map(moved).collect()
    }

    /// Rise of the sum of losses forecast by the curvature.
    fn forecast(&self, there: &[f64]) -> f64 {
        let Evaluation { residuals, jacobian } = &self.at.evaluation;
        let moved: Vec<f64> = there.iter().zip(&self.at.parameters).map(|(a, b)| a - b).collect();
        let change = |i: usize| (0..moved.len()).map(|k| jacobian[(i, k)] * moved[k]).sum::<f64>();
        let within = |i: &usize| self.search.loss.weight(residuals[*i]) == 1.0;
        (0..residuals.len()).filter(within).map(|i| change(i).powi(2)).sum()
    }

    /// Rise of the sum of losses at the ends of a 95 % interval.
    fn rise_sought(&self, j: usize) -> f64 {
        let Statistics { half_widths, standard_errors, deviation, .. } = self.statistics;
        if half_widths[j].is_finite() {
            return self.forecast(&self.ahead(j, half_widths[j]));
        }
        let quantile = (0..half_widths.len())
            .find(|k| half_widths[*k].is_finite())
            .map_or(identify::student_quantile(self.statistics.freedom), |k| half_widths[k] / standard_errors[k]);
        (quantile * self.noise.unwrap_or(*deviation)).powi(2)
    }

    /// Refits with one parameter fixed; without a run the rise is infinite.
    fn held(&self, j: usize, by: f64, near: &[f64], sought: f64) -> Result<HeldRefit, Better> {
        let value = self.at.parameters[j] + by;
        let [near, alone] = [near, &self.at.parameters].map(|others| FitSearch::with(others, j, value));
        let start = if self.search.cost(&near) <= self.search.cost(&alone) { near } else { alone };
        let mut bounds = self.search.bounds.clone();
        bounds[j] = ParameterRange { lower: value, upper: value };
        let solver =
            Solver { bounds, loss: self.search.loss, evaluations: EVALUATIONS, tolerance: self.tolerance(sought) };
        match self.search.by(&solver, &start) {
            Ok(refit) if refit.cost < self.at.cost - self.above - FALL * sought => Err(Better(refit.parameters)),
            Ok(refit) => Ok(HeldRefit { parameters: refit.parameters, rise: refit.cost - self.at.cost }),
            Err(_) => Ok(HeldRefit { parameters: start, rise: f64::INFINITY }),
        }
    }

    /// Tolerance of refits: a hundredth of the rise.
    fn tolerance(&self, rise: f64) -> f64 {
        (0.01 * rise / self.at.cost.max(f64::MIN_POSITIVE)).clamp(1e-10, 1.0)
    }
}

/// Frictions from which other solutions are sought, over that of the solution.
const FRICTIONS: [f64; 4] = [8.0, 2.0, 0.5, 0.125];
/// Least value of the largest of these frictions, so that every contact sticks with it.
const LARGE: f64 = 1.0;
/// Tangential restitutions, and spins over that of the solution, from which other solutions are sought.
const RESTITUTIONS: [f64; 3] = [1.0, 0.5, 0.0];
const SPINS: [f64; 3] = [2.0, 0.0, -1.0];
/// Bounds for a solution of a part of the rows, whose cost exceeds the best one's by a multiple of the rise: below
/// `ONE` it is the best one, above `BEYOND` the whole table excludes it.
const ONE: f64 = 1e-3;
const BEYOND: f64 = 10.0;
/// Maximum number of runs of such a refit.
const REFIT: u32 = 25;

/// Start values of a parameter for other patterns of slipping and sticking.
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
    /// Results of refits that start with other frictions (the largest first), tangential restitutions and spins, the
    /// other parameters as in the solution and as at the start. With many rows a part of them selects the refits whose
    /// cost may be above the best by no more than `sought`.
    pub fn rivals(&self, best: &Solution, start: &[f64], sought: f64, tolerance: f64) -> Vec<Solution> {
        let mut starts = Vec::new();
        for (j, unknown) in self.observation.unknowns.list().iter().enumerate() {
            let mut values = others(&unknown.key, best.parameters[j]);
            values.iter_mut().for_each(|value| *value = self.bounds[j].nearest(*value));
            values.dedup();
            let with = |value: f64| [&best.parameters[..], start].map(|others| Self::with(others, j, value));
            starts.extend(values.into_iter().flat_map(with));
        }
        let solver = Solver { evaluations: REFIT, tolerance, ..self.solver() };
        let Some(coarse) = &self.coarse else {
            return starts.par_iter().filter_map(|start| self.by(&solver, start).ok()).collect();
        };
        let Ok(home) = coarse.by(&solver, &best.parameters) else { return Vec::new() };
        let others = starts.par_iter().filter_map(|start| coarse.by(&solver, start).ok());
        let near = others.filter(|other| {
            let above = other.cost - home.cost;
            above.abs() > ONE * sought && above < BEYOND * sought
        });
        near.filter_map(|other| self.by(&solver, &other.parameters).ok()).collect()
    }
}
