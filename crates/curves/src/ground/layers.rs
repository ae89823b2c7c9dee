//! Curves that cross themselves: which strand is there, told by where the ball was last.
//!
//! In a vertical plane the way into a loop and the way out of it cross; in the real one they lie beside each other. Halfway between
//! both passages, s₁ < s₂, is a gate. Before it the strand at s₂ is not there near the crossing, after it that at s₁.

use std::ops::Range;

use nalgebra::Vector2;

use super::assembly::Assembly;
use super::{Box2, Ground, Joint, JointKind, Leaf, Member, Parametrisation, Piece, Tree};
use crate::length::parameter_at_length;
use crate::{Interval, Place, arc_length};

/// A place on a piece: its index, and the piece's parameter.
pub(crate) type At = (usize, f64);

/// A place where a curve crosses itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// Where, m.
    pub point: Vector2<f64>,
    /// Piece and parameter of both passages, in the order of travel.
    pub passages: [(usize, f64); 2],
    /// Piece and parameter of the gate between them.
    pub gate: (usize, f64),
    /// How far along the ground from the crossing a strand is left out, m; by default as far as it is nearer to the other than
    /// the ball's diameter and 1 % of the way between the passages.
    pub reach: Option<f64>,
}

/// A crossing in a ground whose pieces are cut where strands begin and end to be left out.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Passage {
    /// The first piece behind the gate.
    pub gate: usize,
    /// Pieces of the first and of the second strand.
    pub strands: [Range<usize>; 2],
}

/// Parts in which the reach of a strand is looked for, per way between both passages.
const PARTS: u32 = 2000;

impl Ground {
    /// Where curves cross themselves.
    pub fn crossings(&self) -> &[Crossing] {
        &self.crossings
    }

    /// The same with the gate of a crossing (from 0) at a shown `s` of its curve, and its reach in m. `None`: there is no such crossing, the
    /// gate is not between its passages, or the reach not positive.
    pub fn with_gate(mut self, crossing: usize, gate: Option<f64>, reach: Option<f64>) -> Option<Self> {
        let [first, second] = self.crossings.get(crossing)?.passages;
        if let Some(s) = gate {
            let (piece, parameter) = self.at(self.locate(self.curve_of(first.0), s)?);
            let inside = first < (piece, parameter) && (piece, parameter) < second;
            self.crossings[crossing].gate = Some((piece, parameter)).filter(|_| inside)?;
        }
        if let Some(reach) = reach {
            if !(reach > 0.0 && reach.is_finite()) {
                return None;
            }
            self.crossings[crossing].reach = Some(reach);
        }
        Some(self)
    }

    /// The shown `s` of both passages of a crossing, and of its gate.
    pub fn shown_crossing(&self, crossing: &Crossing) -> ([f64; 2], f64) {
        let shown = |(piece, s)| self.shown_parameter(piece, s);
        (crossing.passages.map(shown), shown(crossing.gate))
    }

    /// Piece and parameter of a spot; of a joint those of the piece that begins there.
    fn at(&self, spot: super::Spot) -> At {
        match spot {
            super::Spot::Piece { index, parameter } => (index, parameter),
            super::Spot::Joint(joint) => match self.joints[self.front_joint(joint)] {
                Joint { after: Some(piece), .. } => (piece, self.pieces[piece].domain.lo),
                Joint { before: Some(piece), .. } => (piece, self.pieces[piece].domain.hi),
                _ => (0, f64::NAN),
            },
        }
    }

