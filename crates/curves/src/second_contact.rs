//! Second contacts of a ball on the ground, and the room it has before one is possible.

use std::f64::consts::FRAC_PI_2;
use std::ops::Range;

use nalgebra::Vector2;
use numbers::{Interval, Number, Rounding, elementary};

use crate::curve::profile_enclosures::turned;
use crate::ground::box_tree::Box2;
use crate::ground::parametrisation::{CurveStretch, Leaf, around};
use crate::query::closest::Query;
use crate::{Frame, Ground, JointKind, OffsetGround, Piece, Place, Shape, turn_left};

/// Largest number of parts of the ground that are halved beside a straight way.
const PASSING: u32 = 200;

/// Least ratio of a way proven free to the distance for which its search is worthwhile.
const WORTH: f64 = 4.0;

/// Largest number of parts of a stretch that are proven or tried. A stretch that ends too soon costs a shorter step of
/// the run, and the next search continues where it ended.
const PARTS: u32 = 128;

/// Largest number of pieces of a stretch on each side of a contact, for the same reason.
const PIECES: usize = 32;

/// Room around a ball in contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clearance {
    /// Distance that the centre may travel (along its path, either way) before a second contact is possible, m.
    pub distance: f64,
    /// The nearest ground that could be one, m; `None`: there is none.
    pub other: Option<Vector2<f64>>,
    /// Place of that ground.
    pub place: Option<Place>,
}

impl Clearance {
    /// Clearance of a ball that can have no second contact.
    const FREE: Clearance = Clearance { distance: f64::INFINITY, other: None, place: None };
}

/// The ground around the foot of a point, separated from the rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vicinity {
    /// The foot's piece.
    pub piece: usize,
    /// Part of that piece around the foot, within the stretch that `rest` leaves out. A point up to the given radius
    /// away whose foot is on this part has no other foot on that stretch.
    pub domain: Interval,
    /// Distance of the rest of the ground, m; infinite if there is none.
    pub rest: f64,
    /// Number of parts of the ground looked at.
    pub looked: u32,
}

/// A part of a piece with proven `κR < 1`, kept from one contact to the next: there only the advance along the tangent
/// has to be proven again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gentle {
    piece: usize,
    part: Interval,
}

impl Gentle {
    /// The proven part around a parameter of a piece, or the parameter alone.
    fn around(known: Option<Gentle>, piece: usize, s: f64) -> Interval {
        let part = known.filter(|known| known.piece == piece && known.part.contains(s)).map(|known| known.part);
        part.unwrap_or(Interval::point(s))
    }
}

/// Way on along other ground, for a point that is at a place of it.
#[derive(Clone, Copy)]
struct GroundWay {
    place: Place,
    /// Component of the way's direction along that to where the point comes from.
    ahead: f64,
}

/// Limits of a stretch that grows around a foot.
#[derive(Clone, Copy, Debug)]
struct Growth {
    /// Centre (m) from which the stretch may extend to `far` m.
    from: Vector2<f64>,
    far: f64,
    /// Radius r for which `κr < 1` is required, m.
    radius: f64,
    /// Whether `κr > −1` and the absence of corners are required too.
    both_sides: bool,
    /// Whether it may continue along the tangent past a convex corner.
    turning: bool,
    /// Relative length by which it may end too soon.
    finest: f64,
    /// Number of pieces after which it may end.
    pieces: usize,
    /// Part of the foot's piece with proven curvature.
    known: Option<Gentle>,
}

/// Advances from a parameter towards `end`, part by part, as far as `proven` holds. The first part is `step` long; a
/// part that fails is shortened until it is below `finest` of the way so far.
pub(crate) fn proceed(
    from: f64,
    end: f64,
    step: f64,
    finest: impl Fn(f64) -> f64,
    mut proven: impl FnMut(f64, f64) -> bool,
) -> f64 {
    let (mut at, mut step) = (from, step.copysign(end - from));
    // Number of parts proven since one failed, so that a length that just failed is not tried again at once.
    let mut since = 1;
    for _ in 0..PARTS {
        let next = if (end - at).abs() <= step.abs() { end } else { at + step };
        if proven(at, next) {
            at = next;
            if at == end {
                break;
            }
            since += 1;
            if since > 1 {
                step *= 2.0;
            }
        } else {
            since = 0;
            step *= 0.5;
            if step.abs() <= finest((at - from).abs()) || at + step == at {
                break;
            }
        }
    }
    at
}

