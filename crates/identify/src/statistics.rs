//! Standard errors, confidence intervals and correlation of a least-squares solution.

use nalgebra::{DMatrix, SVD};

use crate::{Evaluation, Loss};

/// Errors of estimates.
#[derive(Clone, Debug, PartialEq)]
pub struct Statistics {
    /// Residual standard deviation `√(Σ w r²/(n − p))`.
    pub deviation: f64,
    /// Degrees of freedom n − p.
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
    /// A parameter that nothing observed depends on.
    #[error(
        "parameter {index} changes nothing that was observed: its error would be {error:?}, its size being {size:?}"
    )]
    NoEffect {
        /// Index of the parameter.
        index: usize,
        /// Its standard error if all others were known; ∞: no effect at all.
        error: f64,
        /// Magnitude of the parameter.
        size: f64,
    },
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

/// Ratio of error to size from which a parameter is undetermined.
const UNKNOWN: f64 = 1e3;
/// Singular value, for columns of unit length, below which it is rounding of the derivatives.
const SINGULAR: f64 = 1e-7;

/// Errors of a solution from the curvature of its cost; with Huber's loss those of an M-estimate,
/// `s² = Σψ²/(n−p)/(mean ψ′)²` (Huber, *Robust Statistics*, 1981, §7.6). `sizes` (> 0): large changes of the
/// parameters; one with an error above a thousand of them is undetermined. `noise`: known standard deviation of a
/// residual, used with squares only.
pub fn statistics(at: &Evaluation, sizes: &[f64], loss: Loss, noise: Option<f64>) -> Result<Statistics, Undetermined> {
    let (rows, count) = at.jacobian.shape();
    if rows <= count {
        return Err(Undetermined::TooFew { data: rows, parameters: count });
    }
    let freedom = rows - count;
    let weights: Vec<f64> = at.residuals.iter().map(|r| loss.weight(*r)).collect();
    let squares: f64 = weights.iter().zip(&at.residuals).map(|(w, r)| w * r * r).sum();
    let deviation = (squares / freedom as f64).sqrt();
    let noise = noise.filter(|_| loss == Loss::Squares);
    let influence: f64 = weights.iter().zip(&at.residuals).map(|(w, r)| (w * r).powi(2)).sum();
    let within = weights.iter().filter(|w| **w == 1.0).count().max(1) as f64 / rows as f64;
    let spread = noise.unwrap_or((influence / freedom as f64).sqrt() / within);
    let mut unit = at.jacobian.clone();
    let mut lengths = vec![0.0; count];
    for j in 0..count {
        lengths[j] = unit.column(j).norm();
        let size = sizes[j];
        if !(lengths[j] * size > 1e-9 && spread / lengths[j] <= UNKNOWN * size) {
            return Err(Undetermined::NoEffect { index: j, error: spread / lengths[j], size });
        }
        unit.column_mut(j).scale_mut(1.0 / lengths[j]);
    }
    let svd = SVD::new(unit, false, true);
    let (least, singular) = svd.singular_values.argmin();
    let Some(v) = svd.v_t else { return Err(Undetermined::TooFew { data: rows, parameters: count }) };
    if !(singular > SINGULAR) {
        let parts = (0..count).map(|j| (j, v[(least, j)])).filter(|(_, part)| part.abs() > 0.05).collect();
        return Err(Undetermined::Combination { parts, singular });
    }
    let inverse = DMatrix::from_fn(count, count, |j, k| {
        (0..count).map(|i| v[(i, j)] * v[(i, k)] / svd.singular_values[i].powi(2)).sum::<f64>()
    });
    let standard_errors: Vec<f64> = (0..count).map(|j| spread * inverse[(j, j)].sqrt() / lengths[j]).collect();
    let quantile = if noise.is_some() { NORMAL } else { student_quantile(freedom) };
    let half_widths = standard_errors.iter().map(|error| quantile * error).collect();
    let correlation =
        DMatrix::from_fn(count, count, |j, k| inverse[(j, k)] / (inverse[(j, j)] * inverse[(k, k)]).sqrt());
    Ok(Statistics { deviation, freedom, standard_errors, half_widths, correlation })
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
