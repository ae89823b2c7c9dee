//! Curves that cross themselves: the ball's last touch decides which strand is solid.
//!
//! In a vertical plane the way into a loop and the way out of it cross; a real loop has them side by side. Halfway
//! between both passages, s₁ < s₂, is a gate. For a ball before it the strand at s₂ is left out near the crossing,
//! behind it the strand at s₁. Where the part left out begins and ends the ground has ends like those of any curve.

use std::f64::consts::FRAC_PI_2;
use std::ops::Range;

use nalgebra::Vector2;
use numbers::Interval;

use crate::ground::back_sides::Assembly;
use crate::ground::box_tree::{Box2, BoxTree};
use crate::ground::parametrisation::{At, CutCrossing, GroundCurve, Leaf};
use crate::{Crossing, Ground, Joint, JointKind, Parametrisation, Place, Touched, arc_length, turn_left};

impl Ground {
    /// Puts the gate of a crossing (from 0) at `s` (as in outputs) of its curve, and sets its reach in m. `None`: there
    /// is no such crossing, the gate is not between its passages, or the reach is not positive.
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

    /// `s` (as in outputs) of both passages of a crossing, and of its gate.
    pub fn shown_crossing(&self, crossing: &Crossing) -> ([f64; 2], f64) {
        let shown = |(piece, s)| self.shown_parameter(piece, s);
        (crossing.passages.map(shown), shown(crossing.gate))
    }

    /// The ground for a ball of a radius (m): cut at the ends of strands that are left out, and at the gates.
    pub(crate) fn cut_for(&self, radius: f64) -> Option<Ground> {
        if self.crossings.is_empty() {
            return None;
        }
        let strands: Vec<[[At; 2]; 2]> = self.crossings.iter().map(|crossing| self.strands(crossing, radius)).collect();
        let mut cuts: Vec<At> = strands.iter().flatten().flatten().copied().collect();
        cuts.extend(self.crossings.iter().map(|crossing| crossing.gate));
        cuts.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let (mut ground, first) = self.cut(&cuts);
        // The first new piece that begins at a place or after it.
        let begins = |ground: &Ground, (piece, s): At| {
            let parts = first[piece]..first[piece + 1];
            let end = parts.end;
            parts.into_iter().find(|part| ground.pieces[*part].domain.lo >= s).unwrap_or(end)
        };
        let cut_crossing = |(crossing, strands): (&Crossing, &[[At; 2]; 2])| CutCrossing {
            gate: begins(&ground, crossing.gate),
            strands: [0, 1].map(|i| begins(&ground, strands[i][0])..begins(&ground, strands[i][1])),
        };
        let mut cut_crossings: Vec<_> = self.crossings.iter().zip(&strands).map(cut_crossing).collect();
        cut_crossings.sort_by_key(|cut| cut.gate);
        let now_at = |(piece, s): At| {
            let mut parts = first[piece]..first[piece + 1];
            (parts.rfind(|part| ground.pieces[*part].domain.lo <= s).unwrap_or(first[piece]), s)
        };
        let crossings = self.crossings.iter().map(|crossing| Crossing {
            passages: crossing.passages.map(now_at),
            gate: now_at(crossing.gate),
            ..*crossing
        });
        (ground.crossings, ground.cut_crossings) = (crossings.collect(), cut_crossings);
        Some(ground)
    }

    /// Piece and parameter of both ends of each strand of a crossing that is left out for a ball of a radius (m): of
    /// the first one behind the gate, of the second one before it. A ball that touches the other strand, from either
    /// side, comes nearer to it than its radius and 1 % of the way between the passages. The strand is the stretch of
    /// such points connected to the crossing.
    pub fn strands(&self, crossing: &Crossing, radius: f64) -> [[At; 2]; 2] {
        let Crossing { passages, gate, .. } = *crossing;
        let [first, second] = passages;
        let whole = self.way_between(first, second);
        let mut found = [[first; 2], [second; 2]];
        if let Some(reach) = crossing.reach {
            found = found.map(|[at, _]| [-reach, reach].map(|way| self.further(at, way)));
        } else {
            for side in [radius, -radius] {
                let mut walks = [0, 1].map(|i| StrandWalk::new(self, passages[i], gate, i == 0, whole, side));
                for (i, [from, to]) in found.iter_mut().enumerate() {
                    let [lo, hi] = overlapped(&mut walks, 1 - i);
                    (*from, *to) = (if lo < *from { lo } else { *from }, if hi > *to { hi } else { *to });
                }
            }
        }
        let [[a, b], [c, d]] = found;
        [[a, if b > gate { gate } else { b }], [if c < gate { gate } else { c }, d]]
    }

