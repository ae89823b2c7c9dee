//! Where does a ball at its place touch the ground? The closest points are followed from step to step.
//!
//! [`Footing::touches`] answers from the cheapest source that can: the line of flat ground; the last gap less the way
//! since; the last closest point, followed by Newton's method in an [`Area`] without another; a search of all ground.

use curves::{Closest, JointKind, OffsetGround, Place, Spot, Vicinity, curvature_at, turn_left};
use nalgebra::Vector2;
use numbers::Rounding;

/// Distance from a point of the ground, relative to the largest length of a motion, below which the direction from it
/// is lost in rounding (to 5e-7 rad there). Below it the sign of the distance may jump although the ball did not pass
/// through.
const BLUNT: f64 = 1.0 / (1 << 30) as f64;

/// A contact of a ball with the ground.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GroundTouch {
    /// Gap, m; negative: a penetration.
    pub gap: f64,
    /// Unit normal towards the ball.
    pub normal: Vector2<f64>,
    /// Curvature of the path of the centre, κc, 1/m.
    pub curvature: f64,
}

impl GroundTouch {
    /// The normal after moving along the centre path with a velocity for a time: `n′ = −κc τ`.
    #[inline(always)]
    pub fn normal_after(&self, velocity: Vector2<f64>, time: f64) -> Vector2<f64> {
        let tangent = -turn_left(self.normal);
        let angle = self.curvature * velocity.dot(&tangent) * time;
        // A turn by more than 0.2 rad is not described by the curvature at one place: the normal is kept.
        if angle == 0.0 || !(angle.abs() < 0.2) { self.normal } else { (self.normal - tangent * angle).normalize() }
    }
}

/// Contacts of a ball with the ground: up to two (in a valley sharper than the ball).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Touches {
    /// The contacts, the closest first.
    pub found: [Option<GroundTouch>; 2],
    /// The smallest gap; where nothing touches possibly a lower bound of it.
    pub gap: f64,
}

/// The ground around one ball, as known from its last places.
#[derive(Clone, Debug)]
pub(crate) struct Footing {
    /// The largest length so far that the place of the ball is made of, m: coordinate, radius and first displacement.
    /// Its rounding stays in the place.
    extent: f64,
    /// The last nonzero displacement from place to place, m.
    stride: f64,
    /// The closest ground at the last place.
    last: LastPlace,
    /// Second contact of a point mass at its last place.
    second: SecondOfPoint,
    /// Where a ball with a radius has no second contact.
    single: SingleContact,
    /// Part of the ground in which the closest point is followed.
    area: Option<Area>,
    /// How many searches to make before the next area is marked off.
    retry: AreaRetry,
    /// Evaluations of points and jets of the ground so far.
    pub evaluations: u64,
}

/// The last place with a known distance from all ground.
#[derive(Clone, Copy, Debug)]
struct LastPlace {
    /// Centre of the ball, m.
    centre: Vector2<f64>,
    /// Distance of the centre from all ground, less the radius, m.
    gap: f64,
    /// The closest point: piece and parameter.
    near: Option<(usize, f64)>,
}

/// Second contact of a point mass, which only a corner or another curve gives it.
#[derive(Clone, Copy, Debug, Default)]
struct SecondOfPoint {
    /// The place at which it touched another curve, and the closest point of that.
    curve: Option<(Vector2<f64>, Closest)>,
    /// Depth between two sides at the last place, m.
    depth: f64,
}

/// A disc (m) in which the centre has at most one contact.
#[derive(Clone, Copy, Debug)]
struct SingleContact {
    centre: Vector2<f64>,
    radius: f64,
}

impl SingleContact {
    /// Whether a ball at q has no second gap up to `reach` m.
    fn holds(&self, q: Vector2<f64>, reach: f64) -> bool {
        self.radius - (q - self.centre).norm() > reach
    }
}

/// Searches to make before an area is marked off again. After an area that was hardly used the wait doubles.
#[derive(Clone, Copy, Debug, Default)]
struct AreaRetry {
    /// Searches from the last area to the next.
    wait: u32,
    /// Number of searches still to make.
    left: u32,
}

/// Part of the ground proven to hold the closest point.
#[derive(Clone, Copy, Debug)]
struct Area {
    /// Parameters of the piece, and the distance of the rest of the ground.
    vicinity: Vicinity,
    /// Centre around which it was marked off, m.
    from: Vector2<f64>,
    /// Largest distance from the ground for which it is valid, m.
    radius: f64,
    /// How often the closest point was followed in it.
    used: u32,
}

