//! Several curves in one ground.

use std::ops::Range;

use nalgebra::Vector2;

use super::{Ground, Joint, Parametrisation, Spot, Tree};
use crate::length::parameter_at_length;
use crate::{Interval, Place, arc_length};

/// One curve of a ground: pieces that meet end to end.
#[derive(Clone, Debug)]
pub(crate) struct Chain {
    /// Which of the curves that were put in it is.
    pub number: usize,
    /// Its pieces, of the front.
    pub pieces: Range<usize>,
    /// The first piece of its back, if that is solid.
    pub back: Option<usize>,
    /// Its first joint: where its first piece begins.
    pub joint: usize,
    pub closed: bool,
    pub parametrisation: Parametrisation,
}

/// The piece of a side that an index stands for which counts on around a closed curve.
pub(crate) fn around(side: &Range<usize>, at: isize) -> usize {
    let first = side.start as isize;
    (first + (at - first).rem_euclid(side.len() as isize)) as usize
}

impl Ground {
    /// All curves of several grounds as one; curve `i` is that of the `i`th, if each has one. What a ball meets where two of them
    /// cross are two contacts. `None` of no ground.
    pub fn of_curves(grounds: Vec<Ground>) -> Option<Ground> {
        let mut numbered: Vec<(usize, Ground)> = Vec::with_capacity(grounds.len());
        let mut count = 0;
        for ground in grounds {
            let curves = ground.chains.len();
            numbered.push((count, ground.without_backs()));
            count += curves;
        }
        in_order_of_space(&mut numbered);
        let mut numbered = numbered.into_iter();
        let (first, mut all) = numbered.next()?;
        all.chains.iter_mut().for_each(|chain| chain.number += first);
        for (number, ground) in numbered {
            let (pieces, joints, leaves) = (all.pieces.len(), all.joints.len(), all.leaves.len());
            let later = |piece: Option<usize>| piece.map(|piece| piece + pieces);
            let chain_of = all.chains.len();
            all.joints.extend(ground.joints.into_iter().map(|joint| Joint {
                before: later(joint.before),
                after: later(joint.after),
                ..joint
            }));
            all.leaves.extend(ground.leaves.into_iter().map(|leaf| super::Leaf { piece: leaf.piece + pieces, ..leaf }));
            all.first_leaf.pop();
            all.first_leaf.extend(ground.first_leaf.into_iter().map(|leaf| leaf + leaves));
            all.chains.extend(ground.chains.into_iter().map(|chain| Chain {
                number: chain.number + number,
                pieces: chain.pieces.start + pieces..chain.pieces.end + pieces,
                joint: chain.joint + joints,
                ..chain
            }));
            let at = |(piece, s): (usize, f64)| (piece + pieces, s);
            all.crossings.extend(ground.crossings.into_iter().map(|crossing| super::Crossing {
                passages: crossing.passages.map(at),
                gate: at(crossing.gate),
                ..crossing
            }));
            all.chain_of.extend(ground.chain_of.into_iter().map(|chain| chain + chain_of));
            all.pieces.extend(ground.pieces);
            all.fronts += ground.fronts;
            all.starts.extend(ground.starts);
        }
        if all.chains.len() > 1 {
            all.tree = Tree::new(all.leaves.iter().map(|leaf| leaf.bounds));
        }
        Some(all)
    }

    /// How many curves there are.
    pub fn curves(&self) -> usize {
        self.chains.len()
    }

    pub(crate) fn chain(&self, piece: usize) -> &Chain {
        &self.chains[self.chain_of[piece]]
    }

    /// Which curve a piece is of, from 0 in the order in which they were put in.
    pub fn curve_of(&self, piece: usize) -> usize {
        self.chain(piece).number
    }

    /// Which curve a spot is on.
    pub fn curve_at(&self, spot: Spot) -> usize {
        let piece = match spot {
            Spot::Piece { index, .. } => Some(index),
            Spot::Joint(joint) => self.joint(joint).before.or(self.joint(joint).after),
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
        self.chains.iter().find(|chain| chain.number == curve).map_or(0..0, |chain| chain.pieces.clone())
    }

    /// Whether the last point of a curve is its first.
    pub fn is_closed_curve(&self, curve: usize) -> bool {
        self.chains.iter().any(|chain| chain.number == curve && chain.closed)
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

    /// What `s` means on a curve.
    pub fn parametrisation(&self, curve: usize) -> Parametrisation {
        let chain = self.chains.iter().find(|chain| chain.number == curve);
        chain.map_or(Parametrisation::Own, |chain| chain.parametrisation)
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
        let pieces = self.pieces_of(curve);
        match self.parametrisation(curve) {
            Parametrisation::Own => {
                let piece = pieces.into_iter().find(|piece| self.pieces[*piece].domain.contains(s))?;
                Some(self.spot(piece, s))
            }
            Parametrisation::ArcLength => {
                let starts = &self.starts[pieces.clone()];
                let piece = pieces.start + starts.partition_point(|start| *start <= s).checked_sub(1)?;
                let part = &self.pieces[piece];
                let along = s - self.starts[piece];
                let total = arc_length(part.curve(), part.domain.lo, part.domain.hi);
                // `Rounding`: lengths of many pieces add up.
                if (along - total).abs() <= 1e-12 * s {
                    return Some(Spot::Joint(self.joint_after(piece)));
                }
                let parameter = parameter_at_length(part.curve(), part.domain, part.domain.lo, along);
                (along < total).then(|| self.spot(piece, parameter))
            }
        }
    }

    /// Length of a curve in metres; infinite for an unbounded graph.
    pub fn length_of(&self, curve: usize) -> f64 {
        let pieces = self.pieces_of(curve);
        let whole = |piece: usize| {
            let part = &self.pieces[piece];
            let bounded = part.domain.is_bounded();
            if bounded { arc_length(part.curve(), part.domain.lo, part.domain.hi) } else { f64::INFINITY }
        };
        match (self.parametrisation(curve), pieces.clone().last()) {
            (Parametrisation::ArcLength, Some(last)) => self.starts[last] + whole(last),
            _ => pieces.map(whole).sum(),
        }
    }
}

/// Puts grounds that are near each other side by side: halved by the median of their centres, over the axis along which these spread
/// more, again and again. A [`Tree`] over them is then as good in space as one over a single curve is along it.
fn in_order_of_space(grounds: &mut [(usize, Ground)]) {
    if grounds.len() < 2 {
        return;
    }
    let centre = |(_, ground): &(usize, Ground)| {
        let bounds = ground.tree.bounds(ground.tree.root());
        let middle = |range: Interval| if range.is_bounded() { range.middle() } else { range.clamp(0.0) };
        Vector2::new(middle(bounds.x), middle(bounds.y))
    };
    let range = |axis: usize| {
        let all = grounds.iter().map(|ground| centre(ground)[axis]);
        all.fold([f64::INFINITY, f64::NEG_INFINITY], |[lo, hi], x| [lo.min(x), hi.max(x)])
    };
    let [[left, right], [low, high]] = [range(0), range(1)];
    let axis = usize::from(high - low > right - left);
    let half = grounds.len() / 2;
    grounds.select_nth_unstable_by(half, |a, b| centre(a)[axis].total_cmp(&centre(b)[axis]).then(a.0.cmp(&b.0)));
    let (first, second) = grounds.split_at_mut(half);
    in_order_of_space(first);
    in_order_of_space(second);
}
