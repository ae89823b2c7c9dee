//! Curves with a formula of their own: lines, arcs, ellipses, cubics, graphs, parametric curves, clothoids.

use nalgebra::Vector2;
use numbers::{Expression, Interval, Number, Rounding, elementary};

use crate::{Profile, Similarity, turn_left};

/// A line or a circular arc by arc length. Parallels are of the same kind, and images but of turned or mirrored arcs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// A straight line.
    Line(Line),
    /// A circular arc.
    Arc(Arc),
}

impl Shape {
    /// The shape run backwards, with parameter `−s`.
    pub(crate) fn reversed(self) -> Shape {
        match self {
            Shape::Line(line) => Shape::Line(Line { direction: -line.direction, ..line }),
            Shape::Arc(arc) => Shape::Arc(Arc { rate: -arc.rate, ..arc }),
        }
    }

    /// Image of the shape, and the factor of its length; `None` if it is not finite, and for a turned or mirrored arc.
    pub(crate) fn mapped(self, map: &Similarity) -> Option<(Shape, f64)> {
        let factor = map.factor;
        let shape = match self {
            Shape::Line(Line { start, direction }) => {
                Shape::Line(Line { start: map.apply(start), direction: map.direction(direction) })
            }
            // A turned arc would begin at a rounded angle; its formula, mapped point by point, keeps exact places.
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

    /// Parallel at a distance (m) to the left, and the factor of its length; `None` unless that is positive and finite.
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

    /// Encloses κ (1/m), widened by the rounding of a curvature computed from derivatives.
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
    /// A line from `from` to `to` (m), and its length; `None` if they coincide or are not finite.
    pub fn new(from: Vector2<f64>, to: Vector2<f64>) -> Option<(Self, f64)> {
        let along = to - from;
        let length = elementary::hypot(along.x, along.y);
        (length > 0.0 && length.is_finite()).then(|| (Line { start: from, direction: along / length }, length))
    }
}

/// A circular arc by arc length, turning left (free side inside) or right (free side outside).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arc {
    pub(crate) centre: Vector2<f64>,
    pub(crate) radius: f64,
    /// Angle at `s = 0`, rad, counter-clockwise from +x.
    pub(crate) from: f64,
    /// Angle per arc length, ±1/radius; positive turns left.
    pub(crate) rate: f64,
}

impl Arc {
    /// An arc around `centre` from angle `from` to angle `to` (rad, counter-clockwise from +x), and its length, m;
    /// `None` unless the radius is positive, the angles differ, and all is finite.
    pub fn new(centre: Vector2<f64>, radius: f64, from: f64, to: f64) -> Option<(Self, f64)> {
        let length = radius * (to - from).abs();
        let valid = radius > 0.0 && length > 0.0 && length.is_finite() && from.is_finite() && centre.norm().is_finite();
        valid.then(|| (Arc { centre, radius, from, rate: (to - from).signum() / radius }, length))
    }

    /// Parameters of a part, one of them the closest to `q`: both ends, and the foot of `q` moved into the part.
    pub(crate) fn closest(&self, q: Vector2<f64>, part: Interval) -> [f64; 3] {
        let away = q - self.centre;
        let angle = elementary::atan2(away.y, away.x) - self.from;
        // The first parameter with this angle, from the start of the part on.
        let turn = std::f64::consts::TAU / self.rate.abs();
        let foot = part.lo + (angle / self.rate - part.lo).rem_euclid(turn);
        [part.lo, part.hi, part.clamp(foot)]
    }
}

impl Profile for Line {
    #[inline(always)]
    fn point<N: Number>(&self, s: N) -> [N; 2] {
        [s.scale(self.direction.x) + N::constant(self.start.x), s.scale(self.direction.y) + N::constant(self.start.y)]
    }

    fn shape(&self) -> Option<Shape> {
        Some(Shape::Line(*self))
    }
}

impl Profile for Arc {
    #[inline(always)]
    fn point<N: Number>(&self, s: N) -> [N; 2] {
        let (sine, cosine) = (s.scale(self.rate) + N::constant(self.from)).sin_cos();
        [cosine.scale(self.radius) + N::constant(self.centre.x), sine.scale(self.radius) + N::constant(self.centre.y)]
    }

