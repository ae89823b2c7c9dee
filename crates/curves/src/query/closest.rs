//! The closest point of the ground to a point, by branch and bound; and the curve that a point is deepest below.

use std::ops::Range;

use nalgebra::Vector2;

use crate::ground::box_tree::{Box2, ItemVerdict, LeafRun, search};
use crate::ground::parametrisation::{At, CurveStretch, Leaf};
use crate::{Ground, JointKind, Shape, Spot, turn_left};
use numbers::{Interval, Number, Rounding, elementary};

/// The closest ground point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Closest {
    /// Its piece, on the side where the query point is (see [`Ground::piece`]).
    pub piece: usize,
    /// The piece's parameter.
    pub parameter: f64,
    /// The point, m.
    pub point: Vector2<f64>,
    /// Distance, m; negative on the far side of ground without a back, and where rounding can't decide the side.
    pub distance: f64,
    /// Evaluations of points and jets; enclosures are not counted.
    pub evaluations: u32,
}

/// Ground without an end, which is solid all the way behind.
#[derive(Clone, Debug)]
pub struct Solid {
    leaves: Range<usize>,
    bounds: Box2,
    /// Whether its free side is outside, so that a point outside its box is not below it.
    free_outside: bool,
}

pub(crate) struct Query<'a> {
    ground: &'a Ground,
    from: Vector2<f64>,
    /// The leaves looked at; others are ignored.
    leaves: Range<usize>,
    /// A stretch to be ignored.
    left_out: Option<CurveStretch>,
    best: f64,
    found: Option<(usize, f64)>,
    /// Number of parts looked at.
    pub(crate) looked: u32,
    evaluations: u32,
}

/// Number of parts after which the search becomes approximate: then very many points are about equally close.
const EXACT: u32 = 20_000;
/// Number of further parts after which the allowed relative error of the distance doubles.
const DOUBLING: u32 = 2_000;

impl Closest {
    /// The point as one of the other side of its curve, with negated distance; `None`: that side is not solid, or the
    /// point is an end.
    pub fn behind(&self, ground: &Ground) -> Option<Closest> {
        let piece = ground.other_side(self.piece)?;
        let end = matches!(ground.spot(self.piece, self.parameter), Spot::Joint(joint) if ground.joint(joint).kind == JointKind::End);
        (!end).then_some(Closest { piece, parameter: -self.parameter, distance: -self.distance, ..*self })
    }
}

impl Ground {
    /// The closest point to `q` (m); of points equally close to rounding, one of them.
    ///
    /// Where the curve oscillates too fast to be searched, the closest of some ten thousand points of it.
    ///
    /// If `q` is not finite, the first finite point of the first piece.
    pub fn closest(&self, q: Vector2<f64>) -> Closest {
        Query::new(self, q).search().unwrap_or_else(|| {
            let parameter = self.pieces[0].domain().clamp(0.0);
            Closest {
                piece: 0,
                parameter,
                point: self.pieces[0].curve().point_at(parameter),
                distance: f64::NAN,
                evaluations: 1,
            }
        })
    }

    /// Chains without an end, which a point may be below, for [`Ground::deepest_below`].
    pub fn solids(&self) -> impl Iterator<Item = Solid> {
        self.chains.iter().filter(|chain| !self.has_end(chain)).filter_map(|chain| {
            let leaves = self.first_leaf[chain.pieces.start]..self.first_leaf[chain.pieces.end];
            let bounds = self.leaves[leaves.clone()].iter().map(|leaf| leaf.bounds).reduce(Box2::hull)?;
            let free_outside = self.is_free_inside(self.curve_of(chain.pieces.start)) == Some(false);
            Some(Solid { leaves, bounds, free_outside })
        })
    }

    /// Whether a curve belongs to ground without an end.
    pub fn has_far_side(&self, curve: usize) -> bool {
        !self.has_end(self.chain(self.pieces_of(curve).start))
    }

