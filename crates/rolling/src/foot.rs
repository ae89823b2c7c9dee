//! Where is the foot of a point: the place of the ground on whose normal the point lies?

use curves::{Frame, OffsetGround, Place};
use nalgebra::Vector2;
use numbers::Rounding;

/// A foot, its frame, and the number of evaluations it took.
#[derive(Clone, Copy, Debug)]
pub struct Foot {
    /// Place of the foot.
    pub place: Place,
    /// Frame at the foot.
    pub frame: Frame,
    /// Evaluations of the ground.
    pub evaluations: u64,
}

/// Finds the foot of the point p near a known place, by Newton's method on `(q(s) − p)·τ(s) = 0` to the rounding of
/// places; q(s) is the path of the centre. `None` where the ground is undefined on the way.
pub fn foot(ground: &OffsetGround, place: Place, frame: Frame, point: Vector2<f64>) -> Option<Foot> {
    let mut foot = Foot { place, frame, evaluations: 0 };
    let mut last = f64::INFINITY;
    loop {
        let Foot { place, frame, .. } = &mut foot;
        let away = frame.position - point;
        let step = -away.dot(&frame.tangent) / (1.0 + frame.curvature * away.dot(&frame.normal));
        if !step.is_finite() {
            return None;
        }
        // Done at rounding, or where Newton's method no longer comes closer.
        let size = size(ground.radius(), *place, frame);
        if step.abs() <= Rounding::of_motion(size, 0.0, 0.0, 0.0).length || step.abs() >= last {
            return Some(foot);
        }
        last = step.abs();
        *place = place.at(place.parameter() + step / frame.speed);
        *frame = ground.frame(*place);
        foot.evaluations += 1;
    }
}

/// Size, m, of the numbers that a centre on the ground is the sum of. It may be larger than its distance from the
/// origin: the ground point may be farther away, and the parameter far from zero.
pub(crate) fn size(radius: f64, place: Place, frame: &Frame) -> f64 {
    frame.position.abs().sum() + radius + place.length(frame)
}
