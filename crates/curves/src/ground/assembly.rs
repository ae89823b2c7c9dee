//! Puts pieces together into the chains of a ground.

use super::{Chain, Crossing, Ground, Joint, JointKind, Leaf, Member, Passage, Piece, Tree};
use numbers::Interval;

/// A ground that is being put together, piece by piece.
#[derive(Default)]
pub(super) struct Assembly {
    pieces: Vec<Piece>,
    joints: Vec<Joint>,
    leaves: Vec<Leaf>,
    /// End of the leaves of each piece.
    last_leaf: Vec<usize>,
    chains: Vec<Chain>,
    chain_of: Vec<usize>,
    member_of: Vec<usize>,
    starts: Vec<f64>,
}

impl Assembly {
    /// The index that the next piece gets.
    pub fn next(&self) -> usize {
        self.pieces.len()
    }

    /// Adds a piece with the joint where it begins: of a curve, at `start` of its length, with its leaves.
    pub fn piece(
        &mut self,
        piece: Piece,
        joint: Joint,
        (member, start): (usize, f64),
        leaves: impl Iterator<Item = Leaf>,
    ) {
        let index = self.next();
        self.joints.push(joint);
        self.leaves.extend(leaves.map(|leaf| Leaf { piece: index, ..leaf }));
        self.last_leaf.push(self.leaves.len());
        self.chain_of.push(self.chains.len());
        self.member_of.push(member);
        self.starts.push(start);
        self.pieces.push(piece);
    }

    /// Ends a chain that began with the piece `first`: with a joint, or by closing it.
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

    /// The ground, of all chains that were ended.
    pub fn finish(self, members: Vec<Member>, crossings: Vec<Crossing>, passages: Vec<Passage>) -> Ground {
        let Assembly { pieces, joints, leaves, last_leaf, chains, chain_of, member_of, starts } = self;
        let tree = Tree::new(leaves.iter().map(|leaf| leaf.bounds));
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
            passages,
        }
    }
}

/// A joint, a leaf, a domain as they are for who travels the other way.
pub(super) trait Mirrored {
    fn mirrored(&self) -> Self;
}

impl Mirrored for Joint {
    fn mirrored(&self) -> Self {
        let kind = match self.kind {
            JointKind::Convex => JointKind::Concave,
            JointKind::Concave => JointKind::Convex,
            same => same,
        };
        Joint { kind, turn: -self.turn, before: self.after, after: self.before, ..*self }
    }
}

impl Mirrored for Leaf {
    fn mirrored(&self) -> Self {
        let Interval { lo, hi } = self.domain;
        Leaf { domain: Interval::new(-hi, -lo), axis: -self.axis, ..*self }
    }
}
