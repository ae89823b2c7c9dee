//! Points that scatter: what a spline through all of them would do to the ball.

use curves::Piece;
use curves::spline::{Smoothed, Smoothing, smooth};
use nalgebra::Vector2;

use crate::input::short;

/// Fewer points than this are no evidence of scatter.
const FEWEST: usize = 16;

/// Scatter counts from this part of the true curvature on.
const MATTERS: f64 = 0.2;

/// Points scatter about a smooth curve, so that a curve through all of them bends where the true one does not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Noise {
    /// Standard deviation of the points, m, by generalised cross-validation.
    pub deviation: f64,
    /// Largest distance of a point from the smooth curve, m.
    pub largest: f64,
    /// Root mean square of the curvature that a spline through all points has too much, 1/m.
    pub false_curvature: f64,
    /// Root mean square of the smooth curve's curvature, 1/m.
    pub curvature: f64,
    /// The key of the curve that says what becomes of its points: `kind` or `as`.
    pub key: &'static str,
}

impl Noise {
    /// Noise of points over their knots, if the spline `through` them bends by it; `key` of the curve says what becomes of its points.
    pub fn of(knots: &[f64], points: &[Vector2<f64>], through: &[Piece], key: &'static str) -> Option<Noise> {
        if points.len() < FEWEST {
            return None;
        }
        let Smoothed { pieces, noise, largest_deviation, .. } = smooth(knots, points, Smoothing::CrossValidation)?;
        let bends = |pieces: &[Piece]| -> Vec<f64> {
            pieces.iter().map(|piece| piece.jet(piece.domain().lo).curvature()).collect()
        };
        let (smooth, plain) = (bends(&pieces), bends(through));
        let mean = |values: &mut dyn Iterator<Item = f64>| {
            let (sum, count) = values.fold((0.0, 0u32), |(sum, count), value| (sum + value * value, count + 1));
            (sum / f64::from(count.max(1))).sqrt()
        };
        let curvature = mean(&mut smooth.iter().copied());
        let false_curvature = mean(&mut smooth.iter().zip(&plain).map(|(a, b)| a - b));
        let matters = false_curvature > MATTERS * curvature;
        matters.then_some(Noise { deviation: noise, largest: largest_deviation, false_curvature, curvature, key })
    }

    /// Cause of the warning, in one line.
    pub fn cause(&self) -> String {
        format!(
            "points scatter by {} m (standard deviation); a spline through all of them bends by {} 1/m too much, the smooth curve by {} 1/m in all",
            short(self.deviation),
            short(self.false_curvature),
            short(self.curvature)
        )
    }

    /// Cure of it, in one line.
    pub fn cure(&self) -> String {
        format!(
            "{} = \"smoothing-spline\" with smoothing = \"gcv\", which moves points by up to {} m",
            self.key,
            short(self.largest)
        )
    }
}
