//! A bead, or a ball rolling without slip, in a circular bowl, released from rest.
//!
//! `θ̈ = −ω₀² sin θ`, `ω₀² = g/((1+k)ρ)`: the pendulum. With `κ = sin(θ₀/2)` and `u = ω₀t + K(κ)`
//!
//! ```text
//! sin(θ/2) = κ sn(u),   θ̇ = 2κω₀ cn(u),   period 4K/ω₀
//! λ = m (ρθ̇² + g cos θ),   f = k/(1+k) m g sin θ
//! ```
//!
//! Source: Whittaker, Analytical Dynamics, chapter IV (the pendulum); λ and f by Newton's law along n and τ.

use crate::elliptic::{complete_elliptic, jacobi};

/// The bowl and the release.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bowl {
    /// Radius ρ of the path of the centre, m; its own centre is the origin.
    pub radius: f64,
    /// Gravity, m/s².
    pub gravity: f64,
    /// Mass, kg.
    pub mass: f64,
    /// k; 0 for a bead.
    pub inertia_factor: f64,
    /// θ₀ at the release, from the bottom towards +x, rad.
    pub release: f64,
}

/// The ball at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BowlState {
    /// θ from the bottom, counter-clockwise, rad.
    pub angle: f64,
    /// θ̇, rad/s.
    pub rate: f64,
    /// Position of the centre, m.
    pub position: [f64; 2],
    /// Velocity of the centre, m/s.
    pub velocity: [f64; 2],
    /// λ, N.
    pub normal_force: f64,
    /// f along the direction of growing θ, N.
    pub friction_force: f64,
}

impl Bowl {
    fn frequency(&self) -> f64 {
        (self.gravity / ((1.0 + self.inertia_factor) * self.radius)).sqrt()
    }

    /// Period, s.
    pub fn period(&self) -> f64 {
        let modulus = (0.5 * self.release).sin();
        4.0 * complete_elliptic(modulus * modulus) / self.frequency()
    }

    /// The ball `time` s after the release.
    pub fn at(&self, time: f64) -> BowlState {
        let Bowl { radius, gravity, mass, inertia_factor: k, release } = *self;
        let modulus = (0.5 * release).sin();
        let m = modulus * modulus;
        let wave = jacobi(self.frequency() * time + complete_elliptic(m), m);
        let angle = 2.0 * (modulus * wave.sn).atan2(wave.dn);
        let rate = 2.0 * modulus * self.frequency() * wave.cn;
        let (sine, cosine) = angle.sin_cos();
        BowlState {
            angle,
            rate,
            position: [radius * sine, -radius * cosine],
            velocity: [radius * rate * cosine, radius * rate * sine],
            normal_force: mass * (radius * rate * rate + gravity * cosine),
            friction_force: k / (1.0 + k) * mass * gravity * sine,
        }
    }
}
