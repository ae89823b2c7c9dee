//! Fits the ground by polynomials of its parameter.

use curves::Ground;
use numbers::elementary;

use super::chebyshev::{Exactness, Pieces};

/// Maximum number of polynomial pieces of the ground.
const MOST: usize = 6000;
/// Maximum number of halvings of a piece.
const HALVINGS: u32 = 10;
/// Number of stretches of unbounded ground on each side of the box: the first as wide as the box, each further one
/// twice as long.
const STRETCHES: i32 = 12;
/// Number of polynomial pieces of the stretches on one side from which on no further one is added.
const BEYOND: usize = 100;

/// The ground as polynomial pieces, with connections.
#[derive(Default)]
pub(super) struct GroundLines {
    pub pieces: Pieces<2>,
    /// Whether each piece continues the one before.
    pub joined: Vec<bool>,
    /// Index of the ground's piece for each polynomial piece.
    pub of: Vec<usize>,
    /// Abscissas (m) up to which unbounded ground is included; `None`: it is bounded.
    pub known: [Option<f64>; 2],
}

/// The ground, where it is unbounded between two abscissas and beyond them, m; `tolerance` in m.
pub(super) fn lines(ground: &Ground, [left, right]: [f64; 2], tolerance: f64) -> GroundLines {
    let mut lines = GroundLines::default();
    let mut last: Option<[f64; 2]> = None;
    let halvings = HALVINGS.min((MOST / ground.pieces().len().max(1)).max(1).ilog2());
    for (index, piece) in ground.pieces().iter().enumerate() {
        let domain = piece.domain();
        // The parameter of an unbounded piece is x.
        let lo = if domain.lo.is_finite() { domain.lo } else { left.min(domain.hi) };
        let hi = if domain.hi.is_finite() { domain.hi } else { right.max(domain.lo) };
        let point = |s: f64| -> [f64; 2] { piece.curve().point_at(s).into() };
        let (first, end) = (point(lo), point(hi));
        let near = |a: [f64; 2], b: [f64; 2]| elementary::hypot(a[0] - b[0], a[1] - b[1]) <= 1e-6;
        let joins = last.is_some_and(|last| near(last, first));
        last = Some(end);
        if !(lo < hi) || !first.iter().chain(&end).all(|c| c.is_finite()) {
            continue;
        }
        let to = Exactness { tolerance: [tolerance; 2], part: [1e-12; 2], jumps: false };
        let mut middle = Pieces::default();
        middle.add(&point, [lo, hi], &to, halvings);
        // Where the middle is too fine to be followed, the stretches beyond are not halved either.
        let halvings = if middle.rough > 0 { 0 } else { halvings };
        if !domain.lo.is_finite() {
            let beyond = beyond(&point, lo, left - right, &to, halvings);
            lines.known[0] = Some(beyond.last().map_or(lo, |last| last.spans[0][0]));
            beyond.into_iter().rev().for_each(|stretch| lines.pieces.append(stretch));
        }
        lines.pieces.append(middle);
        if !domain.hi.is_finite() {
            let beyond = beyond(&point, hi, right - left, &to, halvings);
            lines.known[1] = Some(beyond.last().and_then(|last| last.spans.last()).map_or(hi, |span| span[1]));
            beyond.into_iter().for_each(|stretch| lines.pieces.append(stretch));
        }
        if lines.joined.len() < lines.pieces.len() {
            lines.joined.push(joins);
        }
        lines.joined.resize(lines.pieces.len(), true);
        lines.of.resize(lines.pieces.len(), index);
    }
    lines
}

/// Stretches of an unbounded piece from an abscissa outwards; the first has the length `first` (m; its sign gives the
/// direction).
fn beyond(point: &impl Fn(f64) -> [f64; 2], from: f64, first: f64, to: &Exactness<2>, halvings: u32) -> Vec<Pieces<2>> {
    let mut found: Vec<Pieces<2>> = Vec::new();
    let (mut edge, mut count, mut last) = (from, 0, 0);
    for i in 0..STRETCHES {
        let next = edge + first * elementary::powi(2f64, i);
        let mut stretch = Pieces::default();
        // Twice as long a stretch has about twice as many pieces.
        if count + 2 * last > BEYOND || ![edge, next].into_iter().flat_map(point).all(f64::is_finite) {
            break;
        }
        stretch.add(point, [edge.min(next), edge.max(next)], to, halvings);
        if stretch.rough > 0 {
            break;
        }
        last = stretch.len();
        count += last;
        found.push(stretch);
        edge = next;
    }
    found
}
