//! Curves made from others: moved, turned, scaled, mirrored, run backwards, and parallels.

use std::f64::consts::PI;
use std::sync::Arc as Shared;

use nalgebra::{Matrix2, Vector2};

use crate::{Arc, Curve, Ground, Interval, Number, Piece, Profile, turn_left};

/// Parts looked at before it counts as unknown whether a parallel has a cusp.
const BUDGET: u32 = 20_000;

/// A motion of the plane with one scale for all lengths, perhaps with a reflection: `p ↦ A p + b`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Similarity {
    linear: Matrix2<f64>,
    shift: Vector2<f64>,
    /// Lengths grow by this, `√|det A|`.
    factor: f64,
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
    /// The same around a point instead of the origin.
    pub fn around(self, point: Vector2<f64>) -> Self {
        Similarity { shift: point + self.shift - self.linear * point, ..self }
    }
    /// This one first, then `next`.
    pub fn then(self, next: Similarity) -> Self {
        Similarity {
            linear: next.linear * self.linear,
            shift: next.linear * self.shift + next.shift,
            factor: next.factor * self.factor,
        }
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
    base: Shared<dyn Curve>,
    distance: f64,
    map: Similarity,
    backwards: bool,
}

impl Profile for Derived {
    fn point<N: Number>(&self, s: N) -> [N; 2] {
        let [x, y] = N::series_of(&*self.base, if self.backwards { -s } else { s });
        let mut p = [x[0], y[0]];
        if self.distance != 0.0 {
            let slowness = N::constant(self.distance) / (x[1].square() + y[1].square()).sqrt();
            p = [p[0] - y[1] * slowness, p[1] + x[1] * slowness];
        }
        let Similarity { linear, shift, .. } = &self.map;
        if *linear == Matrix2::identity() {
            return [p[0] + N::constant(shift.x), p[1] + N::constant(shift.y)];
        }
        [0, 1].map(|i| p[0].scale(linear[(i, 0)]) + p[1].scale(linear[(i, 1)]) + N::constant(shift[i]))
    }
}

/// Why a curve has no parallel at a distance.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ParallelError {
    /// The curve turns more tightly than that.
    #[error(
        "the offset by {distance:?} m has a cusp at ({:?}, {:?}), where the curve's radius of curvature is {radius:?} m",
        point.x, point.y
    )]
    Cusp {
        /// Index of the piece, from 0.
        piece: usize,
        /// Where on the curve, m.
        point: Vector2<f64>,
        /// Radius of curvature there, m.
        radius: f64,
        /// The distance asked for, m.
        distance: f64,
    },
    /// Both sides of a corner would cross.
    #[error(
        "the offset by {distance:?} m crosses itself at the corner at ({:?}, {:?}), which turns towards it by {:.4} rad",
        point.x, point.y, turn.abs()
    )]
    Corner {
        /// Index of the piece before it, from 0.
        piece: usize,
        /// Where on the curve, m.
        point: Vector2<f64>,
        /// Angle between the tangents, rad.
        turn: f64,
        /// The distance asked for, m.
        distance: f64,
    },
}

impl Piece {
    fn derived(&self) -> Derived {
        self.origin.as_deref().cloned().unwrap_or_else(|| Derived {
            base: self.curve.clone(),
            distance: 0.0,
            map: Similarity::identity(),
            backwards: false,
        })
    }

    fn from_derived(derived: Derived, domain: Interval) -> Piece {
        Piece { curve: Shared::new(derived.clone()), origin: Some(Box::new(derived)), domain }
    }

    /// The piece mapped. A mirrored one is run backwards, from `−hi` to `−lo`: its free side stays the image of
    /// the free side.
    pub fn mapped(&self, map: Similarity) -> Piece {
        let mut derived = self.derived();
        derived.map = derived.map.then(map);
        let piece = Piece::from_derived(derived, self.domain);
        if map.mirrors() { piece.reversed() } else { piece }
    }

    /// The piece run backwards, from `−hi` to `−lo`: its free side changes.
    pub fn reversed(&self) -> Piece {
        let mut derived = self.derived();
        derived.backwards = !derived.backwards;
        Piece::from_derived(derived, Interval::new(-self.domain.hi, -self.domain.lo))
    }

    /// The parallel curve at a distance (m, finite) towards the free side.
    fn parallel(&self, distance: f64) -> Piece {
        let mut derived = self.derived();
        let side = if derived.backwards == derived.map.mirrors() { 1.0 } else { -1.0 };
        derived.distance += side * distance / derived.map.factor;
        Piece::from_derived(derived, self.domain)
    }

    /// A parameter at which `κ·distance ≥ 1`, or where that can't be excluded.
    fn cusp(&self, distance: f64) -> Option<f64> {
        let mut stack = vec![self.domain];
        let mut budget = BUDGET;
        while let Some(part) = stack.pop() {
            let middle = part.middle();
            let jet = self.jet(middle);
            let kappa = jet.curvature();
            if !kappa.is_finite() {
                // The curve stands still, or is itself at fault, which a ground finds.
                return (jet.first == Vector2::zeros()).then_some(middle);
            }
            if kappa * distance >= 1.0 {
                return Some(middle);
            }
            let room = |kappa: Interval| (Interval::point(1.0) - kappa.scale(distance)).is_positive();
            let over = self.enclosure(part);
            let tight = || {
                let point = Interval::point(middle);
                over.curvature_around(&self.enclosure(point), part - point)
            };
            if room(over.curvature()) || room(tight()) {
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

/// The parallel of a chain of pieces at a distance (m) towards the free side, or away from it if negative; each piece
/// with the index of the one it comes from.
///
/// Corners that open are joined by an arc around the corner; at the others the parallel would cross itself.
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
        let next = match pieces.get(index + 1) {
            Some(next) => next,
            None => &pieces[0],
        };
        let (end, start) = (piece.domain.hi, next.domain.lo);
        if !(end.is_finite() && start.is_finite()) {
            continue;
        }
        let (end, start) = (piece.jet(end), next.jet(start));
        if (end.point - start.point).norm() > Ground::JOINT_TOLERANCE {
            // The last end of an open chain; gaps between pieces are found when the ground is built.
            continue;
        }
        let (a, b) = (end.tangent(), start.tangent());
        let turn = turn_left(a).dot(&b).atan2(a.dot(&b));
        if turn.abs() * distance.abs() <= 0.5 * Ground::JOINT_TOLERANCE {
            continue;
        }
        let point = end.point;
        if turn * distance > 0.0 || turn.abs() > PI - Ground::SMOOTH_TURN {
            return Err(ParallelError::Corner { piece: index, point, turn, distance });
        }
        let side = turn_left(a) * distance.signum();
        let angle = side.y.atan2(side.x);
        if let Some((arc, length)) = Arc::new(point, distance.abs(), angle, angle + turn) {
            chain.push((index, Piece::new(arc, Interval::new(0.0, length))));
        }
    }
    Ok(chain)
}
