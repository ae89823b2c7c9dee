//! Curves that lie along each other, so that it is undetermined which of them a ball follows.

use nalgebra::Vector2;

use crate::ground::box_tree::{Box2, LeafPairs, LeafRun};
use crate::ground::parametrisation::At;
use crate::{Closest, Ground, JetEnclosure, Joint, JointKind, Piece, Spot, turn_left};
use numbers::{Interval, bisect};

/// Two curves that lie along each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Along {
    /// Indices of the curves; if one ends on the other, it comes first.
    pub curves: [usize; 2],
    /// A point at which they lie along each other, m.
    pub point: Vector2<f64>,
    /// Whether the first curve ends there.
    pub ends: bool,
    /// Both ends of the common stretch, one point if it is a closed curve; `None`: none was found that is long enough.
    pub common: Option<[Vector2<f64>; 2]>,
}

/// Curves with so many ends near others that it is not known which are joined, or whether some lie along each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crowded {
    /// The curve at whose end the search was given up.
    pub curve: usize,
    /// This end, m.
    pub point: Vector2<f64>,
    /// Number of pairs of an end and another one, or a part of another curve, that were looked at.
    pub looked: u32,
}

/// Number of places looked at along a curve for the end of a common stretch.
const LOOKS: usize = 1000;

/// Largest number of pairs of parts in all; beyond it nothing is found. A common stretch takes some hundred, but
/// infinite waves cross without end.
const BUDGET: u32 = 400_000;
/// Largest number of pairs of an end and a part in whose box it is; some 200 ns each.
const OF_ENDS: u32 = 5_000_000;
/// Largest number of pairs of parts of two leaves.
const OF_LEAVES: u32 = 4096;

/// Distance (m) within which two curves count as one; a common stretch is longer.
const THIN: f64 = 4.0 * Piece::JOINT_TOLERANCE;

/// A part of a piece.
#[derive(Clone, Copy)]
struct PiecePart {
    piece: usize,
    domain: Interval,
}

/// Verdict of bounds about two parts.
enum PairVerdict {
    /// Proven to have no common stretch longer than [`THIN`].
    Apart,
    /// Proven to have a common stretch, around this point, m.
    Along(Vector2<f64>),
    /// Undecided; tells which part is longer.
    Unknown { first_is_longer: bool },
}

impl Ground {
    /// The first two curves of one group (see [`Ground::in_groups`]) that lie along each other: one ends on the other
    /// and along it, or they have a common stretch. There they agree to some 1e-9 m, in direction to
    /// [`Ground::SMOOTH_TURN`], and in curvature to the same fraction. Curves that touch in a point with different
    /// curvatures do not, nor do curves that continue each other.
    pub fn lies_along(&self, groups: &[usize]) -> Result<Option<Along>, Crowded> {
        let group = |curve: usize| groups.get(curve).copied().unwrap_or(0);
        let mut search = CommonSearch { ground: self, group: &group, budget: BUDGET };
        let found = self.end_along(&group)?.or_else(|| self.tree.pairs(&mut search).flatten());
        match (found, self.crowd) {
            (None, Some(crowd)) => Err(crowd),
            (found, _) => Ok(found.map(|found| Along { common: self.common(&found), ..found })),
        }
    }

    /// Ends of the common stretch around a point at which two curves lie along each other, found by walking both ways.
    fn common(&self, along: &Along) -> Option<[Vector2<f64>; 2]> {
        let [one, other] = along.curves;
        let step = self.length_of(one).min(self.length_of(other)) / LOOKS as f64;
        if !step.is_finite() {
            return None;
        }
        let (own, alone) = (self.only(&[one]).closest(along.point), self.only(&[other]));
        let point = |(piece, s): At| self.pieces[piece].curve().point_at(s);
        let is_on = |at: At| alone.closest(point(at)).distance.abs() <= THIN;
        let [from, to] = [-1.0, 1.0].map(|sign| {
            let walk =
                std::iter::successors(Some((own.piece, own.parameter)), |at| Some(self.further(*at, sign * step)));
            let Some(last) = walk.take(LOOKS + 1).take_while(|at| is_on(*at)).last() else { return along.point };
            point(self.further(last, sign * bisect(|way| is_on(self.further(last, sign * way)), 0.0, step)[0]))
        });
        // A stretch shorter than a step may be the blur of a touch: over a way s, curves whose curvatures differ by κ
        // part by κ s²/2. It may also be all of a closed curve, whose ends are one point.
        match (to - from).norm() > step {
            true => Some([from, to]),
            false => self.is_closed_curve(one).then_some([from; 2]),
        }
    }

