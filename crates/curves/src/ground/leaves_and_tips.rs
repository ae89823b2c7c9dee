//! Building of a ground from pieces: checks, the leaves that a piece is cut into, and tips that count as corners.

use nalgebra::Vector2;

use super::back_sides::Assembly;
use super::box_tree::Box2;
use super::error::GroundError;
use super::joints::join;
use super::parametrisation::{Crossing, Ground, GroundCurve, Leaf, Parametrisation};
use super::piece::Piece;
use crate::loops::self_crossings::find_crossings;
use crate::{Cubic, arc_length, turn_left};
use numbers::{Interval, Number, elementary};

/// Smallest part of a piece, relative to its parameters, that is still halved.
const FINEST: f64 = 1e-12;
/// Largest number of leaves of one piece.
const MAX_LEAVES_OF_PIECE: usize = 100_000;
/// Largest number of leaves of all pieces; beyond it a piece may be cut into two at most.
const MAX_LEAVES: usize = 1_500_000;

impl Ground {
    /// Checks and joins pieces; `s` in outputs is the curve's own parameter.
    pub fn new(pieces: Vec<Piece>) -> Result<Self, GroundError> {
        build(pieces, Parametrisation::Own)
    }

    /// Checks and joins pieces; `s` in outputs is the arc length from the first point.
    pub fn by_arc_length(pieces: Vec<Piece>) -> Result<Self, GroundError> {
        build(pieces, Parametrisation::ArcLength)
    }
}

fn build(mut pieces: Vec<Piece>, parametrisation: Parametrisation) -> Result<Ground, GroundError> {
    if pieces.is_empty() {
        return Err(GroundError::Empty);
    }
    let (mut leaves, mut cut, mut count) = (Vec::with_capacity(pieces.len()), Vec::new(), 0_usize);
    for (index, piece) in pieces.iter().enumerate() {
        let Interval { lo, hi } = piece.domain;
        if !(lo < hi) {
            return Err(GroundError::NoLength { piece: index, lo, hi });
        }
        let may_be_unbounded = (lo.is_finite() || index == 0)
            && (hi.is_finite() || index + 1 == pieces.len())
            && parametrisation == Parametrisation::Own;
        if !may_be_unbounded && !piece.domain.is_bounded() {
            return Err(GroundError::Unbounded { piece: index });
        }
        let made = split(piece, index, MAX_LEAVES_OF_PIECE.min(MAX_LEAVES.saturating_sub(count)))?;
        count += made.leaves.len();
        leaves.push(made.leaves);
        let parts = if made.may_have_tips { between_tips(piece) } else { Vec::new() };
        if parts.len() > 1 {
            cut.push((index, parts));
        }
    }
    if cut.is_empty() {
        return joined(pieces, leaves, parametrisation);
    }
    // Pieces with tips are replaced by their parts; errors name the pieces as given.
    let mut given: Vec<usize> = (0..pieces.len()).collect();
    for (index, parts) in cut.into_iter().rev() {
        given.splice(index..=index, parts.iter().map(|_| index));
        pieces.splice(index..=index, parts);
    }
    let leaves = pieces.iter().enumerate().map(|(part, piece)| Ok(split(piece, part, MAX_LEAVES_OF_PIECE)?.leaves));
    let ground = leaves.collect::<Result<_, _>>().and_then(|leaves| joined(pieces, leaves, parametrisation));
    ground.map_err(|error| error.in_given(&given))
}

/// Joins pieces into one curve and finds where it crosses itself.
fn joined(pieces: Vec<Piece>, leaves: Vec<Vec<Leaf>>, parametrisation: Parametrisation) -> Result<Ground, GroundError> {
    let (joints, closed) = join(&pieces)?;
    let members = vec![GroundCurve { pieces: 0..pieces.len(), parametrisation, reversed: false }];
    let mut starts = vec![0.0; pieces.len()];
    if parametrisation == Parametrisation::ArcLength {
        for (index, piece) in pieces.iter().enumerate().take(pieces.len() - 1) {
            starts[index + 1] = starts[index] + arc_length(piece.curve(), piece.domain.lo, piece.domain.hi);
        }
    }
    let mut made = Assembly::default();
    for (((piece, leaves), joint), start) in pieces.into_iter().zip(leaves).zip(&joints).zip(starts) {
        made.piece(piece, *joint, 0, start, leaves.into_iter());
    }
    made.end(0, joints.last().copied().filter(|_| !closed));
    let mut ground = made.finish(members, Vec::new(), Vec::new());
    ground.crossings = find_crossings(&ground)?;
    match ground.crossings.first() {
        // A closed curve has two ways between the passages: which one is the loop is unknown.
        Some(&Crossing { point, passages: [first, second], .. }) if closed => {
            Err(GroundError::Crossing { point, first, second, decided: true })
        }
        _ => Ok(ground),
    }
}

