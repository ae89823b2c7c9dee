//! C² cubic splines through points.

use nalgebra::Vector2;

pub use super::smoothing::{MIN_POINTS, Smoothed, Smoothing, smooth};

use crate::Piece;

/// Condition at the ends of a spline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SplineEnds {
    /// Second derivative 0.
    Natural,
    /// Given first derivatives by the parameter at both ends: `(1, slope)` for a graph, else a unit vector.
    Clamped([Vector2<f64>; 2]),
    /// First and second derivatives at the last point equal those at the first, which it repeats (a graph its height).
    Periodic,
}

/// Parameters of the points of a spline, strictly increasing: `x` if that increases throughout, else the cumulated
/// chord lengths.
///
/// Equal neighbours are refused; the error is the index of the second one.
pub fn knots(points: &[Vector2<f64>]) -> Result<Vec<f64>, usize> {
    if is_graph(points) {
        return Ok(points.iter().map(|p| p.x).collect());
    }
    let mut knots = vec![0.0];
    for (i, pair) in points.windows(2).enumerate() {
        let next = knots[i] + (pair[1] - pair[0]).norm();
        if !(next > knots[i]) {
            return Err(i + 1);
        }
        knots.push(next);
    }
    Ok(knots)
}

/// Whether `x` increases from point to point, so that the spline is a graph over it.
pub fn is_graph(points: &[Vector2<f64>]) -> bool {
    points.windows(2).all(|pair| pair[0].x < pair[1].x)
}

/// The interpolating spline, one piece between each two points; `knots` are those of [`knots`](knots()).
///
/// Needs two points, with periodic ends three, and as many knots; otherwise there are no pieces.
pub fn spline(knots: &[f64], points: &[Vector2<f64>], ends: SplineEnds) -> Vec<Piece> {
    if points.len() < 2 || knots.len() != points.len() || (ends == SplineEnds::Periodic && points.len() < 3) {
        return Vec::new();
    }
    let bends = match ends {
        SplineEnds::Periodic => periodic_bends(knots, points),
        _ => open_bends(knots, points, ends),
    };
    Piece::cubics(knots, points, &bends)
}

/// Second derivatives m at the knots: `hᵢ₋₁ mᵢ₋₁ + 2(hᵢ₋₁ + hᵢ) mᵢ + hᵢ mᵢ₊₁ = 6 Δslope` with steps h of the knots and
/// slopes of the chords (de Boor, *A Practical Guide to Splines*, ch. IV).
fn open_bends(knots: &[f64], points: &[Vector2<f64>], ends: SplineEnds) -> Vec<Vector2<f64>> {
    let last = points.len() - 1;
    let h = |i: usize| knots[i + 1] - knots[i];
    let slope = |i: usize| (points[i + 1] - points[i]) / h(i);
    let [first, end] = match ends {
        SplineEnds::Clamped([first, end]) => {
            let step = h(last - 1);
            [
                TridiagonalRow { before: 0.0, own: 2.0 * h(0), after: h(0), value: 6.0 * (slope(0) - first) },
                TridiagonalRow { before: step, own: 2.0 * step, after: 0.0, value: 6.0 * (end - slope(last - 1)) },
            ]
        }
        // The equation m = 0.
        _ => [TridiagonalRow { before: 0.0, own: 1.0, after: 0.0, value: Vector2::zeros() }; 2],
    };
    let inner = |i: usize| {
        let value = 6.0 * (slope(i) - slope(i - 1));
        TridiagonalRow { before: h(i - 1), own: 2.0 * (h(i - 1) + h(i)), after: h(i), value }
    };
    solve(std::iter::once(first).chain((1..last).map(inner)).chain([end]).collect())
}

/// Second derivatives at the knots of a closed chain. The Sherman–Morrison formula adds the two corner entries of the
/// cyclic matrix to a tridiagonal one.
fn periodic_bends(knots: &[f64], points: &[Vector2<f64>]) -> Vec<Vector2<f64>> {
    let count = points.len() - 1;
    let h = |i: usize| knots[i + 1] - knots[i];
    let slope = |i: usize| (points[i + 1] - points[i]) / h(i);
    let around = h(count - 1);
    let row = |i: usize| {
        let earlier = (i + count - 1) % count;
        let (before, after) = (h(earlier), h(i));
        TridiagonalRow { before, own: 2.0 * (before + after), after, value: 6.0 * (slope(i) - slope(earlier)) }
    };
    let mut rows: Vec<_> = (0..count).map(row).collect();
    let mut bends = if count == 2 {
        // Each knot is the other one's neighbour on both sides.
        let (own, other) = (rows[0].own, rows[0].before + rows[0].after);
        let (a, b) = (rows[0].value, rows[1].value);
        let scale = 1.0 / (own * own - other * other);
        vec![(own * a - other * b) * scale, (own * b - other * a) * scale]
    } else {
        // A = T + g u uᵀ with T tridiagonal, u = (1, 0, …, 0, 1), and g the entry of the corners.
        rows[0].own -= around;
        rows[count - 1].own -= around;
        let mut unit = rows.clone();
        for (i, row) in unit.iter_mut().enumerate() {
            row.value = Vector2::repeat(if i == 0 || i == count - 1 { 1.0 } else { 0.0 });
        }
        let (mut solution, correction) = (solve(rows), solve(unit));
        let ends = solution[0] + solution[count - 1];
        let factor = around / (1.0 + around * (correction[0].x + correction[count - 1].x));
        for (bend, by) in solution.iter_mut().zip(&correction) {
            *bend -= ends * (factor * by.x);
        }
        solution
    };
    bends.push(bends[0]);
    bends
}

/// A row of a diagonally dominant tridiagonal system.
#[derive(Clone, Copy, Debug)]
struct TridiagonalRow {
    before: f64,
    own: f64,
    after: f64,
    value: Vector2<f64>,
}

/// Solves a tridiagonal system by Gaussian elimination, without pivoting as the diagonal dominates.
fn solve(mut rows: Vec<TridiagonalRow>) -> Vec<Vector2<f64>> {
    for i in 1..rows.len() {
        let previous = rows[i - 1];
        let factor = rows[i].before / previous.own;
        rows[i].own -= factor * previous.after;
        rows[i].value -= factor * previous.value;
    }
    let mut solution = vec![Vector2::zeros(); rows.len()];
    let mut later = Vector2::zeros();
    for (row, at) in rows.iter().zip(&mut solution).rev() {
        later = (row.value - row.after * later) / row.own;
        *at = later;
    }
    solution
}
