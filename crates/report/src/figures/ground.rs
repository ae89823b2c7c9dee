//! Points of the ground for drawing, chosen by its enclosures so that no detail is missed.

use curves::{Ground, Piece};
use numbers::Interval;

/// Initial number of parts of a piece.
const PARTS: usize = 64;
/// Maximum number of parts of all pieces; for noise it may not suffice for the accuracy.
const MOST: usize = 60_000;
/// Maximum number of parts of one piece.
const MOST_OF_PIECE: usize = 6000;
/// Allowed distance of a line from the ground, as a part of the size shown: a tenth of a point in print.
const SEEN: f64 = 2e-4;
/// Maximum number of halvings of a part.
const HALVINGS: usize = 40;

/// Points of the ground between two abscissas, for drawing.
pub fn ground_points(ground: &Ground, left: f64, right: f64) -> Vec<Vec<(f64, f64)>> {
    carried_points(ground, left, right, |_| [0.0; 2])
}

/// Points of moved ground, with the displacement of each piece (m).
pub(super) fn carried_points(
    ground: &Ground,
    left: f64,
    right: f64,
    carried: impl Fn(usize) -> [f64; 2],
) -> Vec<Vec<(f64, f64)>> {
    let most = (MOST / ground.pieces().len().max(1)).clamp(1, MOST_OF_PIECE);
    let mut lines: Vec<Vec<(f64, f64)>> = Vec::new();
    for (index, piece) in ground.pieces().iter().enumerate() {
        let [dx, dy] = carried(index);
        let domain = piece.domain();
        // The parameter of an unbounded piece is x.
        let lo = if domain.lo.is_finite() { domain.lo } else { (left - dx).min(domain.hi) };
        let hi = if domain.hi.is_finite() { domain.hi } else { (right - dx).max(domain.lo) };
        let line: Vec<(f64, f64)> = parameters(piece, [lo, hi], right - left, most)
            .into_iter()
            .map(|s| piece.curve().point_at(s))
            .map(|p| (p.x + dx, p.y + dy))
            .collect();
        let inside = |p: &(f64, f64)| left <= p.0 && p.0 <= right;
        let first = line.iter().position(inside);
        let last = line.iter().rposition(inside);
        let (Some(first), Some(last)) = (first, last) else { continue };
        let line = &line[first.saturating_sub(1)..(last + 2).min(line.len())];
        // Connected pieces are one line.
        let joins = |end: &(f64, f64)| (end.0 - line[0].0).hypot(end.1 - line[0].1) < 1e-6;
        match lines.last_mut() {
            Some(before) if before.last().is_some_and(joins) => before.extend_from_slice(line),
            _ => lines.push(line.to_vec()),
        }
    }
    lines
}

/// Parameters between which the piece is visibly straight, or short; proven by enclosures, so that no spike is missed.
fn parameters(piece: &Piece, [lo, hi]: [f64; 2], shown: f64, most: usize) -> Vec<f64> {
    let count = PARTS.min(most);
    let at = |i: usize| lo + (hi - lo) * i as f64 / count as f64;
    let ends: Vec<_> = (0..=count).map(|i| piece.curve().point_at(at(i))).collect();
    let spread = |of: fn(&nalgebra::Vector2<f64>) -> f64| {
        let values = ends.iter().map(of).filter(|value| value.is_finite());
        let [low, high] = values.fold([f64::INFINITY, f64::NEG_INFINITY], |[l, h], v| [l.min(v), h.max(v)]);
        high - low
    };
    let whole = spread(|p| p.x).hypot(spread(|p| p.y));
    let apart = SEEN * if shown.is_finite() { shown } else { whole };
    // The distance of a chord from its arc is at most w² |c″| / 8, and at most the arc's extent.
    let bent = |from: f64, to: f64| {
        let found = piece.enclosure(Interval::between(from, to));
        let large = |sides: [Interval; 2], of: fn(Interval) -> f64| of(sides[0]).hypot(of(sides[1]));
        let (arc, turn) = (large(found.second, Interval::magnitude), large(found.point, Interval::width));
        let far = (0.125 * (to - from).powi(2) * arc).min(turn);
        // NaN (no enclosure) counts as too far.
        !(far <= apart)
    };
    let mut parts: Vec<(f64, f64, bool)> = (0..count).map(|i| (at(i), at(i + 1), bent(at(i), at(i + 1)))).collect();
    for _ in 0..HALVINGS {
        let open = parts.iter().filter(|(.., open)| *open).count();
        if open == 0 || parts.len() + open > most {
            break;
        }
        parts = parts
            .into_iter()
            .flat_map(|(from, to, open)| {
                let middle = 0.5 * (from + to);
                let halves = open && from < middle && middle < to;
                let one = if halves { (from, middle, bent(from, middle)) } else { (from, to, false) };
                [Some(one), halves.then(|| (middle, to, bent(middle, to)))]
            })
            .flatten()
            .collect();
    }
    std::iter::once(lo).chain(parts.into_iter().map(|(_, to, _)| to)).collect()
}
