//! The ground: chains of smooth pieces, checked once, then only asked.

mod above;
mod along;
mod assembly;
mod back;
mod build;
mod chain;
mod crossing;
mod curves;
mod error;
mod layers;
mod overlap;
mod piece;
mod tree;

use nalgebra::Vector2;

pub use above::Upright;
pub use along::Along;
pub(crate) use chain::around;
use chain::{Chain, Member};
pub use error::GroundError;
pub(crate) use layers::Passage;
pub use layers::{Crossing, Touched};
pub use piece::{OwnProfile, Piece};
pub(crate) use tree::{Box2, Run, Tree, Verdict, search};

use crate::arc_length;
use numbers::Interval;

/// Kind of the joint of two pieces, or of a piece and nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointKind {
    /// The tangent goes through (to 1e-6 rad); curvature may jump.
    Smooth,
    /// Turns away from the free side: the ball pivots on the corner.
    Convex,
    /// Turns towards the free side: the ball touches both sides before it reaches the corner.
    Concave,
    /// The ground ends here: a point obstacle.
    End,
    /// The ground goes on for ever.
    Infinite,
}

/// A point where pieces meet or the ground ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Joint {
    /// Kind of the joint.
    pub kind: JointKind,
    /// The place, m (not finite if [`JointKind::Infinite`]).
    pub point: Vector2<f64>,
    /// Angle from the incoming to the outgoing tangent, rad in (−π, π]; 0 at an end.
    pub turn: f64,
    /// Piece that ends here.
    pub before: Option<usize>,
    /// Piece that begins here.
    pub after: Option<usize>,
}

/// A point of the ground. Where pieces meet it is the joint, however many of them are there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Spot {
    /// Inside a piece.
    Piece {
        /// Index into [`Ground::pieces`].
        index: usize,
        /// The piece's parameter.
        parameter: f64,
    },
    /// A joint, where pieces meet or the ground ends: an index into [`Ground::joints`].
    Joint(usize),
}

/// Meaning of `s` in outputs (book, `reference/output.md`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parametrisation {
    /// The parameter the curve is written in, running on through all pieces.
    Own,
    /// Arc length in metres from the first point.
    ArcLength,
}

/// A part of a piece that is a graph over its own axis.
#[derive(Clone, Debug)]
pub(crate) struct Leaf {
    pub piece: usize,
    pub domain: Interval,
    /// Unit vector with `axis·c′ > 0` throughout.
    pub axis: Vector2<f64>,
    /// Box of the curve itself.
    pub bounds: Box2,
}

/// Plane curves of smooth pieces, each from its first point to its last with the free side to the left.
///
/// Building one proves what everything else relies on: the formula is defined, moves at every parameter, and never
/// touches itself; pieces meet end to end. A curve with an end is solid from both sides. [`Ground::of_curves`] puts several into one ground, which may cross each other.
#[derive(Clone, Debug)]
pub struct Ground {
    /// Pieces of the front of all curves, then of the back of curves that have one.
    pub(crate) pieces: Vec<Piece>,
    /// Number of pieces of the front.
    fronts: usize,
    pub(crate) joints: Vec<Joint>,
    pub(crate) leaves: Vec<Leaf>,
    /// Index of the first leaf of each piece, and the number of leaves at the end.
    pub(crate) first_leaf: Vec<usize>,
    pub(crate) tree: Tree,
    /// Chains in the order of their pieces, which is one in space.
    pub(crate) chains: Vec<Chain>,
    /// The chain of each piece.
    chain_of: Vec<usize>,
    /// The curves, in the order in which they were put in.
    members: Vec<Member>,
    /// The curve of each piece.
    member_of: Vec<usize>,
    /// `s` where each piece begins as its curve runs, for [`Parametrisation::ArcLength`]; else 0.
    starts: Vec<f64>,
    /// Crossings of curves with themselves, in the order of their first passage.
    crossings: Vec<Crossing>,
    /// Crossings for a ball of a ground whose pieces are cut there, in the order of gates.
    passages: Vec<Passage>,
}

impl Ground {
    /// Ends of pieces that are to meet may be this far apart, m, or as far as rounding puts them.
    pub const JOINT_TOLERANCE: f64 = Piece::JOINT_TOLERANCE;
    /// A turn smaller than this (rad) is smooth.
    pub const SMOOTH_TURN: f64 = 1e-6;

    /// The pieces in order, those of one curve after those of another.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces[..self.fronts]
    }
    /// Joints where pieces begin and end: those of one curve in order; one that is open has one more than pieces.
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }
    /// Whether the last point is the first; of several curves, whether all are closed.
    pub fn is_closed(&self) -> bool {
        (0..self.curves()).all(|curve| self.is_closed_curve(curve))
    }
    /// `s` as outputs show it, of parameter `u` of piece `piece`.
    pub fn shown_parameter(&self, piece: usize, u: f64) -> f64 {
        let (piece, u) = self.front(piece, u);
        let Member { parametrisation, reversed, .. } = self.members[self.member_of[piece]];
        match parametrisation {
            Parametrisation::Own => {
                if reversed {
                    -u
                } else {
                    u
                }
            }
            Parametrisation::ArcLength => {
                let part = &self.pieces[piece];
                let [from, to] = if reversed { [u, part.domain.hi] } else { [part.domain.lo, u] };
                self.starts[piece] + arc_length(part.curve(), from, to)
            }
        }
    }

    /// The piece, of the front, of which a joint is shown as an end, and whether as its last: the later of two of one curve, the
    /// earlier of two of different ones.
    fn shown_end(&self, joint: usize) -> Option<(usize, bool)> {
        let Joint { before, after, .. } = self.joints[self.front_joint(joint)];
        let other = |piece: &usize| before.is_some_and(|before| self.curve_of(before) != self.curve_of(*piece));
        let after = after.filter(|piece| !other(piece)).map(|piece| (piece, false));
        after.or(before.map(|piece| (piece, true)))
    }

    /// `s` of a joint, as outputs show it.
    pub fn shown_joint(&self, joint: usize) -> f64 {
        let end = self.shown_end(joint);
        end.map_or(f64::NAN, |(piece, last)| self.shown_parameter(piece, self.pieces[piece].end(last)))
    }

    /// `s` of a spot, as outputs show it.
    pub fn shown_spot(&self, spot: Spot) -> f64 {
        match spot {
            Spot::Piece { index, parameter } => self.shown_parameter(index, parameter),
            Spot::Joint(joint) => self.shown_joint(joint),
        }
    }

    /// The spot at a parameter of a piece: at its ends a joint.
    pub fn spot(&self, piece: usize, parameter: f64) -> Spot {
        let Interval { lo, hi } = self.pieces[piece].domain;
        if parameter == lo {
            Spot::Joint(self.joint_before(piece))
        } else if parameter == hi {
            Spot::Joint(self.joint_after(piece))
        } else {
            Spot::Piece { index: piece, parameter }
        }
    }

    /// Point of a spot, m.
    pub fn point(&self, spot: Spot) -> Vector2<f64> {
        match spot {
            Spot::Piece { index, parameter } => self.pieces[index].curve().point_at(parameter),
            Spot::Joint(joint) => self.joint(joint).point,
        }
    }

    /// Length in metres; infinite for an unbounded graph.
    pub fn length(&self) -> f64 {
        (0..self.curves()).map(|curve| self.length_of(curve)).sum()
    }
}
