//! Assembly of pieces into chains of a ground; and backs, the solid other sides of curves with an end.
//!
//! The pieces of backs run the other way, from −hi to −lo, and have indices beyond those of all fronts, in the order of
//! travel; so have their joints. An end is one joint of both sides. The tree of boxes has fronts only: a closest point
//! is assigned to the side on which the query point is.

use super::box_tree::BoxTree;
use super::parametrisation::{Chain, Crossing, CutCrossing, Ground, GroundCurve, Joint, Leaf};
use super::piece::Piece;

/// A ground under construction.
#[derive(Default)]
pub(crate) struct Assembly {
    pieces: Vec<Piece>,
    joints: Vec<Joint>,
    leaves: Vec<Leaf>,
    /// End of the leaf indices of each piece.
    last_leaf: Vec<usize>,
    chains: Vec<Chain>,
    chain_of: Vec<usize>,
    member_of: Vec<usize>,
    starts: Vec<f64>,
}

impl Assembly {
    /// Index of the next piece.
    pub fn next(&self) -> usize {
        self.pieces.len()
    }

    /// Adds a piece, the joint where it begins, and its leaves; its curve is `member`, and it begins at length `start`
    /// of that.
    pub fn piece(&mut self, piece: Piece, joint: Joint, member: usize, start: f64, leaves: impl Iterator<Item = Leaf>) {
        let index = self.next();
        self.joints.push(joint);
        self.leaves.extend(leaves.map(|leaf| Leaf { piece: index, ..leaf }));
        self.last_leaf.push(self.leaves.len());
        self.chain_of.push(self.chains.len());
        self.member_of.push(member);
        self.starts.push(start);
        self.pieces.push(piece);
    }

    /// Ends a chain whose first piece is `first`, with a joint or by closing it.
    pub fn end(&mut self, first: usize, joint: Option<Joint>) {
        let (end, closed) = (self.next(), joint.is_none());
        self.joints.extend(joint);
        let begun = self.joints.len() - (end - first) - usize::from(!closed);
        for (i, at) in self.joints[begun..].iter_mut().enumerate() {
            at.before = if i > 0 { Some(first + i - 1) } else { closed.then_some(end - 1) };
            at.after = (first + i < end).then_some(first + i);
        }
        self.chains.push(Chain { pieces: first..end, back: None, joint: begun, closed });
    }

    /// Finishes the ground; all chains must be ended.
    pub fn finish(
        self,
        members: Vec<GroundCurve>,
        crossings: Vec<Crossing>,
        cut_crossings: Vec<CutCrossing>,
    ) -> Ground {
        let Assembly { pieces, joints, leaves, last_leaf, chains, chain_of, member_of, starts } = self;
        let tree = BoxTree::new(leaves.iter().map(|leaf| leaf.bounds));
        let first_leaf = std::iter::once(0).chain(last_leaf).collect();
        let fronts = pieces.len();
        Ground {
            pieces,
            fronts,
            joints,
            leaves,
            first_leaf,
            tree,
            chains,
            chain_of,
            members,
            member_of,
            starts,
            crossings,
            cut_crossings,
            crowd: None,
        }
    }
}

impl Ground {
    /// Whether all curves with an end have a back.
    pub(crate) fn has_all_backs(&self) -> bool {
        self.chains.iter().all(|chain| chain.back.is_some() || !self.has_end(chain))
    }

    /// Whether a curve of the chain has an end; in a closed chain of several curves each has two.
    pub(crate) fn has_end(&self, chain: &Chain) -> bool {
        let [first, last] = [chain.pieces.start, chain.pieces.end - 1];
        let [lo, hi] = [self.pieces[first].domain.lo, self.pieces[last].domain.hi];
        !(chain.closed && self.curve_of(first) == self.curve_of(last)) && (lo.is_finite() || hi.is_finite())
    }

    /// Returns the ground with a back for each curve that has an end.
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

    /// Returns the ground without backs.
    pub(crate) fn without_backs(mut self) -> Ground {
        self.pieces.truncate(self.fronts);
        self.chain_of.truncate(self.fronts);
        self.member_of.truncate(self.fronts);
        self.chains.iter_mut().for_each(|chain| chain.back = None);
        self
    }
}