    /// The curve that a point (m) is deepest below, which need not be the closest, and its distance, m, negative.
    pub fn deepest_below(&self, solids: &[Solid], q: Vector2<f64>) -> Option<(usize, f64)> {
        let below = solids.iter().filter_map(|solid| {
            if solid.free_outside && solid.bounds.distance(q) > 0.0 {
                return None;
            }
            let near = Query { leaves: solid.leaves.clone(), ..Query::new(self, q) }.search()?;
            (near.distance < 0.0).then(|| (self.curve_of(near.piece), near.distance))
        });
        below.min_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// The closest point to `q` (m) on all curves except that of a piece; `None`: there is no other.
    pub fn closest_on_another(&self, q: Vector2<f64>, piece: usize) -> Option<Closest> {
        self.others(q, piece)?.search()
    }

    /// The search for the closest point on all curves except that of a piece; `None`: there is no other.
    pub(crate) fn others(&self, q: Vector2<f64>, piece: usize) -> Option<Query<'_>> {
        if self.curves() < 2 {
            return None;
        }
        let side = self.side_of(piece);
        let [from, to] = [side.start as isize, side.end as isize - 1];
        let whole = CurveStretch { on: piece, from: (from, f64::NEG_INFINITY), to: (to, f64::INFINITY) };
        Some(Query::new(self, q).without(whole))
    }

    /// +1 if `q` is on the free side of its closest point, −1 on the other. An end has no far side. At a corner the sum
    /// of both normals tells: a convex one is closest only to points in front, a concave one to points behind.
    fn side(&self, at: At, [point, first, _]: [Vector2<f64>; 3], q: Vector2<f64>) -> f64 {
        let mut normal = turn_left(first / first.norm());
        if let Spot::Joint(joint) = self.spot(at.0, at.1) {
            let [Some(end), Some(start)] = self.ends_at(joint) else { return 1.0 };
            normal = [end, start].map(|(piece, s)| self.pieces[piece].jet(s).normal()).iter().sum();
        }
        if (q - point).dot(&normal) < 0.0 { -1.0 } else { 1.0 }
    }
}

impl<'a> Query<'a> {
    pub(crate) fn new(ground: &'a Ground, from: Vector2<f64>) -> Self {
        let leaves = 0..ground.leaves.len();
        Query { ground, from, leaves, left_out: None, best: f64::INFINITY, found: None, looked: 0, evaluations: 0 }
    }

    /// Ignores all ground but one leaf.
    pub(crate) fn on_leaf(self, leaf: usize) -> Self {
        Query { leaves: leaf..leaf + 1, ..self }
    }

    /// Ignores a stretch of the ground.
    pub(crate) fn without(self, own: CurveStretch) -> Self {
        Query { left_out: Some(own), ..self }
    }

    /// Ignores ground from a distance (m) on.
    pub(crate) fn within(self, distance: f64) -> Self {
        Query { best: distance, ..self }
    }

