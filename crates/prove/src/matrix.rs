//! Small vectors and matrices of intervals.

use numbers::Interval;

/// Rows of a matrix.
pub(crate) type Matrix<const ROWS: usize, const COLUMNS: usize> = [[Interval; COLUMNS]; ROWS];

pub(crate) const ZERO: Interval = Interval::point(0.0);
pub(crate) const ONE: Interval = Interval::point(1.0);

pub(crate) fn identity<const D: usize>() -> Matrix<D, D> {
    std::array::from_fn(|i| std::array::from_fn(|j| if i == j { ONE } else { ZERO }))
}

/// `a · b`; zero entries stay exact.
pub(crate) fn dot<const K: usize>(a: &[Interval; K], b: &[Interval; K]) -> Interval {
    let terms = a.iter().zip(b).filter(|(a, b)| **a != ZERO && **b != ZERO);
    terms.map(|(a, b)| *a * *b).reduce(|sum, term| sum + term).unwrap_or(ZERO)
}

/// `A x`
pub(crate) fn times<const D: usize, const K: usize>(a: &Matrix<D, K>, x: &[Interval; K]) -> [Interval; D] {
    std::array::from_fn(|i| dot(&a[i], x))
}

/// `A B`
pub(crate) fn product<const D: usize, const M: usize, const K: usize>(
    a: &Matrix<D, M>,
    b: &Matrix<M, K>,
) -> Matrix<D, K> {
    std::array::from_fn(|i| std::array::from_fn(|j| dot(&a[i], &std::array::from_fn(|m| b[m][j]))))
}

/// Intersection of two enclosures of the same number; `a` if rounding leaves it empty.
pub(crate) fn both(a: Interval, b: Interval) -> Interval {
    a.intersection(b).unwrap_or(a)
}

/// Whether all of `a` is inside `b`.
pub(crate) fn within(a: Interval, b: Interval) -> bool {
    b.lo <= a.lo && a.hi <= b.hi
}

/// Splits a box into a point inside and the remainder around it.
pub(crate) fn split<const D: usize>(a: [Interval; D]) -> ([f64; D], [Interval; D]) {
    let middle = a.map(Interval::middle);
    (middle, std::array::from_fn(|i| a[i] - Interval::point(middle[i])))
}
