//! Self-crossings of a curve, with proof that there are no others.

use nalgebra::Vector2;

use crate::ground::box_tree::{Box2, LeafPairs, LeafRun};
use crate::ground::parametrisation::{At, Leaf};
use crate::{Crossing, Ground, GroundError, JointKind, Piece, Spot, turn_left};
use numbers::Interval;

/// Distance (m) of two passages within which they count as one place.
const TOUCH: f64 = 1e-9;

/// Largest number of leaves, summed over all sets of solid strands (one more than crossings), each of some 100 bytes.
const MAX_LEAVES: usize = 2_000_000;

/// Largest number of pairs of parts looked at.
const BUDGET: u32 = 400_000;

/// A part of a leaf.
#[derive(Clone, Copy)]
struct LeafPart {
    leaf: usize,
    domain: Interval,
}

struct Check<'a> {
    ground: &'a Ground,
    budget: u32,
    found: Vec<Crossing>,
    /// Joints at one place through which two strands pass with a common tangent, each with a distance (m) within which
    /// the search looks no closer.
    common: Vec<(Vector2<f64>, f64)>,
}

/// Sine of the angle between two strands below which they touch instead of crossing, except where two joints meet.
const COMMON_TANGENT: f64 = 1e-4;

/// All self-crossings, in the order of the first passage; an error where the curve touches itself or ends on itself.
pub(crate) fn find_crossings(ground: &Ground) -> Result<Vec<Crossing>, GroundError> {
    let mut check = Check { ground, budget: BUDGET, found: Vec::new(), common: Vec::new() };
    check.meeting_joints();
    if let Some(error) = ground.tree.pairs(&mut check) {
        return Err(error);
    }
    let mut found = check.found;
    let order = |at: At, other: At| at.0.cmp(&other.0).then(at.1.total_cmp(&other.1));
    found.sort_by(|a, b| order(a.passages[0], b.passages[0]));
    for crossing in &mut found {
        let [first, second] = crossing.passages;
        crossing.gate = ground.further(first, 0.5 * ground.way_between(first, second));
    }
    Ok(found)
}

impl LeafPairs for Check<'_> {
    type Found = GroundError;

    /// Whether a run advances throughout along an axis of its first leaf's formula, so that it can't meet itself.
    fn alone(&self, run: LeafRun) -> bool {
        let leaves = &self.ground.leaves[run.first..run.end];
        let own = self.ground.pieces[leaves[0].piece].curve().axis();
        let advances = |leaf: &Leaf, e: Vector2<f64>| {
            let curve = self.ground.pieces[leaf.piece].curve();
            leaf.axis == e || curve.bend_over(leaf.domain, e)[1][0].is_positive()
        };
        let axes = [own, turn_left(own), -own, -turn_left(own)];
        let may = |e: &Vector2<f64>| leaves.iter().all(|leaf| leaf.axis != -e);
        axes.iter().filter(|e| may(e)).any(|e| leaves.iter().all(|leaf| advances(leaf, *e)))
    }

    fn apart(&self, a: LeafRun, b: LeafRun) -> bool {
        let tree = &self.ground.tree;
        !tree.bounds(a).near(tree.bounds(b), 0.0)
    }

    fn leaves(&mut self, i: usize, j: usize) -> Option<GroundError> {
        let part = |leaf: usize| LeafPart { leaf, domain: self.ground.leaves[leaf].domain };
        let (a, b) = (part(i), part(j));
        let last = self.ground.leaves.len() - 1;
        let met = if i + 1 == j {
            self.neighbours(a, b, 0)
        } else if self.ground.is_closed() && i == 0 && j == last {
            self.neighbours(b, a, 0)
        } else {
            self.parts_apart(a, b)
        };
        met.or_else(|| self.too_many())
    }
}

