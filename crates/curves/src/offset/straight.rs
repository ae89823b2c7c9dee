//! Ground that is a single straight line without ends.

use nalgebra::Vector2;

use super::faces::Face;
use crate::contact::offset_curve_bounds::OffsetFoot;
use crate::{Frame, Piece};

/// The line `n·q = height` of the centre on straight ground without ends.
#[derive(Clone, Copy, Debug)]
pub struct Straight {
    normal: Vector2<f64>,
    height: f64,
    /// A point of the line, in the frame of its axis.
    pub(crate) foot: OffsetFoot,
    point: Vector2<f64>,
    tangent: Vector2<f64>,
    pub(crate) axis: Vector2<f64>,
}

impl Straight {
    /// The line of the only face of a ground; `None` unless it is straight and infinite both ways.
    pub(crate) fn of(face: &Face, piece: &Piece) -> Option<Self> {
        let bounds = face.bounds.as_ref()?;
        let endless = !face.domain.lo.is_finite() && !face.domain.hi.is_finite();
        if !(bounds.affine && endless) {
            return None;
        }
        let (axis, parameter) = (face.axis, face.domain.clamp(0.0));
        let Frame { position, tangent, normal, speed, .. } = piece.curve().frame(parameter, face.radius);
        let cosine = tangent.dot(&axis);
        let foot = OffsetFoot {
            parameter,
            xi: axis.dot(&position),
            eta: axis.perp(&position),
            per_xi: 1.0 / (speed * cosine),
            slope: axis.perp(&tangent) / cosine,
            bend: 0.0,
            stretch: 1.0 / cosine,
            cosine,
        };
        Some(Straight { normal, height: position.dot(&normal), foot, point: position, tangent, axis })
    }

    /// Normal of the line, to the free side.
    #[inline(always)]
    pub fn normal(&self) -> Vector2<f64> {
        self.normal
    }

    /// Height of the line along its normal, m.
    pub fn height(&self) -> f64 {
        self.height
    }

    /// Distance of a centre from the line, m; negative below it.
    #[inline(always)]
    pub fn gap(&self, q: Vector2<f64>) -> f64 {
        (q - self.point).dot(&self.normal)
    }

    /// Parameter of the point closest to a centre.
    pub(crate) fn parameter_below(&self, q: Vector2<f64>) -> f64 {
        let OffsetFoot { parameter, cosine, per_xi, .. } = self.foot;
        parameter + (q - self.point).dot(&self.tangent) * (cosine * per_xi)
    }

    /// Rounding of the height `n·q` of a centre and of that of the line, m.
    pub fn rounding(&self, q: Vector2<f64>) -> f64 {
        f64::EPSILON * ((q.x * self.normal.x).abs() + (q.y * self.normal.y).abs() + self.height.abs())
    }
}
