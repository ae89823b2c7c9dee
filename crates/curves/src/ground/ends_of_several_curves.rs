//! Several curves combined into one ground: which ends are joined, and in which order and direction pieces are kept.

use std::ops::Range;

use nalgebra::Vector2;

use super::back_sides::Assembly;
use super::parametrisation::{Crossing, Ground, GroundCurve, Joint, Leaf, Parametrisation};
use crate::Crowded;
use numbers::Interval;

/// Pieces of one curve, the ground they come from, and whether they are reversed.
#[derive(Clone)]
struct CurvePart {
    ground: usize,
    pieces: Range<usize>,
    closed: bool,
    reversed: bool,
    /// Group of the curve: only curves of one group are joined.
    group: usize,
}

/// An end of a curve.
struct PartEnd {
    part: usize,
    last: bool,
    point: Vector2<f64>,
    /// Unit vector from the end along the curve.
    inwards: Vector2<f64>,
    /// Rounding of the point, m.
    rounding: f64,
}

impl Ground {
    /// Combines the curves of several grounds, counted in this order; `None` for no ground. Where one curve ends and
    /// another ends or begins, they are joined like pieces of one curve. Where two cross, a ball has two contacts.
    pub fn of_curves(grounds: Vec<Ground>) -> Option<Ground> {
        let mut numbered: Vec<(usize, Ground)> = Vec::with_capacity(grounds.len());
        let mut count = 0;
        for ground in grounds {
            let curves = ground.curves();
            numbered.push((count, ground.without_backs()));
            count += curves;
        }
        if count <= 1 {
            return numbered.pop().map(|(_, ground)| ground);
        }
        in_order_of_space(&mut numbered);
        Some(arranged(&numbered, count, |_| 0))
    }

    /// Returns the ground with a group for each curve: curves of different groups, which may move relative to each
    /// other, are not joined.
    pub fn in_groups(&self, groups: &[usize]) -> Ground {
        let group = |curve: usize| groups.get(curve).copied().unwrap_or(0);
        arranged(&[(0, self.clone().without_backs())], self.curves(), group)
    }
}

/// Combines the curves of several grounds, each given with the index of its first curve.
fn arranged(numbered: &[(usize, Ground)], count: usize, group: impl Fn(usize) -> usize) -> Ground {
    let none = GroundCurve { pieces: 0..0, parametrisation: Parametrisation::Own, reversed: false };
    let (mut made, mut members) = (Assembly::default(), vec![none; count]);
    // New index of each given piece, and whether it is reversed.
    let mut now: Vec<Vec<(usize, bool)>> =
        numbered.iter().map(|(_, ground)| vec![(0, false); ground.pieces.len()]).collect();
    let mut crowd = None;
    for Sequence { parts, closing } in in_sequence(numbered, parts(numbered, group), &mut crowd) {
        let begun = made.next();
        let mut before = closing;
        for (part, next) in &parts {
            let (number, ground) = &numbered[part.ground];
            for i in 0..part.pieces.len() {
                let index = if part.reversed { part.pieces.end - 1 - i } else { part.pieces.start + i };
                let joint = match i {
                    0 if !part.closed => before.take().unwrap_or_else(|| part.end(ground, part.reversed)),
                    _ if part.reversed => ground.joints[ground.joint_after(index)].mirrored(),
                    _ => ground.joints[ground.joint_before(index)],
                };
                now[part.ground][index] = (made.next(), part.reversed);
                let own = ground.member_of[index];
                let GroundCurve { parametrisation, reversed, .. } = ground.members[own];
                let known = members[number + own].pieces.clone();
                let start = if known.is_empty() { made.next() } else { known.start };
                members[number + own] = GroundCurve {
                    pieces: start..made.next() + 1,
                    parametrisation,
                    reversed: reversed != part.reversed,
                };
                let (piece, curve, start) = (&ground.pieces[index], number + own, ground.starts[index]);
                let leaves = ground.leaves[ground.first_leaf[index]..ground.first_leaf[index + 1]].iter();
                match part.reversed {
                    true => made.piece(piece.reversed(), joint, curve, start, leaves.rev().map(Leaf::mirrored)),
                    false => made.piece(piece.clone(), joint, curve, start, leaves.cloned()),
                }
            }
            before = *next;
        }
        let last = parts.last().filter(|(part, _)| closing.is_none() && !part.closed);
        made.end(begun, last.map(|(part, _)| part.end(&numbered[part.ground].1, !part.reversed)));
    }
    let mut crossings = Vec::new();
    for ((_, ground), now) in numbered.iter().zip(&now) {
        crossings.extend(ground.crossings.iter().map(|crossing| {
            let at = |(piece, s): (usize, f64)| (now[piece].0, if now[piece].1 { -s } else { s });
            let mut passages = crossing.passages.map(at);
            passages.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
            Crossing { passages, gate: at(crossing.gate), ..*crossing }
        }));
    }
    Ground { crowd, ..made.finish(members, crossings, Vec::new()) }
}

