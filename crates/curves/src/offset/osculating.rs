//! Places where a ball fits the valley it touches: `κR = 1`, or nearly.

use crate::{Frame, OffsetGround, Piece, Place};
use numbers::{Interval, Number};

/// A ball fits its valley where `1 − κR` is at most this: the centre hardly moves from one contact to the next, so that it
/// touches along a stretch as far as anyone can measure.
pub const OSCULATING: f64 = 1e-5;

/// Parts a stretch is cut into before it is taken as it looks.
const BUDGET: u32 = 4096;

impl Piece {
    /// Encloses κ over a part (1/m); `enough` says of an enclosure that no tighter one is needed.
    pub(crate) fn curvature_over(&self, part: Interval, enough: impl Fn(Interval) -> bool) -> Interval {
        if let Some(shape) = self.curve.shape() {
            return shape.curvature_range();
        }
        let over = self.own_enclosure(part);
        let curvature = over.curvature();
        if enough(curvature) || !part.is_bounded() {
            return curvature;
        }
        let middle = Interval::point(part.middle());
        over.curvature_around(&self.own_enclosure(middle), part - middle)
    }
}

impl OffsetGround {
    /// Whether a ball with this frame fits its valley, or is too large for it.
    #[inline]
    pub fn osculates(&self, frame: &Frame) -> bool {
        // 1 + κcR = 1/(1 − κR); κcR is −1 around a corner, and less where 1 − κR is negative.
        let bend = frame.curvature * self.radius();
        bend > 1.0 / OSCULATING || -bend > 1.0 + 1e-9
    }

    /// `1 − κR` of the ground below a frame.
    pub fn shrink(&self, frame: &Frame) -> f64 {
        1.0 / (1.0 + frame.curvature * self.radius())
    }

    /// Parameter up to which, from a place towards `to`, the ball certainly does not fit its valley: `to` itself, or one just
    /// before it does.
    pub fn osculation_free(&self, place: Place, to: f64) -> f64 {
        let Place::Piece { index, parameter: from } = place else { return to };
        if self.radius() == 0.0 || from == to {
            return to;
        }
        let piece = self.ground().piece(index);
        let shrink = |curvature: Interval| Interval::point(1.0 - OSCULATING) - curvature.scale(self.radius());
        let open = |a: f64, b: f64| {
            let proven = |curvature: Interval| shrink(curvature).is_positive();
            proven(piece.curvature_over(Interval::between(a, b), proven))
        };
        // One radius in the unit of the parameter.
        let own = self.radius() / piece.jet(from).first.norm();
        let (mut at, mut step) = (from, to - from);
        for _ in 0..BUDGET {
            let next = if (to - at).abs() <= step.abs() { to } else { at + step };
            if open(at, next) {
                at = next;
                if at == to {
                    return to;
                }
                step *= 2.0;
                continue;
            }
            step = if step.is_finite() { 0.5 * step } else { (at.abs() + own).copysign(step) };
            if step.abs() <= 1e-12 * (at.abs() + own) {
                // Where a curvature has no enclosure it counts as it looks.
                let fits = |s: f64| {
                    self.osculates(&self.frame(place.at(s))) || {
                        let shrink = 1.0 - self.radius() * piece.jet(s).curvature();
                        shrink <= 4.0 * OSCULATING
                    }
                };
                return if fits(at) || fits(at + step) { at } else { to };
            }
        }
        to
    }
}
