//! The L-BFGS method within bounds, by argmin.

use std::cell::RefCell;

use argmin::core::{CostFunction, Error, Executor, Gradient};
use argmin::solver::linesearch::MoreThuenteLineSearch;
use argmin::solver::quasinewton::LBFGS;

use crate::Bounds;

/// Steps whose change of the gradient is remembered.
const MEMORY: usize = 12;
/// Times the method begins anew from the best point, its memory emptied.
const RESTARTS: u32 = 20;
/// A new beginning that gains less than this part of the cost is the last.
const GAIN: f64 = 1e-9;
/// Gain of a step, as a part of the cost, and gradient, as a part of the first, below which the method begins anew.
const STEP: (f64, f64) = (1e-11, 1e-7);

/// Evaluations in a row with less gain than this part of the cost that end a search; a line search may go to and fro.
const PATIENCE: (u32, f64) = (40, 1e-8);

/// How far a search may go.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Costs evaluated.
    pub evaluations: u32,
    /// Sizes from the start, where a parameter has no bound on that side: a cost that still falls there has no lowest point.
    pub reach: f64,
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Nothing lower was found.
    Settled,
    /// All evaluations were made.
    Spent,
    /// The cost still falls where this parameter is out of reach.
    Far(usize),
}

/// A lowest point.
#[derive(Clone, Debug, PartialEq)]
pub struct Descent {
    /// The parameters.
    pub parameters: Vec<f64>,
    /// There.
    pub cost: f64,
    /// Costs evaluated, each with its gradient.
    pub evaluations: u32,
    /// The cost after each evaluation that was the best so far.
    pub history: Vec<f64>,
    /// Why it ended.
    pub ended: Ended,
}

/// A cost and its derivatives.
type Slope = (f64, Vec<f64>);

/// Last and best evaluation so far, and progress; parameters are those inside the bounds as argmin sees them.
#[derive(Debug, Default)]
struct Known {
    last: Option<(Vec<f64>, Slope)>,
    best: Option<(Vec<f64>, Slope)>,
    evaluations: u32,
    history: Vec<f64>,
    far: Option<usize>,
    /// The cost last gained by more than little, and evaluations since.
    gained: Option<(f64, u32)>,
}

impl Known {
    fn is_tired(&self) -> bool {
        self.gained.is_some_and(|(_, since)| since > PATIENCE.0)
    }

    fn count(&mut self, cost: f64) {
        self.gained = match self.gained {
            Some((mark, since)) if !(mark - cost > PATIENCE.1 * mark.abs()) => Some((mark, since + 1)),
            _ => Some((cost, 0)),
        };
    }
}

struct Valley<'a, F> {
    cost: &'a F,
    start: &'a [f64],
    sizes: &'a [f64],
    bounds: &'a [Bounds],
    limits: Limits,
    /// Costs are told to argmin in this unit.
    unit: f64,
    known: &'a RefCell<Known>,
}

impl<F: Fn(&[f64]) -> Option<Slope>> Valley<'_, F> {
    fn at(&self, z: &[f64]) -> Result<Slope, Error> {
        let mut known = self.known.borrow_mut();
        if let Some((_, slope)) = known.last.as_ref().filter(|(last, _)| last == z) {
            return Ok(slope.clone());
        }
        // A cost along a straight line leaves L-BFGS no curvature to divide by.
        let over = known.evaluations >= self.limits.evaluations || known.far.is_some() || known.is_tired();
        if over || z.iter().any(|z| !z.is_finite()) {
            return Err(Error::msg("enough"));
        }
        known.evaluations += 1;
        let mut values = outward(z, self.sizes, self.bounds);
        let far = self.draw_in(&mut values);
        let found = (self.cost)(&values).filter(|(cost, by)| cost.is_finite() && by.iter().all(|d| d.is_finite()));
        if let Some((j, (cost, _))) = far.zip(found.as_ref())
            && known.best.as_ref().is_some_and(|(_, (best, _))| cost < best)
        {
            known.far = Some(j);
            known.history.push(*cost);
            let z = (0..z.len()).map(|j| inward(values[j], self.sizes[j], self.bounds[j])).collect();
            known.best = Some((z, (*cost, vec![0.0; values.len()])));
            return Err(Error::msg("far"));
        }
        let slope = match found.filter(|_| far.is_none()) {
            Some((cost, mut by)) => {
                let stretch = |j: usize| stretch(z[j], self.sizes[j], self.bounds[j]);
                by.iter_mut().enumerate().for_each(|(j, d)| *d *= stretch(j));
                (cost, by)
            }
            // Where there is no cost the ground rises away from the best point, so that the search turns back.
            None => match &known.best {
                None => (f64::MAX.sqrt(), vec![0.0; z.len()]),
                Some((best, (cost, _))) => {
                    let away: Vec<f64> = z.iter().zip(best).map(|(z, best)| z - best).collect();
                    let square: f64 = away.iter().map(|a| a * a).sum();
                    let steep = 10.0 * (cost.abs() + 1e-3) / square.max(f64::MIN_POSITIVE);
                    (cost + steep * square, away.iter().map(|a| 2.0 * steep * a).collect())
                }
            },
        };
        known.count(slope.0);
        if known.best.as_ref().is_none_or(|(_, (best, _))| slope.0 < *best) {
            known.best = Some((z.to_vec(), slope.clone()));
            known.history.push(slope.0);
        }
        known.last = Some((z.to_vec(), slope.clone()));
        Ok(slope)
    }

    /// Draws values out of reach back towards the start, and says which of them is farthest out.
    fn draw_in(&self, values: &mut [f64]) -> Option<usize> {
        let out = |j: usize| {
            let (off, Bounds { lower, upper }) = (values[j] - self.start[j], self.bounds[j]);
            let open = if off > 0.0 { upper == f64::INFINITY } else { lower == f64::NEG_INFINITY };
            if open { off.abs() / (self.limits.reach * self.sizes[j]) } else { 0.0 }
        };
        let j = (0..values.len()).max_by(|i, j| out(*i).total_cmp(&out(*j)))?;
        let part = out(j);
        if !(part > 1.0) {
            return None;
        }
        values.iter_mut().zip(self.start).for_each(|(value, start)| *value = start + (*value - start) / part);
        Some(j)
    }
}

