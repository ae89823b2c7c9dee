//! [`Ground`]: chains of pieces, joints and curves; checked once when built, then only queried.

use std::ops::Range;

use nalgebra::Vector2;
use numbers::Interval;

use super::box_tree::{Box2, BoxTree};
use super::piece::Piece;
use super::place::Place;
use crate::curve::length::parameter_at_length;
use crate::{Crowded, arc_length};

/// Kind of a joint between two pieces, or at an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointKind {
    /// The tangent is continuous (to 1e-6 rad); curvature may jump.
    Smooth,
    /// Turns away from the free side: the ball pivots on the corner.
    Convex,
    /// Turns towards the free side: the ball touches both sides before it reaches the corner.
    Concave,
    /// The ground ends: a point obstacle.
    End,
    /// The ground continues to infinity.
    Infinite,
}

/// A point where pieces meet or the ground ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Joint {
    /// Kind of the joint.
    pub kind: JointKind,
    /// Place, m (not finite for [`JointKind::Infinite`]).
    pub point: Vector2<f64>,
    /// Angle from the incoming to the outgoing tangent, rad from −π (at a tip) to less than π; 0 at an end.
    pub turn: f64,
    /// Piece that ends here.
    pub before: Option<usize>,
    /// Piece that begins here.
    pub after: Option<usize>,
}

/// A point of the ground. Where pieces meet it is the joint.
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
    /// The curve's own parameter, continued through all pieces.
    Own,
    /// Arc length in metres from the first point.
    ArcLength,
}

/// A part of a piece that is a graph over its axis.
#[derive(Clone, Debug)]
pub(crate) struct Leaf {
    pub piece: usize,
    pub domain: Interval,
    /// Unit vector with `axis·c′ > 0` throughout.
    pub axis: Vector2<f64>,
    /// Box of the curve itself.
    pub bounds: Box2,
}

/// Pieces that meet end to end: of one curve, or of several curves each of which begins where another ends.
#[derive(Clone, Debug)]
pub(crate) struct Chain {
    /// Pieces of the chain's front.
    pub pieces: Range<usize>,
    /// First piece of its back, if that is solid.
    pub back: Option<usize>,
    /// First joint of the chain: where its first piece begins.
    pub joint: usize,
    pub closed: bool,
}

/// One of the curves of a ground.
#[derive(Clone, Debug)]
pub(crate) struct GroundCurve {
    /// Pieces of the curve's front.
    pub pieces: Range<usize>,
    pub parametrisation: Parametrisation,
    /// Whether its pieces run against the curve, with negated parameter.
    pub reversed: bool,
}

/// The piece of a closed curve's `side` for an index that may be counted on beyond the last piece, or before the first.
pub(crate) fn around(side: &Range<usize>, at: isize) -> usize {
    let first = side.start as isize;
    (first + (at - first).rem_euclid(side.len() as isize)) as usize
}

/// A place on a piece: its index, and the piece's parameter.
pub(crate) type At = (usize, f64);

/// A place where a curve crosses itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// Point of the crossing, m.
    pub point: Vector2<f64>,
    /// Piece and parameter of both passages, in the order of travel.
    pub passages: [(usize, f64); 2],
    /// Piece and parameter of the gate, a place between the passages (`loops/solid_strands.rs`).
    pub gate: (usize, f64),
    /// Length along the ground from the crossing over which a strand is left out, m. `None`: as far as a ball that
    /// touches the other strand comes nearer than its radius plus 1 % of the way between the passages.
    pub reach: Option<f64>,
}

/// A crossing in a ground whose pieces are cut at the ends of strands that are left out.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CutCrossing {
    /// The first piece behind the gate.
    pub gate: usize,
    /// Pieces of the strand at the first passage, left out behind the gate, and at the second, left out before it.
    pub strands: [Range<usize>; 2],
}

