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

#[cfg(test)]
mod tests {
    use nalgebra::Vector2;

    use super::*;
    use crate::{Arc, Ground, Profile};

    #[derive(Debug)]
    struct Bowl;

    impl Profile for Bowl {
        fn point<N: Number>(&self, s: N) -> [N; 2] {
            [s, s.square()]
        }
    }

    /// On `y = x²` with R = 1/2 + δ, `1 − κR = 1e-5` is where `(1 + 4x²)^{3/2} = 2R/(1 − 1e-5)`; a smaller ball finds none.
    #[test]
    fn parabola() -> Result<(), crate::GroundError> {
        let at = |s: f64| Place::Piece { index: 0, parameter: s };
        for above in [0.0, 1e-15, -1e-15, 1e-9, -1e-7, 1e-6, 1e-3] {
            let radius = 0.5 + above;
            let ground = Ground::new(vec![Piece::new(Bowl, Interval::REAL)])?;
            let offset = OffsetGround::new(ground.into(), radius);
            let expected = (0.25 * ((2.0 * radius / (1.0 - OSCULATING)).powf(2.0 / 3.0) - 1.0)).sqrt();
            for from in [0.3, 1.0, 1e3] {
                let found = offset.osculation_free(at(from), -from);
                assert!(
                    found >= expected && found - expected < 1e-9 + 4e-12 * from,
                    "{above:e} {from}: {found} {expected}"
                );
                assert_eq!(offset.osculation_free(at(from), f64::INFINITY), f64::INFINITY);
            }
            assert!(offset.osculates(&offset.frame(at(0.0))) && !offset.osculates(&offset.frame(at(0.1))));
        }
        let ground = Ground::new(vec![Piece::new(Bowl, Interval::REAL)])?;
        let offset = OffsetGround::new(ground.into(), 0.5 - 6e-6);
        assert_eq!(offset.osculation_free(at(1.0), -1.0), -1.0);
        Ok(())
    }

    /// A whole arc of the ball's own radius.
    #[test]
    fn arc() -> Result<(), crate::GroundError> {
        for (radius, osculating) in [(0.1, true), (0.1 - 1e-7, true), (0.1 + 1e-10, true), (0.0999, false)] {
            let Some((arc, length)) = Arc::new(Vector2::zeros(), 0.1, -3.0, -0.2) else { continue };
            let ground = Ground::new(vec![Piece::of(arc, Interval::new(0.0, length))])?;
            let offset = OffsetGround::new(ground.into(), radius);
            let middle = Place::Piece { index: 0, parameter: 0.5 * length };
            assert_eq!(offset.osculates(&offset.frame(middle)), osculating, "{radius}");
            assert_eq!(offset.osculation_free(middle, length) < length, osculating, "{radius}");
        }
        Ok(())
    }
}
