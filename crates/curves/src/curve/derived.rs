//! Curves made from others: moved, turned, scaled, mirrored, run backwards, and parallels.

use std::sync::Arc as Shared;

use nalgebra::{Matrix2, Vector2};

use crate::curve::profile::turned;
use crate::{Curve, Profile, turn_left};
use numbers::Number;

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
        let (s, c) = angle.sin_cos();
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
    /// Factor of lengths from a curve to its image.
    pub(crate) fn factor(&self) -> f64 {
        self.factor
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

/// A curve's parallel at a distance to its left, then mapped, then perhaps run backwards.
///
/// What is derived from a derived curve goes back to the first one: its fourth derivative gives the third of the
/// parallel, and nothing is nested.
#[derive(Clone, Debug)]
pub(crate) struct Derived {
    pub(crate) base: Shared<dyn Curve>,
    pub(crate) distance: f64,
    pub(crate) map: Similarity,
    pub(crate) backwards: bool,
}

impl Derived {
    /// The point of the parallel before it is mapped.
    #[inline(always)]
    fn unmapped<N: Number>(&self, s: N) -> [N; 2] {
        let s = if self.backwards { -s } else { s };
        if self.distance == 0.0 {
            return N::series_of::<1, _>(&*self.base, s).map(|[c]| c);
        }
        let [x, y] = N::series_of::<2, _>(&*self.base, s);
        let slowness = N::constant(self.distance) / (x[1].square() + y[1].square()).sqrt();
        [x[0] - y[1] * slowness, y[0] + x[1] * slowness]
    }
}

impl Profile for Derived {
    fn point<N: Number>(&self, s: N) -> [N; 2] {
        let p = self.unmapped(s);
        let Similarity { linear, shift, .. } = &self.map;
        if *linear == Matrix2::identity() {
            return [p[0] + N::constant(shift.x), p[1] + N::constant(shift.y)];
        }
        [0, 1].map(|i| p[0].scale(linear[(i, 0)]) + p[1].scale(linear[(i, 1)]) + N::constant(shift[i]))
    }

    fn axis(&self) -> Vector2<f64> {
        self.map.direction(Vector2::x())
    }

    /// The point as seen along an axis; along the image of an axis of the base nothing is turned.
    #[inline(always)]
    fn seen<N: Number>(&self, s: N, axis: Vector2<f64>) -> [N; 2] {
        let own = Profile::axis(self);
        let quarter = [own, turn_left(own), -own, -turn_left(own)].iter().position(|image| *image == axis);
        let Some(quarter) = quarter.filter(|_| axis.y != 0.0) else { return turned(self.point(s), axis) };
        let [x, y] = self.unmapped(s);
        let Similarity { shift, factor, .. } = self.map;
        let along = x.scale(factor) + N::constant(own.dot(&shift));
        let left = y.scale(if self.map.mirrors() { -factor } else { factor }) + N::constant(own.perp(&shift));
        match quarter {
            0 => [along, left],
            1 => [left, -along],
            2 => [-along, -left],
            _ => [-left, along],
        }
    }
}