    fn shape(&self) -> Option<Shape> {
        Some(Shape::Arc(*self))
    }
}

/// An elliptical arc `centre + u cos s + v sin s` with conjugate half diameters `u` and `v`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ellipse {
    centre: Vector2<f64>,
    half_diameters: [Vector2<f64>; 2],
}

impl Ellipse {
    /// An ellipse by its centre and two conjugate half diameters (m); `None` if the sine of the angle between these is
    /// 1e-12 or less, or something is not finite.
    pub fn new(centre: Vector2<f64>, half_diameters: [Vector2<f64>; 2]) -> Option<Self> {
        let [u, v] = half_diameters;
        let area = u.perp(&v).abs();
        let valid = area > 1e-12 * u.norm() * v.norm() && area.is_finite() && centre.norm().is_finite();
        valid.then_some(Ellipse { centre, half_diameters })
    }
}

impl Profile for Ellipse {
    fn point<N: Number>(&self, s: N) -> [N; 2] {
        self.seen(s, Vector2::x())
    }

    /// The principal axis nearest to x. In its frame one coordinate of a flat ellipse is small throughout, however the
    /// ellipse is turned, so that enclosures are narrow.
    fn axis(&self) -> Vector2<f64> {
        let [u, v] = self.half_diameters.map(|half| half / self.half_diameters[0].norm());
        let (both, more) = (u.x * u.y + v.x * v.y, u.x * u.x + v.x * v.x - u.y * u.y - v.y * v.y);
        let (sine, cosine) = elementary::sin_cos(0.5 * elementary::atan2(2.0 * both * more.signum(), more.abs()));
        Vector2::new(cosine, sine)
    }

    /// Turns the half diameters, which are plain numbers: turning the enclosure of a point would widen it.
    fn seen<N: Number>(&self, s: N, axis: Vector2<f64>) -> [N; 2] {
        let (sine, cosine) = s.sin_cos();
        let turned = |p: Vector2<f64>| [axis.dot(&p), axis.perp(&p)];
        let ([u, v], centre) = (self.half_diameters.map(turned), turned(self.centre));
        [0, 1].map(|i| cosine.scale(u[i]) + sine.scale(v[i]) + N::constant(centre[i]))
    }
}

/// A polynomial piece of degree 3, `Σ cᵢ (s − middle)ⁱ`: a segment of a spline, or a Bézier curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cubic {
    middle: f64,
    coefficients: [Vector2<f64>; 4],
}

impl Cubic {
    /// A cubic by its coefficients (m) around a parameter.
    pub fn new(middle: f64, coefficients: [Vector2<f64>; 4]) -> Self {
        Cubic { middle, coefficients }
    }

    /// The Bézier curve of four control points (m), with `s` from 0 to 1.
    pub fn bezier([a, b, c, d]: [Vector2<f64>; 4]) -> Self {
        // Coefficients of powers of s, moved to s = 1/2.
        let (p1, p2, p3) = (3.0 * (b - a), 3.0 * (c - 2.0 * b + a), (d - a) + 3.0 * (b - c));
        let middle = 0.125 * (a + d) + 0.375 * (b + c);
        Cubic { middle: 0.5, coefficients: [middle, p1 + p2 + 0.75 * p3, p2 + 1.5 * p3, p3] }
    }

    /// The Bézier curve of three control points (m), with `s` from 0 to 1.
    pub fn quadratic([a, b, c]: [Vector2<f64>; 3]) -> Self {
        let middle = 0.25 * (a + c) + 0.5 * b;
        Cubic { middle: 0.5, coefficients: [middle, c - a, a - 2.0 * b + c, Vector2::zeros()] }
    }
}

