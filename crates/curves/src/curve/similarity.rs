//! Similarities of the plane, by which curves are moved, turned, scaled and mirrored.

use nalgebra::{Matrix2, Vector2};
use numbers::elementary;

/// A motion of the plane with one scale for all lengths, perhaps with a reflection: `p ↦ A p + b`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Similarity {
    pub(crate) linear: Matrix2<f64>,
    pub(crate) shift: Vector2<f64>,
    /// Factor of all lengths, `√|det A|`.
    pub(crate) factor: f64,
}

impl Similarity {
    /// The identity.
    pub fn identity() -> Self {
        Similarity { linear: Matrix2::identity(), shift: Vector2::zeros(), factor: 1.0 }
    }
    /// Translation by a vector, m.
    pub fn shift(by: Vector2<f64>) -> Self {
        Similarity { shift: by, ..Similarity::identity() }
    }
    /// Counter-clockwise rotation by an angle (rad) around the origin.
    pub fn turn(angle: f64) -> Self {
        let (s, c) = elementary::sin_cos(angle);
        Similarity { linear: Matrix2::new(c, -s, s, c), ..Similarity::identity() }
    }
    /// Scaling by a positive factor around the origin.
    pub fn scale(factor: f64) -> Self {
        Similarity { linear: Matrix2::identity() * factor, shift: Vector2::zeros(), factor }
    }
    /// Reflection in the line through the origin along a direction (not zero).
    pub fn mirror(along: Vector2<f64>) -> Self {
        let linear = 2.0 / along.norm_squared() * along * along.transpose() - Matrix2::identity();
        Similarity { linear, ..Similarity::identity() }
    }
    /// Conjugates the map to act around a point instead of the origin.
    pub fn around(self, point: Vector2<f64>) -> Self {
        Similarity { shift: point + self.shift - self.linear * point, ..self }
    }
    /// Composition: this map first, then `next`.
    pub fn then(self, next: Similarity) -> Self {
        Similarity {
            linear: next.linear * self.linear,
            shift: next.linear * self.shift + next.shift,
            factor: next.factor * self.factor,
        }
    }
    /// Image of a direction.
    pub(crate) fn direction(&self, v: Vector2<f64>) -> Vector2<f64> {
        self.linear * v / self.factor
    }
    /// Whether left and right are exchanged.
    pub fn mirrors(&self) -> bool {
        self.linear.determinant() < 0.0
    }
    /// Image of a point.
    pub fn apply(&self, p: Vector2<f64>) -> Vector2<f64> {
        self.linear * p + self.shift
    }
}