impl OffsetGround {
    /// Clearance of the ball at `place`.
    ///
    /// Near the contact the ground is ignored as far as it is a graph over the tangent with `κR < 1`: there
    /// `d(sin θ)/dx = κ < 1/R` keeps it below the circle that touches it (θ: slope angle). All ground beyond must stay
    /// outside, and the centre approaches it by no more than its way.
    pub fn clearance(&self, place: Place) -> Clearance {
        self.clearance_and_own(place, &mut None).0
    }

    fn clearance_and_own(&self, place: Place, known: &mut Option<Gentle>) -> (Clearance, Option<CurveStretch>) {
        let free = (Clearance::FREE, None);
        let whole = matches!(self.faces.as_slice(), [face] if face.bounds.is_some());
        // A point touches its own curve in one place.
        if whole || self.radius() == 0.0 && self.ground().curves() == 1 {
            return free;
        }
        let Some(own) = self.own_stretch(place, known) else { return free };
        let Some(nearest) = self.nearest_without(own, self.frame(place).position) else { return free };
        (Clearance { distance: nearest.distance.max(0.0), ..nearest }, Some(own))
    }

    /// The ground nearest to a centre outside a stretch, and its distance less the radius; `None`: there is no other.
    fn nearest_without(&self, own: CurveStretch, centre: Vector2<f64>) -> Option<Clearance> {
        let mut query = Query::new(self.ground(), centre).without(own);
        let found = query.search()?;
        let distance = (found.point - centre).norm() * (1.0 - query.slack()) - self.radius();
        Some(Clearance { distance, other: Some(found.point), place: Some(self.place_of(&found, centre)) })
    }

    /// Clearance of the ball at `place`, and the way of the centre along its piece on which no second contact is
    /// possible, m: at least the clearance.
    ///
    /// The clearance alone is too strict where the centre passes ground without approaching it: just ahead of a contact
    /// that is bent more than the ball, or below a point of a curve that touches from above. On a straight way x
    /// nothing is touched if nothing is within `R + Kx²/2` of its ends or between them, where K bounds the curvature of
    /// the centre path. The first x tried is the way on which the clearance would vanish at its present rate, half of
    /// that to a tangential touch. While that is not free, a quarter of it follows if it is longer than 4 clearances.
    ///
    /// `known` is the result of the last search; `None` at first, and on other ground.
    pub fn free_way(&self, place: Place, known: &mut Option<Gentle>) -> (Clearance, f64) {
        let (clearance, own) = self.clearance_and_own(place, known);
        let way = match (own, clearance.place) {
            (Some(own), Some(other)) => self.way_past(place, clearance.distance, other, own),
            _ => clearance.distance,
        };
        (clearance, way)
    }

    fn way_past(&self, place: Place, distance: f64, other: Place, own: CurveStretch) -> f64 {
        let radius = self.radius();
        let Place::Piece { index, .. } = place else { return distance };
        let frame = self.frame(place);
        // Rate of approach per way; below √ε it counts as √ε, so that the way tried stays finite.
        let rate = self.frame(other).normal.dot(&frame.tangent).abs().max(f64::EPSILON.sqrt());
        let domain = self.ground().piece(index).domain();
        let s = place.parameter();
        let mut way = distance / rate;
        while way > WORTH * distance {
            let span = 2.0 * way / frame.speed;
            let over = self.enclosure(place, Interval::new((s - span).max(domain.lo), (s + span).min(domain.hi)));
            let aside = radius + 0.5 * over.curvature.magnitude() * way * way;
            if over.speed.lo * span >= way
                && self.passes(&frame, way, aside * (1.0 + 1e-14), own)
                && [way, -way].into_iter().all(|x| {
                    let mut query = Query::new(self.ground(), frame.position + x * frame.tangent).without(own);
                    let found = query.search();
                    found.is_none_or(|found| found.distance.abs() * (1.0 - query.slack()) > aside)
                })
            {
                return way.max(distance);
            }
            way *= 0.25;
        }
        distance
    }

