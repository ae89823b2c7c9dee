//! Curves made from others: moved, turned, scaled, mirrored, run backwards, and parallels.

use std::sync::Arc as Shared;

use nalgebra::{Matrix2, Vector2};

use crate::curve::profile::turned;
use crate::{Curve, Profile, Similarity, turn_left};
use numbers::Number;

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