impl Footing {
    /// Prepares for a ball at `q` (m) that moves by about `way` (m) in a step.
    pub fn new(ground: &OffsetGround, q: Vector2<f64>, way: f64) -> Self {
        let nowhere = Vector2::zeros();
        Footing {
            extent: q.amax() + ground.radius() + way,
            stride: way,
            last: LastPlace { centre: nowhere, gap: f64::NEG_INFINITY, near: None },
            second: SecondOfPoint::default(),
            single: SingleContact { centre: nowhere, radius: 0.0 },
            area: None,
            retry: AreaRetry::default(),
            evaluations: 0,
        }
    }

    /// Rounding of a gap, m.
    #[inline(always)]
    pub fn gap_rounding(&self) -> f64 {
        Rounding::SUM * f64::EPSILON * self.extent
    }

    /// Notes that the ball is at `q` (m), for the rounding of its gaps.
    #[inline(always)]
    pub fn at(&mut self, q: Vector2<f64>) {
        self.extent = self.extent.max(q.amax());
    }

    /// The contact, at any distance, where all ground is one straight line without ends.
    #[inline(always)]
    fn flat(ground: &OffsetGround, q: Vector2<f64>) -> Option<GroundTouch> {
        let straight = ground.straight()?;
        Some(GroundTouch { gap: straight.gap(q), normal: straight.normal(), curvature: 0.0 })
    }

    /// Contacts of the ball with its centre at q (m) whose gap is at most `reach` (m). It searches only where needed,
    /// since a gap changes by no more than the centre moves.
    #[inline(always)]
    pub fn touches(&mut self, ground: &OffsetGround, q: Vector2<f64>, reach: f64) -> Touches {
        if let Some(touch) = Footing::flat(ground, q) {
            self.evaluations += 1;
            return Touches { found: [if touch.gap <= reach { Some(touch) } else { None }, None], gap: touch.gap };
        }
        let moved = (q - self.last.centre).norm();
        if self.last.gap - moved > reach {
            return Touches { found: [None, None], gap: self.last.gap - moved };
        }
        if moved > 0.0 && self.last.near.is_some() {
            self.stride = moved;
        }
        match self.follow(ground, q, reach) {
            Some(touches) => touches,
            None => self.search(ground, q, reach),
        }
    }

    /// Gap at q (m) to all ground; not counted as an evaluation.
    pub fn gap(&self, ground: &OffsetGround, q: Vector2<f64>) -> f64 {
        match Footing::flat(ground, q) {
            Some(touch) => touch.gap,
            None => self.closest(ground, q).distance - ground.radius(),
        }
    }

    /// The closest point, on the side of a two-sided curve that the ball came from. Within a step it may get through,
    /// by no more than its way, and is pushed back. A ball that is deeper has gone around an end of the curve.
    fn closest(&self, ground: &OffsetGround, q: Vector2<f64>) -> Closest {
        let near = ground.ground().closest(q);
        let LastPlace { centre, gap, near: last } = self.last;
        let (Some((before, _)), Some(behind)) = (last, near.behind(ground.ground())) else { return near };
        if !self.is_through(gap + ground.radius() + near.distance, (q - centre).norm()) {
            return near;
        }
        let ground = ground.ground();
        let crossed = match [near, behind].map(|side| ground.is_same_side(side.piece, before)) {
            [false, false] => (centre - near.point).dot(&(q - near.point)) < 0.0,
            [_, crossed] => crossed,
        };
        if crossed { behind } else { near }
    }

    /// Follows the closest point from the last one by Newton's method, where the area proves that no other ground is as
    /// close, and that there is no second contact; `None`: search anew.
    #[inline(never)]
    fn follow(&mut self, ground: &OffsetGround, q: Vector2<f64>, reach: f64) -> Option<Touches> {
        let (area, (index, mut s)) = (self.area.as_ref()?, self.last.near?);
        let radius = ground.radius();
        // Lower bound of the distance to the ground outside the area.
        let rest = area.vicinity.rest - (q - area.from).norm() - self.gap_rounding();
        if index != area.vicinity.piece || !(rest > radius) {
            return None;
        }
        let piece = ground.ground().piece(index);
        let domain = area.vicinity.domain;
        for _ in 0..8 {
            let jet = piece.jet(s);
            self.evaluations += 1;
            let away = q - jet.point;
            let bend = jet.first.norm_squared() - away.dot(&jet.second);
            let step = away.dot(&jet.first) / bend;
            if !(bend > 0.0) {
                return None;
            }
            if step.abs() * jet.speed() <= self.gap_rounding() {
                let (normal, curvature) = (jet.normal(), jet.curvature());
                let distance = away.dot(&normal);
                let gap = distance - radius;
                let closest =
                    distance.abs() <= area.radius && distance.abs() < rest && (radius == 0.0 || distance > 0.0);
                let alone = if radius > 0.0 {
                    rest > radius + reach || self.single.holds(q, reach + self.gap_rounding())
                } else {
                    rest > self.corner_reach(gap)
                };
                if !(closest && alone && curvature * radius < 1.0) {
                    return None;
                }
                self.area.iter_mut().for_each(|area| area.used += 1);
                self.last = LastPlace { centre: q, gap, near: Some((index, s)) };
                let touch =
                    (gap <= reach).then_some(GroundTouch { gap, normal, curvature: curvature_at(curvature, radius) });
                return Some(Touches { found: [touch, None], gap });
            }
            s += step;
            if !(domain.lo < s && s < domain.hi) {
                return None;
            }
        }
        None
    }

