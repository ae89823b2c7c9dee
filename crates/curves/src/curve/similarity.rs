//! Motions of the plane.

use nalgebra::{Matrix2, Vector2};
use numbers::elementary;

/// A motion of the plane with one scale for all lengths, perhaps with a reflection: `p ↦ A p + b`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Similarity {
    pub(crate) linear: Matrix2<f64>,
    pub(crate) shift: Vector2<f64>,
    /// Lengths grow by this, `√|det A|`.
    pub(crate) factor: f64,
}

impl Similarity {
    /// Leaves all in place.
    pub fn identity() -> Self {
        Similarity { linear: Matrix2::identity(), shift: Vector2::zeros(), factor: 1.0 }
    }
    /// Moves by a vector, m.
    pub fn shift(by: Vector2<f64>) -> Self {
        Similarity { shift: by, ..Similarity::identity() }
    }
    /// Turns counter-clockwise by an angle (rad) around the origin.
    pub fn turn(angle: f64) -> Self {
        let (s, c) = elementary::sin_cos(angle);
        Similarity { linear: Matrix2::new(c, -s, s, c), ..Similarity::identity() }
    }
    /// Scales around the origin by a positive factor.
    pub fn scale(factor: f64) -> Self {
        Similarity { linear: Matrix2::identity() * factor, shift: Vector2::zeros(), factor }
    }
    /// Mirrors across the line through the origin along a direction (not zero).
    pub fn mirror(along: Vector2<f64>) -> Self {
        let linear = 2.0 / along.norm_squared() * along * along.transpose() - Matrix2::identity();
        Similarity { linear, ..Similarity::identity() }
    }
    /// Moves the map to act around a point instead of the origin.
    pub fn around(self, point: Vector2<f64>) -> Self {
        Similarity { shift: point + self.shift - self.linear * point, ..self }
    }
    /// Composes two maps: this one first, then `next`.
    pub fn then(self, next: Similarity) -> Self {
        Similarity {
            linear: next.linear * self.linear,
            shift: next.linear * self.shift + next.shift,
            factor: next.factor * self.factor,
        }
    }
    /// The image of a direction.
    pub(crate) fn direction(&self, v: Vector2<f64>) -> Vector2<f64> {
        self.linear * v / self.factor
    }
    /// Whether left becomes right.
    pub fn mirrors(&self) -> bool {
        self.linear.determinant() < 0.0
    }
    /// The image of a point.
    pub fn apply(&self, p: Vector2<f64>) -> Vector2<f64> {
        self.linear * p + self.shift
    }
}
