//! How are the equations of a heap factorised? By sparse LU of 3 × 3 blocks, one row for each body, without pivoting.

use std::iter::repeat_n;

use nalgebra::{Matrix3, Vector3};

use crate::refill;

/// Inverse of a matrix; `None`: it is singular.
pub(super) fn inverse(matrix: &Matrix3<f64>) -> Option<Matrix3<f64>> {
    inverse_and_sign(matrix).map(|(inverse, _)| inverse)
}

/// Inverse by Gauss and Jordan with pivots, and whether the determinant is negative; `None`: singular.
fn inverse_and_sign(matrix: &Matrix3<f64>) -> Option<(Matrix3<f64>, bool)> {
    let mut negative = false;
    let (mut a, mut inverse) = (*matrix, Matrix3::identity());
    for k in 0..3 {
        let mut pivot = k;
        for i in k + 1..3 {
            if a[(i, k)].abs() > a[(pivot, k)].abs() {
                pivot = i;
            }
        }
        negative ^= (pivot != k) != (a[(pivot, k)] < 0.0);
        let scale = 1.0 / a[(pivot, k)];
        if !scale.is_finite() {
            return None;
        }
        for part in [&mut a, &mut inverse] {
            part.swap_rows(k, pivot);
            part.row_mut(k).scale_mut(scale);
        }
        for i in (0..3).filter(|i| *i != k) {
            let factor = a[(i, k)];
            for part in [&mut a, &mut inverse] {
                let less = part.row(k) * factor;
                part.row_mut(i).zip_apply(&less, |x, less| *x -= less);
            }
        }
    }
    Some((inverse, negative))
}

/// Position of the two off-diagonal blocks of a pair of bodies.
#[derive(Clone, Copy, Debug)]
struct FrontPlace {
    /// Index in `lower` and `upper`.
    at: usize,
    /// Whether the first body is eliminated after the second.
    later: bool,
}

/// The matrix, and once factorised its factors. Order and fill-in are kept while the pattern stays the same.
#[derive(Clone, Debug, Default)]
pub(super) struct Elimination {
    pairs: Vec<[usize; 2]>,
    /// Rank of each body in the order of elimination.
    when: Vec<usize>,
    places: Vec<FrontPlace>,
    /// Ranks of the later bodies coupled to the k-th one, fill-in included: entries from `row_starts[k]` on.
    rows: Vec<usize>,
    row_starts: Vec<usize>,
    /// Earlier bodies coupled to the k-th one: rank, and position of the block. Entries from `earlier_starts[k]` on.
    earlier: Vec<[usize; 2]>,
    earlier_starts: Vec<usize>,
    /// Blocks of `L` and `U`, for each entry of `rows`.
    lower: Vec<Matrix3<f64>>,
    upper: Vec<Matrix3<f64>>,
    /// Diagonal blocks; once factorised the inverses of the pivot blocks.
    diagonal: Vec<Matrix3<f64>>,
    /// While a column is factorised: position of the block in each of its rows.
    find: Vec<usize>,
    work: Vec<Vector3<f64>>,
    /// Whether the determinant of the last factorised matrix is negative.
    pub negative: bool,
}

impl Elimination {
    /// Prepares for contacts of these pairs of bodies (`[a, a]`: of a alone); false: no order was found.
    pub fn prepare(&mut self, bodies: usize, pairs: impl Iterator<Item = [usize; 2]> + Clone) -> bool {
        if self.diagonal.len() == bodies && self.pairs.iter().copied().eq(pairs.clone()) {
            return true;
        }
        refill(&mut self.pairs, pairs);
        let Some(when) = minimum_degree(bodies, &self.pairs) else {
            self.pairs.clear();
            self.diagonal.clear();
            return false;
        };
        self.when = when;
        self.list_rows(bodies);
        self.list_earlier(bodies);
        self.places.clear();
        for [a, b] in self.pairs.iter().map(|pair| pair.map(|body| self.when[body])) {
            let (first, last) = (a.min(b), a.max(b));
            let start = self.row_starts[first];
            let within = self.rows[start..self.row_starts[first + 1]].binary_search(&last).unwrap_or(0);
            self.places.push(FrontPlace { at: start + within, later: a > b });
        }
        refill(&mut self.lower, repeat_n(Matrix3::zeros(), self.rows.len()));
        refill(&mut self.upper, repeat_n(Matrix3::zeros(), self.rows.len()));
        refill(&mut self.diagonal, repeat_n(Matrix3::zeros(), bodies));
        refill(&mut self.find, repeat_n(0, bodies));
        refill(&mut self.work, repeat_n(Vector3::zeros(), bodies));
        true
    }