    /// Cuts pieces at places in order; returns the ground, and the index of the first part of each piece and finally
    /// the number of pieces.
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
                        false => Joint::turning(piece.curve().point_at(from), 0.0),
                    };
                    let member = self.member_of[index];
                    let GroundCurve { parametrisation, reversed, .. } = self.members[member];
                    let along = match parametrisation {
                        Parametrisation::Own => 0.0,
                        Parametrisation::ArcLength if reversed => arc_length(piece.curve(), to, hi),
                        Parametrisation::ArcLength => arc_length(piece.curve(), lo, from),
                    };
                    let leaves = self.leaves[self.first_leaf[index]..self.first_leaf[index + 1]].iter();
                    let leaves = leaves.filter_map(|leaf| {
                        let domain = leaf.domain.intersection(part).filter(|domain| domain.lo < domain.hi)?;
                        Some(Leaf { domain, bounds: Box2::of_ground(piece.point_over(domain)), ..*leaf })
                    });
                    made.piece(piece.clone().within(part), joint, member, self.starts[index] + along, leaves);
                    from = to;
                }
            }
            let last = || self.joints[self.joint_after(chain.pieces.end - 1)];
            made.end(begun, (!chain.closed).then(last));
        }
        first.push(made.next());
        let members = self.members.iter().map(|member| {
            let Range { start, end } = member.pieces;
            GroundCurve { pieces: first[start]..first[end], ..member.clone() }
        });
        (made.finish(members.collect(), self.crossings.clone(), Vec::new()), first)
    }

    /// Number of gates before a place on its curve; `None`: the curve does not cross itself.
    pub(crate) fn gates_before(&self, place: Place) -> Option<usize> {
        let (piece, _) = self.front(self.piece_at(place)?, 0.0);
        let own = self.gates().find(|own| self.chain_of[own[0].gate] == self.chain_of[piece])?;
        Some(own.partition_point(|passage| passage.gate <= piece))
    }

    /// The gates of each self-crossing curve.
    fn gates(&self) -> impl Iterator<Item = &[CutCrossing]> {
        self.cut_crossings.chunk_by(|one, other| self.chain_of[one.gate] == self.chain_of[other.gate])
    }

    /// Last touches after a touch at a place; those of other curves stay. They are the digits of a number, one for each
    /// curve with gates: 0 untouched, else 1 + the gates before the place, to the base of 2 + its number of gates.
    pub(crate) fn touching(&self, touched: Touched, place: Place) -> Touched {
        let Some((before, piece)) = self.gates_before(place).zip(self.piece_at(place)) else { return touched };
        let mut weight = 1_u64;
        for own in self.gates() {
            let base = own.len() as u64 + 2;
            let Some(next) = weight.checked_mul(base) else { return touched };
            if self.chain_of[own[0].gate] == self.chain_of[piece] {
                let digit = touched.digits / weight % base;
                let digits = touched.digits - digit * weight + (before as u64 + 1) * weight;
                return Touched { place: Some(place), digits };
            }
            weight = next;
        }
        touched
    }

    /// Returns the ground that is solid after these last touches.
    pub(crate) fn seen_by(&self, touched: Touched) -> Ground {
        let (mut hidden, mut rest): (Vec<Range<usize>>, u64) = (Vec::new(), touched.digits);
        for own in self.gates() {
            let base = own.len() as u64 + 2;
            let before = (rest % base) as usize;
            // The digit is 1 + the gates before the ball: behind gate i the first strand is left out, else the second.
            let left_out = |(i, passage): (usize, &CutCrossing)| passage.strands[usize::from(i + 1 >= before)].clone();
            hidden.extend(own.iter().enumerate().filter(|_| before > 0).map(left_out));
            rest /= base;
        }
        self.without(|piece| hidden.iter().any(|strand| strand.contains(&piece)))
    }

    /// Returns the ground of these curves alone.
    pub(crate) fn only(&self, curves: &[usize]) -> Ground {
        self.without(|piece| !curves.contains(&self.curve_of(piece)))
    }

    /// Whether a piece (of a front) is solid.
    pub(crate) fn shows(&self, piece: usize) -> bool {
        self.first_leaf[piece] < self.first_leaf[piece + 1]
    }

    /// Returns the ground without `hidden` pieces; the indices of others stay. Where a piece meets a hidden one the
    /// ground ends.
    fn without(&self, hidden: impl Fn(usize) -> bool) -> Ground {
        let (mut leaves, mut first_leaf, mut joints) = (Vec::new(), vec![0], self.joints.clone());
        for piece in 0..self.fronts {
            if !hidden(piece) {
                leaves.extend_from_slice(&self.leaves[self.first_leaf[piece]..self.first_leaf[piece + 1]]);
            }
            first_leaf.push(leaves.len());
        }
        let shown = |piece: &usize| first_leaf[*piece] < first_leaf[piece + 1];
        for joint in &mut joints {
            let Joint { before, after, .. } = *joint;
            let [come, go] = [before, after].map(|piece| piece.filter(shown));
            if before.is_some() && after.is_some() && come.is_some() != go.is_some() {
                *joint = Joint { kind: JointKind::End, turn: 0.0, before: come, after: go, ..*joint };
            }
        }
        let tree = BoxTree::new(leaves.iter().map(|leaf| leaf.bounds));
        Ground { leaves, first_leaf, joints, tree, ..self.clone() }
    }
}