    /// The first curve that ends on another and along it.
    fn end_along(&self, group: &impl Fn(usize) -> usize) -> Result<Option<Along>, Crowded> {
        let mut looked = 0;
        for joint in self.joints.iter().filter(|joint| joint.kind == JointKind::End) {
            let Some(piece) = joint.before.or(joint.after) else { continue };
            let Some(query) = self.others(joint.point, piece) else { break };
            let mut query = query.within(2.0 * Ground::JOINT_TOLERANCE);
            let found = query.search();
            looked += query.looked;
            if let Some(along) = found.and_then(|found| self.goes_on_along(joint, piece, found, group)) {
                return Ok(Some(along));
            }
            if looked > OF_ENDS {
                return Err(Crowded { curve: self.curve_of(piece), point: joint.point, looked });
            }
        }
        Ok(None)
    }

    /// The curve of `piece`, which ends at `joint`, and the curve `found` there, if it runs along the latter.
    fn goes_on_along(
        &self,
        joint: &Joint,
        piece: usize,
        found: Closest,
        group: &impl Fn(usize) -> usize,
    ) -> Option<Along> {
        let own = self.pieces[piece].jet(self.pieces[piece].end(joint.before.is_some())).tangent();
        let curves = [piece, found.piece].map(|piece| self.curve_of(piece));
        if (found.point - joint.point).norm() > Ground::JOINT_TOLERANCE || group(curves[0]) != group(curves[1]) {
            return None;
        }
        let there = match self.spot(found.piece, found.parameter) {
            Spot::Joint(at) => self.ends_at(at),
            Spot::Piece { index, parameter } => [Some((index, parameter)), None],
        };
        let along =
            |(piece, s): (usize, f64)| self.pieces[piece].jet(s).tangent().perp(&own).abs() <= Ground::SMOOTH_TURN;
        let is_along = there.into_iter().flatten().any(along) && curves[0] != curves[1];
        is_along.then_some(Along { curves, point: joint.point, ends: true, common: None })
    }
}

/// Search for a common stretch of two curves.
struct CommonSearch<'a, G> {
    ground: &'a Ground,
    group: &'a G,
    budget: u32,
}