    /// Whether no ground except the stretch `own` is within `aside` m of a straight way of the centre, `way` m long to
    /// either side.
    fn passes(&self, frame: &Frame, way: f64, aside: f64, own: CurveStretch) -> bool {
        let ground = self.ground();
        let ends = [frame.position - way * frame.tangent, frame.position + way * frame.tangent];
        let swept = Box2::new([0, 1].map(|i| Interval::between(ends[0][i], ends[1][i])));
        let sides = [frame.tangent, frame.normal];
        // Whether a part may be near the way: by its box in the frame of its formula, in which an unbounded part does
        // not fill the plane; and by its rates around its middle, which keep apart ground nearly parallel to the way.
        let beside = |piece: &Piece, part: Interval| {
            let axis = piece.curve().axis();
            let [x, y] = piece.curve().seen_over(part, axis);
            let centre = turned([0, 1].map(|i| Interval::point(frame.position[i])), axis);
            let reach = |along: Vector2<f64>| way * along.dot(&sides[0]).abs() + aside * along.dot(&sides[1]).abs();
            let off = [(x - centre[0], reach(axis)), (y - centre[1], reach(turn_left(axis)))];
            let seen = |[x, y]: [Interval; 2]| sides.map(|side| x.scale(side.x) + y.scale(side.y));
            !off.iter().any(|(off, reach)| off.mignitude() > *reach) && {
                let [middle, over] = [Interval::point(part.middle()), part].map(|part| piece.enclosure(part));
                let from = [0, 1].map(|i| middle.point[i] - Interval::point(frame.position[i]));
                let (from, rates) = (seen(from), seen(over.first));
                let [ahead, off] = [0, 1].map(|i| from[i] + rates[i] * (part - Interval::point(part.middle())));
                !(ahead.mignitude() > way || off.mignitude() > aside)
            }
        };
        let mut budget = PASSING;
        ground.tree.every(&swept, aside, |leaf| {
            let Leaf { piece, domain, .. } = ground.leaves[leaf];
            ground
                .remainder(piece, domain, Some(own))
                .into_iter()
                .flatten()
                .all(|part| ground.piece(piece).is_off(part, &beside, &mut budget))
        })
    }

    /// The stretch of ground around a contact that a ball in contact anywhere on it does not touch a second time.
    /// `None`: the place has no ground.
    pub(crate) fn own_stretch(&self, place: Place, known: &mut Option<Gentle>) -> Option<CurveStretch> {
        let ground = self.ground();
        let radius = self.radius();
        if radius == 0.0 {
            let on = ground.piece_at(place)?;
            let Range { start, end } = ground.side_of(on);
            let [from, to] = [(start as isize, f64::NEG_INFINITY), (end as isize - 1, f64::INFINITY)];
            return Some(CurveStretch { on, from, to });
        }
        let frame = self.frame(place);
        let centre = frame.position;
        let growth = Growth {
            from: centre,
            far: 3.0 * radius,
            radius,
            both_sides: false,
            turning: true,
            finest: 1e-3,
            pieces: PIECES,
            known: *known,
        };
        Some(match place {
            Place::Piece { index, parameter } => {
                let [from, to] = [false, true].map(|on| ground.grow(growth, index, parameter, frame.tangent, on));
                let Interval { lo, hi } = Gentle::around(*known, index, parameter);
                let whole = ground.piece(index).domain();
                let lo = if from.0 < index as isize { whole.lo } else { from.1.min(lo) };
                let hi = if to.0 > index as isize { whole.hi } else { to.1.max(hi) };
                *known = Some(Gentle { piece: index, part: Interval::new(lo, hi) });
                CurveStretch { on: index, from, to }
            }
            Place::Corner { joint, .. } => {
                // On both sides of a corner that turns away, ground recedes from the ball as at a smooth contact.
                let at = |piece: usize, last: bool| ground.piece(piece).end(last);
                let tangent = |piece: usize, s: f64| ground.piece(piece).jet(s).tangent();
                let mut joint = ground.joint(joint);
                // A stretch ignored on one side of an end is ignored on the other: it has to be proven for both.
                let both_sides = joint.kind == JointKind::End && joint.before.is_some();
                if both_sides {
                    joint.after = None;
                }
                let growth = Growth { both_sides, ..growth };
                let on = joint.before.or(joint.after)?;
                let grow = |p: usize, s: f64, forward: bool| {
                    let grown = ground.grow(growth, p, s, tangent(p, s), forward);
                    // The side may be too curved for that, and recede from the ball all the same.
                    if grown == (p as isize, s) {
                        let rise = Rise { centre, radius, forward };
                        (grown.0, ground.piece(p).rise(rise, grown.0, s, false, &mut rise.begin(grown)).0)
                    } else {
                        grown
                    }
                };
                let from = joint.before.map(|p| grow(p, at(p, true), false));
                let to = joint.after.map(|p| grow(p, at(p, false), true));
                match (from, to) {
                    (Some(from), Some(to)) => {
                        // Across the joint of a closed ground pieces are counted on.
                        let turn = if to.0 < from.0 { ground.side_of(on).len() as isize } else { 0 };
                        CurveStretch { on, from, to: (to.0 + turn, to.1) }
                    }
                    (Some(from), None) => {
                        CurveStretch { on, from, to: (from.0.max(joint.before.unwrap_or(0) as isize), f64::INFINITY) }
                    }
                    (None, Some(to)) => {
                        CurveStretch { on, from: (joint.after.unwrap_or(0) as isize, f64::NEG_INFINITY), to }
                    }
                    (None, None) => return None,
                }
            }
        })
    }

