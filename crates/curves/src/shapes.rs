//! Curves with a formula of their own. Formulas from text are read by [`Expression`].

use nalgebra::Vector2;

use numbers::{Expression, Number};

use crate::{Arc, Line, Profile, Shape};

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
    diameters: [Vector2<f64>; 2],
}

impl Ellipse {
    /// An ellipse by its centre and two conjugate half diameters (m); `None` if they are parallel, or something is not finite.
    pub fn new(centre: Vector2<f64>, diameters: [Vector2<f64>; 2]) -> Option<Self> {
        let [u, v] = diameters;
        let area = u.perp(&v).abs();
        let valid = area > 1e-12 * u.norm() * v.norm() && area.is_finite() && centre.norm().is_finite();
        valid.then_some(Ellipse { centre, diameters })
    }
}

impl Profile for Ellipse {
    fn point<N: Number>(&self, s: N) -> [N; 2] {
        self.seen(s, Vector2::x())
    }

    /// The principal axis that is nearest to x: along it and across, a flat ellipse is as flat as it is, however it is turned.
    fn axis(&self) -> Vector2<f64> {
        let [u, v] = self.diameters.map(|diameter| diameter / self.diameters[0].norm());
        let (both, more) = (u.x * u.y + v.x * v.y, u.x * u.x + v.x * v.x - u.y * u.y - v.y * v.y);
        let (sine, cosine) = (0.5 * (2.0 * both * more.signum()).atan2(more.abs())).sin_cos();
        Vector2::new(cosine, sine)
    }

    /// Numbers are turned before any is spread over an interval.
    fn seen<N: Number>(&self, s: N, axis: Vector2<f64>) -> [N; 2] {
        let (sine, cosine) = s.sin_cos();
        let turned = |p: Vector2<f64>| [axis.dot(&p), axis.perp(&p)];
        let ([u, v], centre) = (self.diameters.map(turned), turned(self.centre));
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
    /// `c₀ + c₁t + t²(c₂ + c₃t)`: the square keeps its sign over intervals around the middle.
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
