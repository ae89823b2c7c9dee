//! Curves and pieces derived from others: moved, turned, scaled, mirrored, reversed; and parallels.

use std::f64::consts::PI;
use std::sync::Arc as Shared;

use nalgebra::{Matrix2, Vector2};
use numbers::{Interval, Number, elementary};

use crate::curve::profile_enclosures::turned;
use crate::{Arc, Curve, Piece, Profile, Shape, Similarity, turn_left};

/// Largest number of parts looked at for cusps of a parallel.
const BUDGET: u32 = 20_000;

/// Reason why a curve has no parallel at a distance.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ParallelError {
    /// The curve turns more tightly than the distance allows.
    #[error(
        "the offset by {distance:?} m has a cusp at ({:?}, {:?}), where the curve's radius of curvature is {radius:?} m",
        point.x, point.y
    )]
    Cusp {
        /// Index of the piece, from 0.
        piece: usize,
        /// Point on the curve, m.
        point: Vector2<f64>,
        /// Radius of curvature at the point, m.
        radius: f64,
        /// The distance asked for, m.
        distance: f64,
    },
    /// A corner that turns straight back, or towards the parallel, so that the parallels of its pieces cross.
    #[error(
        "the offset by {distance:?} m crosses itself at the corner at ({:?}, {:?}), which turns towards it by {:.4} rad",
        point.x, point.y, turn.abs()
    )]
    Corner {
        /// Index of the piece before it, from 0.
        piece: usize,
        /// Point on the curve, m.
        point: Vector2<f64>,
        /// Angle between the tangents, rad.
        turn: f64,
        /// The distance asked for, m.
        distance: f64,
    },
}

impl Piece {
    /// The piece that becomes of this one: a line or an arc again (`shape`), whose length, and so the parameter,
    /// changed by a factor from `domain`; else the derived curve after a `change`.
    fn derived(&self, shape: Option<(Shape, f64)>, domain: Interval, change: impl FnOnce(&mut Derived)) -> Piece {
        if let Some((shape, factor)) = shape {
            let domain = Interval::new(domain.lo * factor, domain.hi * factor);
            return match shape {
                Shape::Line(line) => Piece::of(line, domain),
                Shape::Arc(arc) => Piece::of(arc, domain),
            };
        }
        let mut derived = self.origin.clone().unwrap_or_else(|| {
            let (base, map) = (self.curve.clone(), Similarity::identity());
            Box::new(Derived { base, distance: 0.0, map, backwards: false })
        });
        change(&mut derived);
        Piece { curve: Shared::new((*derived).clone()), origin: Some(derived), domain }
    }

    /// Image of the piece. A mirrored one is run backwards, from `−hi` to `−lo`, so that its free side is the image of
    /// the free side.
    pub fn mapped(&self, map: Similarity) -> Piece {
        let shape = self.curve.shape().and_then(|shape| shape.mapped(&map));
        let piece = self.derived(shape, self.domain, |derived| derived.map = derived.map.then(map));
        if map.mirrors() { piece.reversed() } else { piece }
    }

    /// The piece run backwards, from `−hi` to `−lo`, with the other side free.
    pub fn reversed(&self) -> Piece {
        let shape = self.curve.shape().map(|shape| (shape.reversed(), 1.0));
        self.derived(shape, -self.domain, |derived| derived.backwards = !derived.backwards)
    }

    /// Parallel at a distance (m, finite) towards the free side.
    fn parallel(&self, distance: f64) -> Piece {
        let shape = self.curve.shape().and_then(|shape| shape.parallel(distance));
        self.derived(shape, self.domain, |derived| {
            let side = if derived.backwards == derived.map.mirrors() { 1.0 } else { -1.0 };
            derived.distance += side * distance / derived.map.factor;
        })
    }

    /// A parameter at which `κ·distance ≥ 1`, or where that can't be excluded.
    fn cusp(&self, distance: f64) -> Option<f64> {
        if let Some(shape) = self.curve.shape() {
            return (shape.curvature() * distance >= 1.0).then(|| self.domain.middle());
        }
        let mut stack = vec![self.domain];
        let mut budget = BUDGET;
        while let Some(part) = stack.pop() {
            let middle = part.middle();
            let jet = self.jet(middle);
            let kappa = jet.curvature();
            if !kappa.is_finite() {
                // A zero speed is a cusp; any other curvature that is not finite is refused when the ground is built.
                return (jet.first == Vector2::zeros()).then_some(middle);
            }
            if kappa * distance >= 1.0 {
                return Some(middle);
            }
            let room = |kappa: Interval| (Interval::point(1.0) - kappa.scale(distance)).is_positive();
            if room(self.curvature_over(part, room)) {
                continue;
            }
            budget -= 1;
            if budget == 0 || !(part.lo < middle && middle < part.hi) {
                return Some(middle);
            }
            let (left, right) = part.halves();
            stack.extend([right, left]);
        }
        None
    }
}

/// Parallel of a chain of pieces at a distance (m) towards the free side, or away from it if negative; each piece with
/// the index of its original.
///
/// At a corner that turns away from the parallel an arc joins those of both pieces; any other corner is refused.
pub fn parallel(pieces: &[Piece], distance: f64) -> Result<Vec<(usize, Piece)>, ParallelError> {
    let mut chain = Vec::with_capacity(pieces.len());
    for (index, piece) in pieces.iter().enumerate() {
        if let Some(s) = piece.cusp(distance) {
            let jet = piece.jet(s);
            let curvature = jet.curvature();
            let radius = if curvature.is_finite() { 1.0 / curvature.abs() } else { 0.0 };
            return Err(ParallelError::Cusp { piece: index, point: jet.point, radius, distance });
        }
        chain.push((index, piece.parallel(distance)));
        // In a closed chain the first piece follows the last.
        let next = pieces.get(index + 1).unwrap_or(&pieces[0]);
        let (end, start) = (piece.domain.hi, next.domain.lo);
        if !(end.is_finite() && start.is_finite()) {
            continue;
        }
        let (distant, allowed) = piece.gap(next);
        if distant > allowed {
            // The end of an open chain; gaps between pieces are found when the ground is built.
            continue;
        }
        let (end, start) = (piece.jet(end), next.jet(start));
        let (a, b) = (end.tangent(), start.tangent());
        let turn = elementary::atan2(turn_left(a).dot(&b), a.dot(&b));
        if turn.abs() * distance.abs() <= 0.5 * Piece::JOINT_TOLERANCE {
            continue;
        }
        let point = end.point;
        if turn * distance > 0.0 || turn.abs() > PI - Piece::SMOOTH_TURN {
            return Err(ParallelError::Corner { piece: index, point, turn, distance });
        }
        let side = turn_left(a) * distance.signum();
        let angle = elementary::atan2(side.y, side.x);
        if let Some((arc, length)) = Arc::new(point, distance.abs(), angle, angle + turn) {
            chain.push((index, Piece::of(arc, Interval::new(0.0, length))));
        }
    }
    Ok(chain)
}

/// A curve's parallel at a distance to its left, then mapped, then possibly reversed.
///
/// A curve derived from a derived one is stored relative to the original, so that nothing is nested: the fourth
/// derivative of the original gives the third of the parallel.
#[derive(Clone, Debug)]
pub(crate) struct Derived {
    pub(crate) base: Shared<dyn Curve>,
    pub(crate) distance: f64,
    pub(crate) map: Similarity,
    pub(crate) backwards: bool,
}

impl Derived {
    /// Point of the parallel before it is mapped.
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

    /// Point in the frame of an axis; if that is the image of ±x or ±y nothing is turned, and enclosures stay narrow.
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
