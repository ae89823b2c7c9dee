//! A ball on a table shaken as `A sin ωt`: the orbit with one bounce a period.
//!
//! It flies for `T = 2π/ω` between equal heights, so that it leaves and comes with `±gT/2`. Newton's law then gives the
//! speed of the table p at impact, `ṗ = gT/2 (1−e)/(1+e)`, and with it the phase. The map of time and speed after one
//! impact to those after the next, linearised about this orbit, has determinant `e²` and trace `1 + e² + (1+e)² p̈/g`.
//! A multiplier passes −1, and the period doubles, where `−p̈ = 2g(1+e²)/(1+e)²` (Holmes, J. Sound Vib. 84 (1982) 173,
//! for high bounces; here exact).

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