    /// Contacts by a search of all ground.
    #[inline(never)]
    fn search(&mut self, ground: &OffsetGround, q: Vector2<f64>, reach: f64) -> Touches {
        let (radius, before) = (ground.radius(), self.last);
        let near = self.closest(ground, q);
        self.evaluations += u64::from(near.evaluations);
        let gap = near.distance - radius;
        self.last = LastPlace { centre: q, gap, near: Some((near.piece, near.parameter)) };
        let piece = ground.ground().piece(near.piece);
        // The closest point may miss a joint by rounding. Beyond a free end the normal of the piece would hold the ball
        // up where there is no ground.
        let joints = [near.piece, ground.ground().joint_after(near.piece)].map(|joint| ground.ground().joint(joint));
        let at_joint = joints.iter().any(|joint| (joint.point - near.point).amax() <= self.gap_rounding());
        if !at_joint {
            self.mark_off(ground, q, near);
        }
        if !(gap <= reach) {
            return Touches { found: [None, None], gap };
        }
        let away = q - near.point;
        // At a joint the centre's path is an arc around it, unless the direction from it is lost in rounding.
        let round = at_joint && near.distance > BLUNT * self.extent;
        let (normal, curvature) = if round {
            (away / near.distance, -1.0 / near.distance)
        } else {
            let jet = piece.jet(near.parameter);
            self.evaluations += 1;
            let curvature = jet.curvature();
            (jet.normal(), if curvature * radius < 1.0 { curvature_at(curvature, radius) } else { 0.0 })
        };
        // A point below a concave corner has to leave both sides: their gaps count, not the distance from the corner.
        let gap = if radius == 0.0 && at_joint && near.distance < 0.0 { away.dot(&normal) } else { gap };
        let first = GroundTouch { gap, normal, curvature };
        let second = if radius > 0.0 {
            let place = if at_joint {
                ground.place_below(q)
            } else {
                Place::Piece { index: near.piece, parameter: near.parameter }
            };
            self.second_of_ball(ground, q, place, first, reach)
        } else {
            corner_of_a_point(ground, q, near.piece, reach, self.corner_reach(gap))
                .or_else(|| self.on_another_curve(ground, q, before, near.piece, reach))
        };
        self.second.depth = second.map_or(0.0, |second| second.gap.abs().max(gap.abs()));
        Touches { found: [Some(first), second], gap: second.map_or(gap, |second| second.gap.min(gap)) }
    }

    /// Marks off the ground around the closest point, in which it will be followed; only near contact.
    fn mark_off(&mut self, ground: &OffsetGround, q: Vector2<f64>, near: Closest) {
        let radius = ground.radius();
        let distance = near.distance.abs();
        let up_to = if radius > 0.0 {
            1.05 * radius
        } else {
            self.evaluations += 1;
            let bend = ground.ground().piece(near.piece).jet(near.parameter).curvature().abs();
            (8.0 * self.stride.max(distance)).min(0.5 / bend)
        };
        // In flight there is no need: the gap tells how far the ball can't touch anything.
        let close = distance - radius <= 8.0 * self.stride;
        if !(close && distance <= up_to && (radius == 0.0 || near.distance > 0.0)) {
            return;
        }
        if self.retry.left > 0 {
            self.retry.left -= 1;
            return;
        }
        let hardly_used = self.area.is_some_and(|area| area.used < 4);
        let wait = if hardly_used { (2 * self.retry.wait + 1).min(31) } else { 0 };
        self.retry = AreaRetry { wait, left: wait };
        let far = if radius > 0.0 { 6.0 * radius } else { 32.0 * up_to };
        let vicinity = ground.ground().vicinity(q, near.piece, near.parameter, [up_to, far], radius == 0.0);
        self.area = Some(Area { vicinity, from: q, radius: up_to, used: 0 });
    }

