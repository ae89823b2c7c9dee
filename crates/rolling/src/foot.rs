//! The foot of a point on the ground.

use curves::{Frame, OffsetGround, Place};
use nalgebra::Vector2;
use numbers::Rounding;

/// A place of the ground, its frame, and how often the ground was evaluated for it.
#[derive(Clone, Copy, Debug)]
pub struct Foot {
    /// Place of the foot.
    pub place: Place,
    /// Frame at the foot.
    pub frame: Frame,
    /// Evaluations of the ground.
    pub evaluations: u64,
}

/// The place near another one, with its frame, on whose normal a point lies: Newton's method on `(q(s) − p)·τ(s) = 0`, to the
/// rounding of places, whatever the parameter is. `None` where the ground is undefined on the way.
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
        // Done at rounding, or where Newton no longer gets closer.
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

/// Sizes of the numbers that a centre on the ground is made of, m: it may be nearer to the origin than the ground it is reckoned
/// from, and the parameter far from its own.
pub(crate) fn size(radius: f64, place: Place, frame: &Frame) -> f64 {
    frame.position.abs().sum() + radius + (place.parameter() * frame.speed).abs()
}
