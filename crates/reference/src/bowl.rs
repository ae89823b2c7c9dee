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
    /// m/s²
    pub gravity: f64,
    /// kg
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

    /// s
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Collocation;

    #[test]
    fn integration_agrees() {
        for k in [0.0, 0.4] {
            let bowl = Bowl { radius: 1.0, gravity: 9.81, mass: 1.0, inertia_factor: k, release: 60f64.to_radians() };
            let pull = 9.81 / (1.0 + k);
            let motion = |_: f64, [angle, rate]: &[f64; 2]| [*rate, -pull * angle.sin()];
            for time in [0.0, 0.3, 1.0, 3.0] {
                let [angle, rate] = Collocation::new(8).integrate(motion, 0.0, [bowl.release, 0.0], time, 200);
                let state = bowl.at(time);
                assert!((state.angle - angle).abs() < 2e-14, "{time}: {} {angle}", state.angle);
                assert!((state.rate - rate).abs() < 5e-14, "{time}: {} {rate}", state.rate);
            }
        }
    }

    #[test]
    fn period_energy_and_small_swings() {
        let bowl = Bowl { radius: 2.0, gravity: 9.81, mass: 3.0, inertia_factor: 0.0, release: 2.5 };
        assert!((bowl.at(bowl.period()).angle - 2.5).abs() < 1e-13);
        for i in 0..50 {
            let state = bowl.at(0.1 * f64::from(i));
            let energy = 0.5 * (state.velocity[0].powi(2) + state.velocity[1].powi(2)) + 9.81 * state.position[1];
            assert!((energy + 9.81 * 2.0 * 2.5f64.cos()).abs() < 1e-13);
        }
        let small = Bowl { release: 1e-5, ..bowl };
        assert!((small.period() / (2.0 * std::f64::consts::PI * (2.0 / 9.81f64).sqrt()) - 1.0).abs() < 1e-11);
    }
}