    /// Distance from a concave corner within which a point mass may be below both sides, m.
    fn corner_reach(&self, gap: f64) -> f64 {
        2.0 * (gap.abs().max(self.second.depth) + self.stride) + self.gap_rounding()
    }

    /// A second contact of a ball: another local minimum of the distance of its centre from the ground.
    fn second_of_ball(
        &mut self,
        ground: &OffsetGround,
        q: Vector2<f64>,
        place: Place,
        first: GroundTouch,
        reach: f64,
    ) -> Option<GroundTouch> {
        if self.single.holds(q, reach + self.gap_rounding()) {
            return None;
        }
        let beside = ground.beside(place, q);
        // A centre below the ground itself says nothing about minima on the free side.
        let radius = if first.gap > -ground.radius() { beside.distance } else { 0.0 };
        self.single = SingleContact { centre: q, radius };
        let (frame, away) = (ground.frame(beside.place?), q - beside.other?);
        let gap = away.dot(&frame.normal) - ground.radius();
        let touch = GroundTouch { gap, normal: frame.normal, curvature: curvature_at(frame.curvature, gap) };
        let foot = is_along(away.normalize(), touch.normal);
        (gap <= reach && foot && !is_along(touch.normal, first.normal)).then_some(touch)
    }

    /// Finds another curve than that of `piece` that a point mass touches, on the side that it came from. On which side
    /// it was at its last place, `before`, is known for the closest curve and for another one that it touched.
    fn on_another_curve(
        &mut self,
        ground: &OffsetGround,
        q: Vector2<f64>,
        before: LastPlace,
        piece: usize,
        reach: f64,
    ) -> Option<GroundTouch> {
        let LastPlace { centre, gap, near: last } = before;
        let ground = ground.ground();
        let mut near = ground.closest_on_another(q, piece)?;
        self.evaluations += u64::from(near.evaluations);
        let known =
            self.second.curve.take().filter(|(at, _)| *at == centre).map(|(_, near)| (near.piece, near.distance));
        if let (Some((last, _)), Some(behind)) = (last, near.behind(ground)) {
            // Piece of a side, and the distance from it at the last place; that of a point mass is the gap.
            let is_of = |side: &(usize, f64)| [near, behind].iter().any(|near| ground.is_same_side(near.piece, side.0));
            let (side, distance) = match [Some((last, gap)), known].into_iter().flatten().find(is_of) {
                Some(side) => side,
                None => {
                    let came = ground.closest_on_another(centre, piece)?;
                    self.evaluations += u64::from(came.evaluations);
                    (came.piece, came.distance)
                }
            };
            if ground.is_same_side(behind.piece, side) && self.is_through(distance + near.distance, (q - centre).norm())
            {
                near = behind;
            }
        }
        // The end of a curve does not stop a point.
        let spot = ground.spot(near.piece, near.parameter);
        if matches!(spot, Spot::Joint(joint) if ground.joint(joint).kind == JointKind::End) {
            return None;
        }
        let jet = ground.piece(near.piece).jet(near.parameter);
        self.evaluations += 1;
        let (normal, curvature) = (jet.normal(), jet.curvature());
        let gap = (q - near.point).dot(&normal);
        self.second.curve = (gap <= reach).then_some((q, near));
        self.second.curve.map(|_| GroundTouch { gap, normal, curvature })
    }

    /// Whether a step of `moved` m may have gone through a curve; `both` is the sum of the distances from it before and
    /// after, m.
    fn is_through(&self, both: f64, moved: f64) -> bool {
        both <= moved * (1.0 + 1e-6) + BLUNT * self.extent
    }
}

/// Whether directions are the same to 4e-5 rad.
fn is_along(one: Vector2<f64>, other: Vector2<f64>) -> bool {
    one.dot(&other) >= 1.0 - 1e-9
}

/// Contact of a point mass with the side, taken as flat, that a concave corner within `far` m has besides `piece`.
fn corner_of_a_point(
    ground: &OffsetGround,
    q: Vector2<f64>,
    piece: usize,
    reach: f64,
    far: f64,
) -> Option<GroundTouch> {
    let ground = ground.ground();
    [piece, ground.joint_after(piece)].into_iter().find_map(|index| {
        let joint = ground.joint(index);
        if joint.kind != JointKind::Concave || (q - joint.point).norm() > far {
            return None;
        }
        let (before, after) = (joint.before?, joint.after?);
        let other = if before == piece { after } else { before };
        let domain = ground.piece(other).domain();
        let end = if other == after { domain.lo } else { domain.hi };
        let normal = ground.piece(other).jet(end).normal();
        let gap = (q - joint.point).dot(&normal);
        (gap <= reach).then_some(GroundTouch { gap, normal, curvature: 0.0 })
    })
}
