//! The cycloid, as tautochrone and as brachistochrone.
//!
//! The tautochrone: a bead in a cycloid `x = a (s + sin s), y = a (1 − cos s)`, released from rest.
//!
//! Its arc length from the bottom is `σ = 4a sin(s/2)` and its height `σ²/(8a)`, so that `σ̈ = −g/(4a) σ`: a harmonic
//! motion of period `4π√(a/g)` whatever the amplitude. Source: Huygens, Horologium Oscillatorium (1673), part II.

use std::f64::consts::PI;

/// A cycloid bowl.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cycloid {
    /// Radius a of the rolling circle, m.
    pub radius: f64,
    /// Gravity, m/s².
    pub gravity: f64,
}

impl Cycloid {
    /// Period, s.
    pub fn period(&self) -> f64 {
        4.0 * PI * (self.radius / self.gravity).sqrt()
    }

    /// Curve parameter s, `time` s after the release at parameter `release` (within ±π).
    pub fn parameter_at(&self, release: f64, time: f64) -> f64 {
        let frequency = (self.gravity / (4.0 * self.radius)).sqrt();
        2.0 * ((0.5 * release).sin() * (frequency * time).cos()).asin()
    }
}

/// The curve of fastest descent: `x = a (φ − sin φ)`, `y = −a (1 − cos φ)`, from a cusp, at rest, to the point φ = θ,
/// `width` beside it and `drop` below. A bead takes `θ √(a/g)`. Source: Johann Bernoulli, Acta Eruditorum (1697).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Brachistochrone {
    /// Horizontal distance of the end point, m (> 0).
    pub width: f64,
    /// Depth of the end point below the start, m (> 0).
    pub drop: f64,
    /// Gravity, m/s².
    pub gravity: f64,
}

impl Brachistochrone {
    /// θ (rad) by `(θ − sin θ)/(1 − cos θ) = width/drop`, whose left side grows from 0 to ∞ over (0, 2π).
    pub fn angle(&self) -> f64 {
        let excess = |angle: f64| self.drop * (angle - angle.sin()) - self.width * (1.0 - angle.cos());
        halve(1e-9, 2.0 * PI, |angle| excess(angle) < 0.0)
    }

    /// Radius a of the rolling circle, m.
    pub fn radius(&self) -> f64 {
        self.drop / (1.0 - self.angle().cos())
    }

    /// Time of descent (s) of a body with kinetic energy `(1 + k) m v²/2`: k = 0 for a bead, 2/5 for a rolling sphere
    /// whose centre goes along the curve.
    pub fn time(&self, inertia_factor: f64) -> f64 {
        self.angle() * ((1.0 + inertia_factor) * self.radius() / self.gravity).sqrt()
    }

    /// Depth below the start at a distance beside it (0 … width), m, positive.
    pub fn depth(&self, x: f64) -> f64 {
        let a = self.radius();
        let angle = halve(0.0, self.angle(), |angle| a * (angle - angle.sin()) < x);
        2.0 * a * (0.5 * angle).sin().powi(2)
    }
}

/// The last number of a range for which `holds`, which is true from the begin of the range up to there.
fn halve(mut low: f64, mut high: f64, holds: impl Fn(f64) -> bool) -> f64 {
    while 0.5 * (low + high) > low && 0.5 * (low + high) < high {
        let middle = 0.5 * (low + high);
        if holds(middle) { low = middle } else { high = middle }
    }
    low
}