    /// Place of a second contact of the ball at `place`, at most `within` m or rounding off, and its distance (m); for
    /// a point the other side of a concave corner, or another curve. Curves that only touch from below do not count.
    /// `from` points back to where the ball comes from: it tells on which side of another curve a point is.
    pub fn second_contact(&self, place: Place, within: f64, from: Vector2<f64>) -> Option<(Place, f64)> {
        if self.touches_once() {
            return None;
        }
        if self.radius() == 0.0 {
            return self.second_of_point(place, within, from);
        }
        let known = |place: Place| within.max(Rounding::SUM * self.rounding(place));
        if self.is_alone(self.frame(place).position, known(place)) {
            return None;
        }
        let Clearance { distance, place: other, .. } = self.clearance(place);
        other.filter(|other| distance <= known(*other) && self.is_second(place, *other)).map(|other| (other, distance))
    }

    /// Whether a ball that touches the ground in two places is held by both. It passes the second one where both
    /// normals agree (to [`Ground::SMOOTH_TURN`]), as on a curve that touches its own from below. Nor is it held by a
    /// wall that faces away, such as the other side of a needle.
    pub fn is_second(&self, place: Place, other: Place) -> bool {
        let one = self.frame(place);
        let two = self.frame(other);
        if one.normal.dot(&two.normal) > 0.0 && one.normal.perp(&two.normal).abs() <= Ground::SMOOTH_TURN {
            return false;
        }
        // The normal at a contact points to the centre. It does not on a wall that faces away. Nor does it on a bend
        // around a tip that is no longer a graph over the tangent; the ball touches that elsewhere.
        self.radius() == 0.0 || (one.position - two.position).dot(&two.normal) > -0.5 * self.radius()
    }

