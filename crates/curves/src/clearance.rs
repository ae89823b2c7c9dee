//! How far a ball may roll before it can touch the ground a second time.

use nalgebra::Vector2;

use crate::closest::Query;
use crate::{Ground, Interval, JointKind, Number, OffsetGround, Place};

/// Room around a ball in contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clearance {
    /// The centre may travel this far along its path, either way, before a second contact is possible, m.
    pub distance: f64,
    /// The nearest ground that could make one, m; `None` if there is none anywhere.
    pub other: Option<Vector2<f64>>,
}

/// A stretch of the ground from one point to another; pieces of a closed ground count on beyond the last.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stretch {
    from: (isize, f64),
    to: (isize, f64),
}

impl Stretch {
    /// What remains of `part` of a piece: before the stretch and after it.
    pub fn remainder(&self, piece: usize, part: Interval, pieces: usize) -> [Option<Interval>; 2] {
        let mut rest = [Some(part), None];
        // A closed ground is met once more a turn earlier and a turn later.
        for turn in [-1, 0, 1] {
            let at = piece as isize + turn * pieces as isize;
            if at < self.from.0 || at > self.to.0 {
                continue;
            }
            let cut = Interval::new(
                if at == self.from.0 { self.from.1 } else { f64::NEG_INFINITY },
                if at == self.to.0 { self.to.1 } else { f64::INFINITY },
            );
            let Some(whole) = rest[0] else { break };
            let before = Interval::new(whole.lo, whole.hi.min(cut.lo));
            let after = Interval::new(whole.lo.max(cut.hi), whole.hi);
            rest = [before, after].map(|r| (r.lo < r.hi).then_some(r));
            rest.sort_by_key(Option::is_none);
        }
        rest
    }
}

impl OffsetGround {
    /// Room around the ball at `place`.
    ///
    /// Next to the contact the ground is left out as far as it is a graph over the tangent with `κR < 1`: there
    /// `d(sin θ)/dx = κ < 1/R` keeps it below the circle that touches it (θ: slope angle). Everything beyond must
    /// stay outside, and the centre comes no closer to it than by the way it travels.
    pub fn clearance(&self, place: Place) -> Clearance {
        let free = Clearance { distance: f64::INFINITY, other: None };
        let whole = matches!(self.faces.as_slice(), [face] if face.bounds.is_some());
        if self.radius() == 0.0 || whole {
            return free;
        }
        let ground = self.ground();
        let frame = self.frame(place);
        let centre = frame.position;
        let own = match place {
            Place::Piece { index, parameter } => Stretch {
                from: self.grow(centre, index, parameter, frame.tangent, false),
                to: self.grow(centre, index, parameter, frame.tangent, true),
            },
            Place::Corner { joint, .. } => {
                // Both sides leave a corner they turn away from as they would leave a smooth contact.
                let start = |piece: usize| ground.pieces()[piece].domain().lo;
                let end = |piece: usize| ground.pieces()[piece].domain().hi;
                let tangent = |piece: usize, s: f64| ground.pieces()[piece].jet(s).tangent();
                let joint = ground.joints()[joint];
                let from = joint.before.map(|p| self.grow(centre, p, end(p), tangent(p, end(p)), false));
                let to = joint.after.map(|p| self.grow(centre, p, start(p), tangent(p, start(p)), true));
                match (from, to) {
                    (Some(from), Some(to)) => {
                        // Across the joint of a closed ground the pieces behind it count on.
                        let turn = if to.0 < from.0 { ground.pieces().len() as isize } else { 0 };
                        Stretch { from, to: (to.0 + turn, to.1) }
                    }
                    (Some(from), None) => {
                        Stretch { from, to: (from.0.max(joint.before.unwrap_or(0) as isize), f64::INFINITY) }
                    }
                    (None, Some(to)) => Stretch { from: (joint.after.unwrap_or(0) as isize, f64::NEG_INFINITY), to },
                    (None, None) => return free,
                }
            }
        };
        let mut query = Query::new(ground, centre).without(own);
        match query.search() {
            Some(closest) => Clearance {
                distance: ((closest.point - centre).norm() * (1.0 - query.slack()) - self.radius()).max(0.0),
                other: Some(closest.point),
            },
            None => free,
        }
    }

    /// Where the ground ceases, in one direction from `s`, to advance along `axis` with `κR < 1`; past a convex corner
    /// it may advance along the tangent there instead. Three radii away it does not matter any more.
    fn grow(&self, centre: Vector2<f64>, piece: usize, s: f64, axis: Vector2<f64>, forward: bool) -> (isize, f64) {
        let ground = self.ground();
        let pieces = ground.pieces();
        let first = piece as isize;
        let (mut at, mut s, mut axis) = (first, s, axis);
        loop {
            let piece = at.rem_euclid(pieces.len() as isize) as usize;
            let part = &pieces[piece];
            let end = if forward { part.domain().hi } else { part.domain().lo };
            let reached = self.grow_in_piece(piece, s, end, axis);
            let far = || (part.curve().point_at(reached) - centre).norm() > 3.0 * self.radius();
            if reached != end || !end.is_finite() || far() || (at - first).unsigned_abs() > pieces.len() {
                return (at, reached);
            }
            let joint = ground.joints()[if forward { ground.joint_after(piece) } else { piece }];
            let next = if forward { joint.after } else { joint.before };
            let (Some(next), JointKind::Smooth | JointKind::Convex) = (next, joint.kind) else {
                return (at, reached);
            };
            let there = &pieces[next];
            s = if forward { there.domain().lo } else { there.domain().hi };
            if joint.kind == JointKind::Convex {
                axis = there.jet(s).tangent();
            }
            at += if forward { 1 } else { -1 };
        }
    }

    fn grow_in_piece(&self, piece: usize, from: f64, end: f64, axis: Vector2<f64>) -> f64 {
        let part = &self.ground().pieces()[piece];
        let fits = |a: f64, b: f64| {
            let over = part.enclosure(Interval::between(a, b));
            let along = over.first[0].scale(axis.x) + over.first[1].scale(axis.y);
            let shrink = Interval::point(1.0) - over.curvature().scale(self.radius());
            along.is_positive() && shrink.is_positive()
        };
        if from == end || fits(from, end) {
            return end;
        }
        let mut at = from;
        let mut step = (end - from).abs().min(4.0 * self.radius() / part.jet(from).speed()).copysign(end - from);
        for _ in 0..64 {
            let next = if (end - at).abs() <= step.abs() { end } else { at + step };
            if fits(at, next) {
                at = next;
                if at == end {
                    break;
                }
                step *= 2.0;
            } else {
                step *= 0.5;
                if step.abs() <= 1e-6 * (at - from).abs() || at + step == at {
                    break;
                }
            }
        }
        at
    }
}

impl Query<'_> {
    /// Leaves a stretch of the ground out.
    pub(crate) fn without(mut self, own: Stretch) -> Self {
        self.left_out = Some(own);
        self
    }
}

impl Ground {
    /// What remains of a part of a piece without a stretch.
    pub(crate) fn remainder(&self, piece: usize, part: Interval, without: Option<Stretch>) -> [Option<Interval>; 2] {
        match without {
            None => [Some(part), None],
            Some(own) => own.remainder(piece, part, self.pieces().len()),
        }
    }
}
