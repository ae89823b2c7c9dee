//! Standard errors, confidence intervals and correlation of a least-squares solution.

use nalgebra::{DMatrix, SVD};

use crate::{Evaluation, Loss};

/// Errors of estimates.
#[derive(Clone, Debug, PartialEq)]
pub struct Statistics {
    /// Residual standard deviation `√(Σ w r²/(n − p))`.
    pub deviation: f64,
    /// Degrees of freedom n − p: number of residuals less that of the parameters with an effect.
    pub freedom: usize,
    /// Standard error of each estimate.
    pub standard_errors: Vec<f64>,
    /// Half widths of the 95 % confidence intervals.
    pub half_widths: Vec<f64>,
    /// Correlation of the estimates.
    pub correlation: DMatrix<f64>,
}

/// Parameters that the data don't determine.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Undetermined {
    /// A combination of parameters that the data don't determine.
    #[error("the data know only a combination of parameters {parts:?} (singular value {singular:?} of 1)")]
    Combination {
        /// Parameters and their components in the undetermined direction.
        parts: Vec<(usize, f64)>,
        /// Its singular value, for columns of unit length.
        singular: f64,
    },
    /// Not more data than parameters.
    #[error("{data} data for {parameters} parameters: there must be more")]
    TooFew {
        /// Number of data.
        data: usize,
        /// Number of parameters.
        parameters: usize,
    },
}

/// Singular value, for columns of unit length, below which it is rounding of the derivatives.
const SINGULAR: f64 = 1e-7;
/// Effect of a large change of a parameter on the residuals, up to which it counts as rounding.
const ROUNDING: f64 = 1e-9;
/// Standard error over large change from which on a parameter counts as one without effect.
const UNKNOWN: f64 = 1e3;

/// Errors of a solution from the curvature of its cost; with Huber's loss those of an M-estimate,
/// `s² = Σψ²/(n−p)/(mean ψ′)²` (Huber, *Robust Statistics*, 1981, §7.6). `sizes` (> 0) are large changes of the
/// parameters. A parameter has no effect if its error would exceed a thousand of them even if all others were known.
/// Its errors are then infinite, and those of the others are as if it were fixed. `noise` is the standard deviation of
/// a residual, if it is known; it is used with squares only.
pub fn statistics(at: &Evaluation, sizes: &[f64], loss: Loss, noise: Option<f64>) -> Result<Statistics, Undetermined> {
    let (rows, count) = at.jacobian.shape();
    if rows <= count {
        return Err(Undetermined::TooFew { data: rows, parameters: count });
    }
    let weights: Vec<f64> = at.residuals.iter().map(|r| loss.weight(*r)).collect();
    let squares: f64 = weights.iter().zip(&at.residuals).map(|(w, r)| w * r * r).sum();
    let noise = noise.filter(|_| loss == Loss::Squares);
    let influence: f64 = weights.iter().zip(&at.residuals).map(|(w, r)| (w * r).powi(2)).sum();
    let within = weights.iter().filter(|w| **w == 1.0).count().max(1) as f64 / rows as f64;
    let spread = |freedom: usize| noise.unwrap_or((influence / freedom as f64).sqrt() / within);
    let lengths: Vec<f64> = at.jacobian.column_iter().map(|column| column.norm()).collect();
    let least = (spread(rows - count) / UNKNOWN).max(ROUNDING);
    let seen: Vec<usize> = (0..count).filter(|j| lengths[*j] * sizes[*j] > least).collect();
    let freedom = rows - seen.len();
    let spread = spread(freedom);
    let unit = DMatrix::from_fn(rows, seen.len(), |i, a| at.jacobian[(i, seen[a])] / lengths[seen[a]]);
    let infinite = || vec![f64::INFINITY; count];
    let mut found = Statistics {
        deviation: (squares / freedom as f64).sqrt(),
        freedom,
        standard_errors: infinite(),
        half_widths: infinite(),
        correlation: DMatrix::identity(count, count),
    };
    if seen.is_empty() {
        return Ok(found);
    }
    let svd = SVD::new(unit, false, true);
    let (least, singular) = svd.singular_values.argmin();
    let Some(v) = svd.v_t else { return Err(Undetermined::TooFew { data: rows, parameters: count }) };
    if !(singular > SINGULAR) {
        let parts = seen.iter().enumerate().map(|(a, j)| (*j, v[(least, a)]));
        return Err(Undetermined::Combination {
            parts: parts.filter(|(_, part)| part.abs() > 0.05).collect(),
            singular,
        });
    }
    let inverse = DMatrix::from_fn(seen.len(), seen.len(), |a, b| {
        (0..seen.len()).map(|i| v[(i, a)] * v[(i, b)] / svd.singular_values[i].powi(2)).sum::<f64>()
    });
    let quantile = if noise.is_some() { NORMAL } else { student_quantile(freedom) };
    for (a, j) in seen.iter().copied().enumerate() {
        found.standard_errors[j] = spread * inverse[(a, a)].sqrt() / lengths[j];
        found.half_widths[j] = quantile * found.standard_errors[j];
        for (b, k) in seen.iter().copied().enumerate() {
            found.correlation[(j, k)] = inverse[(a, b)] / (inverse[(a, a)] * inverse[(b, b)]).sqrt();
        }
    }
    Ok(found)
}

/// 97.5 % quantile of the normal distribution.
const NORMAL: f64 = 1.959963984540054;

/// 97.5 % quantiles of Student's distribution for 1, 2, … degrees of freedom.
const STUDENT: [f64; 10] = [
    12.706204736174698,
    4.302652729749464,
    3.182446305283708,
    2.776445105197793,
    2.570581835636314,
    2.446911851144969,
    2.364624251592784,
    2.306004135204166,
    2.262157162798205,
    2.228138851986274,
];

/// 97.5 % quantile of Student's distribution, to 6e-5: Cornish and Fisher's series beyond 10 degrees (Abramowitz &
/// Stegun 26.7.5).
pub fn student_quantile(freedom: usize) -> f64 {
    let Some(before) = freedom.checked_sub(1) else { return f64::INFINITY };
    STUDENT.get(before).copied().unwrap_or_else(|| {
        let (z, n) = (NORMAL, freedom as f64);
        let [z3, z5, z7] = [z.powi(3), z.powi(5), z.powi(7)];
        let first = (z3 + z) / 4.0;
        let second = (5.0 * z5 + 16.0 * z3 + 3.0 * z) / 96.0;
        let third = (3.0 * z7 + 19.0 * z5 + 17.0 * z3 - 15.0 * z) / 384.0;
        z + first / n + second / (n * n) + third / n.powi(3)
    })
}