/// Plane curves of smooth pieces, each from its first point to its last with the free side to the left.
///
/// Building one proves what all queries rely on: the formula is defined, its speed is never 0, and the curve does not
/// touch itself; pieces meet end to end. A curve with an end is solid from both sides. [`Ground::of_curves`] combines
/// several, which may cross each other.
#[derive(Clone, Debug)]
pub struct Ground {
    /// Pieces of all fronts, then those of all backs.
    pub(crate) pieces: Vec<Piece>,
    /// Number of pieces of fronts.
    pub(crate) fronts: usize,
    pub(crate) joints: Vec<Joint>,
    pub(crate) leaves: Vec<Leaf>,
    /// Index of the first leaf of each piece, and finally the number of leaves.
    pub(crate) first_leaf: Vec<usize>,
    pub(crate) tree: BoxTree,
    /// Chains in the order of their pieces; of several grounds, near ones follow each other.
    pub(crate) chains: Vec<Chain>,
    /// The chain of each piece.
    pub(crate) chain_of: Vec<usize>,
    /// The curves, in the order in which they were put in.
    pub(crate) members: Vec<GroundCurve>,
    /// The curve of each piece.
    pub(crate) member_of: Vec<usize>,
    /// `s` where each piece begins along its curve as given (a reversed one at its `hi`), for
    /// [`Parametrisation::ArcLength`]; else 0.
    pub(crate) starts: Vec<f64>,
    /// Self-crossings of curves, in the order of their first passage.
    pub(crate) crossings: Vec<Crossing>,
    /// Crossings of a ground cut for a ball, in the order of gates.
    pub(crate) cut_crossings: Vec<CutCrossing>,
    /// Where so many ends of curves meet that some may not be joined.
    pub(crate) crowd: Option<Crowded>,
}

impl Ground {
    /// Largest distance of ends of pieces that meet, m; rounding may allow more.
    pub const JOINT_TOLERANCE: f64 = Piece::JOINT_TOLERANCE;
    /// Largest turn (rad) of a smooth joint.
    pub const SMOOTH_TURN: f64 = Piece::SMOOTH_TURN;

