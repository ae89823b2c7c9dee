//! Noise of a spline's points, judged by the false curvature that a spline through all of them would have.

use curves::Piece;
use curves::spline::{Smoothed, Smoothing, smooth};
use nalgebra::Vector2;

use crate::input::short;

/// Least number of points to judge noise by.
const FEWEST: usize = 16;

/// Least false curvature that counts as noise, as a part of the true one.
const MATTERS: f64 = 0.2;

/// Noise of points about a smooth curve, which gives a curve through all of them false curvature.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Noise {
    /// Standard deviation of the points, m, by generalised cross-validation.
    pub deviation: f64,
    /// Largest distance of a point from the smooth curve, m.
    pub largest: f64,
    /// Root mean square of the false curvature of a spline through all points, 1/m.
    pub false_curvature: f64,
    /// Root mean square of the smooth curve's curvature, 1/m.
    pub curvature: f64,
    /// Key of the curve that chooses how points are joined: `kind` or `as`.
    pub key: &'static str,
}

impl Noise {
    /// Noise of points over their knots, if it gives the spline `through` them much false curvature; `key`: see
    /// [`Noise::key`].
    pub fn of(knots: &[f64], points: &[Vector2<f64>], through: &[Piece], key: &'static str) -> Option<Noise> {
        if points.len() < FEWEST {
            return None;
        }
        let Smoothed { pieces, noise, largest_deviation, .. } = smooth(knots, points, Smoothing::CrossValidation)?;
        let bends = |pieces: &[Piece]| -> Vec<f64> {
            pieces.iter().map(|piece| piece.jet(piece.domain().lo).curvature()).collect()
        };
        let (smooth, plain) = (bends(&pieces), bends(through));
        let off: Vec<f64> = smooth.iter().zip(&plain).map(|(smooth, plain)| smooth - plain).collect();
        let root_mean_square = |values: &[f64]| {
            let squares = values.iter().fold(0.0, |sum, value| sum + value * value);
            (squares / values.len().max(1) as f64).sqrt()
        };
        let [curvature, false_curvature] = [&smooth, &off].map(|values| root_mean_square(values));
        let matters = false_curvature > MATTERS * curvature;
        matters.then_some(Noise { deviation: noise, largest: largest_deviation, false_curvature, curvature, key })
    }

    /// Cause of the warning, in one line.
    pub fn cause(&self) -> String {
        let [scatter, too_much, in_all] = [self.deviation, self.false_curvature, self.curvature].map(short);
        format!(
            "points scatter by {scatter} m (standard deviation); a spline through all of them bends by {too_much} 1/m too much, the smooth curve by {in_all} 1/m in all"
        )
    }

    /// Cure for it, in one line.
    pub fn cure(&self) -> String {
        let (key, largest) = (self.key, short(self.largest));
        format!("{key} = \"smoothing-spline\" with smoothing = \"gcv\", which moves points by up to {largest} m")
    }
}
