//! Where is a ball in still air some seconds later? By a closed form, else by quadrature over the hodograph.
//!
//! Axes: x along the horizontal velocity u ≥ 0, y against gravity. Forces and energies are per unit of mass.

use nalgebra::Vector2;
use newmark::Tolerance;
use numbers::elementary;

use super::closed_forms::{drifting, linear, vertical};
use super::hodograph;

/// Relative change of velocity below which a third-order Taylor series is exact to rounding.
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

/// Ball at a time of its arc.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct ArcNode {
    /// Time since the start of the arc, s.
    pub time: f64,
    /// Displacement since the start of the arc, m.
    pub way: Vector2<f64>,
    /// Velocity (u, v), m/s.
    pub velocity: Vector2<f64>,
    /// Energy lost to the air for each kilogram, J/kg.
    pub lost: f64,
    /// Velocity that drag has added since the start of the arc, m/s.
    pub push: Vector2<f64>,
    /// `e^w` with `v = u sinh w`; unused in vertical motion.
    pub(super) grown: f64,
}

impl ArcNode {
    /// The start of an arc.
    pub fn start(velocity: Vector2<f64>) -> Self {
        ArcNode { velocity, ..ArcNode::default() }.angled()
    }

    /// Sets `grown` by the velocity.
    pub(super) fn angled(self) -> Self {
        let slope = self.velocity.y / self.velocity.x;
        // e^|w| without cancellation.
        let along = slope.abs() + (1.0 + slope * slope).sqrt();
        ArcNode { grown: if slope < 0.0 { 1.0 / along } else { along }, ..self }
    }

    /// Variable w, as the logarithm of `grown`; used only where its rounding does not matter.
    pub(super) fn angle(&self) -> f64 {
        elementary::ln(self.grown)
    }
}

impl Air {
    /// Acceleration at a velocity (m/s), m/s².
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

    /// Node `seconds` after `here` by a third-order Taylor series; `None` where that is not exact to rounding.
    #[inline(always)]
    pub fn beside(&self, here: &ArcNode, seconds: f64) -> Option<ArcNode> {
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
        Some(ArcNode {
            time: here.time + seconds,
            way: here.way + seconds * (v + seconds * (0.5 * a + seconds / 6.0 * jerk)),
            velocity,
            grown: if velocity.y < 0.0 { 1.0 / grown } else { grown },
            lost: here.lost + seconds * slowing * middle.norm_squared(),
            push: here.push - seconds * slowing * middle,
        })
    }

    /// Node about `seconds` after `here`, or before it if they are negative, within the arc: exactly there by most
    /// closed forms; else about there, and no further than the formula reaches. `nodes` counts quadrature nodes.
    #[inline]
    pub fn ahead(&self, here: &ArcNode, seconds: f64, nodes: &mut u64) -> ArcNode {
        let (u, v) = (here.velocity.x, here.velocity.y);
        if self.linear != 0.0 {
            linear(self, here, seconds)
        } else if self.gravity == 0.0 {
            drifting(self, here, seconds)
        } else if self.quadratic * here.velocity.norm_squared() >= FAST * self.gravity {
            // The form is kept until a tenth of the speed is left.
            let slowed = 9.0 / (self.quadratic * here.velocity.norm());
            drifting(self, here, seconds.min(slowed)).angled()
        } else if u * STEEP <= v.abs() {
            vertical(self, here, seconds).angled()
        } else {
            hodograph::ahead(self, here, seconds, nodes)
        }
    }

    /// Ball at a time (s) of its arc, found from a node near that time by moves with ever better aim.
    pub fn at(&self, time: f64, near: &ArcNode, nodes: &mut u64) -> ArcNode {
        let mut here = *near;
        // Times of nodes known to be earlier and later.
        let (mut before, mut after) = (f64::NEG_INFINITY, f64::INFINITY);
        for _ in 0..MOVES {
            let left = time - here.time;
            if let Some(there) = self.beside(&here, left) {
                return there;
            }
            *(if left > 0.0 { &mut before } else { &mut after }) = here.time;
            let next = self.ahead(&here, left, nodes);
            let outside = !(before <= next.time && next.time <= after);
            let next = if outside { self.ahead(&here, 0.5 * left, nodes) } else { next };
            if next.time == here.time || !next.time.is_finite() {
                break;
            }
            here = next;
        }
        // No move comes closer: the two times differ by rounding.
        here.time = time;
        here
    }
}

/// Ratio |v|/u from which the path is a vertical line: (u/v)² is below rounding.
const STEEP: f64 = 2.5e8;

/// Ratio of drag to gravity from which gravity is below rounding.
const FAST: f64 = 1e18;

/// Largest number of moves of a search along an arc. Hundreds reach everywhere: each is some e-folds of the speed long.
pub(super) const MOVES: u32 = 10_000;