    /// Second contact of a point, the limit of that of a small ball. Candidates are ways along other ground at its
    /// place that lead above its own piece; ways below are never met. The one taken leads most towards where the point
    /// comes from (at an end of its own ground, along that), on the side that faces there. If any ground touches,
    /// within `within` or rounding, ground up to [`Rounding::WRONG`] roundings away is a candidate, too.
    fn second_of_point(&self, place: Place, within: f64, mut from: Vector2<f64>) -> Option<(Place, f64)> {
        let Place::Piece { index, parameter } = place else { return None };
        let (ground, frame) = (self.ground(), self.frame(place));
        let grain = Rounding::WRONG * (f64::EPSILON * frame.position.lp_norm(1) + self.rounding(place));
        let joint = |forward: bool| ground.joint(ground.joint_ahead(index, forward));
        let way_to = |forward: bool| (ground.piece(index).end(forward) - parameter).abs() * frame.speed;
        let near = || [false, true].into_iter().filter(|forward| way_to(*forward) <= within.max(grain));
        if let Some(forward) = near().find(|forward| joint(*forward).kind == JointKind::End) {
            from = if forward { -frame.tangent } else { frame.tangent };
        }
        let (mut touched, mut first) = (f64::INFINITY, None);
        let mut offer = |place: Place, distance: f64| {
            for ahead in self.ways_above(&frame, place, from, grain) {
                let touches = distance <= within || Rounding::vanishes(distance, self.rounding(place));
                touched = if touches { distance.min(touched) } else { touched };
                first = first.filter(|first: &GroundWay| first.ahead >= ahead).or(Some(GroundWay { place, ahead }));
            }
        };
        for forward in near().filter(|forward| joint(*forward).kind != JointKind::End) {
            if let Some(next) = joint(forward).next(forward) {
                let parameter = ground.piece(next).end(!forward);
                offer(Place::Piece { index: next, parameter }, way_to(forward));
            }
        }
        ground.tree.every(&self.around(frame.position, within.max(grain)), 0.0, |leaf| {
            if ground.chain_of[ground.leaves[leaf].piece] == ground.chain_of[index] {
                return true;
            }
            let Some(near) = Query::new(ground, frame.position).on_leaf(leaf).search() else { return true };
            let (place, distance) =
                (Place::Piece { index: near.piece, parameter: near.parameter }, near.distance.abs());
            if distance <= within.max(grain) || Rounding::vanishes(distance, self.rounding(place)) {
                let behind = self.frame(place).normal.dot(&from) < 0.0;
                let seen = if behind { self.other_side(place) } else { None };
                offer(seen.unwrap_or(place), distance);
            }
            true
        });
        first.filter(|_| touched.is_finite()).map(|first| (first.place, touched))
    }

    /// Components along `from` of the directions, from `place` along its ground, that lead above the point's own ground
    /// (of frame `own`) by more than `grain` m. If both normals oppose each other, directions along it count, too.
    fn ways_above(&self, own: &Frame, place: Place, from: Vector2<f64>, grain: f64) -> impl Iterator<Item = f64> {
        let Frame { tangent, normal, speed, .. } = self.frame(place);
        let least = if normal.dot(&own.normal) < 0.0 { -Ground::SMOOTH_TURN } else { Ground::SMOOTH_TURN };
        let (Interval { lo, hi }, s) = (self.range(place), place.parameter());
        let leads = [(tangent, hi - s), (-tangent, s - lo)].map(|(way, left)| {
            let rise = way.dot(&own.normal);
            let comes_above = rise > least && left * speed * rise.max(Ground::SMOOTH_TURN) > grain;
            comes_above.then(|| way.dot(&from))
        });
        leads.into_iter().flatten()
    }

    /// Least distance (m) between a ball and other ground, `distance` m away now, as the ball moves towards it along
    /// its own ground by up to `way` m; to second order. If it is not negative the ball passes that ground: the end of
    /// a post below its line, or a curve that touches its own from below, where both normals point to one side. A point
    /// also passes curves that touch its own from above; for a ball with a radius the result is then −∞, as it is for
    /// ground that the ball does not fit.
    pub fn least_distance(&self, place: Place, other: Place, distance: f64, way: f64) -> f64 {
        let one = self.frame(place);
        let two = self.frame(other);
        let below = one.normal.dot(&two.normal) > 0.0;
        if !((below || self.radius() == 0.0) && two.speed > 0.0) {
            return f64::NEG_INFINITY;
        }
        // Curvature by which the ball's path bends away from the centres on the other ground.
        let bend = if below { one.curvature - two.curvature } else { -one.curvature - two.curvature };
        let rate = two.normal.dot(&one.tangent).abs();
        // Way to where both normals agree.
        let nearest = if bend > 0.0 { (rate / bend).min(way) } else { way };
        if nearest > 0.0 { distance - rate * nearest + 0.5 * bend * nearest * nearest } else { distance }
    }

