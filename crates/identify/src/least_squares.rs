//! Nonlinear least squares within bounds by the Levenberg–Marquardt method.

use nalgebra::{DMatrix, DVector};

/// Range of a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ParameterRange {
    /// Least value.
    pub lower: f64,
    /// Largest value.
    pub upper: f64,
}

impl ParameterRange {
    /// All numbers.
    pub const NONE: ParameterRange = ParameterRange { lower: f64::NEG_INFINITY, upper: f64::INFINITY };

    /// The number in the range nearest to a value.
    pub fn nearest(self, value: f64) -> f64 {
        value.max(self.lower).min(self.upper)
    }
}

/// Contribution of a residual to the cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Loss {
    /// `r²`
    Squares,
    /// `r²` up to this size k, then `2k|r| − k²` (Huber 1964): an outlier pulls no harder than one of size k.
    Huber(f64),
}

impl Loss {
    /// Cost of one residual.
    pub fn cost(self, residual: f64) -> f64 {
        match self {
            Loss::Huber(k) if residual.abs() > k => k * (2.0 * residual.abs() - k),
            _ => residual * residual,
        }
    }
    /// Weight w with which the residual counts in a least-squares step: half the cost's slope over r.
    pub fn weight(self, residual: f64) -> f64 {
        match self {
            Loss::Huber(k) if residual.abs() > k => k / residual.abs(),
            _ => 1.0,
        }
    }
}

/// Residuals (model less data) at some parameters, and their derivatives.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    /// Residuals r.
    pub residuals: Vec<f64>,
    /// `∂r/∂p`, a row for each residual.
    pub jacobian: DMatrix<f64>,
}

/// Settings of the method.
#[derive(Clone, Debug)]
pub struct Solver {
    /// Range of each parameter.
    pub bounds: Vec<ParameterRange>,
    /// Contribution of a residual to the cost.
    pub loss: Loss,
    /// Largest number of evaluations.
    pub evaluations: u32,
    /// Predicted relative gain of the cost below which it has converged.
    pub tolerance: f64,
}

/// Result of a fit.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// The parameters.
    pub parameters: Vec<f64>,
    /// The model at these parameters.
    pub evaluation: Evaluation,
    /// Sum of the losses.
    pub cost: f64,
    /// Number of evaluations.
    pub evaluations: u32,
    /// Whether the predicted gain fell below the tolerance.
    pub converged: bool,
    /// Flags of parameters held by a bound.
    pub held: Vec<bool>,
}

/// Reason why there is no solution.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SolveError<E> {
    /// The model can't be evaluated at the start.
    #[error("the model has no value at the start: {0}")]
    Start(E),
    /// A residual that is not finite at the start.
    #[error("residual {index} is not finite at the start")]
    NotFinite {
        /// Index of the residual, from 0.
        index: usize,
    },
}

/// Largest damping; beyond it no step helps.
const MOST_DAMPING: f64 = 1e12;

