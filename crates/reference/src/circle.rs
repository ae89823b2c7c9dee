//! Lift-off from a circle: a bead, or a ball rolling without slip, on top of it.
//!
//! With the centre on a circle of radius ρ (ground plus ball), θ from the top and `E = (1+k)/2 v² + gρ cos θ` per kg,
//! `λ = m (g cos θ − v²/ρ)` vanishes at
//!
//! ```text
//! cos θ = (2 cos θ₀ + (1+k) v₀²/(gρ)) / (3+k)
//! ```
//!
//! after `∫ ρ dθ/v`. Source: Newton's law along the normal and the energy; from rest at the top it gives
//! the textbooks' 2/3 for a bead and 10/17 for a solid sphere.

use crate::quadrature::integrate;

/// A ball on top of a circle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Circle {
    /// Radius ρ of the path of the centre, m.
    pub radius: f64,
    /// Gravity, m/s².
    pub gravity: f64,
    /// k; 0 for a bead.
    pub inertia_factor: f64,
    /// Angle θ₀ from the top at the start, rad (≥ 0).
    pub start: f64,
    /// Speed downhill at the start, m/s (> 0, or `start` > 0).
    pub speed: f64,
}

impl Circle {
    /// Angle from the top where λ vanishes, rad; the start if λ is not positive there.
    pub fn lift_off_angle(&self) -> f64 {
        let k = self.inertia_factor;
        let cosine =
            (2.0 * self.start.cos() + (1.0 + k) * self.speed * self.speed / (self.gravity * self.radius)) / (3.0 + k);
        if cosine < self.start.cos() { cosine.acos() } else { self.start }
    }

    /// Speed after turning by `turned` rad from the start, m/s.
    pub fn speed_after(&self, turned: f64) -> f64 {
        // cos θ₀ − cos θ without cancellation.
        let drop = 2.0 * (self.start + 0.5 * turned).sin() * (0.5 * turned).sin();
        (self.speed * self.speed + 2.0 * self.gravity * self.radius * drop / (1.0 + self.inertia_factor)).sqrt()
    }

    /// Time from the start to lift-off, s.
    pub fn lift_off_time(&self) -> f64 {
        // θ = θ₀ + z² takes the root singularity of a start from rest away.
        let end = (self.lift_off_angle() - self.start).sqrt();
        let rate = |z: f64| 2.0 * z * self.radius / self.speed_after(z * z);
        integrate(rate, 0.0, end, 64)
    }
}