    /// Whether a ball at a place of a straight line certainly touches nothing else within `within` m. Rounding is
    /// bounded for all lines at once, which is far cheaper than [`rounding`](OffsetGround::rounding).
    pub fn is_alone_on_line(&self, place: Place, within: f64) -> bool {
        let Place::Piece { index, parameter: s } = place else { return false };
        let piece = self.ground().piece(index);
        let Some(Shape::Line(line)) = piece.curve().shape() else { return false };
        let known = 64.0 * f64::EPSILON * (line.start.lp_norm(1) + s.abs() + self.radius());
        let within = within + Rounding::SUM * known;
        if self.radius() == 0.0 {
            return self.ground().curves() == 1 && s - piece.domain().lo > within && piece.domain().hi - s > within;
        }
        let centre = self.frame(place).position;
        let clear = self.clear_around(index).is_some_and(|clear| clear.holds(&self.around(centre, within)));
        clear || self.is_alone(centre, within)
    }

    /// Clearance of a ball that touches the ground at `place` with its centre less than R away (compressed); not
    /// positive if there is a second contact.
    ///
    /// A second contact is a second minimum, below R, of the distance from the centre. There is none on the stretch
    /// that [`clearance`](OffsetGround::clearance) ignores: a circle of radius R or less that touches it holds no other
    /// of its points. Ground beyond belongs to the same contact as far as the distance grows along it; all ground after
    /// that must stay outside the ball. Nor may the distance become stationary on the way, as where a centre passes
    /// through an evolute: a minimum less than R away would arise there at once.
    pub fn beside(&self, place: Place, centre: Vector2<f64>) -> Clearance {
        let (ground, radius) = (self.ground(), self.radius());
        if self.touches_once() {
            return Clearance::FREE;
        }
        let Some(own) = self.own_stretch(place, &mut None) else { return Clearance::FREE };
        let Some(near) = self.nearest_without(own, centre) else { return Clearance::FREE };
        if near.distance >= 1e-3 * radius {
            return near;
        }
        let [before, after] = [(false, own.from), (true, own.to)]
            .map(|(forward, start)| ground.rise(Rise { centre, radius, forward }, own.on, start));
        let margin = before.room.min(after.room).max(FINEST * radius);
        let parted = CurveStretch { from: before.best, to: after.best, ..own };
        let next = self.nearest_without(parted, centre).unwrap_or(Clearance { distance: f64::INFINITY, ..near });
        Clearance { distance: near.distance.max(margin.min(next.distance)), ..next }
    }
}

impl Piece {
    /// Whether a part is proven off: `beside` (it may be near) is false of it, or of all parts into which it is halved.
    fn is_off(&self, part: Interval, beside: &impl Fn(&Self, Interval) -> bool, budget: &mut u32) -> bool {
        if !beside(self, part) {
            return true;
        }
        let middle = part.middle();
        if *budget == 0 || !(part.lo < middle && middle < part.hi) {
            return false;
        }
        *budget -= 1;
        let (left, right) = part.halves();
        self.is_off(left, beside, budget) && self.is_off(right, beside, budget)
    }

    /// Follows the distance from a centre along a piece from a parameter. Returns up to where it grows, and whether
    /// the rest is too far to matter. `smooth`: no corner is at the start; `at`: index of the piece; `way`: the result.
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
        // Just after a corner a growing slope proves nothing, as it need not begin positive for a centre nearby.
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

    /// Way of the centre up to which the distance certainly grows at one parameter, m.
    fn rise_at(&self, rise: &Rise, s: f64, bends: bool) -> f64 {
        let jet = self.jet(s);
        let away = jet.point - rise.centre;
        let slope = away.dot(&jet.first) / jet.speed();
        let by_slope = if rise.forward { slope } else { -slope };
        let by_bend = (jet.first.norm_squared() + away.dot(&jet.second)) / jet.second.norm();
        if bends { by_slope.max(by_bend) } else { by_slope }
    }

