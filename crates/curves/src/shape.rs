//! Lines and circular arcs: their images and parallels are lines and arcs.

use nalgebra::Vector2;
use numbers::Interval;

use crate::similarity::Similarity;
use crate::turn_left;

/// A curve by arc length whose parallels and images are of its own kind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// A straight line.
    Line(Line),
    /// A circular arc.
    Arc(Arc),
}

impl Shape {
    /// Runs the shape backwards, by `−s`.
    pub(crate) fn reversed(self) -> Shape {
        match self {
            Shape::Line(line) => Shape::Line(Line { direction: -line.direction, ..line }),
            Shape::Arc(arc) => Shape::Arc(Arc { rate: -arc.rate, ..arc }),
        }
    }

    /// Image of the shape, and how much longer it is; `None` if it degenerates, and of an arc that is turned.
    pub(crate) fn mapped(self, map: &Similarity) -> Option<(Shape, f64)> {
        let factor = map.factor();
        let shape = match self {
            Shape::Line(Line { start, direction }) => {
                Shape::Line(Line { start: map.apply(start), direction: map.direction(direction) })
            }
            // Turned, its angles would be off by rounding, and places that a formula has exactly.
            Shape::Arc(_) if map.mirrors() || map.direction(Vector2::x()) != Vector2::x() => return None,
            Shape::Arc(arc) => Shape::Arc(Arc {
                centre: map.apply(arc.centre),
                radius: arc.radius * factor,
                rate: arc.rate / factor,
                ..arc
            }),
        };
        shape.is_finite().then_some((shape, factor))
    }

    /// The parallel at a distance (m) to the left, and how much longer it is; `None` if there is none.
    pub(crate) fn parallel(self, distance: f64) -> Option<(Shape, f64)> {
        let (shape, factor) = match self {
            Shape::Line(line) => {
                (Shape::Line(Line { start: line.start + distance * turn_left(line.direction), ..line }), 1.0)
            }
            Shape::Arc(arc) => {
                let radius = arc.radius - distance * arc.rate.signum();
                let rate = arc.rate.signum() / radius;
                (Shape::Arc(Arc { radius, rate, ..arc }), radius / arc.radius)
            }
        };
        (factor > 0.0 && shape.is_finite()).then_some((shape, factor))
    }

    fn is_finite(&self) -> bool {
        match self {
            Shape::Line(Line { start, direction }) => (start + direction).norm().is_finite(),
            Shape::Arc(Arc { centre, radius, from, rate }) => (centre.norm() + radius + from + rate).is_finite(),
        }
    }

    /// Signed curvature κ, 1/m.
    pub(crate) fn curvature(&self) -> f64 {
        match self {
            Shape::Line(_) => 0.0,
            Shape::Arc(arc) => arc.rate,
        }
    }

    /// Encloses κ as its derivatives have it, to their rounding.
    pub(crate) fn curvature_range(&self) -> Interval {
        let curvature = self.curvature();
        Interval::around(curvature, 8.0 * f64::EPSILON * curvature.abs())
    }
}

/// A straight line by arc length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    pub(crate) start: Vector2<f64>,
    pub(crate) direction: Vector2<f64>,
}

impl Line {
    /// A line from `from` towards `to` (both in metres), and its length; `None` if they coincide or are not finite.
    pub fn new(from: Vector2<f64>, to: Vector2<f64>) -> Option<(Self, f64)> {
        let along = to - from;
        let length = along.x.hypot(along.y);
        (length > 0.0 && length.is_finite()).then(|| (Line { start: from, direction: along / length }, length))
    }
}

/// A circular arc by arc length, turning left (free side inside) or right (free side outside).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arc {
    pub(crate) centre: Vector2<f64>,
    pub(crate) radius: f64,
    pub(crate) from: f64,
    /// Angle per arc length: ±1/radius.
    pub(crate) rate: f64,
}

impl Arc {
    /// Around `centre` from angle `from` to angle `to` (radians, counter-clockwise from +x), and its length in metres;
    /// `None` unless the radius is positive, both angles differ, and all is finite.
    pub fn new(centre: Vector2<f64>, radius: f64, from: f64, to: f64) -> Option<(Self, f64)> {
        let length = radius * (to - from).abs();
        let valid = radius > 0.0 && length > 0.0 && length.is_finite() && from.is_finite() && centre.norm().is_finite();
        valid.then(|| (Arc { centre, radius, from, rate: (to - from).signum() / radius }, length))
    }
}

impl Arc {
    /// Parameters of a part among which is that of its point closest to `q`: its ends, and the foot of `q` if that is on it.
    pub(crate) fn closest(&self, q: Vector2<f64>, part: Interval) -> [f64; 3] {
        let away = q - self.centre;
        let angle = away.y.atan2(away.x) - self.from;
        // The first parameter from the start of the part on that has this angle.
        let turn = std::f64::consts::TAU / self.rate.abs();
        let foot = part.lo + (angle / self.rate - part.lo).rem_euclid(turn);
        [part.lo, part.hi, part.clamp(foot)]
    }
}
