//! Deviations that outliers do not move, the parabola closest to some points, and when a motion is surely not the true one.

use nalgebra::{Matrix3, Vector3};

/// Standard deviation of a normal distribution over the median of its absolute values.
pub(super) const NORMAL: f64 = 1.482602218505602;

/// Times and places along one axis.
pub(super) type Points = Vec<(f64, f64)>;
/// Squares over those of the noise by which one motion is worse than another if it is not the true one: six standard deviations.
pub(super) const SURE: f64 = 36.0;

/// The middle of some numbers.
pub(super) fn median(values: &mut [f64]) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}

/// Coefficients of 1, t, t² of the parabola closest to more than three points, and their covariance over the variance of the points.
pub(super) fn parabola(points: &[(f64, f64)]) -> Option<(Vector3<f64>, Matrix3<f64>)> {
    let row = |t: f64| Vector3::new(1.0, t, t * t);
    let mut normal = Matrix3::<f64>::zeros();
    let mut right = Vector3::zeros();
    for (t, value) in points {
        normal += row(*t) * row(*t).transpose();
        right += row(*t) * *value;
    }
    let factors = normal.lu();
    let (found, covariance) = (factors.solve(&right)?, factors.try_inverse()?);
    (points.len() > 3 && found.iter().all(|c| c.is_finite())).then_some((found, covariance))
}

/// Standard deviation by the median of sizes: outliers count little.
pub(super) fn robust_deviation(residuals: &[f64]) -> f64 {
    let mut sizes: Vec<f64> = residuals.iter().map(|r| r.abs()).collect();
    median(&mut sizes).map_or(0.0, |median| NORMAL * median)
}