    /// Judges by bounds whether the distance from a centre grows over a part; `bends`: also by its second derivative.
    fn rises(&self, rise: &Rise, part: Interval, bends: bool) -> RiseVerdict {
        let Rise { centre, radius, forward } = *rise;
        let over = self.enclosure(part);
        let from = |point: [Interval; 2]| [0, 1].map(|i| point[i] - Interval::point(centre[i]));
        let dot = |a: [Interval; 2], b: [Interval; 2]| a[0] * b[0] + a[1] * b[1];
        let away = from(over.point);
        let nearest = elementary::hypot(away[0].mignitude(), away[1].mignitude());
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
        // As the centre moves, the slope changes by its way times ‖c′‖ at most, the bend by its way times ‖c″‖.
        let by_slope = if least > 0.0 { least / squared.hi.sqrt() } else { f64::NEG_INFINITY };
        let by_bend = if bends && bend.is_positive() {
            bend.lo / elementary::hypot(over.second[0].magnitude(), over.second[1].magnitude())
        } else {
            f64::NEG_INFINITY
        };
        let enough = by_slope.max(by_bend);
        if enough > 0.0 { RiseVerdict::Rises(enough) } else { RiseVerdict::Unknown }
    }
}

impl Ground {
    /// The ground around the foot of `q` at parameter `s` of a piece, separated from the rest up to the distance `far`.
    /// It serves points up to `radius` away on the free side, or on both sides.
    ///
    /// Around the foot it is a graph over the tangent there with `κr < 1`. With slope angle θ, `d(sin θ)/dx = κ < 1/r`
    /// keeps it outside every circle of radius r or less that touches it on that stretch: none of its other points is
    /// closer to the circle's centre.
    pub fn vicinity(
        &self,
        q: Vector2<f64>,
        piece: usize,
        s: f64,
        [radius, far]: [f64; 2],
        both_sides: bool,
    ) -> Vicinity {
        let growth =
            Growth { from: q, far, radius, both_sides, turning: false, finest: 1e-6, pieces: usize::MAX, known: None };
        let axis = self.pieces[piece].jet(s).tangent();
        let [from, to] = [false, true].map(|forward| self.grow(growth, piece, s, axis, forward));
        let whole = self.pieces[piece].domain();
        let domain = Interval::new(
            if from.0 < piece as isize { whole.lo } else { from.1 },
            if to.0 > piece as isize { whole.hi } else { to.1 },
        );
        let mut query = Query::new(self, q).without(CurveStretch { on: piece, from, to });
        let rest = query.search().map_or(f64::INFINITY, |rest| (rest.point - q).norm() * (1.0 - query.slack()));
        Vicinity { piece, domain, rest, looked: query.looked }
    }

    /// Piece and parameter up to which the ground, in one direction from `s`, advances along `axis` with `κR < 1`; past
    /// a convex corner it may advance along the tangent there instead. Stops where the distance no longer matters.
    fn grow(&self, growth: Growth, piece: usize, s: f64, axis: Vector2<f64>, forward: bool) -> (isize, f64) {
        let pieces = &self.pieces;
        let (first, side) = (piece as isize, self.side_of(piece));
        let (mut at, mut s, mut axis) = (first, s, axis);
        loop {
            let piece = around(&side, at);
            let part = &pieces[piece];
            let end = part.end(forward);
            let reached = self.grow_in_piece(growth, piece, s, end, axis);
            let far = || (part.curve().point_at(reached) - growth.from).norm() > growth.far;
            if reached != end
                || !end.is_finite()
                || far()
                || (at - first).unsigned_abs() > side.len().min(growth.pieces)
            {
                return (at, reached);
            }
            let joint = self.joint(self.joint_ahead(piece, forward));
            let next = joint.next(forward);
            let passes = match joint.kind {
                JointKind::Smooth => true,
                JointKind::Convex => !growth.both_sides,
                _ => false,
            };
            let (Some(next), true) = (next, passes) else { return (at, reached) };
            let there = &pieces[next];
            s = there.end(!forward);
            if joint.kind == JointKind::Convex && growth.turning {
                axis = there.jet(s).tangent();
            }
            at += if forward { 1 } else { -1 };
        }
    }

