//! Pieces mapped, run backwards, and moved sideways.

use std::f64::consts::PI;
use std::sync::Arc as Shared;

use nalgebra::Vector2;

use crate::curve::derived::Derived;
use crate::{Arc, Ground, Piece, Shape, Similarity, turn_left};
use numbers::{Interval, Number};

/// Parts looked at before it counts as unknown whether a parallel has a cusp.
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
        /// Radius of curvature there, m.
        radius: f64,
        /// The distance asked for, m.
        distance: f64,
    },
    /// A corner whose sides would cross.
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

    /// The piece of a line or an arc that grew by a factor.
    fn of_shape(shape: Shape, factor: f64, domain: Interval) -> Piece {
        let domain = Interval::new(domain.lo * factor, domain.hi * factor);
        match shape {
            Shape::Line(line) => Piece::of(line, domain),
            Shape::Arc(arc) => Piece::of(arc, domain),
        }
    }

    /// The piece mapped. A mirrored one is run backwards, from `−hi` to `−lo`: its free side stays the image of
    /// the free side.
    pub fn mapped(&self, map: Similarity) -> Piece {
        let piece = match self.curve.shape().and_then(|shape| shape.mapped(&map)) {
            Some((shape, factor)) => Piece::of_shape(shape, factor, self.domain),
            None => {
                let mut derived = self.derived();
                derived.map = derived.map.then(map);
                Piece::from_derived(derived, self.domain)
            }
        };
        if map.mirrors() { piece.reversed() } else { piece }
    }

    /// The piece run backwards, from `−hi` to `−lo`: its free side changes.
    pub fn reversed(&self) -> Piece {
        let domain = Interval::new(-self.domain.hi, -self.domain.lo);
        if let Some(shape) = self.curve.shape() {
            return Piece::of_shape(shape.reversed(), 1.0, domain);
        }
        let mut derived = self.derived();
        derived.backwards = !derived.backwards;
        Piece::from_derived(derived, domain)
    }

    /// The parallel curve at a distance (m, finite) towards the free side.
    fn parallel(&self, distance: f64) -> Piece {
        if let Some((parallel, factor)) = self.curve.shape().and_then(|shape| shape.parallel(distance)) {
            return Piece::of_shape(parallel, factor, self.domain);
        }
        let mut derived = self.derived();
        let side = if derived.backwards == derived.map.mirrors() { 1.0 } else { -1.0 };
        derived.distance += side * distance / derived.map.factor;
        Piece::from_derived(derived, self.domain)
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
                // The curve stands still, or is itself at fault, which a ground finds.
                return (jet.first == Vector2::zeros()).then_some(middle);
            }
            if kappa * distance >= 1.0 {
                return Some(middle);
            }
            let room = |kappa: Interval| (Interval::point(1.0) - kappa.scale(distance)).is_positive();
            let over = self.own_enclosure(part);
            let tight = || {
                let point = Interval::point(middle);
                over.curvature_around(&self.own_enclosure(point), part - point)
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
        let (distant, allowed) = piece.gap(next);
        if distant > allowed {
            // The last end of an open chain; gaps between pieces are found when the ground is built.
            continue;
        }
        let (end, start) = (piece.jet(end), next.jet(start));
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
            chain.push((index, Piece::of(arc, Interval::new(0.0, length))));
        }
    }
    Ok(chain)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Line, Profile};

    /// A profile that keeps to itself what shape it has.
    #[derive(Debug)]
    struct Unshaped<P>(P);

    impl<P: Profile> Profile for Unshaped<P> {
        fn point<N: Number>(&self, s: N) -> [N; 2] {
            self.0.point(s)
        }
    }

    /// Images and parallels of lines and arcs are lines and arcs: the same curves as by their formula, in one evaluation.
    #[test]
    fn lines_and_arcs_stay_what_they_are() {
        let (line, length) = Line::new(Vector2::new(1.0, -2.0), Vector2::new(3.0, 1.0)).unwrap();
        let arc = |from: f64, to: f64| Arc::new(Vector2::new(-0.5, 2.0), 1.5, from, to).unwrap();
        let pair = |(arc, length): (Arc, f64)| {
            let domain = Interval::new(0.0, length);
            [Piece::of(arc, domain), Piece::new(Unshaped(arc), domain)]
        };
        let domain = Interval::new(0.0, length);
        let lines = [Piece::of(line, domain), Piece::new(Unshaped(line), domain)];
        let map = Similarity::mirror(Vector2::new(1.0, 2.0)).then(Similarity::scale(0.7)).then(Similarity::turn(2.0));
        let upright = Similarity::shift(Vector2::new(2.0, 0.1)).then(Similarity::scale(2.0));
        let maps = [map.around(Vector2::new(3.0, 1.0)), Similarity::turn(-3.0).then(Similarity::scale(2.0)), upright];
        for [exact, plain] in [lines, pair(arc(-3.0, 0.5)), pair(arc(2.0, 1.0))] {
            for map in maps {
                for distance in [0.4, -0.9] {
                    let chain = |piece: &Piece| {
                        let first = piece.parallel(distance).mapped(map);
                        [first.reversed().parallel(-0.1), first.parallel(0.05), piece.mapped(map), piece.reversed()]
                    };
                    for (i, (a, b)) in chain(&exact).iter().zip(&chain(&plain)).enumerate() {
                        let stays = matches!(exact.curve.shape(), Some(Shape::Line(_))) || map == upright || i == 3;
                        assert!(a.curve.shape().is_some() == stays && b.curve.shape().is_none());
                        for part in [0.0, 0.3, 1.0] {
                            let at = |piece: &Piece| piece.jet(piece.domain.lo + part * piece.domain.width());
                            let (a, b) = (at(a), at(b));
                            let off = (a.point - b.point).norm() + (a.tangent() - b.tangent()).norm();
                            assert!(off + (a.curvature() - b.curvature()).abs() < 4e-14, "{a:?} {b:?}");
                        }
                    }
                }
            }
        }
        // A parallel of the whole circle inside it has exactly the smaller radius, and ends where its side has no more room.
        let (circle, length) = Arc::new(Vector2::zeros(), 1.0, 0.0, 2.0 * PI).unwrap();
        let circle = [Piece::new(circle, Interval::new(0.0, length))];
        let inner = parallel(&circle, 0.75).unwrap();
        assert_eq!(inner[0].1.domain.hi, 0.5 * PI);
        assert_eq!(inner[0].1.jet(0.0).point, Vector2::new(0.25, 0.0));
        assert!(matches!(parallel(&circle, 1.0), Err(ParallelError::Cusp { radius: 1.0, .. })));
    }

    /// The parallel of a curve without ends has none, either: cutting it into parts would not end.
    #[test]
    fn parallel_without_ends() {
        #[derive(Debug)]
        struct SineWave;
        impl Profile for SineWave {
            fn point<N: Number>(&self, s: N) -> [N; 2] {
                [s, s.scale(3.0).sin().scale(0.3)]
            }
        }
        let ground = |half: f64| {
            let chain = parallel(&[Piece::new(SineWave, Interval::new(-half, half))], 0.1).unwrap();
            Ground::new(chain.into_iter().map(|(_, piece)| piece).collect()).unwrap()
        };
        let [whole, part] = [f64::INFINITY, 20.0].map(ground);
        for i in 0..200 {
            let from = Vector2::new(-9.0 + 0.09 * f64::from(i), 0.4 + 0.01 * f64::from(i));
            let [one, other] = [whole.closest(from), part.closest(from)];
            assert!((one.distance - other.distance).abs() < 1e-14, "{one:?} {other:?}");
        }
    }
}