    /// Length of the way from one place to a later one of the same curve, m.
    pub(crate) fn way(&self, from: At, to: At) -> f64 {
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

    /// The place so many metres on from another (back if negative), at most to the end of the curve.
    pub(crate) fn further(&self, (mut piece, mut s): At, mut way: f64) -> At {
        let pieces = self.chain(piece).pieces.clone();
        let forward = way >= 0.0;
        loop {
            let part = &self.pieces[piece];
            let end = part.end(forward);
            let reached = part.domain.clamp(parameter_at_length(part.curve(), part.domain, s, way));
            // The length that is left is asked for at the end alone.
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

    /// The ground for a ball of a radius (m): cut where strands begin and end to be left out, and at the gates.
    pub(crate) fn cut_for(&self, radius: f64) -> Option<Ground> {
        if self.crossings.is_empty() {
            return None;
        }
        let strands: Vec<[[At; 2]; 2]> = self.crossings.iter().map(|crossing| self.strands(crossing, radius)).collect();
        let mut cuts: Vec<At> = strands.iter().flatten().flatten().copied().collect();
        cuts.extend(self.crossings.iter().map(|crossing| crossing.gate));
        cuts.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let (mut ground, first) = self.cut(&cuts);
        // The first of the new pieces that begins at a place or after it.
        let begins = |ground: &Ground, (piece, s): At| {
            let parts = first[piece]..first[piece + 1];
            let end = parts.end;
            parts.into_iter().find(|part| ground.pieces[*part].domain.lo >= s).unwrap_or(end)
        };
        let passage = |(crossing, strands): (&Crossing, &[[At; 2]; 2])| Passage {
            gate: begins(&ground, crossing.gate),
            strands: [0, 1].map(|i| begins(&ground, strands[i][0])..begins(&ground, strands[i][1])),
        };
        let mut passages: Vec<Passage> = self.crossings.iter().zip(&strands).map(passage).collect();
        passages.sort_by_key(|passage| passage.gate);
        let now_at = |(piece, s): At| {
            let mut parts = first[piece]..first[piece + 1];
            (parts.rfind(|part| ground.pieces[*part].domain.lo <= s).unwrap_or(first[piece]), s)
        };
        let crossings = self.crossings.iter().map(|crossing| Crossing {
            passages: crossing.passages.map(now_at),
            gate: now_at(crossing.gate),
            ..*crossing
        });
        (ground.crossings, ground.passages) = (crossings.collect(), passages);
        Some(ground)
    }

    /// From which to which piece and parameter each strand of a crossing is left out for a ball of a radius (m), where it is nearer to
    /// the other than the ball may come: the first behind the gate, the second before it.
    pub fn strands(&self, crossing: &Crossing, radius: f64) -> [[At; 2]; 2] {
        let [first, second] = crossing.passages;
        let whole = self.way(first, second);
        let near = 2.0 * radius + 0.01 * whole;
        let step = whole / f64::from(PARTS);
        let most = PARTS as usize / 4;
        // From step to step: the length of the way so far is not asked again.
        let walk = |at: At, sign: f64| std::iter::successors(Some(at), move |at| Some(self.further(*at, sign * step)));
        let point = |(piece, s): At| self.pieces[piece].curve().point_at(s);
        // Points of the other strand, either way.
        let points = |at: At| -> Vec<Vector2<f64>> {
            [-1.0, 1.0].into_iter().flat_map(|sign| walk(at, sign).take(most + 1).map(point)).collect()
        };
        let others = [points(second), points(first)];
        [first, second].map(|at| {
            let other = if at == first { &others[0] } else { &others[1] };
            [-1.0, 1.0].map(|sign| {
                if let Some(reach) = crossing.reach {
                    return self.further(at, sign * reach.min(0.5 * whole * (1.0 - 1e-9)));
                }
                let is_far = |at: &At| {
                    let distance = other.iter().map(|q| (q - point(*at)).norm()).fold(f64::INFINITY, f64::min);
                    distance > near + step
                };
                let steps = walk(at, sign).skip(1).take(most - 1).take_while(|at| !is_far(at)).count() + 1;
                self.further(at, sign * step * steps as f64)
            })
        })
    }

    /// The same ground with pieces cut at places in order, and the index of the first part of each piece, and of none.
    fn cut(&self, cuts: &[At]) -> (Ground, Vec<usize>) {
        let (mut made, mut first) = (Assembly::default(), Vec::new());
        for chain in &self.chains {
            let begun = made.next();
            for index in chain.pieces.clone() {
                first.push(made.next());
                let piece = &self.pieces[index];
                let Interval { lo, hi } = piece.domain;
                let mut ends: Vec<f64> =
                    cuts.iter().filter(|(on, s)| *on == index && lo < *s && *s < hi).map(|cut| cut.1).collect();
                ends.push(hi);
                let mut from = lo;
                for to in ends {
                    if !(from < to) {
                        continue;
                    }
                    let part = Interval::new(from, to);
                    let joint = match from == lo {
                        true => self.joints[self.joint_before(index)],
                        false => Joint {
                            kind: JointKind::Smooth,
                            point: piece.curve().point_at(from),
                            turn: 0.0,
                            before: None,
                            after: None,
                        },
                    };
                    let member = self.member_of[index];
                    let Member { parametrisation, reversed, .. } = self.members[member];
                    let along = match parametrisation {
                        Parametrisation::Own => 0.0,
                        Parametrisation::ArcLength if reversed => arc_length(piece.curve(), to, hi),
                        Parametrisation::ArcLength => arc_length(piece.curve(), lo, from),
                    };
                    let leaves = self.leaves[self.first_leaf[index]..self.first_leaf[index + 1]].iter();
                    let leaves = leaves.filter_map(|leaf| {
                        let domain = leaf.domain.intersection(part).filter(|domain| domain.lo < domain.hi)?;
                        Some(Leaf { domain, bounds: Box2::of_ground(piece.enclosure(domain).point), ..*leaf })
                    });
                    let cut = Piece { curve: piece.curve.clone(), domain: part, origin: piece.origin.clone() };
                    made.piece(cut, joint, (member, self.starts[index] + along), leaves);
                    from = to;
                }
            }
            let last = || self.joints[self.joint_after(chain.pieces.end - 1)];
            made.end(begun, (!chain.closed).then(last));
        }
        first.push(made.next());
        let members = self.members.iter().map(|member| {
            let Range { start, end } = member.pieces;
            Member { pieces: first[start]..first[end], ..member.clone() }
        });
        (made.finish(members.collect(), self.crossings.clone(), Vec::new()), first)
    }

    /// What a ball sees that was last at a place: the ground without the strands that are not there then. Of places of one layer
    /// the number is the same.
    pub(crate) fn layer_of(&self, place: Place) -> Option<usize> {
        let (piece, _) = self.front(self.piece_at(place)?, 0.0);
        let chain = &self.chain(piece).pieces;
        let own = self.passages.iter().filter(|passage| chain.contains(&passage.gate));
        own.clone().next()?;
        // Layers are counted over all curves: those of the ones before this have a layer more than gates each.
        let before = self.passages.iter().filter(|passage| passage.gate < chain.start).count();
        let chains = self.chains.iter().filter(|other| {
            other.pieces.start < chain.start && self.passages.iter().any(|passage| other.pieces.contains(&passage.gate))
        });
        Some(before + chains.count() + own.filter(|passage| passage.gate <= piece).count())
    }

    /// The ground of each layer.
    pub(crate) fn layers(&self) -> Vec<Ground> {
        let mut layers = Vec::new();
        for chain in &self.chains {
            let own: Vec<&Passage> =
                self.passages.iter().filter(|passage| chain.pieces.contains(&passage.gate)).collect();
            if own.is_empty() {
                continue;
            }
            for passed in 0..=own.len() {
                let hidden = |piece: usize| {
                    own.iter()
                        .enumerate()
                        .any(|(i, passage)| passage.strands[usize::from(i >= passed)].contains(&piece))
                };
                layers.push(self.without(hidden));
            }
        }
        layers
    }

    /// The same without all other curves.
    pub(crate) fn only(&self, curves: &[usize]) -> Ground {
        self.without(|piece| !curves.contains(&self.curve_of(piece)))
    }

    /// Whether a piece (of the front) is there.
    pub(crate) fn shows(&self, piece: usize) -> bool {
        self.first_leaf[piece] < self.first_leaf[piece + 1]
    }

    /// The same without some pieces, which keep their indices.
    fn without(&self, hidden: impl Fn(usize) -> bool) -> Ground {
        let mut leaves = Vec::new();
        let mut first_leaf = vec![0];
        for piece in 0..self.fronts {
            if !hidden(piece) {
                leaves.extend_from_slice(&self.leaves[self.first_leaf[piece]..self.first_leaf[piece + 1]]);
            }
            first_leaf.push(leaves.len());
        }
        let tree = Tree::new(leaves.iter().map(|leaf| leaf.bounds));
        Ground { leaves, first_leaf, tree, ..self.clone() }
    }
}