    fn grow_in_piece(&self, growth: Growth, piece: usize, from: f64, end: f64, axis: Vector2<f64>) -> f64 {
        let part = &self.pieces[piece];
        let one = Interval::point(1.0);
        let gentle = |curvature: Interval| {
            let bend = curvature.scale(growth.radius);
            (one - bend).is_positive() && (!growth.both_sides || (one + bend).is_positive())
        };
        if let Some(shape) = part.curve().shape() {
            let (tangent, forward) = (part.jet(from).tangent(), (end - from).signum());
            if !(gentle(shape.curvature_range()) && axis.dot(&tangent) > 0.0) {
                return from;
            }
            // The way over which it turns by a right angle.
            let turned = elementary::atan2(axis.perp(&tangent), axis.dot(&tangent));
            let rate = forward * shape.curvature();
            let way = (FRAC_PI_2 * (1.0 - Rounding::SUM * f64::EPSILON) - turned * rate.signum()) / rate.abs();
            return if way > (end - from).abs() { end } else { from + forward * way.max(0.0) };
        }
        let known = Gentle::around(growth.known, piece, from);
        // End of the proven part in this direction.
        let known = if end > from { known.hi } else { known.lo };
        let fits = |a: f64, b: f64| {
            let over = part.enclosure(Interval::between(a, b));
            let along = over.first[0].scale(axis.x) + over.first[1].scale(axis.y);
            let new = if end > from { [known.max(a), b] } else { [b, known.min(a)] };
            let new = (new[0] < new[1]).then(|| Interval::new(new[0], new[1]));
            along.is_positive() && new.is_none_or(|new| gentle(part.curvature_over(new, gentle)))
        };
        if from == end || fits(from, end) {
            return end;
        }
        // The proven part is passed in long steps, new ground in steps that begin small.
        let step = |from: f64| (end - from).abs().min(4.0 * growth.radius / part.jet(from).speed());
        let finest = |way: f64| growth.finest * way;
        let reached = if known == from { from } else { proceed(from, known, step(from), finest, fits) };
        if reached == known { proceed(reached, end, step(reached), finest, fits) } else { reached }
    }

    /// Follows the distance from a centre as far as it grows. If it stops growing inside the ball, the parting place is
    /// there.
    fn rise(&self, rise: Rise, on: usize, start: (isize, f64)) -> RiseEnd {
        let pieces = &self.pieces;
        let (first, mut smooth) = (start.0, true);
        let side = self.side_of(on);
        let (mut at, mut s) = start;
        let mut way = rise.begin(start);
        loop {
            let piece = around(&side, at);
            let part = &pieces[piece];
            let end = part.end(rise.forward);
            let (reached, far) = part.rise(rise, at, s, smooth, &mut way);
            let joint = self.joint(self.joint_ahead(piece, rise.forward));
            let goes_on = joint.kind != JointKind::End && reached == end && !far;
            let Some(next) = joint.next(rise.forward).filter(|_| goes_on && (at - first).unsigned_abs() <= side.len())
            else {
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

/// Smallest part of the radius by which stationary points of the distance are separated.
const FINEST: f64 = 1e-6;
/// Ratio of bounds to point values below which a part is halved.
const SHARP: f64 = 0.25;
/// Largest way of the centre, in radii, for which the distance is proven to grow.
const REACH: f64 = 0.1;

/// Result of following the distance from a centre along the ground from the foot.
#[derive(Clone, Copy)]
struct RiseEnd {
    /// The place that best separates ground of the contact from ground outside.
    best: (isize, f64),
    /// Way of the centre up to which that place separates them, m: until the distance no longer grows up to there, or
    /// the place comes inside the ball.
    room: f64,
    /// Way of the centre up to which the distance grows on all ground followed so far, m.
    margin: f64,
}

/// A centre, its ball's radius (m), and the direction along the ground in which the distance is followed.
#[derive(Clone, Copy)]
struct Rise {
    centre: Vector2<f64>,
    radius: f64,
    forward: bool,
}

impl Rise {
    /// Result before anything is known of the way from a place.
    fn begin(self, best: (isize, f64)) -> RiseEnd {
        RiseEnd { best, room: f64::NEG_INFINITY, margin: REACH * self.radius }
    }
}

/// Verdict of bounds on a part of the way from the foot.
enum RiseVerdict {
    /// The distance grows on it, also from centres less than this far off, m.
    Rises(f64),
    /// The part is too far away to matter.
    Far,
    /// Undecided.
    Unknown,
}