impl<F: Fn(&[f64]) -> Option<Slope>> CostFunction for Valley<'_, F> {
    type Param = Vec<f64>;
    type Output = f64;
    fn cost(&self, z: &Vec<f64>) -> Result<f64, Error> {
        self.at(z).map(|(cost, _)| cost / self.unit)
    }
}

impl<F: Fn(&[f64]) -> Option<Slope>> Gradient for Valley<'_, F> {
    type Param = Vec<f64>;
    type Gradient = Vec<f64>;
    fn gradient(&self, z: &Vec<f64>) -> Result<Vec<f64>, Error> {
        self.at(z).map(|(_, by)| by.iter().map(|d| d / self.unit).collect())
    }
}

/// Goes down a smooth cost from `start`, where it must have a value; `sizes` are changes that matter of each parameter.
/// `cost` gives the value and its derivatives, or `None` where there is none. `None`: no value at the start.
///
/// Bounds are kept by going along `p = (l + u)/2 + (u − l)/2 sin z`, and `p = l − w + w √(1 + z²)` with one of them (w: the
/// size). A line search is Moré and Thuente's; the method begins anew where one fails.
pub fn descend(
    start: &[f64],
    sizes: &[f64],
    bounds: &[Bounds],
    limits: Limits,
    cost: impl Fn(&[f64]) -> Option<(f64, Vec<f64>)>,
) -> Option<Descent> {
    let known = RefCell::new(Known::default());
    let begin: Vec<f64> = (0..start.len()).map(|j| inward(start[j], sizes[j], bounds[j])).collect();
    let valley = |unit: f64| Valley { cost: &cost, start, sizes, bounds, limits, unit, known: &known };
    let first = valley(1.0).at(&begin).ok()?;
    if first.0 >= f64::MAX.sqrt() {
        return None;
    }
    let mut from = (begin, first);
    for _ in 0..RESTARTS {
        let before = from.1.0;
        let norm = from.1.1.iter().map(|d| d * d).sum::<f64>().sqrt();
        if !(norm > 0.0) {
            break;
        }
        // The first step is the gradient itself: in this unit it has length 1, so that no parameter moves by more than its size.
        let valley = valley(norm);
        let Ok(line) = MoreThuenteLineSearch::new().with_bounds(f64::EPSILON, 10.0) else { break };
        let method = LBFGS::new(line, MEMORY).with_tolerance_cost(STEP.0 * from.1.0.abs() / norm);
        let Ok(method) = method.and_then(|method| method.with_tolerance_grad(STEP.1)) else { break };
        let executor = Executor::new(valley, method)
            .configure(|state| state.param(from.0.clone()).max_iters(u64::from(limits.evaluations)));
        // Its error is the end of a line search, or of the evaluations; what is best is known.
        let _ended = executor.timer(false).run();
        let best = known.borrow().best.clone();
        let Some(best) = best else { break };
        from = best;
        let over = known.borrow().evaluations >= limits.evaluations || known.borrow().far.is_some();
        if over || !(before - from.1.0 > GAIN * (before.abs() + f64::MIN_POSITIVE)) {
            break;
        }
    }
    let Known { evaluations, history, far, .. } = known.into_inner();
    let parameters = outward(&from.0, sizes, bounds);
    let spent = if evaluations >= limits.evaluations { Ended::Spent } else { Ended::Settled };
    Some(Descent { parameters, cost: from.1.0, evaluations, history, ended: far.map_or(spent, Ended::Far) })
}

/// From argmin's unbounded parameters to those of the model.
fn outward(z: &[f64], sizes: &[f64], bounds: &[Bounds]) -> Vec<f64> {
    let one = |(j, z): (usize, &f64)| {
        let (w, Bounds { lower, upper }) = (sizes[j], bounds[j]);
        let value = match (lower.is_finite(), upper.is_finite()) {
            (true, true) => 0.5 * (lower + upper) + 0.5 * (upper - lower) * z.sin(),
            (true, false) => lower + w * (z.hypot(1.0) - 1.0),
            (false, true) => upper - w * (z.hypot(1.0) - 1.0),
            (false, false) => w * z,
        };
        bounds[j].nearest(value)
    };
    z.iter().enumerate().map(one).collect()
}

/// `dp/dz`
fn stretch(z: f64, w: f64, Bounds { lower, upper }: Bounds) -> f64 {
    match (lower.is_finite(), upper.is_finite()) {
        (true, true) => 0.5 * (upper - lower) * z.cos(),
        (true, false) => w * z / z.hypot(1.0),
        (false, true) => -w * z / z.hypot(1.0),
        (false, false) => w,
    }
}

/// The other way; a start on a bound, where nothing would move it, is put a little inside.
fn inward(p: f64, w: f64, Bounds { lower, upper }: Bounds) -> f64 {
    let beyond = |distance: f64| ((distance / w).max(1e-3) + 1.0).powi(2);
    match (lower.is_finite(), upper.is_finite()) {
        (true, true) => ((2.0 * p - lower - upper) / (upper - lower)).clamp(-0.99, 0.99).asin(),
        (true, false) => (beyond(p - lower) - 1.0).sqrt(),
        (false, true) => (beyond(upper - p) - 1.0).sqrt(),
        (false, false) => p / w,
    }
}
