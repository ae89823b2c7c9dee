//! Proof that a curve never meets itself.

use nalgebra::Vector2;

use super::tree::Run;
use super::{Box2, Ground, GroundError, Piece};
use crate::{Interval, Number};

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
    /// A leaf is a graph, so it can't meet itself; a run can only if its halves meet.
    fn within(&mut self, run: Run) -> Option<GroundError> {
        if run.leaf().is_some() {
            return None;
        }
        let (left, right) = run.halves();
        self.within(left).or_else(|| self.within(right)).or_else(|| self.between(left, right))
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
            let over = self.piece(part).enclosure(part.domain);
            (over.first[0].scale(e.x) + over.first[1].scale(e.y)).is_positive()
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

    /// Two parts with no common end.
    fn apart(&mut self, a: Part, b: Part) -> Option<GroundError> {
        let bounds = |part: Part| Box2::new(self.piece(part).enclosure(part.domain).point);
        let (box_a, box_b) = (bounds(a), bounds(b));
        if !box_a.near(&box_b, 0.0) {
            return None;
        }
        let (size_a, size_b) = (box_a.size(), box_b.size());
        let grain = 32.0 * f64::EPSILON * (box_a.x.mignitude() + box_a.y.mignitude());
        self.budget = self.budget.saturating_sub(1);
        if size_a.max(size_b) <= TOUCH.max(grain) || self.budget == 0 {
            return Some(self.crossing(a, b));
        }
        if size_a >= size_b {
            let (left, right) = halves(a);
            self.apart(left, b).or_else(|| self.apart(right, b))
        } else {
            let (left, right) = halves(b);
            self.apart(a, left).or_else(|| self.apart(a, right))
        }
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
