//! Ground near a ball: the one part that it may touch, and the foot and the gap on that part.

use curves::{Curve, Frame, FrameOver, Ground};
use nalgebra::Vector2;
use numbers::{Interval, Number, Taylor};

use crate::equations_of_motion::frame;
use crate::matrix::both;

/// Largest number of parts looked at.
const BUDGET: usize = 4000;

/// Ground that a ball may touch.
#[derive(Clone, Copy, Debug)]
pub(crate) enum NearGround {
    /// Nothing.
    Nothing,
    /// One part of one piece.
    Part { piece: usize, part: Interval },
    /// Several separate parts, or one that reaches the end of its piece.
    Several,
}

/// Finds the ground that a ball with its centre in the box `q` (m) may touch.
pub(crate) fn near(ground: &Ground, q: [Interval; 2], radius: f64) -> NearGround {
    let size = q[0].width().max(q[1].width());
    // Parts as wide as this are not halved: ground that touches the ball is within reach over about √(size R) anyway.
    let fine = size + 0.25 * (size * radius).sqrt() + 1e-9 * radius;
    let mut found: Option<(usize, Interval)> = None;
    let mut left = BUDGET;
    for (index, piece) in ground.pieces().iter().enumerate() {
        let curve = piece.curve();
        let mut open = vec![piece.domain()];
        while let Some(part) = open.pop() {
            let Some(rest) = left.checked_sub(1) else { return NearGround::Several };
            left = rest;
            let at = curve.seen_over(part, Vector2::x());
            let away = [0, 1].map(|i| Interval::point((q[i] - at[i]).mignitude()));
            let distance = (away[0].square() + away[1].square()).sqrt();
            if distance.lo > radius {
                continue;
            }
            let wide = at[0].width().max(at[1].width());
            if !(wide <= fine) {
                let (low, high) = part.halves();
                if low != part && high != part {
                    open.extend([high, low]);
                    continue;
                }
            }
            // A ball behind this part, as it may be where a curve has an end, does not touch it from the free side.
            let normal = frame(curve, part).normal;
            let height = (q[0] - at[0]) * normal[0] + (q[1] - at[1]) * normal[1];
            if height.hi < 0.0 {
                continue;
            }
            found = match found {
                None => Some((index, part)),
                Some((known, before)) if known == index && before.hi == part.lo => Some((index, before.hull(part))),
                Some(_) => return NearGround::Several,
            };
        }
    }
    let Some((piece, part)) = found else { return NearGround::Nothing };
    let domain = ground.pieces()[piece].domain();
    let at_end = part.lo <= domain.lo && domain.lo.is_finite() || part.hi >= domain.hi && domain.hi.is_finite();
    if at_end { NearGround::Several } else { NearGround::Part { piece, part } }
}

/// The foot, unique on a part of a curve, of each centre in a box.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FootOver {
    pub s: Interval,
    /// Frame of the ground itself (R = 0).
    pub frame: FrameOver<Interval>,
    /// Derivative of κ by arc length, 1/m².
    pub curvature_rate: Interval,
}

/// `(q − c)·c′` at parameter s: zero at the foot of q, positive before it.
fn lean(curve: &dyn Curve, q: [Interval; 2], s: Interval) -> Interval {
    let [x, y] = curve.series(s);
    (q[0] - x[0]) * x[1] + (q[1] - y[0]) * y[1]
}

/// The foot of each centre in a box; `None` where existence or uniqueness is not proven.
pub(crate) fn foot(curve: &dyn Curve, domain: Interval, part: Interval, q: [Interval; 2]) -> Option<FootOver> {
    // The part is enlarged until `lean` falls through zero within it; interval Newton then encloses the foot.
    let size = q[0].width().max(q[1].width());
    let speed = frame(curve, part).speed;
    let mut more = (size + 1e-15) / speed.lo.max(f64::MIN_POSITIVE) + 0.25 * part.width();
    for _ in 0..12 {
        let mut part = both(Interval::new(part.lo - more, part.hi + more), domain);
        let lean_rate = |part: Interval| {
            let [x, y] = curve.series(part);
            let square = x[1].square() + y[1].square();
            ((q[0] - x[0]) * x[2] + (q[1] - y[0]) * y[2]).scale(2.0) - square
        };
        let mut slope = lean_rate(part);
        if !(slope.hi < 0.0) {
            return None;
        }
        let ends = [part.lo, part.hi].map(|s| lean(curve, q, Interval::point(s)));
        if !(ends[0].lo > 0.0 && ends[1].hi < 0.0) {
            more *= 2.0;
            continue;
        }
        for _ in 0..40 {
            let middle = Interval::point(part.middle());
            let next = both(part, middle - lean(curve, q, middle) / slope);
            if !(next.width() < 0.75 * part.width()) {
                part = next;
                break;
            }
            (part, slope) = (next, lean_rate(next));
        }
        let over = frame(curve, Taylor::<Interval, 2>::variable(part));
        let curvature_rate = over.curvature.0[1] / over.speed.0[0];
        return Some(FootOver { s: part, frame: frame(curve, part), curvature_rate });
    }
    None
}

/// Gap `dist(q, ground) − R` from the foot, m.
pub(crate) fn gap(curve: &dyn Curve, foot: &FootOver, q: [Interval; 2], radius: f64) -> Interval {
    let middle = Interval::point(foot.s.middle());
    let at = frame(curve, middle);
    let away = |point: [Interval; 2]| [q[0] - point[0], q[1] - point[1]];
    let (there, normal) = (away(at.position), at.normal);
    let height = there[0] * normal[0] + there[1] * normal[1];
    // The height over the tangent depends on the foot only in second order.
    let over = away(curve.seen_over(foot.s, Vector2::x()));
    let Frame { tangent, curvature, speed, .. } = foot.frame;
    let along = over[0] * tangent[0] + over[1] * tangent[1];
    let slope = -(curvature * speed * along);
    height + slope * (foot.s - middle) - Interval::point(radius)
}
