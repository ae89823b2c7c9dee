//! The frame of the path of the ball's centre.

use nalgebra::Vector2;
use numbers::{Interval, Number, Traced};

use crate::{OffsetGround, Place, Shape};

/// The moving frame of the centre path `q = c + R n`.
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
    /// One [`Rounding`](numbers::Rounding) error of its directions, rad: their own, and what that of the place turns them by.
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

/// A [`Frame`] as nodes of the list that is being written.
#[derive(Clone, Copy, Debug)]
pub struct TracedFrame {
    /// Centre of the ball in contact, m.
    pub position: [Traced; 2],
    /// Tangent `τ`.
    pub tangent: [Traced; 2],
    /// Normal `n`.
    pub normal: [Traced; 2],
    /// Curvature `κc` of the centre path, 1/m.
    pub curvature: Traced,
    /// The parameter's change over the way of the centre, `1/((1 − κR)‖c′‖)`.
    pub slowness: Traced,
}

impl OffsetGround {
    /// Writes down the frame of the piece or corner of a place at a parameter, as [`OffsetGround::frame`] has it.
    pub fn frame_traced(&self, place: Place, parameter: Traced) -> TracedFrame {
        let (constant, radius) = (|x: f64| Traced::constant(x), self.radius());
        let turned = |[x, y]: [Traced; 2]| [-y, x];
        let Place::Piece { index, .. } = place else {
            let (sine, cosine) = parameter.sin_cos();
            let (normal, corner) = ([cosine, -sine], self.ground_point(place));
            return TracedFrame {
                position: [0, 1].map(|i| constant(corner[i]) + normal[i].scale(radius)),
                tangent: [normal[1], -normal[0]],
                normal,
                curvature: constant(-1.0 / radius),
                slowness: constant(1.0 / radius),
            };
        };
        let curve = self.ground().piece(index).curve();
        let [x, y] = curve.series(parameter);
        let (tangent, curvature, slowness) = match curve.shape() {
            // Lines and arcs have the arc length as their parameter.
            Some(shape @ (Shape::Line(_) | Shape::Arc(_))) => {
                ([x[1], y[1]], constant(shape.curvature()), constant(1.0))
            }
            None => {
                let slowness = constant(1.0) / (x[1].square() + y[1].square()).sqrt();
                let cross = (x[1] * y[2] - y[1] * x[2]).scale(2.0);
                ([x[1] * slowness, y[1] * slowness], cross * (slowness * slowness.square()), slowness)
            }
        };
        let normal = turned(tangent);
        let position = [0, 1].map(|i| [x[0], y[0]][i] + normal[i].scale(radius));
        if radius == 0.0 {
            return TracedFrame { position, tangent, normal, curvature, slowness };
        }
        let shrink = constant(1.0) / (constant(1.0) - curvature.scale(radius));
        TracedFrame { position, tangent, normal, curvature: curvature * shrink, slowness: slowness * shrink }
    }
}
