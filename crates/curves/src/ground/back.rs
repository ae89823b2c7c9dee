//! The other side of curves with an end, which is solid, too.
//!
//! The pieces of the back run the other way, from −hi to −lo; they are counted on behind all others, in the order of travel. Joints
//! of the back are counted on behind all others as well. An end is one joint of both sides. The tree knows the front alone: what is
//! closest is on the side where the point is that asks.

use std::ops::Range;

use super::assembly::Mirrored;
use super::{Chain, Ground, Joint, JointKind, Piece};

impl Ground {
    /// Whether each curve with an end has a back.
    pub(crate) fn has_all_backs(&self) -> bool {
        self.chains.iter().all(|chain| chain.back.is_some() || !self.has_end(chain))
    }

    /// Whether a curve of it has an end: a closed chain of several curves is made of such.
    fn has_end(&self, chain: &Chain) -> bool {
        let [first, last] = [chain.pieces.start, chain.pieces.end - 1];
        let [lo, hi] = [self.pieces[first].domain.lo, self.pieces[last].domain.hi];
        !(chain.closed && self.curve_of(first) == self.curve_of(last)) && (lo.is_finite() || hi.is_finite())
    }

    /// Adds a back to each curve that has an end.
    pub(crate) fn with_backs(self) -> Ground {
        let mut all = self.without_backs();
        for number in 0..all.chains.len() {
            if !all.has_end(&all.chains[number]) {
                continue;
            }
            let range = all.chains[number].pieces.clone();
            all.chains[number].back = Some(all.pieces.len());
            for piece in range.rev() {
                all.pieces.push(all.pieces[piece].reversed());
                all.chain_of.push(number);
                all.member_of.push(all.member_of[piece]);
            }
        }
        all
    }

    /// Removes the backs of all curves.
    pub(super) fn without_backs(mut self) -> Ground {
        self.pieces.truncate(self.fronts);
        self.chain_of.truncate(self.fronts);
        self.member_of.truncate(self.fronts);
        self.chains.iter_mut().for_each(|chain| chain.back = None);
        self
    }

    /// A piece of either side, as [`Closest`](crate::Closest) and [`Place`](crate::Place) count them: those of the back of curves
    /// with an end come after [`Ground::pieces`], run the other way and have the opposite parameter.
    #[inline(always)]
    pub fn piece(&self, index: usize) -> &Piece {
        &self.pieces[index]
    }

    /// The piece on the other side of its curve, where the parameter is the opposite one; `None`: that side is not solid.
    #[inline]
    pub(crate) fn other_side(&self, piece: usize) -> Option<usize> {
        let chain = self.chain(piece);
        let (back, last) = (chain.back?, chain.pieces.end - 1);
        Some(if piece < self.fronts { back + (last - piece) } else { last - (piece - back) })
    }

    /// Whether a piece is of the back of a curve.
    #[inline(always)]
    pub(crate) fn is_back(&self, piece: usize) -> bool {
        piece >= self.fronts
    }

    /// The piece of the front, and the parameter there.
    pub(crate) fn front(&self, piece: usize, parameter: f64) -> (usize, f64) {
        match self.other_side(piece) {
            Some(front) if self.is_back(piece) => (front, -parameter),
            _ => (piece, parameter),
        }
    }

    /// All pieces of the side of the curve that a piece is of, in the order of travel.
    pub(crate) fn side_of(&self, piece: usize) -> Range<usize> {
        let chain = self.chain(piece);
        match chain.back {
            Some(back) if self.is_back(piece) => back..back + chain.pieces.len(),
            _ => chain.pieces.clone(),
        }
    }

    /// Whether pieces are of one side of one curve.
    pub fn is_same_side(&self, one: usize, other: usize) -> bool {
        self.side_of(one).contains(&other)
    }

    /// A joint of either side, as [`Spot`](super::Spot) and [`Place`](crate::Place) count them: those of the back come after
    /// [`Ground::joints`]; at the ends of a curve that has one the other side comes next.
    #[inline]
    pub fn joint(&self, index: usize) -> Joint {
        let Some(front) = index.checked_sub(self.joints.len()) else {
            let joint = self.joints[index];
            return if joint.kind == JointKind::End { self.around_end(joint) } else { joint };
        };
        let Joint { before, after, .. } = self.joints[front];
        let other = |piece: Option<usize>| piece.and_then(|piece| self.other_side(piece));
        Joint { before: other(before), after: other(after), ..self.joints[front] }.mirrored()
    }

    fn around_end(&self, joint: Joint) -> Joint {
        let other = |piece: Option<usize>| piece.and_then(|piece| self.other_side(piece));
        let Joint { before, after, .. } = joint;
        Joint { before: before.or_else(|| other(after)), after: after.or_else(|| other(before)), ..joint }
    }

    /// The joint of the other side where one of the front is.
    pub(super) fn joint_behind(&self, joint: usize) -> usize {
        if self.joints[joint].kind == JointKind::End { joint } else { joint + self.joints.len() }
    }

    /// The number of the joint among those of the front.
    pub(crate) fn front_joint(&self, joint: usize) -> usize {
        joint.checked_sub(self.joints.len()).unwrap_or(joint)
    }
}