impl Profile for Cubic {
    /// `c₀ + c₁t + t²(c₂ + c₃t)` with `t = s − middle`; an enclosure of t² as a square has no negative numbers.
    #[inline(always)]
    fn point<N: Number>(&self, s: N) -> [N; 2] {
        let t = s - N::constant(self.middle);
        let square = t.square();
        let [c0, c1, c2, c3] = self.coefficients;
        [0, 1].map(|i| N::constant(c0[i]) + t.scale(c1[i]) + square * (N::constant(c2[i]) + t.scale(c3[i])))
    }
}

/// The graph `y = y(x)`; its parameter is `x`.
#[derive(Clone, Debug, PartialEq)]
pub struct Graph {
    /// Height in metres as a formula of one variable, `x` in metres.
    pub y: Expression,
}

impl Profile for Graph {
    #[inline(always)]
    fn point<N: Number>(&self, s: N) -> [N; 2] {
        [s, self.y.eval(&[s])]
    }
}

/// The curve `(x(s), y(s))`.
#[derive(Clone, Debug, PartialEq)]
pub struct Parametric {
    /// Abscissa in metres as a formula of `s`.
    pub x: Expression,
    /// Height in metres as a formula of `s`.
    pub y: Expression,
}

impl Profile for Parametric {
    #[inline(always)]
    fn point<N: Number>(&self, s: N) -> [N; 2] {
        [self.x.eval(&[s]), self.y.eval(&[s])]
    }
}

/// Largest number of terms of a clothoid's series.
const TERMS: usize = 22;

/// A clothoid by arc length `s`: curvature `κ₀ + κ′s`, direction `φ₀ + κ₀s + κ′s²/2`.
///
/// Its place is the integral of its direction, a series in `w = 2s/L − 1`, exact to rounding for turns of at most
/// [`MOST`](Clothoid::MOST).
#[derive(Clone, Debug, PartialEq)]
pub struct Clothoid {
    /// L/2, m.
    half: f64,
    /// Coefficients of the place, lowest first, m.
    place: Vec<[f64; 2]>,
}

impl Clothoid {
    /// Largest turn of one clothoid, rad.
    pub const MOST: f64 = 0.5;

    /// A clothoid by its first point (m), the direction there (rad), the curvatures at both ends (1/m) and its length
    /// (m); `None` if one of them is not finite, or the length not positive.
    pub fn new(start: Vector2<f64>, direction: f64, [first, last]: [f64; 2], length: f64) -> Option<Self> {
        let (half, rate) = (0.5 * length, (last - first) / length);
        let finite = [start.x, start.y, direction, first, rate, half, 1.0 / half].into_iter().all(f64::is_finite);
        let (turn, bend) = (half * (first + half * rate), half * half * rate);
        let (sine, cosine) = Number::sin_cos(direction + half * first + 0.5 * bend);
        // Series in w of the tangent e, by e′ = J (turn + bend w) e, and of the place, L/2 times the integral of e.
        let (mut before, mut here, mut place) = ([0.0; 2], [cosine, sine], vec![[0.0; 2]]);
        for k in 1..TERMS {
            place.push(here.map(|e| half * e / k as f64));
            let [x, y] = [0, 1].map(|i| (turn * here[i] + bend * before[i]) / k as f64);
            (before, here) = (here, [-y, x]);
        }
        // A term is dropped only where its third derivative, larger by about k³, vanishes too.
        let size = |k: usize| (k * k * k) as f64 * place[k][0].abs().max(place[k][1].abs());
        let last = (1..TERMS).rfind(|k| !Rounding::vanishes(size(*k), f64::EPSILON * half)).unwrap_or(0);
        place.truncate(last + 1);
        let mut clothoid = Clothoid { half, place };
        let begin = clothoid.point(0.0);
        clothoid.place[0] = [start.x - begin[0], start.y - begin[1]];
        (finite && length > 0.0).then_some(clothoid)
    }
}

impl Profile for Clothoid {
    fn point<N: Number>(&self, s: N) -> [N; 2] {
        let w = s.scale(1.0 / self.half) - N::constant(1.0);
        let (mut power, mut place) = (N::constant(1.0), self.place[0].map(N::constant));
        for [x, y] in &self.place[1..] {
            power = power * w;
            place = [place[0] + power.scale(*x), place[1] + power.scale(*y)];
        }
        place
    }
}