    /// Lists the rows below the diagonal in each column; fill-in of column k comes from columns whose first row is k.
    fn list_rows(&mut self, n: usize) {
        let mut later: Vec<Vec<usize>> = vec![Vec::new(); n];
        for [a, b] in self.pairs.iter().map(|pair| pair.map(|body| self.when[body])) {
            if a != b {
                later[a.min(b)].push(a.max(b));
            }
        }
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); n];
        self.rows.clear();
        refill(&mut self.row_starts, [0]);
        let mut seen = vec![usize::MAX; n];
        for k in 0..n {
            let start = self.rows.len();
            seen[k] = k;
            for row in std::mem::take(&mut later[k]) {
                if seen[row] != k {
                    seen[row] = k;
                    self.rows.push(row);
                }
            }
            for child in std::mem::take(&mut children[k]) {
                for at in self.row_starts[child]..self.row_starts[child + 1] {
                    let row = self.rows[at];
                    if seen[row] != k {
                        seen[row] = k;
                        self.rows.push(row);
                    }
                }
            }
            self.rows[start..].sort_unstable();
            if let Some(parent) = self.rows.get(start) {
                children[*parent].push(k);
            }
            self.row_starts.push(self.rows.len());
        }
    }

    /// Lists the entries left of the diagonal in each row, in column order, by counting.
    fn list_earlier(&mut self, n: usize) {
        refill(&mut self.earlier_starts, repeat_n(0, n + 2));
        for row in &self.rows {
            self.earlier_starts[row + 2] += 1;
        }
        for k in 2..n + 2 {
            self.earlier_starts[k] += self.earlier_starts[k - 1];
        }
        refill(&mut self.earlier, repeat_n([0; 2], self.rows.len()));
        for k in 0..n {
            for at in self.row_starts[k]..self.row_starts[k + 1] {
                let next = &mut self.earlier_starts[self.rows[at] + 1];
                self.earlier[*next] = [k, at];
                *next += 1;
            }
        }
    }

    /// Sets the diagonal blocks, and all others to zero.
    pub fn start(&mut self, diagonal: &[Matrix3<f64>]) {
        for part in [&mut self.lower, &mut self.upper] {
            part.fill(Matrix3::zeros());
        }
        for (body, block) in diagonal.iter().enumerate() {
            self.diagonal[self.when[body]] = *block;
        }
    }

    pub fn add_own(&mut self, body: usize, block: &Matrix3<f64>) {
        self.diagonal[self.when[body]] += block;
    }

    /// Adds blocks `(a, b)` and `(b, a)` of a pair.
    pub fn add_between(&mut self, pair: usize, first: &Matrix3<f64>, second: &Matrix3<f64>) {
        let FrontPlace { at, later } = self.places[pair];
        let (lower, upper) = if later { (first, second) } else { (second, first) };
        self.lower[at] += lower;
        self.upper[at] += upper;
    }

    /// Factorises column by column from the left; false where a pivot block is singular.
    pub fn factorise(&mut self) -> bool {
        self.negative = false;
        for j in 0..self.diagonal.len() {
            let own = self.row_starts[j]..self.row_starts[j + 1];
            for at in own.clone() {
                self.find[self.rows[at]] = at;
            }
            for earlier in self.earlier_starts[j]..self.earlier_starts[j + 1] {
                let [k, at] = self.earlier[earlier];
                let (left, right) = (self.lower[at], self.upper[at]);
                self.diagonal[j] -= left * right;
                for other in at + 1..self.row_starts[k + 1] {
                    let to = self.find[self.rows[other]];
                    let (below, above) = (self.lower[other], self.upper[other]);
                    self.lower[to] -= below * right;
                    self.upper[to] -= left * above;
                }
            }
            let Some((pivot, negative)) = inverse_and_sign(&self.diagonal[j]) else { return false };
            self.negative ^= negative;
            self.diagonal[j] = pivot;
            for at in own {
                self.lower[at] *= pivot;
            }
        }
        true
    }

    /// Solves in place; the right-hand side and the solution are in the order of bodies, not of ranks.
    pub fn solve(&mut self, right: &mut [Vector3<f64>]) {
        let n = self.diagonal.len();
        for (body, value) in right.iter().enumerate() {
            self.work[self.when[body]] = *value;
        }
        for k in 0..n {
            let known = self.work[k];
            for at in self.row_starts[k]..self.row_starts[k + 1] {
                self.work[self.rows[at]] -= self.lower[at] * known;
            }
        }
        for k in (0..n).rev() {
            let mut sum = self.work[k];
            for at in self.row_starts[k]..self.row_starts[k + 1] {
                sum -= self.upper[at] * self.work[self.rows[at]];
            }
            self.work[k] = self.diagonal[k] * sum;
        }
        for (body, value) in right.iter_mut().enumerate() {
            *value = self.work[self.when[body]];
        }
    }
}

/// Rank of each body by approximate minimum degree (Amestoy, Davis & Duff 1996).
fn minimum_degree(n: usize, pairs: &[[usize; 2]]) -> Option<Vec<usize>> {
    let mut coupled: Vec<[usize; 2]> = (0..n).map(|k| [k, k]).collect();
    coupled.extend(pairs.iter().filter(|[a, b]| a != b).flat_map(|[a, b]| [[*a, *b], [*b, *a]]));
    coupled.sort_unstable();
    coupled.dedup();
    let mut starts = vec![0; n + 1];
    for [column, _] in &coupled {
        starts[column + 1] += 1;
    }
    for k in 0..n {
        starts[k + 1] += starts[k];
    }
    let rows: Vec<usize> = coupled.iter().map(|[_, row]| *row).collect();
    let (_, when, _) = amd::order(n, &starts, &rows, &amd::Control::default()).ok()?;
    Some(when)
}