impl Check<'_> {
    /// Error if the sets of solid strands of all crossings would have too many leaves.
    fn too_many(&self) -> Option<GroundError> {
        let (crossings, parts) = (self.found.len(), self.ground.leaves.len());
        let last = self.found.last().filter(|_| crossings * parts > MAX_LEAVES)?;
        let (piece, point) = (last.passages[1].0, last.point);
        Some(GroundError::TooManyCrossings { piece, point, crossings, parts, allowed: MAX_LEAVES })
    }

    /// The error if two adjacent parts meet anywhere but at their common end; none if both advance in one direction.
    fn neighbours(&mut self, a: LeafPart, b: LeafPart, depth: u32) -> Option<GroundError> {
        let axis = |part: LeafPart| self.ground.leaves[part.leaf].axis;
        let through = self.piece(a).jet(a.domain.hi).tangent() + self.piece(b).jet(b.domain.lo).tangent();
        let advances =
            |part: LeafPart, e: Vector2<f64>| self.piece(part).curve().bend_over(part.domain, e)[1][0].is_positive();
        if [axis(a), axis(b), through].iter().any(|e| advances(a, *e) && advances(b, *e)) {
            return None;
        }
        let ((a1, a2), (b1, b2)) = (halves(a), halves(b));
        if depth > 60 {
            return Some(self.crossing(a2, b1));
        }
        self.parts_apart(a1, b1)
            .or_else(|| self.parts_apart(a1, b2))
            .or_else(|| self.parts_apart(a2, b2))
            .or_else(|| self.neighbours(a2, b1, depth + 1))
    }

    /// The error if two parts without a common end touch; crossings are noted. Boxes are in the frame of the first
    /// one's formula.
    fn parts_apart(&mut self, a: LeafPart, b: LeafPart) -> Option<GroundError> {
        let axis = self.piece(a).curve().axis();
        let mut pairs = vec![(a, b)];
        while let Some((a, b)) = pairs.pop() {
            let bounds = |part: LeafPart| Box2::of_ground(self.piece(part).curve().seen_over(part.domain, axis));
            let (box_a, box_b) = (bounds(a), bounds(b));
            if !box_a.near(&box_b, 0.0) {
                continue;
            }
            let (size_a, size_b) = (box_a.size(), box_b.size());
            let grain = 32.0 * f64::EPSILON * (box_a.x.mignitude() + box_a.y.mignitude());
            self.budget = self.budget.saturating_sub(1);
            let [cut_a, cut_b] = [a, b].map(|LeafPart { domain, .. }| {
                let middle = domain.middle();
                domain.lo < middle && middle < domain.hi
            });
            if !(cut_a || cut_b) {
                self.budget = 0;
            }
            let turned = |p: Vector2<f64>| Box2::new([Interval::point(axis.dot(&p)), Interval::point(axis.perp(&p))]);
            let within = |(point, far): &(Vector2<f64>, f64)| {
                turned(*point).near(&box_a, *far - size_a) && turned(*point).near(&box_b, *far - size_b)
            };
            if self.common.iter().any(within) {
                continue;
            }
            if size_a.max(size_b) <= TOUCH.max(grain) || self.budget == 0 {
                if self.budget > 0 && self.crosses(a, b) {
                    continue;
                }
                return Some(self.crossing(a, b));
            }
            if cut_a && (size_a >= size_b || !cut_b) {
                let (left, right) = halves(a);
                pairs.extend([(right, b), (left, b)]);
            } else {
                let (left, right) = halves(b);
                pairs.extend([(a, right), (a, left)]);
            }
        }
        None
    }

    /// Whether two parts too close to be told apart cross: their directions differ, and both strands continue both
    /// ways. Notes the crossing, found by Newton's method.
    fn crosses(&mut self, a: LeafPart, b: LeafPart) -> bool {
        let pieces = [a, b].map(|part| self.ground.leaves[part.leaf].piece);
        let [one, other] = pieces.map(|piece| &self.ground.pieces[piece]);
        let mut s = [a.domain.middle(), b.domain.middle()];
        let mut jets = [one.jet(s[0]), other.jet(s[1])];
        for _ in 0..20 {
            let away = jets[1].point - jets[0].point;
            let sine = jets[0].tangent().perp(&jets[1].tangent());
            if !(sine.abs() > COMMON_TANGENT) {
                return false;
            }
            let ways = [away.perp(&jets[1].tangent()) / sine, away.perp(&jets[0].tangent()) / sine];
            let before = s;
            s = [0, 1].map(|i| [one, other][i].domain.clamp(s[i] + ways[i] / jets[i].speed()));
            jets = [one.jet(s[0]), other.jet(s[1])];
            if s == before {
                break;
            }
        }
        if (jets[0].point - jets[1].point).norm() > TOUCH {
            return false;
        }
        let goes_on = |i: usize| match self.ground.spot(pieces[i], s[i]) {
            Spot::Piece { .. } => true,
            Spot::Joint(joint) => self.ground.joints[joint].kind == JointKind::Smooth,
        };
        if !(goes_on(0) && goes_on(1)) {
            return false;
        }
        self.note([(pieces[0], s[0]), (pieces[1], s[1])], jets[0].point);
        true
    }

    fn note(&mut self, mut passages: [At; 2], point: Vector2<f64>) {
        if passages[0] > passages[1] {
            passages.swap(0, 1);
        }
        // A crossing at a joint is found from both sides of it.
        let known = |crossing: &Crossing| (crossing.point - point).norm() <= 4.0 * TOUCH;
        if !self.found.iter().any(known) {
            self.found.push(Crossing { point, passages, gate: passages[0], reach: None });
        }
    }

    /// Finds crossings where joints of two strands meet with a common tangent and the strands change sides. Example: a
    /// line, a full circle and the continued line, all through one point.
    fn meeting_joints(&mut self) {
        let ground = self.ground;
        let mut order: Vec<usize> =
            (0..ground.joints.len()).filter(|joint| ground.joints[*joint].kind == JointKind::Smooth).collect();
        order.sort_by(|a, b| ground.joints[*a].point.x.total_cmp(&ground.joints[*b].point.x));
        for (i, &joint) in order.iter().enumerate() {
            for &other in &order[i + 1..] {
                let [a, b] = [joint.min(other), joint.max(other)].map(|joint| ground.joints[joint]);
                if (ground.joints[other].point.x - ground.joints[joint].point.x).abs() > TOUCH {
                    break;
                }
                if (a.point - b.point).norm() <= TOUCH
                    && let (Some(first), Some(second)) = (a.after, b.after)
                {
                    self.common_tangent(first, second, a.point);
                }
            }
        }
    }

    /// Records a crossing if two strands with a common tangent change sides at the joints where two pieces begin.
    fn common_tangent(&mut self, first: usize, second: usize, point: Vector2<f64>) {
        let ground = self.ground;
        let passages = [first, second].map(|piece| (piece, ground.pieces[piece].domain.lo));
        let tangents = passages.map(|(piece, s)| ground.pieces[piece].jet(s).tangent());
        if tangents[0].perp(&tangents[1]).abs() > COMMON_TANGENT {
            return;
        }
        let whole = ground.way_between(passages[0], passages[1]);
        // If it runs the other way, the second passage leads back along the first.
        let along = tangents[0].dot(&tangents[1]).signum();
        for part in [1e-3, 1e-2] {
            let far = part * whole;
            let height = |at: At, way: f64| {
                let (piece, s) = ground.further(at, way);
                (ground.pieces[piece].curve().point_at(s) - point).dot(&turn_left(tangents[0]))
            };
            let apart = [-far, far].map(|way| height(passages[0], way) - height(passages[1], along * way));
            // The strands are apart by more than rounding, and on different sides before and after the joint.
            if apart.iter().all(|apart| apart.abs() > 1e-9 * far) && (apart[0] < 0.0) != (apart[1] < 0.0) {
                self.note(passages, point);
                self.common.push((point, far));
                return;
            }
        }
    }

    fn piece(&self, part: LeafPart) -> &Piece {
        &self.ground.pieces[self.ground.leaves[part.leaf].piece]
    }

    fn crossing(&self, a: LeafPart, b: LeafPart) -> GroundError {
        let passage = |part: LeafPart| (self.ground.leaves[part.leaf].piece, part.domain.middle());
        let (first, second) = (passage(a), passage(b));
        let point = self.piece(a).curve().point_at(first.1);
        GroundError::Crossing { point, first, second, decided: self.budget > 0 }
    }
}

fn halves(part: LeafPart) -> (LeafPart, LeafPart) {
    let (left, right) = part.domain.halves();
    (LeafPart { domain: left, ..part }, LeafPart { domain: right, ..part })
}
