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
    /// Gravity, m/s².
    pub gravity: f64,
}

impl Parabola {
    /// Energy per kg, J/kg.
    pub fn energy(&self, [_, y]: [f64; 2], [vx, vy]: [f64; 2]) -> f64 {
        0.5 * (vx * vx + vy * vy) + self.gravity * y
    }

    /// D, m: the second integral.
    pub fn focal_distance(&self, [x, y]: [f64; 2], [vx, vy]: [f64; 2]) -> f64 {
        let focus = [x + vx * vy / self.gravity, y + 0.5 * (vy * vy - vx * vx) / self.gravity];
        focus[0].hypot(focus[1] - self.focal_length)
    }
}