    /// The pieces of fronts, in order, curve by curve.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces[..self.fronts]
    }
    /// Number of parts, each a graph over an axis, into which the pieces are cut; memory and time grow with it.
    pub fn leaf_count(&self) -> usize {
        self.leaves.len()
    }
    /// Joints at both ends of pieces, in order, curve by curve; an open curve has one joint more than pieces.
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }
    /// Whether the last point is the first; with several curves, whether all are closed.
    pub fn is_closed(&self) -> bool {
        (0..self.curves()).all(|curve| self.is_closed_curve(curve))
    }
    /// `s` in outputs of parameter `u` of piece `piece`.
    pub fn shown_parameter(&self, piece: usize, u: f64) -> f64 {
        let (piece, u) = self.front(piece, u);
        let GroundCurve { parametrisation, reversed, .. } = self.members[self.member_of[piece]];
        match parametrisation {
            Parametrisation::Own if reversed => -u,
            Parametrisation::Own => u,
            Parametrisation::ArcLength => {
                let part = &self.pieces[piece];
                let [from, to] = if reversed { [u, part.domain.hi] } else { [part.domain.lo, u] };
                self.starts[piece] + arc_length(part.curve(), from, to)
            }
        }
    }

    /// The piece at a joint whose end gives the joint's `s` in outputs, and whether that is the piece's last end. Where
    /// two pieces of one curve meet it is the later one; where two curves meet, the earlier.
    fn shown_end(&self, joint: usize) -> Option<(usize, bool)> {
        let Joint { before, after, .. } = self.joints[self.front_joint(joint)];
        let other = |piece: &usize| before.is_some_and(|before| self.curve_of(before) != self.curve_of(*piece));
        let after = after.filter(|piece| !other(piece)).map(|piece| (piece, false));
        after.or(before.map(|piece| (piece, true)))
    }

    /// `s` of a joint in outputs.
    pub fn shown_joint(&self, joint: usize) -> f64 {
        let end = self.shown_end(joint);
        end.map_or(f64::NAN, |(piece, last)| self.shown_parameter(piece, self.pieces[piece].end(last)))
    }

    /// `s` of a spot in outputs.
    pub fn shown_spot(&self, spot: Spot) -> f64 {
        match spot {
            Spot::Piece { index, parameter } => self.shown_parameter(index, parameter),
            Spot::Joint(joint) => self.shown_joint(joint),
        }
    }

    /// The spot at a parameter of a piece; at its ends a joint.
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

    /// Number of curves.
    pub fn curves(&self) -> usize {
        self.members.len()
    }

    pub(crate) fn chain(&self, piece: usize) -> &Chain {
        &self.chains[self.chain_of[piece]]
    }

    /// Index of the curve of a piece, from 0 in the order in which curves were given.
    pub fn curve_of(&self, piece: usize) -> usize {
        self.member_of[piece]
    }

    /// Index of the curve of a spot, from 0.
    pub fn curve_at(&self, spot: Spot) -> usize {
        let piece = match spot {
            Spot::Piece { index, .. } => Some(index),
            Spot::Joint(joint) => self.shown_end(joint).map(|(piece, _)| piece),
        };
        piece.map_or(0, |piece| self.curve_of(piece))
    }

    /// The piece of a place; for a corner the one before it, or after it if there is none before.
    pub(crate) fn piece_at(&self, place: Place) -> Option<usize> {
        match place {
            Place::Piece { index, .. } => Some(index),
            Place::Corner { joint, .. } => self.joint(joint).before.or(self.joint(joint).after),
        }
    }

    /// The pieces of a curve; empty if there is no such curve.
    pub fn pieces_of(&self, curve: usize) -> Range<usize> {
        self.members.get(curve).map_or(0..0, |member| member.pieces.clone())
    }

    /// Whether the last point of a curve is its first.
    pub fn is_closed_curve(&self, curve: usize) -> bool {
        self.members.get(curve).is_some_and(|member| {
            let chain = self.chain(member.pieces.start);
            chain.closed && chain.pieces == member.pieces
        })
    }

    /// Whether the free side of a closed curve is its inside, so that it runs counter-clockwise; `None` for a curve
    /// with ends.
    pub fn is_free_inside(&self, curve: usize) -> Option<bool> {
        // Number of chords of a piece, taken as enough for the sign of the area.
        const CHORDS: u32 = 16;
        if !self.is_closed_curve(curve) {
            return None;
        }
        let pieces = &self.pieces[self.pieces_of(curve)];
        let from = pieces[0].curve().point_at(pieces[0].domain.lo);
        let (mut before, mut area) = (Vector2::zeros(), 0.0);
        for piece in pieces {
            for i in 0..CHORDS {
                let s = piece.domain.lo + piece.domain.width() * f64::from(i) / f64::from(CHORDS);
                let away = piece.curve().point_at(s) - from;
                area += before.perp(&away);
                before = away;
            }
        }
        Some(area > 0.0)
    }

    /// Meaning of `s` on a curve.
    pub fn parametrisation(&self, curve: usize) -> Parametrisation {
        self.members.get(curve).map_or(Parametrisation::Own, |member| member.parametrisation)
    }

    /// The joint where piece `piece` begins.
    pub fn joint_before(&self, piece: usize) -> usize {
        self.joint_ahead(piece, false)
    }

    /// The joint where piece `piece` ends.
    pub fn joint_after(&self, piece: usize) -> usize {
        self.joint_ahead(piece, true)
    }

    /// The joint where piece `piece` ends in the direction of travel (`forward`) or against it.
    pub(crate) fn joint_ahead(&self, piece: usize, forward: bool) -> usize {
        if self.is_back(piece) {
            return self.other_side(piece).map_or(0, |front| self.joint_behind(self.joint_ahead(front, !forward)));
        }
        let chain = self.chain(piece);
        let closes = forward && chain.closed && piece + 1 == chain.pieces.end;
        if closes { chain.joint } else { chain.joint + piece + usize::from(forward) - chain.pieces.start }
    }

    /// The spot at `s` in outputs of a curve; `None` outside it.
    pub fn locate(&self, curve: usize, s: f64) -> Option<Spot> {
        let GroundCurve { pieces, parametrisation, reversed } = self.members.get(curve)?.clone();
        let own = if reversed { -s } else { s };
        match parametrisation {
            Parametrisation::Own => {
                let piece = pieces.into_iter().find(|piece| self.pieces[*piece].domain.contains(own))?;
                Some(self.spot(piece, own))
            }
            Parametrisation::ArcLength => {
                let starts = &self.starts[pieces.clone()];
                let piece = match reversed {
                    false => pieces.start + starts.partition_point(|start| *start <= s).checked_sub(1)?,
                    true => pieces.start + starts.partition_point(|start| *start > s),
                };
                let part = self.pieces.get(piece).filter(|_| pieces.contains(&piece))?;
                let along = s - self.starts[piece];
                let Interval { lo, hi } = part.domain;
                let total = arc_length(part.curve(), lo, hi);
                // Rounding of a sum of lengths.
                if (along - total).abs() <= 1e-12 * s {
                    return Some(Spot::Joint(self.joint_ahead(piece, !reversed)));
                }
                let from_lo = if reversed { total - along } else { along };
                let parameter = parameter_at_length(part.curve(), part.domain, lo, from_lo);
                (along < total).then(|| self.spot(piece, if along == 0.0 { part.end(reversed) } else { parameter }))
            }
        }
    }

    /// Length of a curve in metres; infinite for an unbounded graph.
    pub fn length_of(&self, curve: usize) -> f64 {
        let whole = |piece: usize| {
            let part = &self.pieces[piece];
            let bounded = part.domain.is_bounded();
            if bounded { arc_length(part.curve(), part.domain.lo, part.domain.hi) } else { f64::INFINITY }
        };
        let Some(GroundCurve { pieces, parametrisation, reversed }) = self.members.get(curve) else { return 0.0 };
        match parametrisation {
            Parametrisation::ArcLength => {
                let last = if *reversed { pieces.start } else { pieces.end - 1 };
                self.starts[last] + whole(last)
            }
            Parametrisation::Own => pieces.clone().map(whole).sum(),
        }
    }

    /// A piece of either side, as indexed in [`Closest`](crate::Closest) and [`Place`]: those of backs come after
    /// [`Ground::pieces`], run the other way, and have negated parameters.
    #[inline(always)]
    pub fn piece(&self, index: usize) -> &Piece {
        &self.pieces[index]
    }

    /// The piece on the other side of the curve, whose parameter is negated; `None`: that side is not solid.
    #[inline]
    pub(crate) fn other_side(&self, piece: usize) -> Option<usize> {
        let chain = self.chain(piece);
        let (back, last) = (chain.back?, chain.pieces.end - 1);
        Some(if piece < self.fronts { back + (last - piece) } else { last - (piece - back) })
    }

    /// Whether a piece belongs to a back.
    #[inline(always)]
    pub(crate) fn is_back(&self, piece: usize) -> bool {
        piece >= self.fronts
    }

    /// The piece of the front that a piece lies on, and the parameter there.
    pub(crate) fn front(&self, piece: usize, parameter: f64) -> (usize, f64) {
        match self.other_side(piece) {
            Some(front) if self.is_back(piece) => (front, -parameter),
            _ => (piece, parameter),
        }
    }

    /// All pieces on the side of the chain that a piece belongs to, in the order of travel.
    pub(crate) fn side_of(&self, piece: usize) -> Range<usize> {
        let chain = self.chain(piece);
        match chain.back {
            Some(back) if self.is_back(piece) => back..back + chain.pieces.len(),
            _ => chain.pieces.clone(),
        }
    }

    /// Whether two pieces belong to the same side of one curve, or of curves that are joined end to end.
    pub fn is_same_side(&self, one: usize, other: usize) -> bool {
        self.side_of(one).contains(&other)
    }

    /// A joint of either side, as indexed in [`Spot`] and [`Place`]: those of backs come after [`Ground::joints`]. At
    /// an end of a curve with a back, the next piece is that of the other side.
    #[inline]
    pub fn joint(&self, index: usize) -> Joint {
        let joint @ Joint { kind, before, after, .. } = self.joints[self.front_joint(index)];
        let other = |piece: Option<usize>| piece.and_then(|piece| self.other_side(piece));
        match kind {
            _ if index >= self.joints.len() => Joint { before: other(before), after: other(after), ..joint }.mirrored(),
            JointKind::End => {
                Joint { before: before.or_else(|| other(after)), after: after.or_else(|| other(before)), ..joint }
            }
            _ => joint,
        }
    }

    /// The joint of the back at a joint of the front.
    pub(crate) fn joint_behind(&self, joint: usize) -> usize {
        if self.joints[joint].kind == JointKind::End { joint } else { joint + self.joints.len() }
    }

    /// The joint of the front at a joint of either side.
    pub(crate) fn front_joint(&self, joint: usize) -> usize {
        joint.checked_sub(self.joints.len()).unwrap_or(joint)
    }

    /// Self-crossings of curves.
    pub fn crossings(&self) -> &[Crossing] {
        &self.crossings
    }

    /// Number of distinct last touches of each self-crossing chain: none, or a place before, between or behind its
    /// gates. Their product, the number of values of [`Touched::strands`](crate::Touched::strands), must be below 2⁶⁴.
    pub fn strand_counts(&self) -> impl Iterator<Item = u64> {
        let curve = |crossing: &Crossing| self.chain_of[crossing.passages[0].0];
        self.crossings.chunk_by(move |one, other| curve(one) == curve(other)).map(|own| own.len() as u64 + 2)
    }

    /// Piece and parameter where a piece of the front ends at a joint, and where one begins there.
    pub(crate) fn ends_at(&self, joint: usize) -> [Option<At>; 2] {
        let Joint { before, after, .. } = self.joints[joint];
        let end = |piece: Option<usize>, last: bool| piece.map(|piece| (piece, self.pieces[piece].end(last)));
        [end(before, true), end(after, false)]
    }

    /// Piece and parameter of a spot; for a joint those of the piece that begins there, else that ends there.
    pub(crate) fn at(&self, spot: Spot) -> At {
        match spot {
            Spot::Piece { index, parameter } => (index, parameter),
            Spot::Joint(joint) => {
                let [before, after] = self.ends_at(self.front_joint(joint));
                after.or(before).unwrap_or((0, f64::NAN))
            }
        }
    }

    /// Length between a place and a later one of the same chain, m.
    pub(crate) fn way_between(&self, from: At, to: At) -> f64 {
        let part = |piece: usize, lo: f64, hi: f64| arc_length(self.pieces[piece].curve(), lo, hi);
        if from.0 == to.0 {
            return part(from.0, from.1, to.1);
        }
        let whole =
            (from.0 + 1..to.0).map(|piece| part(piece, self.pieces[piece].domain.lo, self.pieces[piece].domain.hi));
        part(from.0, from.1, self.pieces[from.0].domain.hi)
            + whole.sum::<f64>()
            + part(to.0, self.pieces[to.0].domain.lo, to.1)
    }

    /// The place `way` m further along the chain (negative: back), at most at its end.
    pub(crate) fn further(&self, (mut piece, mut s): At, mut way: f64) -> At {
        let pieces = self.chain(piece).pieces.clone();
        let forward = way >= 0.0;
        loop {
            let part = &self.pieces[piece];
            let end = part.end(forward);
            let reached = part.domain.clamp(parameter_at_length(part.curve(), part.domain, s, way));
            // At the end of the piece the way may lead on, and the place was clamped.
            if reached != end {
                return (piece, reached);
            }
            let left = arc_length(part.curve(), s, end);
            if way.abs() <= left.abs() {
                return (piece, end);
            }
            let next = if forward { piece + 1 } else { piece.wrapping_sub(1) };
            if !pieces.contains(&next) {
                return (piece, end);
            }
            way -= left;
            (piece, s) = (next, self.pieces[next].end(!forward));
        }
    }

    /// Parts of `part` of a piece that are outside a stretch.
    pub(crate) fn remainder(
        &self,
        piece: usize,
        part: Interval,
        without: Option<CurveStretch>,
    ) -> [Option<Interval>; 2] {
        let Some(own) = without else { return [Some(part), None] };
        let side = self.side_of(own.on);
        if side.contains(&piece) {
            return own.remainder(piece, part, side.len());
        }
        // A stretch of one side is the same ground as on the other.
        match self.other_side(piece) {
            Some(other) if side.contains(&other) => {
                own.remainder(other, -part, side.len()).map(|rest| rest.map(|part| -part))
            }
            _ => [Some(part), None],
        }
    }
}

