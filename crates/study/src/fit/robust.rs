//! Robust standard deviations, fits of parabolas, and the bound [`SURE`] for rejecting a motion.

use nalgebra::{LU, Matrix3, Matrix4, U3, Vector3, Vector4};

/// Standard deviation of a normal distribution over the median of its absolute value.
pub(super) const NORMAL: f64 = 1.482602218505602;

/// Times and places along one axis.
pub(super) type Points = Vec<(f64, f64)>;
/// Increase of the sum of squared residuals over the noise by which a motion is rejected: six standard deviations
/// squared.
pub(super) const SURE: f64 = 36.0;

/// The order statistic with `below` values below it; reorders the values.
pub(super) fn ranked(values: &mut [f64], below: usize) -> Option<f64> {
    (below < values.len()).then(|| *values.select_nth_unstable_by(below, f64::total_cmp).1)
}

/// The median; reorders the values.
pub(super) fn median(values: &mut [f64]) -> Option<f64> {
    ranked(values, values.len() / 2)
}

/// Least-squares parabola through more than three points: coefficients of 1, t, t², and the normal matrix, whose
/// inverse is their covariance over the variance of the points.
pub(super) fn parabola(points: &[(f64, f64)]) -> Option<(Vector3<f64>, LU<f64, U3, U3>)> {
    let row = |t: f64| Vector3::new(1.0, t, t * t);
    let mut normal = Matrix3::<f64>::zeros();
    let mut right = Vector3::zeros();
    for (t, value) in points {
        normal += row(*t) * row(*t).transpose();
        right += row(*t) * *value;
    }
    let factors = normal.lu();
    let found = factors.solve(&right)?;
    (points.len() > 3 && found.iter().all(|c| c.is_finite())).then_some((found, factors))
}

/// Least sum of squared residuals of a combination of four functions, for points over the noise at times from −1 to 1;
/// `known`: weight of a prior value zero for each coefficient.
pub(super) fn left(points: &[(f64, f64)], functions: impl Fn(f64) -> Vector4<f64>, known: Vector4<f64>) -> Option<f64> {
    let (mut normal, mut right) = (Matrix4::from_diagonal(&known), Vector4::zeros());
    for (s, place) in points {
        let row = functions(*s);
        normal += row * row.transpose();
        right += row * *place;
    }
    let found = normal.cholesky()?.solve(&right);
    let squares: f64 = points.iter().map(|(s, place)| (place - found.dot(&functions(*s))).powi(2)).sum();
    Some(squares + found.component_mul(&found).dot(&known))
}

/// Scales points to times from −1 to 1 and places over the noise; also returns middle and half of the time span.
pub(super) fn scaled(points: &[(f64, f64)], noise: f64) -> Option<(Points, f64, f64)> {
    let (first, last) = (points.first()?.0, points.last()?.0);
    let (middle, half) = (0.5 * (first + last), 0.5 * (last - first));
    Some((points.iter().map(|(t, place)| ((t - middle) / half, place / noise)).collect(), middle, half))
}

/// Standard deviation from the median of absolute residuals, which outliers hardly change.
pub(super) fn robust_deviation(residuals: &[f64]) -> f64 {
    let mut sizes: Vec<f64> = residuals.iter().map(|r| r.abs()).collect();
    median(&mut sizes).map_or(0.0, |median| NORMAL * median)
}
