//! Robust standard deviations, fits of parabolas, and the bound [`SURE`] for rejecting a motion.

use nalgebra::{Cholesky, Matrix4, U4, Vector4};

/// Standard deviation of a normal distribution over the median of its absolute value.
pub(super) const DEVIATION_PER_MEDIAN: f64 = 1.482602218505602;

/// Times and places along one axis.
pub(super) type Points = Vec<(f64, f64)>;
/// Increase of the sum of (residual/noise)² that rejects a motion: six standard deviations, squared.
pub(super) const SURE: f64 = 36.0;

/// The order statistic with `below` values below it; reorders the values.
pub(super) fn ranked(values: &mut [f64], below: usize) -> Option<f64> {
    (below < values.len()).then(|| *values.select_nth_unstable_by(below, f64::total_cmp).1)
}

/// The median; reorders the values.
pub(super) fn median(values: &mut [f64]) -> Option<f64> {
    ranked(values, values.len() / 2)
}

/// Least-squares combination of four functions.
pub(super) struct Combination {
    pub coefficients: Vector4<f64>,
    /// Sum of squared residuals and of squared coefficients times their prior weights.
    pub squares: f64,
    /// Factors of the normal matrix, whose inverse is the covariance of the coefficients over the variance of a point.
    pub factors: Cholesky<f64, U4>,
}

impl Combination {
    /// Fits points at times from −1 to 1; `prior`: weights that pull each coefficient to zero.
    pub fn of(points: &[(f64, f64)], functions: impl Fn(f64) -> Vector4<f64>, prior: Vector4<f64>) -> Option<Self> {
        let (mut normal, mut right) = (Matrix4::from_diagonal(&prior), Vector4::zeros());
        for (s, place) in points {
            let row = functions(*s);
            normal += row * row.transpose();
            right += row * *place;
        }
        let factors = normal.cholesky()?;
        let coefficients = factors.solve(&right);
        let off = |(s, place): &(f64, f64)| (place - coefficients.dot(&functions(*s))).powi(2);
        let squares = points.iter().map(off).sum::<f64>() + coefficients.component_mul(&coefficients).dot(&prior);
        Some(Combination { coefficients, squares, factors })
    }

    /// Fits a polynomial of a degree up to 3.
    pub fn polynomial(points: &[(f64, f64)], degree: usize) -> Option<Self> {
        let unused = Vector4::from_fn(|k, _| if k > degree { 1.0 } else { 0.0 });
        let functions = |s: f64| Vector4::from_fn(|k, _| if k > degree { 0.0 } else { s.powi(k as i32) });
        Combination::of(points, functions, unused).filter(|_| points.len() > degree + 1)
    }
}

/// Parabola through the places of an arc.
pub(super) struct ShortArc {
    /// Time in the middle of the arc.
    pub middle: f64,
    /// Place in the middle.
    pub place: f64,
    /// Velocity in the middle.
    pub velocity: f64,
    pub acceleration: f64,
    /// Standard error of the acceleration.
    pub error: f64,
    /// Standard deviation of the places from the parabola.
    pub spread: f64,
    /// Distance of the arc's end from the tangent in the middle.
    pub bent: f64,
}

impl ShortArc {
    /// Least-squares parabola of an arc.
    pub fn of(arc: &[(f64, f64)]) -> Option<Self> {
        let (scaled, middle, half) = scaled(arc, 1.0)?;
        let Combination { coefficients, squares, factors } = Combination::polynomial(&scaled, 2)?;
        let [place, velocity, bend, _] = coefficients.into();
        let (spread, by) = ((squares / (arc.len() - 3) as f64).sqrt(), 2.0 / (half * half));
        let error = by * spread * factors.inverse()[(2, 2)].sqrt();
        let (velocity, acceleration, bent) = (velocity / half, by * bend, bend.abs());
        Some(ShortArc { middle, place, velocity, acceleration, error, spread, bent })
    }
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
    median(&mut sizes).map_or(0.0, |median| DEVIATION_PER_MEDIAN * median)
}
