//! A ball dropped on flat ground, with Newton restitution and without drag.
//!
//! Source: any mechanics text; each flight after impact k lasts `2 e^k v₁/g`, a geometric series.

/// A drop from rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounce {
    /// Height of the lowest point of the ball above the ground, m.
    pub height: f64,
    /// m/s²
    pub gravity: f64,
    /// e
    pub restitution: f64,
}

impl Bounce {
    /// `t₁ = √(2h/g)`, s.
    pub fn first_time(&self) -> f64 {
        (2.0 * self.height / self.gravity).sqrt()
    }

    /// Time of impact `k` (1, 2, …), s: `t₁ (1 + 2 (e + … + e^(k−1)))`.
    pub fn impact_time(&self, k: u32) -> f64 {
        let e = self.restitution;
        // Small terms first.
        let hops: f64 = (1..k).rev().map(|j| power(e, j)).sum();
        self.first_time() * (1.0 + 2.0 * hops)
    }

    /// Speed of approach at impact `k` (1, 2, …), m/s: `√(2gh) e^(k−1)`.
    pub fn impact_speed(&self, k: u32) -> f64 {
        (2.0 * self.gravity * self.height).sqrt() * power(self.restitution, k.saturating_sub(1))
    }

    /// Where the impacts accumulate, s: `t₁ (1+e)/(1−e)`; infinite for `e = 1`.
    pub fn zeno_time(&self) -> f64 {
        self.first_time() * (1.0 + self.restitution) / (1.0 - self.restitution)
    }
}

fn power(e: f64, exponent: u32) -> f64 {
    e.powi(exponent as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeno_time_of_the_issue() {
        let drop = Bounce { height: 1.0, gravity: 9.81, restitution: 0.9 };
        assert!((drop.zeno_time() - 8.5789492).abs() < 5e-8);
        assert!((drop.zeno_time() / drop.first_time() - 19.0).abs() < 1e-13);
        assert!((drop.impact_time(500) - drop.zeno_time()).abs() < 1e-14);
    }

    #[test]
    fn flights_are_parabolas() {
        let drop = Bounce { height: 2.0, gravity: 9.81, restitution: 0.7 };
        for k in 1..20 {
            let rise = 0.7 * drop.impact_speed(k);
            let flight = drop.impact_time(k + 1) - drop.impact_time(k);
            assert!((flight - 2.0 * rise / 9.81).abs() < 1e-14, "impact {k}");
        }
    }
}
