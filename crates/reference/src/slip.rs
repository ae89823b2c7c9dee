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
    /// k
    pub inertia_factor: f64,
    /// μ
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

    /// After an impact of approach speed `approach` (m/s) and restitution `e`, slip stopped if friction can:
    /// `|Δv| = min(μ(1+e) v_n, k/(1+k) |u|)`.
    pub fn after_impact(&self, start: Motion, approach: f64, restitution: f64) -> Motion {
        let k = self.inertia_factor;
        let slip = self.slip(start);
        let most = self.friction * (1.0 + restitution) * approach;
        let change = -slip.signum() * most.min(slip.abs() * k / (1.0 + k));
        Motion { speed: start.speed + change, spin: start.spin + change / (k * self.radius) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_the_issue() {
        let ball = SpinningBall { radius: 0.1, inertia_factor: 0.4, friction: 0.2 };
        let start = Motion { speed: 3.0, spin: 0.0 };
        assert!((ball.roll_time(start, 9.81) - 0.4368720).abs() < 5e-8);
        assert!((ball.rolling(start).speed - 15.0 / 7.0).abs() < 1e-15);
        // Dropped by 0.9 m.
        let approach = (2.0 * 9.81 * 0.9f64).sqrt();
        let slips = ball.after_impact(Motion { speed: 0.0, spin: 50.0 }, approach, 0.0);
        assert!((slips.speed.abs() - 0.84043).abs() < 5e-6);
        let sticks = ball.after_impact(Motion { speed: 0.0, spin: 10.0 }, approach, 0.0);
        assert!((sticks.speed.abs() - 0.285714).abs() < 5e-7);
        assert!(ball.slip(sticks).abs() < 1e-15);
    }

    /// Both ways to roll lead to the same speed, and friction does the work that is missing.
    #[test]
    fn slip_and_energy_agree() {
        let ball = SpinningBall { radius: 0.3, inertia_factor: 0.6, friction: 0.1 };
        let start = Motion { speed: 2.0, spin: 5.0 };
        let end = ball.rolling(start);
        let hit = ball.after_impact(start, 1e6, 0.0);
        assert!((end.speed - hit.speed).abs() < 1e-14 && (end.spin - hit.spin).abs() < 1e-13);
        let energy = |m: Motion| 0.5 * (m.speed * m.speed + 0.6 * 0.09 * m.spin * m.spin);
        // Mean slip u/2 over the time, at force μg per kg.
        let work = 0.1 * 9.81 * 0.5 * ball.slip(start) * ball.roll_time(start, 9.81);
        assert!((energy(start) - energy(end) - work).abs() < 1e-14);
    }
}
