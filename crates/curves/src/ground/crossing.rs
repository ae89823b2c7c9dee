//! Proof that a curve never meets itself.

use nalgebra::Vector2;

use super::tree::Run;
use super::{Box2, Ground, GroundError, Leaf, Piece};
use crate::{Interval, turn_left};

/// Two passages closer than this (m) that can't be told apart count as one place.
const TOUCH: f64 = 1e-9;

/// Pairs of parts looked at before giving up.
const BUDGET: u32 = 400_000;

/// A part of a leaf.
#[derive(Clone, Copy)]
struct Part {
    leaf: usize,
    domain: Interval,
}

struct Check<'a> {
    ground: &'a Ground,
    budget: u32,
}

/// The first place found where the curve meets itself.
pub(super) fn find_crossing(ground: &Ground) -> Option<GroundError> {
    Check { ground, budget: BUDGET }.within(ground.tree.root())
}

impl Check<'_> {
    /// What advances in one direction throughout can't meet itself; a run can only if its halves meet.
    fn within(&mut self, run: Run) -> Option<GroundError> {
        if run.leaf().is_some() || self.advances(run) {
            return None;
        }
        let (left, right) = run.halves();
        self.within(left).or_else(|| self.within(right)).or_else(|| self.between(left, right))
    }

    /// Whether it does along an axis of the first leaf's formula.
    fn advances(&self, run: Run) -> bool {
        let leaves = &self.ground.leaves[run.first..run.end];
        let own = self.ground.pieces[leaves[0].piece].curve().axis();
        let advances = |leaf: &Leaf, e: Vector2<f64>| {
            let curve = self.ground.pieces[leaf.piece].curve();
            leaf.axis == e || curve.enclosure_seen(leaf.domain, e).first[0].is_positive()
        };
        [own, turn_left(own), -own, -turn_left(own)].iter().any(|e| leaves.iter().all(|leaf| advances(leaf, *e)))
    }

    fn between(&mut self, a: Run, b: Run) -> Option<GroundError> {
        let (box_a, box_b) = (self.ground.tree.bounds(a), self.ground.tree.bounds(b));
        if !box_a.near(box_b, 0.0) {
            return None;
        }
        let halve_a = match (a.leaf(), b.leaf()) {
            (Some(i), Some(j)) => return self.leaves(i, j),
            (Some(_), None) => false,
            (None, Some(_)) => true,
            (None, None) => box_a.size() >= box_b.size(),
        };
        if halve_a {
            let (left, right) = a.halves();
            self.between(left, b).or_else(|| self.between(right, b))
        } else {
            let (left, right) = b.halves();
            self.between(a, left).or_else(|| self.between(a, right))
        }
    }

    fn leaves(&mut self, i: usize, j: usize) -> Option<GroundError> {
        let part = |leaf: usize| Part { leaf, domain: self.ground.leaves[leaf].domain };
        let (a, b) = (part(i), part(j));
        let last = self.ground.leaves.len() - 1;
        if i + 1 == j {
            self.neighbours(a, b, 0)
        } else if self.ground.is_closed() && i == 0 && j == last {
            self.neighbours(b, a, 0)
        } else {
            self.apart(a, b)
        }
    }

    /// Two parts, the second following the first: clear if both advance in one direction.
    fn neighbours(&mut self, a: Part, b: Part, depth: u32) -> Option<GroundError> {
        let axis = |part: Part| self.ground.leaves[part.leaf].axis;
        let through = self.piece(a).jet(a.domain.hi).tangent() + self.piece(b).jet(b.domain.lo).tangent();
        let advances = |part: Part, e: Vector2<f64>| {
            self.piece(part).curve().enclosure_seen(part.domain, e).first[0].is_positive()
        };
        if [axis(a), axis(b), through].iter().any(|e| advances(a, *e) && advances(b, *e)) {
            return None;
        }
        let ((a1, a2), (b1, b2)) = (halves(a), halves(b));
        if depth > 60 {
            return Some(self.crossing(a2, b1));
        }
        self.apart(a1, b1)
            .or_else(|| self.apart(a1, b2))
            .or_else(|| self.apart(a2, b2))
            .or_else(|| self.neighbours(a2, b1, depth + 1))
    }

    /// Two parts with no common end, seen along the axis of the first.
    fn apart(&mut self, a: Part, b: Part) -> Option<GroundError> {
        let axis = self.piece(a).curve().axis();
        let mut pairs = vec![(a, b)];
        while let Some((a, b)) = pairs.pop() {
            let bounds = |part: Part| Box2::of_ground(self.piece(part).curve().seen_over(part.domain, axis));
            let (box_a, box_b) = (bounds(a), bounds(b));
            if !box_a.near(&box_b, 0.0) {
                continue;
            }
            let (size_a, size_b) = (box_a.size(), box_b.size());
            let grain = 32.0 * f64::EPSILON * (box_a.x.mignitude() + box_a.y.mignitude());
            self.budget = self.budget.saturating_sub(1);
            let [cut_a, cut_b] = [a, b].map(|Part { domain, .. }| {
                let middle = domain.middle();
                domain.lo < middle && middle < domain.hi
            });
            if !(cut_a || cut_b) {
                self.budget = 0;
            }
            if size_a.max(size_b) <= TOUCH.max(grain) || self.budget == 0 {
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

    fn piece(&self, part: Part) -> &Piece {
        &self.ground.pieces[self.ground.leaves[part.leaf].piece]
    }

    fn crossing(&self, a: Part, b: Part) -> GroundError {
        let passage = |part: Part| (self.ground.leaves[part.leaf].piece, part.domain.middle());
        let (first, second) = (passage(a), passage(b));
        let point = self.piece(a).curve().point_at(first.1);
        GroundError::Crossing { point, first, second, decided: self.budget > 0 }
    }
}

fn halves(part: Part) -> (Part, Part) {
    let (left, right) = part.domain.halves();
    (Part { domain: left, ..part }, Part { domain: right, ..part })
}