/// The leaves of a piece, in order.
struct SplitPiece {
    leaves: Vec<Leaf>,
    /// Whether the piece may turn by more than a smooth joint within the rounding of its parameter.
    may_have_tips: bool,
}

/// Cuts a piece into leaves, `most` of them at most; proves that it is defined and that its speed is never 0.
fn split(piece: &Piece, index: usize, most: usize) -> Result<SplitPiece, GroundError> {
    if let Some(parameter) = nowhere_told_apart(piece) {
        return Err(GroundError::TooWild { piece: index, parameter });
    }
    let (own, extent) = (piece.curve().axis(), piece.domain.extent());
    let (mut leaves, mut may_have_tips) = (Vec::new(), false);
    let mut stack = vec![piece.domain];
    while let Some(part) = stack.pop() {
        let over = piece.curve().bend_over(part, own);
        let defined = over.iter().flatten().all(|c| !c.is_undefined());
        if let Some(axis) = defined.then(|| axis_of(piece, over[1], part)).flatten() {
            let point = if own == Vector2::x() { over[0] } else { piece.point_over(part) };
            leaves.push(Leaf { piece: index, domain: part, axis, bounds: Box2::of_ground(point) });
            may_have_tips |= !turns_smoothly(&over, part);
            continue;
        }
        let middle = part.middle();
        let tiny = part.width() <= FINEST * (extent + middle.abs()) || !(part.lo < middle && middle < part.hi);
        if tiny || leaves.len() + stack.len() > most {
            return Err(reason(piece, index, part, tiny));
        }
        let (left, right) = part.halves();
        stack.extend([right, left]);
    }
    Ok(SplitPiece { leaves, may_have_tips })
}

/// Whether, by enclosures of point and derivatives, the tangent turns within the rounding of the parameter by no more
/// than at a smooth joint.
fn turns_smoothly([_, [x, y], [u, v]]: &[[Interval; 2]; 3], part: Interval) -> bool {
    let turn = (*x * *v - *y * *u) / (x.square() + y.square());
    turn.magnitude() * (f64::EPSILON * part.magnitude()) <= Ground::SMOOTH_TURN
}

/// One of several places spread over the piece, if at all of them c′ changes by more than its size up to the next
/// floating-point parameter: then the formula does not determine the curve.
fn nowhere_told_apart(piece: &Piece) -> Option<f64> {
    let Interval { lo, hi } = piece.domain;
    let place = |part: f64| match (lo.is_finite(), hi.is_finite()) {
        (true, true) => lo + part * (hi - lo),
        // Places at distances from 1/600 to 600, evenly by their logarithm, from the finite end or around zero.
        (true, false) => lo + elementary::exp(13.0 * part - 6.5),
        (false, true) => hi - elementary::exp(13.0 * part - 6.5),
        (false, false) => elementary::exp(26.0 * (part - 0.5).abs() - 6.5).copysign(part - 0.5),
    };
    let mut samples = [0.13, 0.29, 0.47, 0.61, 0.73, 0.89].into_iter().map(place);
    let blurred = |s: f64| {
        let jet = piece.jet(s);
        let grain = s.abs().next_up() - s.abs();
        // Not by the 2-norm, which may overflow. Undefined values are refused by `split`, where they matter.
        jet.second.amax() * grain > jet.first.amax()
    };
    let first = samples.next()?;
    (blurred(first) && samples.all(blurred)).then_some(first)
}

/// Cuts a piece at its tips: places where it turns away from its free side, within the rounding of its parameter, by
/// more than a smooth joint may. A tip becomes a corner, or two with a chord between them.
fn between_tips(piece: &Piece) -> Vec<Piece> {
    let Interval { lo, hi } = piece.domain;
    let mut tips: Vec<Interval> = Vec::new();
    // At larger parameters rounding exceeds the tolerance of joints (at a speed of 1 m per unit).
    let known = Ground::JOINT_TOLERANCE / f64::EPSILON;
    if let (None, Some(whole)) = (piece.curve().shape(), piece.domain.intersection(Interval::new(-known, known))) {
        find_tips(piece, whole, &mut tips, &mut { LOOKS });
    }
    let (mut parts, mut from) = (Vec::new(), lo);
    for tip in tips {
        let [before, after] =
            [Interval::new(from, tip.lo), Interval::new(tip.hi, hi)].map(|part| piece.clone().within(part));
        let (distance, allowed) = before.gap(&after);
        let turns_away = piece.jet(tip.middle()).curvature() < 0.0;
        // The tip is not part of a longer blurred stretch, which no corner could replace.
        let alone = ![tip.lo - tip.width(), tip.hi + tip.width()].into_iter().any(|s| is_blurred(piece, s));
        if turns_away && alone && distance <= allowed && from < tip.lo && tip.hi < hi {
            from = tip.hi;
            let chord = (distance > before.rounding_before(&after)).then(|| chord(&before, &after));
            parts.extend([Some(before), chord].into_iter().flatten());
        }
    }
    parts.push(piece.clone().within(Interval::new(from, hi)));
    parts
}