impl Solver {
    /// Minimises the sum of losses from `start`. Steps to where the model has no value, and steps that gain nothing,
    /// are rejected and shortened towards steepest descent (Marquardt's scaling, Nielsen's damping).
    ///
    /// ```text
    /// (JᵀWJ + λ diag JᵀWJ) δ = −JᵀW r
    /// ```
    pub fn solve<E>(
        &self,
        start: &[f64],
        mut model: impl FnMut(&[f64]) -> Result<Evaluation, E>,
    ) -> Result<Solution, SolveError<E>> {
        let mut parameters: Vec<f64> = start.iter().zip(&self.bounds).map(|(p, bounds)| bounds.nearest(*p)).collect();
        let mut here = model(&parameters).map_err(SolveError::Start)?;
        if let Some(index) = here.residuals.iter().position(|r| !r.is_finite()) {
            return Err(SolveError::NotFinite { index });
        }
        let mut cost = self.cost(&here);
        let (mut damping, mut growth, mut evaluations) = (1e-3, 2.0, 1);
        let mut converged = false;
        while evaluations < self.evaluations {
            let DampedStep { change, forecast } = self.step(&here, &parameters, damping);
            // Strong damping makes any forecast small: then it does not show a minimum.
            let settled = forecast <= self.tolerance * cost;
            if settled && damping <= 1.0 || cost == 0.0 {
                converged = true;
                break;
            }
            let trial: Vec<f64> = (0..start.len()).map(|j| self.bounds[j].nearest(parameters[j] + change[j])).collect();
            evaluations += 1;
            let there = model(&trial).ok().map(|there| (self.cost(&there), there));
            match there.filter(|(trial_cost, _)| *trial_cost < cost) {
                Some((trial_cost, there)) => {
                    let gain = (cost - trial_cost) / forecast;
                    damping *= (1.0 - (2.0 * gain - 1.0).powi(3)).max(0.1);
                    growth = 2.0;
                    (parameters, here, cost) = (trial, there, trial_cost);
                }
                None => {
                    damping *= growth;
                    growth *= 2.0;
                    if damping > MOST_DAMPING {
                        // No decrease that rounding could show.
                        converged = settled;
                        break;
                    }
                }
            }
        }
        let held =
            parameters.iter().zip(&self.bounds).map(|(p, bounds)| *p <= bounds.lower || *p >= bounds.upper).collect();
        Ok(Solution { parameters, evaluation: here, cost, evaluations, converged, held })
    }

    /// Sum of losses; ∞ if it is NaN.
    pub fn cost(&self, evaluation: &Evaluation) -> f64 {
        let cost: f64 = evaluation.residuals.iter().map(|r| self.loss.cost(*r)).sum();
        if cost.is_nan() { f64::INFINITY } else { cost }
    }

    /// Solves the damped normal equations of the parameters that have an effect and are not pushed out of their bounds.
    fn step(&self, at: &Evaluation, parameters: &[f64], damping: f64) -> DampedStep {
        let count = parameters.len();
        let weights = at.residuals.iter().map(|r| self.loss.weight(*r));
        let mut normal = DMatrix::<f64>::zeros(count, count);
        let mut gradient = DVector::<f64>::zeros(count);
        for (i, weight) in weights.enumerate() {
            let row = at.jacobian.row(i);
            for j in 0..count {
                gradient[j] += weight * row[j] * at.residuals[i];
                for k in 0..=j {
                    normal[(j, k)] += weight * row[j] * row[k];
                }
            }
        }
        let free: Vec<usize> = (0..count)
            .filter(|j| {
                let ParameterRange { lower, upper } = self.bounds[*j];
                let outward =
                    (parameters[*j] <= lower && gradient[*j] > 0.0) || (parameters[*j] >= upper && gradient[*j] < 0.0);
                normal[(*j, *j)] > 0.0 && !outward
            })
            .collect();
        let size = |j: usize| f64::sqrt(normal[(j, j)]);
        // Scaled so that each diagonal entry is 1.
        let scaled = DMatrix::from_fn(free.len(), free.len(), |a, b| {
            let (j, k) = (free[a].max(free[b]), free[a].min(free[b]));
            let diagonal = if a == b { damping } else { 0.0 };
            normal[(j, k)] / (size(j) * size(k)) + diagonal
        });
        let downhill = DVector::from_fn(free.len(), |a, _| -gradient[free[a]] / size(free[a]));
        let mut change = vec![0.0; count];
        let Some(factors) = scaled.cholesky() else { return DampedStep { change, forecast: f64::INFINITY } };
        let scaled_change = factors.solve(&downhill);
        for (a, j) in free.iter().enumerate() {
            change[*j] = scaled_change[a] / size(*j);
        }
        // |r|² − |r + Jδ|² = δᵀ(λDδ − JᵀWr), in scaled units.
        let forecast = scaled_change.dot(&(&scaled_change * damping + downhill));
        DampedStep { change, forecast }
    }
}

struct DampedStep {
    change: Vec<f64>,
    /// Decrease of the cost by the linearised model.
    forecast: f64,
}