/// Number of steps of a walk over the way between both passages.
const STEPS: f64 = 1000.0;
/// Largest number of centres between two steps: around a corner they lie on an arc.
const BETWEEN: f64 = 1000.0;
/// Largest number of steps along the border of the overlap: a ball far larger than the loop overlaps all of it.
const STEPS_ON_BORDERS: usize = 1 << 20;

/// A step of a walk along a strand: its place, point (m) and normal.
#[derive(Clone, Copy)]
struct Station {
    at: At,
    point: Vector2<f64>,
    normal: Vector2<f64>,
    /// Length from the passage, m; negative: backwards.
    way: f64,
}

/// A walk along a strand, step by step either way from its passage, to the end of its curve or to the gate.
pub(super) struct StrandWalk<'a> {
    ground: &'a Ground,
    gate: At,
    /// Whether the gate is ahead; else behind.
    ahead: bool,
    /// Length between both passages, m.
    whole: f64,
    /// Radius of the ball, m; negative for a ball on the back.
    radius: f64,
    /// Stations backwards and forwards, each beginning with the passage.
    ways: [Vec<Station>; 2],
}

impl<'a> StrandWalk<'a> {
    /// A walk from a passage at `from`, with the gate `ahead` or behind; `whole`: length between passages, m.
    pub fn new(ground: &'a Ground, from: At, gate: At, ahead: bool, whole: f64, radius: f64) -> Self {
        let passage = vec![Self::station(ground, from, 0.0)];
        StrandWalk { ground, gate, ahead, whole, radius, ways: [passage.clone(), passage] }
    }

    fn station(ground: &Ground, at: At, way: f64) -> Station {
        let jet = ground.piece(at.0).jet(at.1);
        Station { at, point: jet.point, normal: turn_left(jet.tangent()), way }
    }

    fn centre(&self, station: &Station) -> Vector2<f64> {
        station.point + self.radius * station.normal
    }

