//! Chains of pieces, and which curve each piece is of.

use std::ops::Range;

use nalgebra::Vector2;

use super::{Ground, Parametrisation, Spot};
use crate::length::parameter_at_length;
use crate::{Place, arc_length};
use numbers::Interval;

/// Pieces that meet end to end: those of a curve, or of several of which each begins where another ends.
#[derive(Clone, Debug)]
pub(crate) struct Chain {
    /// Pieces of the chain's front.
    pub pieces: Range<usize>,
    /// The first piece of its back, if that is solid.
    pub back: Option<usize>,
    /// First joint of the chain: where its first piece begins.
    pub joint: usize,
    pub closed: bool,
}

/// One of the curves that were put into a ground.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    /// Pieces of the curve's front.
    pub pieces: Range<usize>,
    pub parametrisation: Parametrisation,
    /// Whether its pieces run the other way than it does, with the opposite parameter.
    pub reversed: bool,
}

/// The piece of a side that an index stands for which counts on around a closed curve.
pub(crate) fn around(side: &Range<usize>, at: isize) -> usize {
    let first = side.start as isize;
    (first + (at - first).rem_euclid(side.len() as isize)) as usize
}

impl Ground {
    /// Number of curves.
    pub fn curves(&self) -> usize {
        self.members.len()
    }

    pub(crate) fn chain(&self, piece: usize) -> &Chain {
        &self.chains[self.chain_of[piece]]
    }

    /// Number of the curve that a piece is of, from 0 in the order in which they were put in.
    pub fn curve_of(&self, piece: usize) -> usize {
        self.member_of[piece]
    }

    /// Number of the curve that a spot is on, from 0.
    pub fn curve_at(&self, spot: Spot) -> usize {
        let piece = match spot {
            Spot::Piece { index, .. } => Some(index),
            Spot::Joint(joint) => self.shown_end(joint).map(|(piece, _)| piece),
        };
        piece.map_or(0, |piece| self.curve_of(piece))
    }

    /// The piece of a place: of a corner the one before it, or after it where there is none.
    pub(crate) fn piece_at(&self, place: Place) -> Option<usize> {
        match place {
            Place::Piece { index, .. } => Some(index),
            Place::Corner { joint, .. } => self.joint(joint).before.or(self.joint(joint).after),
        }
    }

    /// The pieces of a curve; empty where there is no such curve.
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

    /// Whether the free side of a closed curve is the inside of it: whether it runs counter-clockwise. `None` of a curve with ends.
    pub fn is_free_inside(&self, curve: usize) -> Option<bool> {
        // Chords enough for the sign of the area.
        const CHORDS: u32 = 16;
        let pieces = &self.pieces[self.pieces_of(curve)];
        let points = pieces.iter().flat_map(|piece| {
            let domain = piece.domain();
            (0..CHORDS)
                .map(move |i| domain.lo + domain.width() * f64::from(i) / f64::from(CHORDS))
                .map(|s| piece.curve().point_at(s))
        });
        self.is_closed_curve(curve).then(|| {
            let from = pieces[0].curve().point_at(pieces[0].domain().lo);
            let area = points.fold((Vector2::zeros(), 0.0), |(before, area): (Vector2<f64>, f64), point| {
                (point - from, area + before.perp(&(point - from)))
            });
            area.1 > 0.0
        })
    }

    /// Meaning of `s` on a curve.
    pub fn parametrisation(&self, curve: usize) -> Parametrisation {
        self.members.get(curve).map_or(Parametrisation::Own, |member| member.parametrisation)
    }

    /// The joint where piece `piece` begins.
    pub fn joint_before(&self, piece: usize) -> usize {
        if self.is_back(piece) {
            return self.other_side(piece).map_or(0, |front| self.joint_behind(self.joint_after(front)));
        }
        let chain = self.chain(piece);
        chain.joint + piece - chain.pieces.start
    }

    /// The joint where piece `piece` ends.
    pub fn joint_after(&self, piece: usize) -> usize {
        if self.is_back(piece) {
            return self.other_side(piece).map_or(0, |front| self.joint_behind(self.joint_before(front)));
        }
        let chain = self.chain(piece);
        if chain.closed && piece + 1 == chain.pieces.end {
            chain.joint
        } else {
            chain.joint + piece + 1 - chain.pieces.start
        }
    }

    /// The spot at the shown `s` of a curve; `None` outside it.
    pub fn locate(&self, curve: usize, s: f64) -> Option<Spot> {
        let Member { pieces, parametrisation, reversed } = self.members.get(curve)?.clone();
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
                // Rounding here: lengths of many pieces add up.
                if (along - total).abs() <= 1e-12 * s {
                    let last = if reversed { self.joint_before(piece) } else { self.joint_after(piece) };
                    return Some(Spot::Joint(last));
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
        let Some(Member { pieces, parametrisation, reversed }) = self.members.get(curve) else { return 0.0 };
        match parametrisation {
            Parametrisation::ArcLength => {
                let last = if *reversed { pieces.start } else { pieces.end - 1 };
                self.starts[last] + whole(last)
            }
            Parametrisation::Own => pieces.clone().map(whole).sum(),
        }
    }
}