    /// The closest point; `None` if all ground is ignored.
    pub(crate) fn search(&mut self) -> Option<Closest> {
        if !(self.from.x.is_finite() && self.from.y.is_finite()) {
            return None;
        }
        search(self.ground.tree.root(), &mut |run| self.look(run));
        let (piece, mut parameter) = self.found?;
        let Interval { lo, hi } = self.ground.pieces[piece].domain();
        let curve = self.ground.pieces[piece].curve();
        let mut near = curve.bend(parameter);
        let speed = near[1].norm();
        let size = parameter.abs() * speed + near[0].norm() + self.from.norm();
        let rounding = Rounding::of_motion(size, 0.0, 0.0, 0.0);
        // Among points whose distances are equal to rounding, a step of Newton's method finds the foot.
        let d = near[0] - self.from;
        let (slope, bend) = (d.dot(&near[1]), near[1].norm_squared() + d.dot(&near[2]));
        if slope != 0.0 && Rounding::vanishes(slope * slope / bend, rounding.length * self.best) && bend > 0.0 {
            parameter = (parameter - slope / bend).clamp(lo, hi);
            near = curve.bend(parameter);
            self.evaluations += 1;
        }
        // A foot within rounding of an end of its piece is that end.
        let is_foot = |end: &f64| Rounding::vanishes((parameter - end) * speed, rounding.length);
        if let Some(end) = [lo, hi].into_iter().find(is_foot) {
            parameter = end;
            near = curve.bend(end);
            self.evaluations += 1;
        }
        let point = curve.point_at(parameter);
        let (distance, evaluations) = ((self.from - point).norm(), self.evaluations + 2);
        let mut beside = parameter;
        // After an approximate search the normal at the place found tells no side. Then the ground at the abscissa of
        // the query point does, on the same leaf.
        let leaves = &self.ground.leaves[self.ground.first_leaf[piece]..self.ground.first_leaf[piece + 1]];
        if let Some(Leaf { axis, .. }) =
            leaves.iter().find(|leaf| self.looked > EXACT && leaf.domain.contains(parameter))
        {
            beside = (beside + axis.dot(&(self.from - near[0])) / axis.dot(&near[1])).clamp(lo, hi);
            near = curve.bend(beside);
        }
        if self.ground.side((piece, beside), near, self.from) > 0.0 {
            return Some(Closest { piece, parameter, point, distance, evaluations });
        }
        // A point within rounding of the curve counts for its front, with a distance just below 0.
        let told_apart = distance > Rounding::SUM * rounding.length;
        Some(match self.ground.other_side(piece).filter(|_| told_apart) {
            Some(piece) => Closest { piece, parameter: -parameter, point, distance, evaluations },
            None => Closest { piece, parameter, point, distance: -distance, evaluations },
        })
    }

    fn look(&mut self, run: LeafRun) -> ItemVerdict<LeafRun> {
        let ground = self.ground;
        let is_ignored = run.end <= self.leaves.start || self.leaves.end <= run.first;
        if is_ignored || self.hopeless(ground.tree.bounds(run).distance(self.from)) {
            return ItemVerdict::Out;
        }
        let Some(leaf) = run.leaf() else { return ItemVerdict::halves(ground.tree.nearer_first(run, self.from)) };
        let leaf = &ground.leaves[leaf];
        for part in ground.remainder(leaf.piece, leaf.domain, self.left_out).into_iter().flatten() {
            self.part(leaf.piece, part);
        }
        ItemVerdict::Out
    }

    /// Whether ground at this distance or beyond can't be closer than the best.
    fn hopeless(&self, distance: f64) -> bool {
        let slack = self.slack();
        slack >= 1.0 || distance >= self.best * (1.0 - slack)
    }

    /// Allowed relative error of the distance, up to 1, which ends the search.
    pub(crate) fn slack(&self) -> f64 {
        match self.looked.checked_sub(EXACT) {
            None => 1e-14,
            Some(more) => (1e-9 * elementary::exp2(f64::from(more / DOUBLING))).min(1.0),
        }
    }

