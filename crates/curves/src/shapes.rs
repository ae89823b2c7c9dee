//! Curves with a formula of their own. Those from text are in [`crate::expression`].

use nalgebra::Vector2;

use crate::{Number, Profile};

/// A straight line by arc length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    start: Vector2<f64>,
    direction: Vector2<f64>,
}

impl Line {
    /// From `from` towards `to` (both in metres), and its length; `None` if they coincide or are not finite.
    pub fn new(from: Vector2<f64>, to: Vector2<f64>) -> Option<(Self, f64)> {
        let along = to - from;
        let length = along.x.hypot(along.y);
        (length > 0.0 && length.is_finite()).then(|| (Line { start: from, direction: along / length }, length))
    }
}

impl Profile for Line {
    #[inline(always)]
    fn point<N: Number>(&self, s: N) -> [N; 2] {
        [s.scale(self.direction.x) + N::constant(self.start.x), s.scale(self.direction.y) + N::constant(self.start.y)]
    }
}

/// A circular arc by arc length, turning left (free side inside) or right (free side outside).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arc {
    centre: Vector2<f64>,
    radius: f64,
    from: f64,
    /// Angle per arc length: ±1/radius.
    rate: f64,
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

impl Profile for Arc {
    #[inline(always)]
    fn point<N: Number>(&self, s: N) -> [N; 2] {
        let (sine, cosine) = (s.scale(self.rate) + N::constant(self.from)).sin_cos();
        [cosine.scale(self.radius) + N::constant(self.centre.x), sine.scale(self.radius) + N::constant(self.centre.y)]
    }
}
