//! The offset curve below the ball, and the gap above it.

use nalgebra::Vector2;
use numbers::Taylor;

use crate::contact::path::Motion;
use crate::curve::frame::{Frame, turn_left};
use crate::curve::profile::Profile;

/// A touch shallower than so many rounding errors of the numbers that the gap is made of is no contact.
pub(crate) const GRAZE: f64 = 4.0 * f64::EPSILON;

/// The offset curve at one parameter, in the leaf's frame.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) struct OffsetFoot {
    pub parameter: f64,
    pub xi: f64,
    pub eta: f64,
    /// Derivative of the parameter, ds/dξ.
    pub per_xi: f64,
    /// Slope dη/dξ.
    pub slope: f64,
    /// Second derivative d²η/dξ², 1/m.
    pub bend: f64,
    /// 1/cos of the slope's angle: turns a gap into a difference of heights.
    pub stretch: f64,
    /// cos of the slope's angle, 1/`stretch`.
    pub cosine: f64,
}

/// φ and its first two derivatives.
#[derive(Clone, Copy)]
pub(crate) struct GapJet {
    pub value: f64,
    pub rate: f64,
    pub second: f64,
}

#[inline(always)]
pub(crate) fn foot<P: Profile + ?Sized>(profile: &P, s: f64, axis: Vector2<f64>, radius: f64) -> OffsetFoot {
    let [Taylor([xi, rate, xi2]), Taylor([eta, deta, eta2])] = profile.seen(Taylor::<f64, 3>::variable(s), axis);
    let per_xi = 1.0 / rate;
    let slope = deta * per_xi;
    let bend = 2.0 * (eta2 - slope * xi2) * (per_xi * per_xi);
    let stretch2 = 1.0 + slope * slope;
    let stretch = stretch2.sqrt();
    let cosine = 1.0 / stretch;
    let foot = OffsetFoot { parameter: s, xi, eta, per_xi, slope, bend, stretch, cosine };
    if radius == 0.0 {
        return foot;
    }
    let grow = 1.0 / (1.0 - radius * bend * (cosine * cosine * cosine));
    OffsetFoot {
        xi: xi - radius * slope * cosine,
        eta: eta + radius * cosine,
        per_xi: per_xi * grow,
        bend: bend * grow,
        ..foot
    }
}

impl OffsetFoot {
    /// The foot at `xi` of straight ground.
    #[inline(always)]
    pub fn along(&self, xi: f64) -> OffsetFoot {
        let step = xi - self.xi;
        OffsetFoot { parameter: self.parameter + step * self.per_xi, xi, eta: self.eta + step * self.slope, ..*self }
    }

    /// The foot at `xi`, by the parabola through this one, of the same curvature; for distances whose square does not matter.
    #[inline(always)]
    pub fn moved_to(&self, xi: f64) -> OffsetFoot {
        let step = xi - self.xi;
        let slope = self.slope + self.bend * step;
        let stretch = (1.0 + slope * slope).sqrt();
        let longer = stretch * self.cosine;
        OffsetFoot {
            parameter: self.parameter + step * self.per_xi,
            xi,
            eta: self.eta + step * (self.slope + 0.5 * self.bend * step),
            slope,
            bend: self.bend * (longer * longer * longer),
            stretch,
            cosine: 1.0 / stretch,
            ..*self
        }
    }

    /// The frame of the centre path here; `axis` is the one the foot was seen along.
    #[inline(always)]
    pub fn frame(&self, axis: Vector2<f64>) -> Frame {
        let up = turn_left(axis);
        let OffsetFoot { cosine, .. } = *self;
        let sine = self.slope * cosine;
        let tangent = axis * cosine + up * sine;
        Frame {
            position: axis * self.xi + up * self.eta,
            tangent,
            normal: turn_left(tangent),
            curvature: self.bend * (cosine * cosine * cosine),
            speed: self.stretch / self.per_xi,
        }
    }
}

/// φ at the ball, through the parabola of the offset curve at a foot close by.
#[inline(always)]
pub(crate) fn gap(ball: &Motion, near: &OffsetFoot) -> GapJet {
    let Motion { position, velocity, acceleration } = ball;
    let miss = position.x - near.xi;
    let slope = near.slope + near.bend * miss;
    GapJet {
        value: position.y - near.eta - miss * (near.slope + 0.5 * near.bend * miss),
        rate: velocity.y - slope * velocity.x,
        second: acceleration.y - slope * acceleration.x - near.bend * velocity.x * velocity.x,
    }
}
