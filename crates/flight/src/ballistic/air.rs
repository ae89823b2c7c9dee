//! Motion through still air under gravity: what acts, and the ball at a time.
//!
//! Axes: x along the horizontal speed u ≥ 0, y against gravity. Per unit of mass.

use nalgebra::Vector2;
use newmark::Tolerance;

/// A velocity that changes, or decays, by less than this part of itself is a Taylor series of third order, to rounding.
const NEAR: f64 = 1e-5;

/// Gravity, and drag coefficients over the ball's mass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Air {
    /// Size of gravity |g|, m/s².
    pub gravity: f64,
    /// k_D/m of `−k_D ‖w‖ w`, 1/m.
    pub quadratic: f64,
    /// k_L/m of the linear drag `−k_L w`, 1/s.
    pub linear: f64,
    /// Tolerance of the quadratures along an arc.
    pub tolerance: Tolerance,
}

/// The ball at a time of its arc.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Node {
    /// Time since the start of the arc, s.
    pub time: f64,
    /// Way from the start of the arc, m.
    pub way: Vector2<f64>,
    /// Velocity (u, v), m/s.
    pub velocity: Vector2<f64>,
    /// Energy lost to the air, J/kg.
    pub lost: f64,
    /// Velocity that drag has added since the start of the arc, m/s.
    pub push: Vector2<f64>,
    /// `e^w`, where `v = u sinh w`; not of vertical motion.
    pub(super) grown: f64,
}

impl Node {
    /// The start of an arc.
    pub fn start(velocity: Vector2<f64>) -> Self {
        Node { velocity, ..Node::default() }.angled()
    }

    pub(super) fn angled(self) -> Self {
        let slope = self.velocity.y / self.velocity.x;
        // e^|w| without a difference of equal numbers.
        let along = slope.abs() + (1.0 + slope * slope).sqrt();
        Node { grown: if slope < 0.0 { 1.0 / along } else { along }, ..self }
    }

    /// w; nothing hangs on its rounding.
    pub(super) fn angle(&self) -> f64 {
        self.grown.ln()
    }
}

impl Air {
    /// The acceleration at a velocity, m/s².
    #[inline(always)]
    pub fn acceleration(&self, velocity: Vector2<f64>) -> Vector2<f64> {
        let slowed = -(self.quadratic * velocity.norm() + self.linear) * velocity;
        Vector2::new(slowed.x, slowed.y - self.gravity)
    }

    /// Rate of the acceleration, m/s³.
    #[inline(always)]
    pub fn jerk(&self, velocity: Vector2<f64>, acceleration: Vector2<f64>) -> Vector2<f64> {
        let speed = velocity.norm();
        let faster = if speed > 0.0 { velocity.dot(&acceleration) / speed } else { 0.0 };
        -self.quadratic * faster * velocity - (self.quadratic * speed + self.linear) * acceleration
    }

    /// The node `seconds` after `here` by a Taylor series of third order; `None`: that is not exact to rounding.
    #[inline(always)]
    pub fn beside(&self, here: &Node, seconds: f64) -> Option<Node> {
        let v = here.velocity;
        let a = self.acceleration(v);
        let (square, near) = (v.norm_squared(), NEAR * NEAR / (seconds * seconds));
        let decay = self.quadratic * square.sqrt() + self.linear;
        if !(a.norm_squared() <= near * square && decay * decay <= near) {
            return None;
        }
        let jerk = self.jerk(v, a);
        let middle = v + 0.5 * seconds * a;
        let slowing = self.quadratic * middle.norm() + self.linear;
        let velocity = v + seconds * (a + 0.5 * seconds * jerk);
        let (across, speed) = (velocity.y.abs(), velocity.norm());
        let grown = (across + speed) / velocity.x;
        Some(Node {
            time: here.time + seconds,
            way: here.way + seconds * (v + seconds * (0.5 * a + seconds / 6.0 * jerk)),
            velocity,
            grown: if velocity.y < 0.0 { 1.0 / grown } else { grown },
            lost: here.lost + seconds * slowing * middle.norm_squared(),
            push: here.push - seconds * slowing * middle,
        })
    }
}