/// A stretch of a curve between two places; on a closed curve it may cross the first joint, see [`around`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CurveStretch {
    /// A piece of the curve.
    pub on: usize,
    /// Index of the piece, counted on around a closed curve, and its parameter.
    pub from: (isize, f64),
    pub to: (isize, f64),
}

impl CurveStretch {
    /// Parts of `part` before and after the stretch, for one of the `pieces` pieces of its curve.
    pub fn remainder(&self, piece: usize, part: Interval, pieces: usize) -> [Option<Interval>; 2] {
        let mut rest = [Some(part), None];
        // On a closed ground the stretch may be met a turn earlier or later.
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

impl Joint {
    /// The piece that follows in the direction of travel (`forward`) or against it.
    pub(crate) fn next(&self, forward: bool) -> Option<usize> {
        if forward { self.after } else { self.before }
    }

    /// The joint seen in the opposite direction of travel.
    pub(crate) fn mirrored(&self) -> Self {
        let kind = match self.kind {
            JointKind::Convex => JointKind::Concave,
            JointKind::Concave => JointKind::Convex,
            same => same,
        };
        Joint { kind, turn: -self.turn, before: self.after, after: self.before, ..*self }
    }
}

impl Leaf {
    /// The leaf seen in the opposite direction of travel.
    pub fn mirrored(&self) -> Self {
        Leaf { domain: -self.domain, axis: -self.axis, ..*self }
    }
}
