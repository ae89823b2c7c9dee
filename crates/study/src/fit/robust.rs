//! Deviations that outliers do not move, the parabola closest to some points, and when a motion is surely not the true one.

use nalgebra::{LU, Matrix3, Matrix4, U3, Vector3, Vector4};

/// Standard deviation of a normal distribution over the median of its absolute values.
pub(super) const NORMAL: f64 = 1.482602218505602;

/// Times and places along one axis.
pub(super) type Points = Vec<(f64, f64)>;
/// Squares over those of the noise by which one motion is worse than another if it is not the true one: six standard deviations.
pub(super) const SURE: f64 = 36.0;

/// The number that so many others are below; it changes their order.
pub(super) fn ranked(values: &mut [f64], below: usize) -> Option<f64> {
    (below < values.len()).then(|| *values.select_nth_unstable_by(below, f64::total_cmp).1)
}

/// The middle of some numbers, whose order it changes.
pub(super) fn median(values: &mut [f64]) -> Option<f64> {
    ranked(values, values.len() / 2)
}

/// Coefficients of 1, t, t² of the parabola closest to more than three points, and the normal matrix, whose inverse is their covariance over
/// the variance of the points.
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

/// Squares over those of the noise that the closest combination of four functions leaves of points whose times go from −1 to 1;
/// `known`: how sure each coefficient is zero, which counts as a point.
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

/// Points with times from −1 to 1 over a noise, and the middle and half of their span.
pub(super) fn scaled(points: &[(f64, f64)], noise: f64) -> Option<(Points, f64, f64)> {
    let (first, last) = (points.first()?.0, points.last()?.0);
    let (middle, half) = (0.5 * (first + last), 0.5 * (last - first));
    Some((points.iter().map(|(t, place)| ((t - middle) / half, place / noise)).collect(), middle, half))
}

/// Standard deviation by the median of sizes: outliers count little.
pub(super) fn robust_deviation(residuals: &[f64]) -> f64 {
    let mut sizes: Vec<f64> = residuals.iter().map(|r| r.abs()).collect();
    median(&mut sizes).map_or(0.0, |median| NORMAL * median)
}
