//! Room of a ball that gives way before it touches the ground in a second place.

use nalgebra::Vector2;

use crate::ground::chains::CurveStretch;
use crate::ground::chains::around;
use crate::query::closest::Query;
use crate::second::clearance::proceed;
use crate::{Clearance, Ground, JointKind, OffsetGround, Piece, Place};
use numbers::Interval;

/// Turns of the distance are told apart from rounding and from each other by this part of the radius.
const FINEST: f64 = 1e-6;
/// A part is looked at in halves while bounds over it give less than this part of what its points do.
const SHARP: f64 = 0.25;
/// Reach of one look ahead, in radii.
const REACH: f64 = 0.1;

/// Result of following the distance from a centre as it rises on the way from the foot.
#[derive(Clone, Copy)]
struct RiseEnd {
    /// The place that parts best what belongs to the contact from what is outside.
    best: (isize, f64),
    /// Way of the centre until that no longer holds there: until the distance does not rise up to it, or the place
    /// comes to be inside; m.
    room: f64,
    /// Way of the centre while the distance rises up to where it ceases to, m.
    margin: f64,
}

/// A centre, its ball's radius (m), and the direction along the ground in which the distance from it is followed.
#[derive(Clone, Copy)]
struct Rise {
    centre: Vector2<f64>,
    radius: f64,
    forward: bool,
}

/// Verdict of bounds about a part of the way from the foot.
enum RiseVerdict {
    /// The distance rises on it, also from a centre less than this far off, m.
    Rises(f64),
    /// The part is too far away to matter.
    Far,
    /// Neither is proven.
    Unknown,
}

impl OffsetGround {
    /// Room around a ball that touches the ground at `place` with its centre less than R away from it; not positive where there is a
    /// second place.
    ///
    /// A second place is a second minimum of the distance from the centre, below R. There is none on the stretch around the
    /// contact that [`clearance`](OffsetGround::clearance) leaves out: no circle of radius R or less that touches the ground
    /// has any other of its points inside. Beyond it, ground is of the same contact as far as the distance rises on the way
    /// from the foot. All that comes after must stay outside. Nor may there be a turn on the way: a minimum would be born there
    /// less than R away at once, as where a centre goes through an evolute.
    pub fn beside(&self, place: Place, centre: Vector2<f64>) -> Clearance {
        let (ground, radius) = (self.ground(), self.radius());
        let free = Clearance { distance: f64::INFINITY, other: None, place: None };
        if self.touches_once() {
            return free;
        }
        let Some(own) = self.own_stretch(place, &mut None) else { return free };
        let outside = |without: CurveStretch| {
            let mut query = Query::new(ground, centre).without(without);
            let found = query.search()?;
            let distance = (found.point - centre).norm() * (1.0 - query.slack()) - radius;
            Some(Clearance { distance, other: Some(found.point), place: Some(self.place_of(&found, centre)) })
        };
        let Some(near) = outside(own) else { return free };
        if near.distance >= 1e-3 * radius {
            return near;
        }
        let [before, after] = [(false, own.from), (true, own.to)]
            .map(|(forward, start)| ground.rise(Rise { centre, radius, forward }, own.on, start));
        let margin = before.room.min(after.room).max(FINEST * radius);
        let parted = CurveStretch { from: before.best, to: after.best, ..own };
        let next = outside(parted).unwrap_or(Clearance { distance: f64::INFINITY, ..near });
        Clearance { distance: near.distance.max(margin.min(next.distance)), ..next }
    }
}

impl Ground {
    /// Follows the distance from a centre as far as it rises. If it ceases to before anything is outside, the parting place is there.
    fn rise(&self, rise: Rise, on: usize, start: (isize, f64)) -> RiseEnd {
        let pieces = &self.pieces;
        let (first, mut smooth) = (start.0, true);
        let side = self.side_of(on);
        let (mut at, mut s) = start;
        let mut way = RiseEnd { best: start, room: f64::NEG_INFINITY, margin: REACH * rise.radius };
        loop {
            let piece = around(&side, at);
            let part = &pieces[piece];
            let end = part.end(rise.forward);
            let (reached, far) = part.rise(rise, at, s, smooth, &mut way);
            let joint = self.joint(if rise.forward { self.joint_after(piece) } else { self.joint_before(piece) });
            let next = if rise.forward { joint.after } else { joint.before };
            let goes_on = joint.kind != JointKind::End && reached == end && !far;
            let Some(next) = next.filter(|_| goes_on && (at - first).unsigned_abs() <= side.len()) else {
                if !(way.room > 0.0) {
                    (way.best, way.room) = ((at, reached), way.margin);
                }
                return way;
            };
            smooth = joint.kind == JointKind::Smooth;
            s = pieces[next].end(!rise.forward);
            at += if rise.forward { 1 } else { -1 };
        }
    }
}