/// The pieces of each curve, in order.
fn parts(numbered: &[(usize, Ground)], group: impl Fn(usize) -> usize) -> Vec<CurvePart> {
    let mut parts = Vec::new();
    for (number, (first, ground)) in numbered.iter().enumerate() {
        for chain in &ground.chains {
            let mut from = chain.pieces.start;
            while from < chain.pieces.end {
                let curve = ground.curve_of(from);
                let mut own = from..chain.pieces.end;
                let to = own.find(|piece| ground.curve_of(*piece) != curve).unwrap_or(chain.pieces.end);
                let closed = chain.closed && (from..to) == chain.pieces;
                let group = group(first + curve);
                parts.push(CurvePart { ground: number, pieces: from..to, closed, reversed: false, group });
                from = to;
            }
        }
    }
    parts
}

impl CurvePart {
    /// Joint at the end (`last`) or begin of the part.
    fn end(&self, ground: &Ground, last: bool) -> Joint {
        Joint::end(&ground.pieces[if last { self.pieces.end - 1 } else { self.pieces.start }], last)
    }
}

/// Curves that are joined, each with the joint to the next one. `closing`: the joint of the last to the first, if any.
struct Sequence {
    parts: Vec<(CurvePart, Option<Joint>)>,
    closing: Option<Joint>,
}

/// Sorts curves into sequences in which each ends where the next begins, reversing them where needed.
fn in_sequence(numbered: &[(usize, Ground)], parts: Vec<CurvePart>, crowd: &mut Option<Crowded>) -> Vec<Sequence> {
    let ends = ends(numbered, &parts);
    let links = links(numbered, &ends, &parts, crowd);
    // First and last end of each part.
    let mut of_part = vec![[None; 2]; parts.len()];
    for (i, end) in ends.iter().enumerate() {
        of_part[end.part][usize::from(end.last)] = Some(i);
    }
    let link = |part: usize, last: bool| of_part[part][usize::from(last)].and_then(|end| links[end]);
    let mut taken = vec![false; parts.len()];
    let mut sequences = Vec::new();
    // First the sequences with a free end; all others are closed.
    for round in [false, true] {
        for start in 0..parts.len() {
            let free = [false, true].map(|last| link(start, last).is_none());
            if taken[start] || !round && free == [false, false] {
                continue;
            }
            let mut reversed = !free[0] && !round;
            let (mut at, mut sequence, mut closing) = (start, Vec::new(), None);
            loop {
                taken[at] = true;
                let next = link(at, !reversed);
                let joint = next.map(|(to, turn)| Joint::turning(ends[to].point, turn));
                sequence.push((CurvePart { reversed, ..parts[at].clone() }, joint));
                let Some((to, _)) = next else { break };
                if ends[to].part == start {
                    closing = joint;
                    break;
                }
                (at, reversed) = (ends[to].part, ends[to].last);
            }
            sequences.push(Sequence { parts: sequence, closing });
        }
    }
    sequences
}

fn ends(numbered: &[(usize, Ground)], parts: &[CurvePart]) -> Vec<PartEnd> {
    let mut ends = Vec::new();
    for (part, CurvePart { ground, pieces, closed, .. }) in parts.iter().enumerate() {
        for last in [false, true] {
            let piece = &numbered[*ground].1.pieces[if last { pieces.end - 1 } else { pieces.start }];
            let s = piece.end(last);
            if *closed || !s.is_finite() {
                continue;
            }
            let jet = piece.jet(s);
            let inwards = if last { -jet.tangent() } else { jet.tangent() };
            let rounding = piece.rounding(s).unwrap_or(0.0);
            ends.push(PartEnd { part, last, point: jet.point, inwards, rounding });
        }
    }
    ends
}

/// Number of pairs of ends near each other that are looked at: 2000 ends at one place, or 20 at each of 10 000.
const MOST_PAIRS: u32 = 2_000_000;

