//! A ball on a table shaken as `A sin ωt`: the orbit with one bounce a period.
//!
//! It flies for `T = 2π/ω` between equal heights, so that it leaves and comes with `±gT/2`. Newton's law then gives the
//! table's speed at impact, `ṗ = gT/2 (1−e)/(1+e)`, and with it the phase. Linearised about it (times and speeds after
//! impact), one period has determinant `e²` and trace `1 + e² + (1+e)² p̈/g`: a multiplier passes −1, and the period
//! doubles, where `−p̈ = 2g(1+e²)/(1+e)²` (Holmes, J. Sound Vib. 84 (1982) 173, for high bounces; here exact).

use std::f64::consts::PI;

/// The orbit with one bounce a period.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShakenTable {
    /// g, m/s².
    pub gravity: f64,
    /// e.
    pub restitution: f64,
    /// ω, rad/s.
    pub omega: f64,
    /// `Γ = Aω²/g`, at least [`ShakenTable::least`].
    pub gamma: f64,
}

impl ShakenTable {
    /// Γ from which on the orbit exists: `π(1−e)/(1+e)`.
    pub fn least(restitution: f64) -> f64 {
        PI * (1.0 - restitution) / (1.0 + restitution)
    }

    /// Γ at which its period doubles: `√(π²((1−e)/(1+e))² + 4((1+e²)/(1+e)²)²)`.
    pub fn doubling(restitution: f64) -> f64 {
        let e = restitution;
        ShakenTable::least(e).hypot(2.0 * (1.0 + e * e) / ((1.0 + e) * (1.0 + e)))
    }

    /// A, m.
    pub fn amplitude(&self) -> f64 {
        self.gamma * self.gravity / (self.omega * self.omega)
    }

    /// T, s.
    pub fn period(&self) -> f64 {
        2.0 * PI / self.omega
    }

    /// The table's speed at impact, m/s.
    pub fn table_speed(&self) -> f64 {
        self.launch_speed() * (1.0 - self.restitution) / (1.0 + self.restitution)
    }

    /// The ball's speed after an impact, m/s; before it the negative.
    pub fn launch_speed(&self) -> f64 {
        0.5 * self.gravity * self.period()
    }

    /// ωt at impact, rad in [0, π/2].
    pub fn phase(&self) -> f64 {
        (self.table_speed() / (self.amplitude() * self.omega)).acos()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One period from just beside the orbit, the flight's end by bisection.
    fn map(orbit: &ShakenTable, phase: f64, speed: f64) -> (f64, f64) {
        let (a, w, g, e) = (orbit.amplitude(), orbit.omega, orbit.gravity, orbit.restitution);
        let start = phase / w;
        let gap = |t: f64| {
            let d = t - start;
            a * (phase.sin() - (w * t).sin()) + speed * d - 0.5 * g * d * d
        };
        let (mut up, mut down) = (start + 0.9 * orbit.period(), start + 1.1 * orbit.period());
        for _ in 0..80 {
            let middle = 0.5 * (up + down);
            *(if gap(middle) > 0.0 { &mut up } else { &mut down }) = middle;
        }
        let table = a * w * (w * up).cos();
        (w * up - 2.0 * PI, (1.0 + e) * table - e * (speed - g * (up - start)))
    }

    #[test]
    fn comes_back_and_its_multipliers_are_those_of_the_formula() {
        for e in [0.2, 0.5, 0.9] {
            let orbit = ShakenTable { gravity: 9.81, restitution: e, omega: 60.0, gamma: ShakenTable::doubling(e) };
            let (phase, speed) = (orbit.phase(), orbit.launch_speed());
            let (a, b) = map(&orbit, phase, speed);
            assert!((a - phase).abs() < 1e-12 && (b - speed).abs() < 1e-13, "{a} {b}");
            let d = 1e-5;
            let by_phase = (map(&orbit, phase + d, speed), map(&orbit, phase - d, speed));
            let by_speed = (map(&orbit, phase, speed + d), map(&orbit, phase, speed - d));
            let slope = |a: f64, b: f64| (a - b) / (2.0 * d);
            let trace = slope(by_phase.0.0, by_phase.1.0) + slope(by_speed.0.1, by_speed.1.1);
            // 1 + trace + determinant = 0: a multiplier of −1.
            assert!((1.0 + trace + e * e).abs() < 1e-6, "{trace}");
        }
    }
}
