//! A ball dropped on flat ground, with Newton restitution and without drag.
//!
//! Source: any mechanics text; each flight after impact k lasts `2 e^k v₁/g`, a geometric series.

/// A drop from rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounce {
    /// Height of the lowest point of the ball above the ground, m.
    pub height: f64,
    /// Gravity, m/s².
    pub gravity: f64,
    /// Coefficient of restitution e.
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
        let hops: f64 = (1..k).rev().map(|j| e.powi(j as i32)).sum();
        self.first_time() * (1.0 + 2.0 * hops)
    }

    /// Speed of approach at impact `k` (1, 2, …), m/s: `√(2gh) e^(k−1)`.
    pub fn impact_speed(&self, k: u32) -> f64 {
        (2.0 * self.gravity * self.height).sqrt() * self.restitution.powi(k.saturating_sub(1) as i32)
    }

    /// Where the impacts accumulate, s: `t₁ (1+e)/(1−e)`; infinite for `e = 1`.
    pub fn zeno_time(&self) -> f64 {
        self.first_time() * (1.0 + self.restitution) / (1.0 - self.restitution)
    }

    /// Height (m) and velocity (m/s) at a time (e < 1); 0 once the impacts are over.
    pub fn at(&self, time: f64) -> [f64; 2] {
        let (e, g) = (self.restitution, self.gravity);
        if time < self.first_time() {
            return [self.height - 0.5 * g * time * time, -g * time];
        }
        let (mut start, mut rise) = (self.first_time(), e * self.impact_speed(1));
        while start + 2.0 * rise / g <= time {
            if rise * rise < f64::EPSILON.powi(2) * g * self.height {
                return [0.0; 2];
            }
            start += 2.0 * rise / g;
            rise *= e;
        }
        let since = time - start;
        [since * (rise - 0.5 * g * since), rise - g * since]
    }
}
