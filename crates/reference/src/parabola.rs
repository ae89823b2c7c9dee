//! Elastic bounces of a point mass in a parabola `y = x²/(4f)` under gravity along its axis.
//!
//! This billiard is integrable (Korsch & Lang, J. Phys. A 24 (1991) 45). Beside the energy it keeps
//!
//! ```text
//! D = ‖P − S‖,   P = (x + v_x v_y/g,  y + (v_y² − v_x²)/(2g)),   S = (0, f)
//! ```
//!
//! the distance of the focus P of the flight parabola from the focus S of the ground. Why: at a point r the focus of
//! a parabola with vertical axis lies where its tangent mirrors the upward direction to. With α the direction of v
//! and τ that of the ground, P is seen from r at angle `2α − π/2`, S at `2τ − π/2`. The bounce takes α to `2τ − α`,
//! so it mirrors the direction of P at that of S, and `‖P − r‖ = v²/(2g)` stays: P moves on a circle around S.

/// The parabola.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parabola {
    /// f, m.
    pub focal_length: f64,
    /// m/s²
    pub gravity: f64,
}

impl Parabola {
    /// Energy per kg, J/kg.
    pub fn energy(&self, [_, y]: [f64; 2], [vx, vy]: [f64; 2]) -> f64 {
        0.5 * (vx * vx + vy * vy) + self.gravity * y
    }

    /// P, m.
    pub fn flight_focus(&self, [x, y]: [f64; 2], [vx, vy]: [f64; 2]) -> [f64; 2] {
        [x + vx * vy / self.gravity, y + 0.5 * (vy * vy - vx * vx) / self.gravity]
    }

    /// D, m: the second integral.
    pub fn focal_distance(&self, position: [f64; 2], velocity: [f64; 2]) -> f64 {
        let [x, y] = self.flight_focus(position, velocity);
        x.hypot(y - self.focal_length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Flights by the root of a quadratic, reflections by the mirror formula.
    #[test]
    fn flights_and_reflections_keep_both_integrals() {
        let bowl = Parabola { focal_length: 0.5, gravity: 9.81 };
        let (mut q, mut v) = ([0.3, 1.5], [1.0, 0.0]);
        let (energy, distance) = (bowl.energy(q, v), bowl.focal_distance(q, v));
        for bounce in 0..1000 {
            // y + v_y t − g t²/2 = (x + v_x t)²/(4f); from a point on the ground one root is zero.
            let a = v[0] * v[0] / 2.0 + 9.81 / 2.0;
            let b = q[0] * v[0] - v[1];
            let c = if bounce == 0 { q[0] * q[0] / 2.0 - q[1] } else { 0.0 };
            let t = (-b + (b * b - 4.0 * a * c).sqrt()) / (2.0 * a);
            q[0] += v[0] * t;
            v[1] -= 9.81 * t;
            q[1] = q[0] * q[0] / 2.0;
            let n = [-q[0], 1.0];
            let twice = 2.0 * (n[0] * v[0] + n[1] * v[1]) / (1.0 + q[0] * q[0]);
            v = [v[0] - twice * n[0], v[1] - twice * n[1]];
            assert!((bowl.energy(q, v) / energy - 1.0).abs() < 1e-12);
            assert!((bowl.focal_distance(q, v) / distance - 1.0).abs() < 1e-12, "bounce {bounce}");
        }
    }
}