/// The straight piece from the end of one piece to the start of another, with the parameters between them.
fn chord(before: &Piece, after: &Piece) -> Piece {
    let part = Interval::new(before.domain.hi, after.domain.lo);
    let (a, b) = (before.curve().point_at(part.lo), after.curve().point_at(part.hi));
    let coefficients = [0.5 * (a + b), (b - a) / part.width(), Vector2::zeros(), Vector2::zeros()];
    Piece::of(Cubic::new(part.middle(), coefficients), part)
}

/// Whether the tangent turns by more than a smooth joint within the rounding of the parameter, or is undefined.
fn is_blurred(piece: &Piece, s: f64) -> bool {
    let jet = piece.jet(s);
    !(jet.curvature().abs() * jet.speed() * f64::EPSILON * s.abs() <= Ground::SMOOTH_TURN)
}

/// Largest number of parts of a piece looked at for tips.
const LOOKS: u32 = 4096;

/// Finds, in order, the blurred stretches of a part (see [`is_blurred`]) that are no longer than a joint may be open.
fn find_tips(piece: &Piece, part: Interval, tips: &mut Vec<Interval>, looks: &mut u32) {
    let over = piece.curve().bend_over(part, piece.curve().axis());
    if turns_smoothly(&over, part) || *looks == 0 {
        return;
    }
    *looks -= 1;
    let middle = part.middle();
    let all = [part.lo, middle, part.hi].into_iter().all(|s| is_blurred(piece, s));
    if all && over[0].iter().any(|c| c.width() > Ground::JOINT_TOLERANCE) {
        return;
    }
    if all || !(part.lo < middle && middle < part.hi) {
        match tips.last_mut() {
            Some(last) if last.hi == part.lo => last.hi = part.hi,
            _ => tips.push(part),
        }
        return;
    }
    let (left, right) = part.halves();
    find_tips(piece, left, tips, looks);
    find_tips(piece, right, tips, looks);
}

/// Error that tells why `part` can't be a leaf.
fn reason(piece: &Piece, index: usize, part: Interval, tiny: bool) -> GroundError {
    let parameter = part.middle();
    let finite = |s: f64| {
        let jet = piece.jet(s);
        [jet.point, jet.first, jet.second].iter().all(|v| v.x.is_finite() && v.y.is_finite())
    };
    for s in [parameter, part.lo, part.hi] {
        if s.is_finite() && !finite(s) {
            return GroundError::Undefined { piece: index, parameter: s };
        }
    }
    let (jet, over) = (piece.jet(parameter), piece.own_enclosure(part));
    // Near a zero of the speed c′ is no larger over this tiny part than c″ times its width.
    if tiny && jet.speed() <= 4.0 * jet.second.norm() * part.width() {
        GroundError::ZeroSpeed { piece: index, parameter, point: jet.point }
    } else if tiny && [over.point, over.first].iter().flatten().any(|c| c.is_undefined()) {
        GroundError::Undefined { piece: index, parameter }
    } else {
        GroundError::TooWild { piece: index, parameter }
    }
}

/// A direction in which the part advances throughout: within 60° of its tangents, or an axis of its formula over which
/// it is a graph.
fn axis_of(piece: &Piece, first: [Interval; 2], part: Interval) -> Option<Vector2<f64>> {
    let own = piece.curve().axis();
    let along = |e: Vector2<f64>| first[0].scale(own.dot(&e)) + first[1].scale(own.perp(&e));
    let fastest = (first[0].square() + first[1].square()).hi.sqrt();
    let (x, y) = (Vector2::x(), Vector2::y());
    let tangent = || piece.jet(part.middle()).tangent();
    let axes = [x, -x, y, -y];
    let advances = |e: &Vector2<f64>| along(*e).lo >= 0.5 * fastest && along(*e).lo > 0.0;
    let open = axes.into_iter().find(advances).or_else(|| Some(tangent()).filter(advances));
    // A graph whose parameter is its own abscissa needs no cutting, however steep it is.
    let constant = |c: Interval| c.width() <= 1e-12 * c.mignitude() && c.mignitude() > 0.0;
    open.or_else(|| constant(first[0]).then(|| own * first[0].lo.signum()))
        .or_else(|| constant(first[1]).then(|| turn_left(own) * first[1].lo.signum()))
        // Halves of an infinite part would be infinite again.
        .or_else(|| axes.into_iter().chain([tangent()]).find(|e| !part.is_bounded() && along(*e).lo > 0.0))
}