    fn part(&mut self, piece: usize, part: Interval) {
        self.looked += 1;
        let curve = self.ground.pieces[piece].curve();
        if matches!(curve.shape(), Some(Shape::Line(_))) && part.is_bounded() {
            let s = self.newton(piece, part);
            if !self.hopeless((curve.point_at(s) - self.from).norm()) {
                self.offer(piece, s);
            }
            return;
        }
        // Bounds in the frame of the formula, in which nothing is turned; distances do not depend on the frame.
        let axis = curve.axis();
        let [point, over, second] = curve.bend_over(part, axis);
        let away =
            [point[0] - Interval::point(axis.dot(&self.from)), point[1] - Interval::point(axis.perp(&self.from))];
        let dot = |a: [Interval; 2], b: [Interval; 2]| a[0] * b[0] + a[1] * b[1];
        let squared = away[0].square() + away[1].square();
        if self.hopeless(squared.lo.max(0.0).sqrt()) {
            return;
        }
        let slope = dot(away, over);
        let bend = over[0].square() + over[1].square() + dot(away, second);
        if slope.lo >= 0.0 && part.lo.is_finite() {
            return self.offer(piece, part.lo);
        }
        if slope.hi <= 0.0 && part.hi.is_finite() {
            return self.offer(piece, part.hi);
        }
        if bend.is_positive() && part.is_bounded() {
            let s = self.newton(piece, part);
            return self.offer(piece, s);
        }
        if let (Some(Shape::Arc(arc)), true) = (curve.shape(), part.is_bounded()) {
            for s in arc.closest(self.from, part) {
                self.offer(piece, s);
            }
            return;
        }
        let middle = part.middle();
        let [point, first, _] = curve.bend(middle);
        self.evaluations += 1;
        self.offer_point(piece, middle, point);
        let d = point - self.from;
        if bend.is_bounded() && part.is_bounded() {
            // Bounds of the slope by its value in the middle are much tighter; where many points are almost equally
            // close only they help.
            let grain = 4.0 * f64::EPSILON * (point.norm() + d.norm()) * first.norm();
            let slope = Interval::around(d.dot(&first), grain) + bend * (part - Interval::point(middle));
            if slope.lo >= 0.0 {
                return self.offer(piece, part.lo);
            }
            if slope.hi <= 0.0 {
                return self.offer(piece, part.hi);
            }
        }
        if !(part.lo < middle && middle < part.hi) || part.width() <= f64::EPSILON * middle.abs() {
            return;
        }
        // Second-order bound from the middle, which is tight where many points are almost equally close.
        let half = 0.5 * part.width();
        let lowest = d.norm_squared() - 2.0 * half * d.dot(&first).abs() + half * half * bend.lo.min(0.0);
        if lowest.is_finite() && self.hopeless(lowest.max(0.0).sqrt()) {
            return;
        }
        // Along an axis in which the curve advances, points as close as the best are in a window of the parameter.
        let grain = 4.0 * f64::EPSILON * (point.norm() + d.norm());
        let mut window = part;
        for (here, rate) in
            [axis.dot(&d), axis.perp(&d)].into_iter().zip(over).filter(|(_, rate)| rate.mignitude() > 0.0)
        {
            let reach = Interval::new(-self.best, self.best) - Interval::around(here, grain);
            match window.intersection(Interval::point(middle) + reach / rate) {
                Some(met) => window = met,
                None => return,
            }
        }
        if 2.0 * window.width() < part.width() {
            return self.part(piece, window);
        }
        let (left, right) = part.halves();
        if d.dot(&first) > 0.0 {
            self.part(piece, left);
            self.part(piece, right);
        } else {
            self.part(piece, right);
            self.part(piece, left);
        }
    }

    /// The minimum of the squared distance over a part where it is convex.
    fn newton(&mut self, piece: usize, part: Interval) -> f64 {
        let curve = self.ground.pieces[piece].curve();
        let Interval { mut lo, mut hi } = part;
        let mut s = part.middle();
        // Ends of the part whose slope is not known yet.
        let mut unseen = [true, true];
        for _ in 0..100 {
            let [point, first, second] = curve.bend(s);
            self.evaluations += 1;
            let d = point - self.from;
            let slope = d.dot(&first);
            let beyond = usize::from(slope <= 0.0);
            *[&mut hi, &mut lo][beyond] = s;
            unseen[1 - beyond] = false;
            let mut next = s - slope / (first.norm_squared() + d.dot(&second));
            if !(lo <= next && next <= hi) {
                let end = [lo, hi][beyond];
                next = if std::mem::take(&mut unseen[beyond]) { end } else { 0.5 * lo + 0.5 * hi };
            }
            let settled = (next - s).abs() <= f64::EPSILON * (s.abs() + f64::MIN_POSITIVE) || slope == 0.0;
            s = next;
            if settled {
                break;
            }
        }
        s
    }

    fn offer(&mut self, piece: usize, s: f64) {
        self.evaluations += 1;
        self.offer_point(piece, s, self.ground.pieces[piece].curve().point_at(s));
    }

    fn offer_point(&mut self, piece: usize, s: f64, point: Vector2<f64>) {
        let distance = (point - self.from).norm();
        if distance < self.best {
            self.best = distance;
            self.found = Some((piece, s));
        }
    }
}
