//! The frame of the path of the ball's centre.

use crate::Interval;
use nalgebra::Vector2;

/// The moving frame of the centre path `q = c + R n`.
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// Centre of the ball in contact, m.
    pub position: Vector2<f64>,
    /// `τ`, in the direction of growing parameter.
    pub tangent: Vector2<f64>,
    /// `n`, towards the free side.
    pub normal: Vector2<f64>,
    /// `κc = κ/(1 − κR)` of the centre path, 1/m.
    pub curvature: f64,
    /// Length of centre path per unit of the parameter, `(1 − κR)‖c′‖`.
    pub speed: f64,
}

impl Frame {
    /// One [`Rounding`](crate::Rounding) error of its directions, rad: their own, and what that of the place turns them by.
    pub fn rounding(&self) -> f64 {
        f64::EPSILON * (1.0 + self.curvature.abs() * self.position.norm())
    }

    /// The part of a velocity along `τ`, as `(v·τ)/(τ·τ)`: taken apart and put together again step after step, it stays what it is,
    /// although the length of `τ` is 1 to rounding only.
    #[inline(always)]
    pub fn along(&self, velocity: Vector2<f64>) -> f64 {
        velocity.dot(&self.tangent) * (2.0 - self.tangent.norm_squared())
    }
}

/// Enclosures of a [`Frame`] over an interval of the parameter; any of them may be undefined (`κR ≥ 1`).
#[derive(Clone, Copy, Debug)]
pub struct FrameEnclosure {
    /// Position of the centre, m.
    pub position: [Interval; 2],
    /// Tangent `τ`.
    pub tangent: [Interval; 2],
    /// Normal `n`.
    pub normal: [Interval; 2],
    /// Curvature `κc` of the centre path, 1/m.
    pub curvature: Interval,
    /// Speed `(1 − κR)‖c′‖` of the centre path, m per unit of the parameter.
    pub speed: Interval,
}

/// `J v`: turns by +90°.
#[inline(always)]
pub fn turn_left(v: Vector2<f64>) -> Vector2<f64> {
    Vector2::new(-v.y, v.x)
}
