//! Random numbers that are the same in every run.

use nalgebra::Vector2;

/// A linear congruential generator (Knuth's MMIX), with its state.
pub struct Rng(pub u64);

impl Rng {
    pub fn between(&mut self, lo: f64, hi: f64) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        lo + (hi - lo) * (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A point of a square of this half side.
    pub fn point(&mut self, half: f64) -> Vector2<f64> {
        Vector2::new(self.between(-half, half), self.between(-half, half))
    }

    /// A standard normal number (Box & Muller).
    pub fn normal(&mut self) -> f64 {
        let [size, turn] = [0, 1].map(|_| self.between(0.0, 1.0));
        (-2.0 * (1.0 - size).ln()).sqrt() * (std::f64::consts::TAU * turn).cos()
    }
}