impl Piece {
    /// Follows the distance on a piece from a parameter on; returns to where it rises, and whether what follows is too far to matter.
    fn rise(&self, rise: Rise, at: isize, from: f64, smooth: bool, way: &mut RiseEnd) -> (f64, bool) {
        let Rise { centre, radius, forward } = rise;
        let end = self.end(forward);
        let jet = self.jet(from);
        let slope = (jet.point - centre).dot(&jet.first);
        let starts = if forward { slope } else { -slope };
        if from == end || !(starts > 0.0) {
            return (from, false);
        }
        let unit = 1.0 / jet.speed();
        let mut far = false;
        // After a corner it is the slope alone that can be known to be positive.
        let mut bends = smooth;
        let step = (end - from).abs().min(0.1 * radius * unit);
        let finest = FINEST * radius * unit;
        let reached = proceed(
            from,
            end,
            step,
            |_| finest,
            |a, b| {
                if far {
                    return false;
                }
                match self.rises(&rise, Interval::between(a, b), bends) {
                    RiseVerdict::Rises(enough) => {
                        let seen =
                            || [a, b].map(|s| self.rise_at(&rise, s, bends)).into_iter().fold(way.margin, f64::min);
                        if enough < way.margin && (b - a).abs() > 4.0 * finest && enough < SHARP * seen() {
                            return false;
                        }
                        way.margin = way.margin.min(enough);
                    }
                    RiseVerdict::Far => far = true,
                    RiseVerdict::Unknown => return false,
                }
                let outside = (self.jet(b).point - centre).norm() - radius;
                let room = if far { way.margin } else { way.margin.min(outside) };
                if room > way.room {
                    (way.best, way.room) = ((at, b), room);
                }
                bends = true;
                true
            },
        );
        (reached, far)
    }

    /// Way of the centre before the distance does not rise at one parameter, m.
    fn rise_at(&self, rise: &Rise, s: f64, bends: bool) -> f64 {
        let jet = self.jet(s);
        let away = jet.point - rise.centre;
        let slope = away.dot(&jet.first) / jet.speed();
        let by_slope = if rise.forward { slope } else { -slope };
        let by_bend = (jet.first.norm_squared() + away.dot(&jet.second)) / jet.second.norm();
        if bends { by_slope.max(by_bend) } else { by_slope }
    }

    fn rises(&self, rise: &Rise, part: Interval, bends: bool) -> RiseVerdict {
        let Rise { centre, radius, forward } = *rise;
        let over = self.enclosure(part);
        let from = |point: [Interval; 2]| [0, 1].map(|i| point[i] - Interval::point(centre[i]));
        let dot = |a: [Interval; 2], b: [Interval; 2]| a[0] * b[0] + a[1] * b[1];
        let away = from(over.point);
        let nearest = away[0].mignitude().hypot(away[1].mignitude());
        if nearest > (1.0 + REACH) * radius {
            return RiseVerdict::Far;
        }
        let squared = over.speed_squared();
        let bend = squared + dot(away, over.second);
        let mut slope = dot(away, over.first);
        let middle = self.jet(part.middle());
        let around = Interval::point((middle.point - centre).dot(&middle.first))
            + bend * (part - Interval::point(part.middle()));
        slope = around.intersection(slope).unwrap_or(slope);
        let least = if forward { slope.lo } else { -slope.hi };
        // The slope changes with the centre by the first derivative, the bend by the second.
        let by_slope = if least > 0.0 { least / squared.hi.sqrt() } else { f64::NEG_INFINITY };
        let by_bend = if bends && bend.is_positive() {
            bend.lo / over.second[0].magnitude().hypot(over.second[1].magnitude())
        } else {
            f64::NEG_INFINITY
        };
        let enough = by_slope.max(by_bend);
        if enough > 0.0 { RiseVerdict::Rises(enough) } else { RiseVerdict::Unknown }
    }
}
