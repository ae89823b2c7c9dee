//! The benchmark's ball: a point mass thrown over level ground.

/// m/s²
const GRAVITY: f64 = 9.81;

/// A throw over y = 0.
#[derive(Clone, Copy, Debug)]
pub struct Throw {
    /// e, along the normal; what is tangential stays.
    pub restitution: f64,
    /// ½ Cx ρ S / m, 1/m
    pub drag: f64,
    /// `[x, y, vx, vy]`, m and m/s
    pub start: [f64; 4],
}

impl Throw {
    /// The benchmark's hard sphere, drag as in its Modelica code.
    pub const BENCHMARK: Throw =
        Throw { restitution: 0.9, drag: 0.5 * 0.5 * 1.293 * 0.0314 / 1.1, start: [0.0, 2.0, 1.0, 5.0] };

    #[inline(always)]
    pub fn motion(&self, y: &[f64], dy: &mut [f64]) {
        let brake = self.drag * (y[2] * y[2] + y[3] * y[3]).sqrt();
        (dy[0], dy[1], dy[2], dy[3]) = (y[2], y[3], -brake * y[2], -brake * y[3] - GRAVITY);
    }

    /// The derivative of `motion` times `v`.
    #[inline(always)]
    pub fn derivative(&self, y: &[f64], v: &[f64], jv: &mut [f64]) {
        let speed = (y[2] * y[2] + y[3] * y[3]).sqrt();
        let along = if speed > 0.0 { (y[2] * v[2] + y[3] * v[3]) / speed } else { 0.0 };
        (jv[0], jv[1]) = (v[2], v[3]);
        (jv[2], jv[3]) = (-self.drag * (along * y[2] + speed * v[2]), -self.drag * (along * y[3] + speed * v[3]));
    }

    /// The state after an impact, on the ground.
    pub fn bounce(&self, y: &[f64]) -> [f64; 4] {
        [y[0], 0.0, y[2], -self.restitution * y[3]]
    }
}
