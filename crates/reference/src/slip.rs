//! Friction on flat ground: slipping that turns into rolling, and the impact on a rough floor.
//!
//! Friction f at the contact point changes `v` by `f/m` and `ω` by `f/(k m R)`, so `v − kRω` stays as it is while
//! `u = v + Rω` (the slip, counter-clockwise spin) falls at `(1+k)/k μg`. Source: Coriolis, Théorie mathématique des
//! effets du jeu de billard (1835); with one-point impacts, Routh's impulse construction.

/// A ball that turns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpinningBall {
    /// R, m.
    pub radius: f64,
    /// Inertia factor k.
    pub inertia_factor: f64,
    /// Coefficient of friction μ.
    pub friction: f64,
}

/// Motion along the floor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    /// v, m/s.
    pub speed: f64,
    /// ω, rad/s.
    pub spin: f64,
}

impl SpinningBall {
    /// `u = v + Rω`, m/s.
    pub fn slip(&self, motion: Motion) -> f64 {
        motion.speed + self.radius * motion.spin
    }

    /// Time until slipping ends on a level floor, s: `|u| k/((1+k) μ g)`.
    pub fn roll_time(&self, start: Motion, gravity: f64) -> f64 {
        let k = self.inertia_factor;
        self.slip(start).abs() * k / ((1.0 + k) * self.friction * gravity)
    }

    /// Rolling after slipping has ended: `v = (v₀ − kRω₀)/(1+k)`.
    pub fn rolling(&self, start: Motion) -> Motion {
        let k = self.inertia_factor;
        let speed = (start.speed - k * self.radius * start.spin) / (1.0 + k);
        Motion { speed, spin: -speed / self.radius }
    }

    /// Motion after an impact at approach speed v_n = `approach` (m/s) with e = `restitution`; the slip stops if
    /// friction can stop it: `|Δv| = min(μ(1+e) v_n, k/(1+k) |u|)`.
    pub fn after_impact(&self, start: Motion, approach: f64, restitution: f64) -> Motion {
        let k = self.inertia_factor;
        let slip = self.slip(start);
        let most = self.friction * (1.0 + restitution) * approach;
        let change = -slip.signum() * most.min(slip.abs() * k / (1.0 + k));
        Motion { speed: start.speed + change, spin: start.spin + change / (k * self.radius) }
    }
}
