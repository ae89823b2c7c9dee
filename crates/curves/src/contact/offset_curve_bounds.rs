//! Bounds of one leaf's offset curve as a graph over its axis, and its point (the foot) at one parameter.

use nalgebra::Vector2;
use numbers::{Interval, Number, Taylor};

use crate::contact::polynomial_path::Motion;
use crate::curve::offset_frame::{Frame, turn_left};
use crate::{JetEnclosure, Profile};

/// Bounds of the offset curve of a leaf, or a part of it, as a graph `η = H(ξ)` over the leaf's axis.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Parameters of the part.
    pub parameter: Interval,
    /// Range of ξ of the offset curve, m.
    pub abscissa: Interval,
    /// Range of η of the offset curve, m.
    pub height: Interval,
    /// Encloses `dH/dξ`.
    pub slope: Interval,
    /// Encloses `d²H/dξ²`, 1/m.
    pub bend: Interval,
    /// Whether the point is linear in the parameter, to rounding: one foot then gives all others.
    pub affine: bool,
}

impl Bounds {
    /// Bounds over `parameter`; `None` where the offset curve may have a cusp (`κR ≥ 1`), or a bound fails.
    pub fn over<P: Profile + ?Sized>(
        profile: &P,
        parameter: Interval,
        axis: Vector2<f64>,
        radius: f64,
    ) -> Option<Bounds> {
        let [Taylor([_, xi1, xi2]), Taylor([eta, eta1, eta2])] =
            profile.seen(Taylor::<Interval, 3>::variable(parameter), axis);
        let slope = eta1 / xi1;
        let bend = ((eta2 - slope * xi2) / xi1.square()).scale(2.0);
        let mut bounds = Bounds {
            parameter,
            abscissa: Interval::REAL,
            height: eta,
            slope,
            bend: if bend.is_undefined() { Interval::REAL } else { bend },
            affine: bend == Interval::point(0.0) && xi1.width() <= 4.0 * f64::EPSILON * xi1.magnitude(),
        };
        if radius != 0.0 {
            let stretch2 = Interval::point(1.0) + slope.square();
            let cube = stretch2 * stretch2.sqrt();
            let curvature = bend / cube;
            let shrink = Interval::point(1.0) - curvature.scale(radius);
            // Where the ball almost fits the valley, this quotient is too wide. κc rises with κ: both bounds of κ then
            // give those of κc.
            bounds.bend = if shrink.is_positive() { bend / shrink } else { Interval::UNDEFINED };
            if !(shrink.lo >= 0.25 * shrink.hi) {
                let tight = tight_offset_curvature(profile, parameter, curvature, xi1.lo < 0.0, radius) * cube;
                bounds.bend = tight.intersection(bounds.bend).unwrap_or(Interval::UNDEFINED);
            }
            bounds.height = eta + (Interval::point(radius) / stretch2.sqrt());
            if bounds.bend.is_undefined() || bounds.height.is_undefined() {
                return None;
            }
        }
        if slope.is_undefined() || eta.is_undefined() {
            return None;
        }
        let end = |s: f64, infinite: f64| {
            if s.is_finite() { foot(profile, s, axis, radius).xi } else { infinite * xi1.lo.signum() }
        };
        let ends = Interval::between(end(parameter.lo, f64::NEG_INFINITY), end(parameter.hi, f64::INFINITY));
        bounds.abscissa = ends;
        Some(bounds)
    }

    /// Largest error of the parabola through a foot for a ball `miss` m aside, with a speed (m/s) along the axis: of φ,
    /// m, and of φ′, m/s.
    #[inline(always)]
    pub(crate) fn slack(&self, near: &OffsetFoot, miss: f64, speed: f64) -> (f64, f64) {
        let off = (self.bend.hi - near.bend).max(near.bend - self.bend.lo);
        let curl = if miss == 0.0 { 0.0 } else { off * miss.abs() };
        (0.5 * curl * miss.abs(), curl * speed.abs())
    }
}

/// Encloses `κc = κ/(1 − κR)`, undefined where `κR ≥ 1` is possible; `curvature` encloses κ. Both have the sign of
/// travel along the axis or, `reversed`, against it.
#[cold]
fn tight_offset_curvature<P: Profile + ?Sized>(
    profile: &P,
    parameter: Interval,
    curvature: Interval,
    reversed: bool,
    radius: f64,
) -> Interval {
    let around = JetEnclosure::curvature_around(profile, parameter);
    let around = if reversed { -around } else { around };
    let Some(curvature) = around.intersection(curvature) else { return Interval::UNDEFINED };
    // κc rises with κ, from −1/R at κ = −∞.
    let offset = |kappa: f64| {
        let kappa = Interval::point(kappa);
        let shrink = Interval::point(1.0) - kappa.scale(radius);
        if shrink.is_positive() { kappa / shrink } else { Interval::UNDEFINED }
    };
    let lowest = Interval::point(-1.0) / Interval::point(radius);
    let (lo, hi) = (offset(curvature.lo), offset(curvature.hi));
    Interval::new(if curvature.lo.is_finite() { lo.lo } else { lowest.lo }, hi.hi)
}

/// Depth of a touch that is no contact, as a multiple of the sizes of the numbers in the gap.
pub(crate) const GRAZE: f64 = 4.0 * f64::EPSILON;

/// The offset curve at one parameter, in the leaf's frame.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) struct OffsetFoot {
    pub parameter: f64,
    pub xi: f64,
    pub eta: f64,
    /// Derivative ds/dξ of the parameter.
    pub per_xi: f64,
    /// Slope dη/dξ.
    pub slope: f64,
    /// Second derivative d²η/dξ², 1/m.
    pub bend: f64,
    /// 1/cos of the slope's angle, the ratio of heights to gaps.
    pub stretch: f64,
    /// cos of the slope's angle, 1/`stretch`.
    pub cosine: f64,
}

/// The gap φ (m) and its first two derivatives by time.
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
    /// The foot at `xi` on straight ground.
    #[inline(always)]
    pub fn along(&self, xi: f64) -> OffsetFoot {
        let step = xi - self.xi;
        OffsetFoot { parameter: self.parameter + step * self.per_xi, xi, eta: self.eta + step * self.slope, ..*self }
    }

    /// The foot at `xi` by the parabola through this one, with equal curvature; for distances whose square does not
    /// matter.
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

    /// Frame of the centre path; `axis` is that of the foot.
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

/// φ of the ball, by the parabola of the offset curve at a nearby foot.
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
