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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Collocation;

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