/// For each end the one that it is joined to, if any, and the turn, rad. Where several ends meet, pairs of the least
/// turn are joined first. `crowd` tells where the search is given up, if it is.
fn links(
    numbered: &[(usize, Ground)],
    ends: &[PartEnd],
    parts: &[CurvePart],
    crowd: &mut Option<Crowded>,
) -> Vec<Option<(usize, f64)>> {
    let meets = |a: &PartEnd, b: &PartEnd| {
        let distance = (a.point - b.point).norm();
        a.part != b.part
            && parts[a.part].group == parts[b.part].group
            && distance <= Ground::JOINT_TOLERANCE.max(a.rounding + b.rounding)
    };
    let widest = ends.iter().fold(Ground::JOINT_TOLERANCE, |widest, end| widest.max(2.0 * end.rounding));
    // In strips across x, each from below: an end is near others in its own strip and the next.
    let strip = |end: usize| (ends[end].point.x / widest).floor();
    let mut order: Vec<usize> = (0..ends.len()).collect();
    let upwards = |a: usize, b: usize| ends[a].point.y.total_cmp(&ends[b].point.y);
    order.sort_by(|a, b| strip(*a).total_cmp(&strip(*b)).then(upwards(*a, *b)));
    let (mut pairs, mut looked) = (Vec::new(), 0);
    for (i, &one) in order.iter().enumerate() {
        let (own, y) = (strip(one), ends[one].point.y);
        let is_before = |end: &usize| strip(*end) <= own || strip(*end) == own + 1.0 && ends[*end].point.y < y - widest;
        let beside = i + 1 + order[i + 1..].partition_point(is_before);
        let up_to = |from: usize, strip_of: f64| {
            let all = order[from..].iter();
            all.take_while(move |end| strip(**end) == strip_of && ends[**end].point.y <= y + widest)
        };
        let near = up_to(i + 1, own).chain(up_to(beside, own + 1.0)).inspect(|_| looked += 1);
        pairs.extend(near.filter(|other| meets(&ends[one], &ends[**other])).filter_map(|other| {
            let pair = [one.min(*other), one.max(*other)];
            let [come, go] = pair.map(|end| ends[end].inwards);
            // Two curves that leave in the same direction, one folded onto the other, are not joined.
            Some((pair, Joint::turn(-come, go)?))
        }));
        if looked > MOST_PAIRS {
            let CurvePart { ground, pieces, .. } = &parts[ends[one].part];
            let (first, ground) = &numbered[*ground];
            *crowd = Some(Crowded { curve: first + ground.curve_of(pieces.start), point: ends[one].point, looked });
            break;
        }
    }
    pairs.sort_by(|a, b| a.1.abs().total_cmp(&b.1.abs()).then(a.0.cmp(&b.0)));
    let mut links = vec![None; ends.len()];
    for ([one, other], turn) in pairs {
        if links[one].is_none() && links[other].is_none() {
            (links[one], links[other]) = (Some((other, turn)), Some((one, -turn)));
        }
    }
    links
}

/// Sorts grounds so that near ones are adjacent: halves them again and again at the median of their centres, along the
/// axis of larger spread. A [`BoxTree`] over them is then as good in space as one over a single curve is along it.
fn in_order_of_space(grounds: &mut Vec<(usize, Ground)>) {
    let centre = |ground: &Ground| {
        let bounds = ground.tree.bounds(ground.tree.root());
        let middle = |range: Interval| if range.is_bounded() { range.middle() } else { range.clamp(0.0) };
        Vector2::new(middle(bounds.x), middle(bounds.y))
    };
    let mut order: Vec<_> = grounds.iter().enumerate().map(|(i, (_, ground))| (centre(ground), i)).collect();
    halve_by_space(&mut order);
    let mut taken: Vec<_> = std::mem::take(grounds).into_iter().map(Some).collect();
    grounds.extend(order.into_iter().filter_map(|(_, i)| taken[i].take()));
}

fn halve_by_space(centres: &mut [(Vector2<f64>, usize)]) {
    if centres.len() < 2 {
        return;
    }
    let range = |axis: usize| {
        let all = centres.iter().map(|(centre, _)| centre[axis]);
        all.fold([f64::INFINITY, f64::NEG_INFINITY], |[lo, hi], x| [lo.min(x), hi.max(x)])
    };
    let [[left, right], [low, high]] = [range(0), range(1)];
    let axis = usize::from(high - low > right - left);
    let half = centres.len() / 2;
    centres.select_nth_unstable_by(half, |a, b| a.0[axis].total_cmp(&b.0[axis]).then(a.1.cmp(&b.1)));
    let (first, second) = centres.split_at_mut(half);
    halve_by_space(first);
    halve_by_space(second);
}
