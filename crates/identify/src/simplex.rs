//! Nelder and Mead's method within bounds, by argmin.

use argmin::core::{CostFunction, Error, Executor, State};
use argmin::solver::neldermead::NelderMead;

use crate::Bounds;

/// Failure inside argmin.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the simplex method failed: {message}")]
pub struct SimplexError {
    /// Words of argmin.
    pub message: String,
}

/// Cost function for argmin; where the cost has no value there is a wall.
struct Cost<'a, F> {
    cost: F,
    bounds: &'a [Bounds],
}

/// Instead of infinity, whose differences are no numbers.
const WALL: f64 = 1e300;

impl<F: Fn(&[f64]) -> Option<f64>> CostFunction for Cost<'_, F> {
    type Param = Vec<f64>;
    type Output = f64;
    fn cost(&self, values: &Vec<f64>) -> Result<f64, Error> {
        let cost = (self.cost)(&inside(values, self.bounds));
        Ok(cost.filter(|cost| *cost <= WALL).unwrap_or(WALL))
    }
}

fn inside(values: &[f64], bounds: &[Bounds]) -> Vec<f64> {
    values.iter().zip(bounds).map(|(value, bounds)| bounds.nearest(*value)).collect()
}

/// Goes down a cost that has kinks and jumps (where events come and go), without derivatives, from `start` with a simplex
/// of these `sizes`. `cost` is `None` where there is no value. Returns the best parameters and their cost.
pub fn simplex(
    start: &[f64],
    sizes: &[f64],
    bounds: &[Bounds],
    iterations: u64,
    cost: impl Fn(&[f64]) -> Option<f64>,
) -> Result<(Vec<f64>, f64), SimplexError> {
    let mut corners = vec![start.to_vec()];
    for j in 0..start.len() {
        let mut corner = start.to_vec();
        let beyond = start[j] + sizes[j] > bounds[j].upper;
        corner[j] += if beyond { -sizes[j] } else { sizes[j] };
        corners.push(corner);
    }
    let failed = |error: Error| SimplexError { message: error.to_string() };
    let method = NelderMead::new(corners).with_sd_tolerance(1e-12).map_err(failed)?;
    let executor = Executor::new(Cost { cost, bounds }, method).configure(|state| state.max_iters(iterations));
    let result = executor.timer(false).run().map_err(failed)?;
    let best = result.state.get_best_param().cloned().unwrap_or_else(|| start.to_vec());
    Ok((inside(&best, bounds), result.state.get_best_cost()))
}
