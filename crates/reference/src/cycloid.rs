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
    /// m/s²
    pub gravity: f64,
}

impl Cycloid {
    /// s
    pub fn period(&self) -> f64 {
        4.0 * PI * (self.radius / self.gravity).sqrt()
    }

    /// Curve parameter s, `time` s after the release at parameter `release` (within ±π).
    pub fn parameter_at(&self, release: f64, time: f64) -> f64 {
        let frequency = (self.gravity / (4.0 * self.radius)).sqrt();
        2.0 * ((0.5 * release).sin() * (frequency * time).cos()).asin()
    }
}

/// The curve of fastest descent: `x = a (φ − sin φ)`, `y = −a (1 − cos φ)` from a cusp, at rest, to a point `width` beside it
/// and `drop` below, where `φ = θ`. A bead takes `θ √(a/g)`. Source: Johann Bernoulli, Acta Eruditorum (1697).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Brachistochrone {
    /// m, positive
    pub width: f64,
    /// m, positive
    pub drop: f64,
    /// m/s²
    pub gravity: f64,
}

impl Brachistochrone {
    /// θ: `(θ − sin θ)/(1 − cos θ) = width/drop`, which grows from 0 to ∞ over (0, 2π).
    pub fn angle(&self) -> f64 {
        let excess = |angle: f64| self.drop * (angle - angle.sin()) - self.width * (1.0 - angle.cos());
        let (mut low, mut high) = (1e-9, 2.0 * PI);
        while 0.5 * (low + high) > low && 0.5 * (low + high) < high {
            let middle = 0.5 * (low + high);
            if excess(middle) < 0.0 { low = middle } else { high = middle }
        }
        low
    }

    /// a, m
    pub fn radius(&self) -> f64 {
        self.drop / (1.0 - self.angle().cos())
    }

    /// Time of descent (s) of a body with kinetic energy `(1 + k) m v²/2`: k = 0 for a bead, 2/5 for a rolling sphere whose centre goes
    /// along the curve.
    pub fn time(&self, inertia_factor: f64) -> f64 {
        self.angle() * ((1.0 + inertia_factor) * self.radius() / self.gravity).sqrt()
    }

    /// Depth below the start at a distance beside it (0 … width), m, positive.
    pub fn depth(&self, x: f64) -> f64 {
        let (a, mut low, mut high) = (self.radius(), 0.0, self.angle());
        while 0.5 * (low + high) > low && 0.5 * (low + high) < high {
            let middle = 0.5 * (low + high);
            if a * (middle - middle.sin()) < x { low = middle } else { high = middle }
        }
        2.0 * a * (0.5 * low).sin().powi(2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Collocation;
    use crate::quadrature::integrate;

    /// `∫ √(1 + y′²)/√(2 g y) dx` over x = w u³, where the integrand is smooth, for the curve and for others near it.
    #[test]
    fn no_curve_near_it_is_faster() {
        let best = Brachistochrone { width: 2.0, drop: 1.0, gravity: 9.81 };
        let depth = |u: f64, bent: f64| best.depth(2.0 * u.powi(3)) + bent * u * u * (1.0 - u);
        let time = |bent: f64| {
            let part = |u: f64| {
                let h = 1e-4 * u;
                let slope = (8.0 * (depth(u + h, bent) - depth(u - h, bent)) - depth(u + 2.0 * h, bent)
                    + depth(u - 2.0 * h, bent))
                    / (12.0 * h);
                (6.0 * u * u).hypot(slope) / (2.0 * 9.81 * depth(u, bent)).sqrt()
            };
            integrate(part, 1e-7, 0.9999, 20) + 1e-4 * part(0.9999)
        };
        assert!((time(0.0) / best.time(0.0) - 1.0).abs() < 1e-5, "{} {}", time(0.0), best.time(0.0));
        let slower = [0.1, -0.1].map(|bent| time(bent) - time(0.0));
        // Both, and by the same: the first variation vanishes.
        assert!(slower.iter().all(|more| *more > 1e-5), "{slower:?}");
        assert!((slower[0] - slower[1]).abs() < 0.1 * slower[0], "{slower:?}");
    }

    /// Lagrange's equation for s: `2(1 + cos s) s̈ = sin s (ṡ² − g/a)`.
    #[test]
    fn integration_agrees() {
        let bowl = Cycloid { radius: 0.3, gravity: 9.81 };
        let motion =
            |_: f64, [s, rate]: &[f64; 2]| [*rate, 0.5 * s.sin() * (rate * rate - 9.81 / 0.3) / (1.0 + s.cos())];
        for release in [0.1, 1.0, 2.0] {
            for part in [0.2, 0.5, 1.0] {
                let time = part * bowl.period();
                let [s, _] = Collocation::new(8).integrate(motion, 0.0, [release, 0.0], time, 200);
                assert!((s - bowl.parameter_at(release, time)).abs() < 1e-12);
            }
        }
    }
}
