//! From which curvature on a ball fits its valley, and up to where it is proven not to.

use numbers::{Interval, Number};

use crate::{Frame, OffsetGround, Piece, Place};

/// Value of `1 − κR` up to which a ball counts as fitting its valley: its centre hardly moves from one contact to the
/// next, so that it touches along a stretch as far as can be measured.
pub const OSCULATING: f64 = 1e-5;

/// Largest number of parts looked at.
const BUDGET: u32 = 4096;

/// Way along a piece on which a ball is proven not to fit its valley.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OsculationFree {
    /// Parameter up to which it is proven.
    pub reached: f64,
    /// Whether the ball fits just beyond. If not, `reached` is the end, or bounds of κ say nothing from there on.
    pub fits: bool,
}

impl OffsetGround {
    /// Whether a ball with this frame of its centre path fits its valley, to [`OSCULATING`], or is too large for it.
    #[inline]
    pub fn osculates(&self, frame: &Frame) -> bool {
        // 1 + κcR = 1/(1 − κR); κcR is −1 around a corner, and less where 1 − κR is negative.
        let bend = frame.curvature * self.radius();
        bend > 1.0 / OSCULATING || -bend > 1.0 + 1e-9
    }

    /// `1 − κR` of the ground, as `1/(1 + κcR)` from the frame of the centre path.
    pub fn shrink(&self, frame: &Frame) -> f64 {
        1.0 / (1.0 + frame.curvature * self.radius())
    }

    /// Way from a place towards the parameter `to` on which the ball is proven not to fit its valley.
    pub fn osculation_free(&self, place: Place, to: f64) -> OsculationFree {
        let free = |reached: f64| OsculationFree { reached, fits: false };
        let Place::Piece { index, parameter: from } = place else { return free(to) };
        if self.radius() == 0.0 || from == to {
            return free(to);
        }
        let piece = self.ground().piece(index);
        let shrink = |curvature: Interval| Interval::point(1.0 - OSCULATING) - curvature.scale(self.radius());
        let open = |a: f64, b: f64| {
            let proven = |curvature: Interval| shrink(curvature).is_positive();
            proven(piece.curvature_over(Interval::between(a, b), proven))
        };
        // One radius, in units of the parameter.
        let own = self.radius() / piece.jet(from).first.norm();
        let (mut at, mut step) = (from, to - from);
        for _ in 0..BUDGET {
            let next = if (to - at).abs() <= step.abs() { to } else { at + step };
            if open(at, next) {
                at = next;
                if at == to {
                    break;
                }
                step *= 2.0;
                continue;
            }
            step = if step.is_finite() { 0.5 * step } else { (at.abs() + own).copysign(step) };
            if step.abs() <= 1e-12 * (at.abs() + own) {
                // Enclosures of κ fail here even over the shortest part: its values at both ends decide.
                let fits = |s: f64| {
                    self.osculates(&self.frame(place.at(s)))
                        || 1.0 - self.radius() * piece.jet(s).curvature() <= 4.0 * OSCULATING
                };
                return OsculationFree { reached: at, fits: fits(at) || fits(at + step) };
            }
        }
        free(at)
    }
}

impl Piece {
    /// Encloses κ over a part (1/m); `enough` tells of an enclosure that no tighter one is needed.
    pub(crate) fn curvature_over(&self, part: Interval, enough: impl Fn(Interval) -> bool) -> Interval {
        if let Some(shape) = self.curve.shape() {
            return shape.curvature_range();
        }
        let curvature = self.own_enclosure(part).curvature();
        if enough(curvature) || !part.is_bounded() { curvature } else { self.curve.curvature_over(part) }
    }
}