    /// The station `index` steps from the passage.
    fn at(&mut self, index: isize) -> Option<Station> {
        let (way, count) = (usize::from(index > 0), index.unsigned_abs());
        while self.ways[way].len() <= count {
            let last = *self.ways[way].last()?;
            let mut next = Self::station(self.ground, self.beside(last.at, way == 1)?, last.way);
            next.way += (next.point - last.point).norm() * if way == 1 { 1.0 } else { -1.0 };
            let apart = (self.centre(&next) - self.centre(&last)).norm();
            let parts = (apart * STEPS / self.whole).ceil().clamp(1.0, BETWEEN);
            let between = (1..parts as usize).map(|i| {
                let part = i as f64 / parts;
                let normal = (last.normal + (next.normal - last.normal) * part).normalize();
                Station { point: last.point + (next.point - last.point) * part, normal, ..next }
            });
            self.ways[way].extend(between.chain([next]));
        }
        self.ways[way].get(count).copied()
    }

    /// The place one step further; `None` at the gate and at the end of the curve.
    fn beside(&self, (piece, s): At, forward: bool) -> Option<At> {
        let ground = self.ground;
        let (part, pieces) = (ground.piece(piece), &ground.chain(piece).pieces);
        let stops = forward == self.ahead;
        if stops && (piece, s) == self.gate {
            return None;
        }
        let end = if stops && piece == self.gate.0 { self.gate.1 } else { part.end(forward) };
        if s == end {
            let next = if forward { piece + 1 } else { piece.checked_sub(1)? };
            return pieces.contains(&next).then(|| (next, ground.piece(next).end(!forward)));
        }
        let here = part.jet(s);
        let step = self.whole / STEPS;
        let mut way = step / here.speed() * if forward { 1.0 } else { -1.0 };
        loop {
            let to = if way.abs() < (end - s).abs() { s + way } else { end };
            if (part.curve().point_at(to) - here.point).norm() <= 1.5 * step || to == s {
                return (to != s).then_some((piece, to));
            }
            way = 0.5 * (to - s);
        }
    }
}

/// Ends of the part of the other strand that a ball touching the strand `on` almost overlaps, connected to the
/// crossing. Pairs (ball's centre, point of the other strand) form a grid. A pair is joined if both are nearer than the
/// radius plus 1 % of the way between the passages. We walk along the border of the joined pairs connected to the
/// crossing, as through a maze with the right hand on the wall; the furthest point of the walk is the end. Points
/// within π/2 times that distance of the touch, along the ground, are not joined, as they may be the ball's own: ground
/// that it fits turns by a right angle over that length or more.
pub(super) fn overlapped(walks: &mut [StrandWalk; 2], on: usize) -> [At; 2] {
    let [one, two] = walks;
    let [ball, strand] = if on == 0 { [one, two] } else { [two, one] };
    let (near, sign) = (ball.radius.abs() + 0.01 * ball.whole, if on == 0 { 1.0 } else { -1.0 });
    let mut joined = |pair: Vector2<isize>| {
        let (Some(touches), Some(other)) = (ball.at(pair.x), strand.at(pair.y)) else { return false };
        let along = ball.whole + sign * (other.way - touches.way);
        (ball.centre(&touches) - other.point).norm() < near && along > FRAC_PI_2 * near
    };
    let found = [-1, 1].map(|out| {
        let mut furthest = Vector2::zeros();
        let mut steps = 0..if joined(furthest) { STEPS_ON_BORDERS } else { 0 };
        loop {
            while steps.next().is_some() && joined(furthest + Vector2::new(0, out)) {
                furthest.y += out;
            }
            let begin = (furthest, Vector2::new(-out, 0));
            let (mut at, mut way) = begin;
            while steps.next().is_some() {
                let right = Vector2::new(way.y, -way.x);
                if joined(at + right) {
                    (at, way) = (at + right, right);
                } else if joined(at + way) {
                    at += way;
                } else {
                    way = -right;
                }
                furthest = if at.y * out > furthest.y * out { at } else { furthest };
                if (at, way) == begin {
                    break;
                }
            }
            if furthest == begin.0 {
                return furthest.y;
            }
        }
    });
    found.map(|j| strand.ways[usize::from(j > 0)][j.unsigned_abs()].at)
}
