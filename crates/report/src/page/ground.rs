//! The ground as polynomials of its parameter.

use curves::Ground;

use super::chebyshev::{Exactness, Pieces};

/// Pieces of polynomials of all pieces of the ground.
const MOST: usize = 6000;
/// How often a piece is halved.
const HALVINGS: u32 = 10;

/// The ground between two abscissas: pieces of polynomials, and where a line begins anew.
pub(super) struct Lines {
    pub pieces: Pieces<2>,
    /// Whether each piece goes on where the one before ended.
    pub joined: Vec<bool>,
    /// Which of the ground's pieces each is of.
    pub of: Vec<usize>,
}

/// The ground near a box (left, right, low, high), m; `tolerance` in m.
pub(super) fn lines(ground: &Ground, [left, right, _, _]: [f64; 4], tolerance: f64) -> Lines {
    let mut lines = Lines { pieces: Pieces::new(), joined: Vec::new(), of: Vec::new() };
    let mut last: Option<[f64; 2]> = None;
    let halvings = HALVINGS.min((MOST / ground.pieces().len().max(1)).max(1).ilog2());
    for (index, piece) in ground.pieces().iter().enumerate() {
        let domain = piece.domain();
        // Unbounded pieces are graphs over x, whose parameter is the abscissa.
        let lo = if domain.lo.is_finite() { domain.lo } else { left.min(domain.hi) };
        let hi = if domain.hi.is_finite() { domain.hi } else { right.max(domain.lo) };
        let point = |s: f64| -> [f64; 2] { piece.curve().point_at(s).into() };
        let (first, end) = (point(lo), point(hi));
        let near = |a: [f64; 2], b: [f64; 2]| (a[0] - b[0]).hypot(a[1] - b[1]) <= 1e-6;
        let joins = last.is_some_and(|last| near(last, first));
        last = Some(end);
        if !(lo < hi) || !first.iter().chain(&end).all(|c| c.is_finite()) {
            continue;
        }
        lines.pieces.add(&point, [lo, hi], &Exactness { tolerance: [tolerance; 2], part: 1e-12 }, halvings);
        if lines.joined.len() < lines.pieces.len() {
            lines.joined.push(joins);
        }
        lines.joined.resize(lines.pieces.len(), true);
        lines.of.resize(lines.pieces.len(), index);
    }
    lines
}
