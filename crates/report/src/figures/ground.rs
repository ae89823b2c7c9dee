//! The ground as lines that show all of it: points where its enclosures ask for them.

use curves::{Ground, Piece};
use numbers::Interval;

/// Parts of a piece to begin with.
const PARTS: usize = 64;
/// Parts of all pieces; where this is not enough, as in noise, the worst is left.
const MOST: usize = 60_000;
/// Parts of one piece.
const MOST_OF_PIECE: usize = 6000;
/// How far a line may be from the ground, by the size of what is shown: a tenth of a point in print.
const SEEN: f64 = 2e-4;
/// How often a part is halved.
const HALVINGS: usize = 40;

/// Points of the ground between two abscissas, for drawing.
pub fn ground_points(ground: &Ground, left: f64, right: f64) -> Vec<Vec<(f64, f64)>> {
    carried_points(ground, left, right, |_| [0.0; 2])
}

/// Points of ground of which each piece has been carried by so many metres.
pub(super) fn carried_points(
    ground: &Ground,
    left: f64,
    right: f64,
    carried: impl Fn(usize) -> [f64; 2],
) -> Vec<Vec<(f64, f64)>> {
    let most = (MOST / ground.pieces().len().max(1)).clamp(1, MOST_OF_PIECE);
    let mut lines = Vec::new();
    for (index, piece) in ground.pieces().iter().enumerate() {
        let [dx, dy] = carried(index);
        let domain = piece.domain();
        // Unbounded pieces are graphs over x, whose parameter is the abscissa.
        let lo = if domain.lo.is_finite() { domain.lo } else { (left - dx).min(domain.hi) };
        let hi = if domain.hi.is_finite() { domain.hi } else { (right - dx).max(domain.lo) };
        let mut line: Vec<(f64, f64)> = parameters(piece, [lo, hi], right - left, most)
            .into_iter()
            .map(|s| piece.curve().point_at(s))
            .map(|p| (p.x + dx, p.y + dy))
            .collect();
        let inside = |p: &(f64, f64)| left <= p.0 && p.0 <= right;
        let first = line.iter().position(inside);
        let last = line.iter().rposition(inside);
        if let (Some(first), Some(last)) = (first, last) {
            line = line[first.saturating_sub(1)..(last + 2).min(line.len())].to_vec();
            lines.push(line);
        }
    }
    // Pieces that meet are one line.
    let mut joined: Vec<Vec<(f64, f64)>> = Vec::new();
    for line in lines {
        match joined.last_mut() {
            Some(last) if last.last().zip(line.first()).is_some_and(|(a, b)| (a.0 - b.0).hypot(a.1 - b.1) < 1e-6) => {
                last.extend(line)
            }
            _ => joined.push(line),
        }
    }
    joined
}

/// Parameters between which the piece is as straight as can be seen, or shorter. Its enclosures say so: no spike is passed over.
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
    // A chord is at most w² |c″| / 8 from its arc, and never farther than the arc is large.
    let bent = |from: f64, to: f64| {
        let found = piece.enclosure(Interval::between(from, to));
        let large = |sides: [Interval; 2], of: fn(Interval) -> f64| of(sides[0]).hypot(of(sides[1]));
        let (arc, turn) = (large(found.second, Interval::magnitude), large(found.point, Interval::width));
        let far = (0.125 * (to - from).powi(2) * arc).min(turn);
        // What has no enclosure is looked into.
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