impl<G: Fn(usize) -> usize> CommonSearch<'_, G> {
    /// Indices of the curves of the first and the last leaf of a run.
    fn curves(&self, run: LeafRun) -> [usize; 2] {
        [run.first, run.end - 1].map(|leaf| self.ground.curve_of(self.ground.leaves[leaf].piece))
    }

    /// Judges two parts by bounds, in the frame of the first one's tangent.
    fn look(&self, a: PiecePart, b: PiecePart) -> PairVerdict {
        let [one, other] = [a, b].map(|part| &self.ground.pieces[part.piece]);
        let axis = match a.domain.middle() {
            middle if middle.is_finite() => one.jet(middle).tangent(),
            _ => one.curve().axis(),
        };
        let over = [(one, a), (other, b)].map(|(piece, part)| piece.curve().enclosure_seen(part.domain, axis));
        // Boxes by the point in the middle are too wide only by second order in the length of the part.
        let around = |piece: &Piece, part: PiecePart, over: &JetEnclosure| {
            let middle = part.domain.middle();
            let point = piece.curve().point_at(middle);
            let away = part.domain - Interval::point(middle);
            Box2::of_ground([(0, axis.dot(&point)), (1, axis.perp(&point))].map(|(i, at)| {
                let near = Interval::point(at) + over.first[i] * away;
                if near.is_bounded() { near.intersection(over.point[i]).unwrap_or(near) } else { over.point[i] }
            }))
        };
        let (box_a, box_b) = (around(one, a, &over[0]), around(other, b, &over[1]));
        if !box_a.near(&box_b, Piece::JOINT_TOLERANCE) {
            return PairVerdict::Apart;
        }
        let [first, second] = [over[0].first, over[1].first];
        let speeds = over.each_ref().map(|over| over.speed_squared().hi.sqrt());
        let cross = first[0] * second[1] - first[1] * second[0];
        let turn = Ground::SMOOTH_TURN * speeds[0] * speeds[1];
        if cross.mignitude() > turn {
            return PairVerdict::Apart;
        }
        let dot = first[0] * second[0] + first[1] * second[1];
        let [bend, other_bend] = over.each_ref().map(|over| over.curvature());
        let bends = match () {
            () if dot.is_positive() => bend - other_bend,
            () if (-dot).is_positive() => bend + other_bend,
            () => Interval::REAL,
        };
        if bends.mignitude() > Ground::SMOOTH_TURN * bend.magnitude().max(other_bend.magnitude()) {
            return PairVerdict::Apart;
        }
        let hull = box_a.hull(box_b);
        if !(hull.y.width() <= THIN && cross.magnitude() <= 2.0 * turn) {
            return PairVerdict::Unknown { first_is_longer: box_a.size() >= box_b.size() };
        }
        let common = Interval { lo: box_a.x.lo.max(box_b.x.lo), hi: box_a.x.hi.min(box_b.x.hi) };
        if !(common.hi - common.lo > THIN) {
            return PairVerdict::Apart;
        }
        let middle = [common.middle(), common.lo, common.hi].into_iter().find(|x| x.is_finite()).unwrap_or(0.0);
        PairVerdict::Along(axis * middle + turn_left(axis) * hull.y.middle())
    }
}

impl<G: Fn(usize) -> usize> LeafPairs for CommonSearch<'_, G> {
    /// Two curves that lie along each other; `None`: the budget is used up.
    type Found = Option<Along>;

    fn alone(&self, run: LeafRun) -> bool {
        let [first, last] = self.curves(run);
        first == last
    }

    fn apart(&self, a: LeafRun, b: LeafRun) -> bool {
        let [[first, last], [other, end]] = [a, b].map(|run| self.curves(run));
        let tree = &self.ground.tree;
        !tree.bounds(a).near(tree.bounds(b), THIN)
            || first == last && other == end && (first == other || (self.group)(first) != (self.group)(other))
    }

    fn leaves(&mut self, i: usize, j: usize) -> Option<Option<Along>> {
        let part =
            |leaf: usize| PiecePart { piece: self.ground.leaves[leaf].piece, domain: self.ground.leaves[leaf].domain };
        let mut pairs = vec![(part(i), part(j))];
        for _ in 0..OF_LEAVES {
            let (a, b) = pairs.pop()?;
            let Some(left) = self.budget.checked_sub(1) else { return Some(None) };
            self.budget = left;
            match self.look(a, b) {
                PairVerdict::Apart => {}
                PairVerdict::Along(point) => {
                    let mut curves = [a, b].map(|part| self.ground.curve_of(part.piece));
                    curves.sort_by(|a, b| b.cmp(a));
                    return Some(Some(Along { curves, point, ends: false, common: None }));
                }
                PairVerdict::Unknown { first_is_longer } => match (halves(a), halves(b)) {
                    (Some(parts), _) if first_is_longer => pairs.extend(parts.map(|part| (part, b))),
                    (_, Some(parts)) => pairs.extend(parts.map(|part| (a, part))),
                    (Some(parts), None) => pairs.extend(parts.map(|part| (part, b))),
                    (None, None) => {}
                },
            }
        }
        None
    }
}

/// Both halves, the one nearer to zero last, as it is looked at first: infinite ground is searched from its middle.
fn halves(part: PiecePart) -> Option<[PiecePart; 2]> {
    let middle = part.domain.middle();
    let (left, right) = part.domain.halves();
    let halves = if left.middle().abs() < right.middle().abs() { [right, left] } else { [left, right] };
    (part.domain.lo < middle && middle < part.domain.hi).then(|| halves.map(|domain| PiecePart { domain, ..part }))
}
