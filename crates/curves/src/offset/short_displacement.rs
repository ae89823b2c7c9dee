//! Short displacements along the centre path, to the digits of the displacement.
//!
//! A difference of places of size L has rounding εL, however short it is. In the frame (τ₀, n₀) of its start, Taylor's
//! polynomial of the curve c gives each component of a short displacement to ε of itself: Δc of the ground point and Δq
//! of the centre, for a change t of the parameter and a turn θ of the tangent:
//!
//! ```text
//! Δc·τ₀ = Σ xₖ tᵏ     Δc·n₀ = Σ yₖ tᵏ,  y₁ = 0     (cos θ, sin θ) = (Σ k xₖ tᵏ⁻¹, Σ k yₖ tᵏ⁻¹)/‖c′‖     k = 1 … 4
//! Δq = Δc + R (−sin θ, cos θ − 1)
//! 2 Δq·n₀ cos θ − Δq·τ₀ sin θ = Σ (2j − k) yₖ xⱼ tʲ⁺ᵏ⁻¹/‖c′‖ + R (1 − cos θ)²
//! ```

use nalgebra::Vector2;

use crate::{Frame, OffsetGround, Place};
use numbers::{Rounding, elementary};

/// Taylor polynomial of the centre path from a place on.
#[derive(Clone, Copy, Debug)]
pub struct Ahead {
    start: Frame,
    /// x₁ … x₄
    along: [f64; 4],
    /// y₁ … y₄
    across: [f64; 4],
    /// R, m; 0 for the arc around a corner, whose polynomial is that of the centre path already.
    radius: f64,
}

/// A displacement along the centre path, in the frame of its start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Displacement {
    /// `Δq` along τ₀ and n₀, m.
    pub way: Vector2<f64>,
    /// τ at the end, along τ₀ and n₀: cos θ and sin θ.
    pub tangent: Vector2<f64>,
    /// `2 Δq·n₀ cos θ − Δq·τ₀ sin θ`, m: of third order in the displacement.
    pub skew: f64,
    /// Rounding of the displacement along τ₀, m.
    pub rounding: f64,
}

impl OffsetGround {
    /// The polynomial from a place with the frame `start`, for displacements up to `reach` m. `None` where its error, on
    /// an arc of this curvature, would exceed rounding; `length` (m) is the rounding of places.
    pub fn ahead(&self, place: Place, start: &Frame, reach: f64, length: f64) -> Option<Ahead> {
        if !Rounding::vanishes(elementary::powi(start.curvature * reach, 4) * reach / 120.0, length) {
            return None;
        }
        let radius = self.radius();
        Some(match place {
            Place::Piece { index, parameter } => {
                let [x, y] = self.ground().piece(index).curve().series(parameter);
                let c = [1, 2, 3, 4].map(|k| Vector2::new(x[k], y[k]));
                let mut across = c.map(|c| c.dot(&start.normal));
                across[0] = 0.0;
                Ahead { start: *start, along: c.map(|c| c.dot(&start.tangent)), across, radius }
            }
            // The arc around a corner is a circle of curvature −1/R, by its angle.
            Place::Corner { .. } => Ahead {
                start: *start,
                along: [radius, 0.0, -radius / 6.0, 0.0],
                across: [0.0, -radius / 2.0, 0.0, radius / 24.0],
                radius: 0.0,
            },
        })
    }
}

impl Displacement {
    /// The displacement between two frames, as a difference of places, which have a rounding of `length` m.
    pub fn between(start: &Frame, end: &Frame, length: f64) -> Displacement {
        let seen = |v: Vector2<f64>| Vector2::new(v.dot(&start.tangent), v.dot(&start.normal));
        let (way, tangent) = (seen(end.position - start.position), seen(end.tangent));
        Displacement { way, tangent, skew: 2.0 * way.y * tangent.x - way.x * tangent.y, rounding: length }
    }
}

impl Ahead {
    /// The displacement over a change `t` of the parameter, to the frame `end`: by the polynomial, or the difference of
    /// frames where that is off from it by more than rounding; `length` (m) is the rounding of places.
    pub fn to(&self, t: f64, end: &Frame, length: f64) -> Displacement {
        let (near, between) = (self.near(t, length), Displacement::between(&self.start, end, length));
        let angle = f64::EPSILON + (self.start.curvature.abs() + end.curvature.abs()) * length;
        let agrees = |a: Vector2<f64>, b: Vector2<f64>, unit: f64| Rounding::vanishes((a - b).amax(), unit);
        if agrees(near.way, between.way, length) && agrees(near.tangent, between.tangent, angle) {
            return Displacement { skew: self.skew(t, near.tangent), ..near };
        }
        between
    }

    /// The displacement over a change `t` of the parameter by the polynomial, without its skew; `length` (m) is the
    /// rounding of places.
    pub fn near(&self, t: f64, length: f64) -> Displacement {
        let Ahead { along: x, across: y, radius, .. } = self;
        let sum = |c: &[f64; 4]| t * (c[0] + t * (c[1] + t * (c[2] + t * c[3])));
        let tangent = self.slope(t).normalize();
        let way = Vector2::new(sum(x) - radius * tangent.y, sum(y) - radius * shortened(tangent));
        Displacement { way, tangent, skew: f64::NAN, rounding: (f64::EPSILON * way.x.abs()).min(length) }
    }

    /// Derivative of the ground point by the parameter.
    fn slope(&self, t: f64) -> Vector2<f64> {
        let rate = |c: &[f64; 4]| c[0] + t * (2.0 * c[1] + t * (3.0 * c[2] + t * 4.0 * c[3]));
        Vector2::new(rate(&self.along), rate(&self.across))
    }

    /// Skew of a displacement by the polynomial, m.
    fn skew(&self, t: f64, tangent: Vector2<f64>) -> f64 {
        let Ahead { along: x, across: y, radius, .. } = self;
        // Powers of t from the third on: the second ones cancel.
        let skew = 2.0 * y[1] * x[1] - y[2] * x[0]
            + t * (y[1] * (4.0 * x[2]) + y[2] * x[1] - 2.0 * y[3] * x[0])
            + t * t * (y[1] * (6.0 * x[3]) + 3.0 * y[2] * x[2])
            + t * t * t * (5.0 * y[2] * x[3] + 2.0 * y[3] * x[2])
            + t * t * t * t * (4.0 * y[3] * x[3]);
        t * t * t * skew / self.slope(t).norm() + radius * elementary::powi(shortened(tangent), 2)
    }
}

/// `1 − cos θ` of a direction (cos θ, sin θ).
fn shortened(tangent: Vector2<f64>) -> f64 {
    tangent.y * tangent.y / (1.0 + tangent.x)
}
