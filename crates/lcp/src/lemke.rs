//! How is it solved by pivoting? Lemke's method: Cottle, Pang & Stone, §4.4, with the lexicographic rule of §4.9.

use std::iter::repeat_n;

use numbers::elementary;

use crate::scaling::Scaled;
use crate::{Failure, Problem, Solved, refill};

/// Least pivot, relative to its column's largest entry.
const PIVOT: f64 = 1e-9;
/// Rows tie if going as far as one takes no other below 0 by more than this part of the largest right-hand side.
const TIE: f64 = 1e-12;
/// Components of `Mᵀv` up to this part of `−qᵀv` count as 0: a z with `M z + q ≥ 0` has `(Mᵀv)·z ≥ −qᵀv`, and would
/// have components that sum to 1e8 in scaled units.
const UNBOUNDED: f64 = 1e-8;
/// Number of refinements of a solution.
const REFINEMENTS: usize = 2;
/// Largest number of covering vectors: after a ray another one may end in a solution, but costs as much as the first.
const ATTEMPTS: usize = 40;
/// Largest ratio of a covering vector's entries, so large because paths of similar vectors end in the same ray.
const SPREAD: f64 = 1e5;

/// Lemke's method with the covering vector of ones (of the problem scaled to entries near 1).
///
/// Its path ends in a solution or a ray. A ray proves that there is no solution if M is copositive-plus, as Delassus
/// operators are; otherwise only with a certificate, see [`Failure::NoSolution`]. Ties are broken lexicographically, so
/// that it can't cycle. The solution of the final basis is refined with the inverse in the tableau, since rounding of
/// all pivots has added up in it. If it misses the tolerance all the same, or the ray proves nothing, other covering
/// vectors are tried.
#[derive(Clone, Debug)]
pub struct Lemke {
    /// Largest residual of a solution; 1e-11.
    pub tolerance: f64,
    /// Largest number of pivots for each unknown, beyond 100; 50.
    pub pivots: usize,
    scaled: Scaled,
    /// Rows of `w − M z − d z₀ = q` in the current basis: columns w, z, z₀, q.
    tableau: Vec<f64>,
    row: Vec<f64>,
    /// Basic variable of each row: i for w_i, n + i for z_i, 2n for z₀.
    basis: Vec<usize>,
    ties: Vec<usize>,
    /// Values of all variables: w, z, z₀; and errors of the rows.
    values: Vec<f64>,
    errors: Vec<f64>,
    guess: Vec<f64>,
    best: Vec<f64>,
}

impl Default for Lemke {
    fn default() -> Self {
        Lemke::new(1e-11)
    }
}

enum PivotEnd {
    Solution,
    Ray { column: usize },
    Work,
}

impl Lemke {
    /// The solver with a tolerance.
    pub fn new(tolerance: f64) -> Self {
        Lemke {
            tolerance,
            pivots: 50,
            scaled: Scaled::default(),
            tableau: Vec::new(),
            row: Vec::new(),
            basis: Vec::new(),
            ties: Vec::new(),
            values: Vec::new(),
            errors: Vec::new(),
            guess: Vec::new(),
            best: Vec::new(),
        }
    }

    /// Fills the tableau with `w − M z − d z₀ = q`; d is 1 in the first attempt, and varied in each further one.
    fn fill(&mut self, attempt: usize) {
        let n = self.scaled.size;
        let width = 2 * n + 2;
        refill(&mut self.tableau, repeat_n(0.0, n * width));
        for (i, row) in self.tableau.chunks_exact_mut(width).enumerate() {
            row[i] = 1.0;
            for (to, m) in row[n..2 * n].iter_mut().zip(&self.scaled.matrix[i * n..(i + 1) * n]) {
                *to = -m;
            }
            // Fractional parts of multiples of the golden ratio, which all differ.
            let varied = ((i + 1) as f64 * 0.618_033_988_749_895 * attempt as f64).fract();
            row[2 * n] = -elementary::powf(SPREAD, varied);
            row[2 * n + 1] = self.scaled.vector[i];
        }
        refill(&mut self.basis, 0..n);
    }

    fn at(&self, row: usize, column: usize) -> f64 {
        self.tableau[row * (2 * self.scaled.size + 2) + column]
    }

    /// Replaces `basis[leaving]` by `entering`.
    fn pivot(&mut self, leaving: usize, entering: usize) {
        let width = 2 * self.scaled.size + 2;
        let row = &mut self.tableau[leaving * width..(leaving + 1) * width];
        let inverse = 1.0 / row[entering];
        for x in row.iter_mut() {
            *x *= inverse;
        }
        row[entering] = 1.0;
        refill(&mut self.row, row.iter().copied());
        for (i, other) in self.tableau.chunks_exact_mut(width).enumerate() {
            let factor = other[entering];
            if i != leaving && factor != 0.0 {
                for (x, y) in other.iter_mut().zip(&self.row) {
                    *x -= factor * y;
                }
                other[entering] = 0.0;
            }
        }
        self.basis[leaving] = entering;
    }

    /// The row whose basic variable reaches 0 first as `entering` grows, z₀'s if it ties; `None`: none does, a ray.
    fn blocking(&mut self, entering: usize) -> Option<usize> {
        let n = self.scaled.size;
        let (artificial, right) = (2 * n, 2 * n + 1);
        let (mut largest, mut scale) = (0.0_f64, 0.0_f64);
        for i in 0..n {
            largest = largest.max(self.at(i, entering).abs());
            scale = scale.max(self.at(i, right).abs());
        }
        let tiny = (PIVOT * largest).max(1e-12);
        let mut least = f64::INFINITY;
        for i in 0..n {
            let pivot = self.at(i, entering);
            if pivot > tiny {
                least = least.min(self.at(i, right).max(0.0) / pivot);
            }
        }
        if !least.is_finite() {
            return None;
        }
        self.ties.clear();
        for i in 0..n {
            let pivot = self.at(i, entering);
            if pivot > tiny && (self.at(i, right) / pivot - least) * largest <= TIE * scale {
                if self.basis[i] == artificial {
                    return Some(i);
                }
                self.ties.push(i);
            }
        }
        // Lexicographic comparison by the rows of the inverse basis, which are the columns of w.
        for k in 0..n {
            if self.ties.len() < 2 {
                break;
            }
            let ratio = |i: usize| self.at(i, k) / self.at(i, entering);
            let least = self.ties.iter().fold(f64::INFINITY, |x, i| x.min(ratio(*i)));
            let mut ties = std::mem::take(&mut self.ties);
            ties.retain(|i| self.at(*i, k) / self.at(*i, entering) - least <= TIE * (1.0 + least.abs()));
            self.ties = ties;
        }
        self.ties.first().copied()
    }

    /// Follows the path from the basis of all w to its end; adds the pivots made to `pivots`.
    fn path(&mut self, pivots: &mut usize) -> PivotEnd {
        let n = self.scaled.size;
        let artificial = 2 * n;
        let most = self.pivots.saturating_mul(n).saturating_add(100 + *pivots);
        if n == 0 {
            return PivotEnd::Solution;
        }
        // The last of the smallest q_i/d_i keeps all rows lexicographically positive.
        let ratio = |i: usize| self.at(i, 2 * n + 1) / self.at(i, artificial);
        let first = (1..n).fold(0, |first, i| if ratio(i) >= ratio(first) { i } else { first });
        if self.at(first, 2 * n + 1) >= 0.0 {
            return PivotEnd::Solution;
        }
        self.pivot(first, artificial);
        *pivots += 1;
        let mut entering = first + n;
        while *pivots < most {
            let Some(leaving) = self.blocking(entering) else { return PivotEnd::Ray { column: entering } };
            let variable = self.basis[leaving];
            self.pivot(leaving, entering);
            *pivots += 1;
            if variable == artificial {
                return PivotEnd::Solution;
            }
            entering = if variable < n { variable + n } else { variable - n };
        }
        PivotEnd::Work
    }

    /// Judges the solution of the basis: refined, and, if that misses the tolerance, as the pivots left it. The best of
    /// all attempts is kept in `best`, with its `residual`.
    fn candidates(&mut self, judge: &mut impl FnMut(&[f64]) -> f64, residual: &mut f64) {
        let n = self.scaled.size;
        for refinements in [REFINEMENTS, 0] {
            refill(&mut self.values, repeat_n(0.0, 2 * n + 1));
            for row in 0..n {
                self.values[self.basis[row]] = self.at(row, 2 * n + 1);
            }
            // In a basis with z₀ there is nothing to be refined: it is no solution.
            if self.values[2 * n] == 0.0 {
                (0..refinements).for_each(|_| self.refine());
            }
            for (i, (guess, z)) in self.guess.iter_mut().zip(&self.values[n..2 * n]).enumerate() {
                *guess = self.scaled.unscale(i, z.max(0.0));
            }
            let reached = judge(&self.guess);
            if reached < *residual || residual.is_nan() {
                *residual = reached;
                self.best.copy_from_slice(&self.guess);
            }
            if *residual <= self.tolerance {
                return;
            }
        }
    }

    /// Refines the values of the basis once, by the inverse of its matrix: the columns of w.
    fn refine(&mut self) {
        let n = self.scaled.size;
        let (w, z) = self.values[..2 * n].split_at(n);
        let error = |i: usize| {
            let by: f64 = self.scaled.matrix[i * n..(i + 1) * n].iter().zip(z).map(|(m, z)| m * z).sum();
            self.scaled.vector[i] - w[i] + by
        };
        refill(&mut self.errors, (0..n).map(error));
        for (row, variable) in self.basis.iter().enumerate() {
            let inverse = &self.tableau[row * (2 * n + 2)..];
            self.values[*variable] += inverse.iter().zip(&self.errors).map(|(b, error)| b * error).sum::<f64>();
        }
    }

    /// Whether the ray's z-part v has `v ≥ 0`, `Mᵀv ≤ 0` to rounding, and `qᵀv < 0`: then no z has `M z + q ≥ 0`.
    fn proves(&mut self, column: usize) -> bool {
        let n = self.scaled.size;
        self.guess.fill(0.0);
        if (n..2 * n).contains(&column) {
            self.guess[column - n] = 1.0;
        }
        for i in 0..n {
            let variable = self.basis[i];
            if (n..2 * n).contains(&variable) {
                self.guess[variable - n] = (-self.at(i, column)).max(0.0);
            }
        }
        self.scaled.to_row_weights(&mut self.guess);
        let v = &self.guess;
        let along: f64 = v.iter().zip(&self.scaled.vector).map(|(v, q)| v * q).sum();
        let rise = |j: usize| v.iter().enumerate().map(|(i, v)| self.scaled.matrix[i * n + j] * v).sum::<f64>();
        let size: f64 = v.iter().sum();
        along < -1e-9 * size && (0..n).all(|j| rise(j) <= -UNBOUNDED * along)
    }

    /// Writes `z`, with a [`Problem::residual`] of at most the tolerance. After an error `solution` is arbitrary.
    pub fn solve(&mut self, problem: Problem<'_>, solution: &mut [f64]) -> Result<Solved, Failure> {
        self.solve_judged(problem, solution, |z| problem.residual(z))
    }

    /// Writes `z` with a residual of at most the tolerance. `judge` computes the residual of a z, so that a caller that
    /// has made the LCP from other data (contacts with friction) can ask for accuracy in their terms.
    pub(crate) fn solve_judged(
        &mut self,
        problem: Problem<'_>,
        solution: &mut [f64],
        mut judge: impl FnMut(&[f64]) -> f64,
    ) -> Result<Solved, Failure> {
        Failure::tolerance(self.tolerance)?;
        problem.check(solution.len())?;
        let n = problem.size();
        self.scaled.load(problem);
        refill(&mut self.guess, repeat_n(0.0, n));
        refill(&mut self.best, repeat_n(0.0, n));
        self.ties.clear();
        self.ties.reserve(n);
        let (mut pivots, mut residual, mut ray) = (0, f64::NAN, None);
        for attempt in 0..ATTEMPTS {
            self.fill(attempt);
            match self.path(&mut pivots) {
                PivotEnd::Solution => {
                    self.candidates(&mut judge, &mut residual);
                    if residual <= self.tolerance {
                        solution.copy_from_slice(&self.best);
                        return Ok(Solved { iterations: pivots, residual, slipped: 0 });
                    }
                }
                PivotEnd::Ray { column } => {
                    let held = self.basis.iter().position(|variable| *variable == 2 * n);
                    let artificial = held.map_or(0.0, |row| self.at(row, 2 * n + 1));
                    let proven = self.proves(column);
                    let failure = Failure::NoSolution { pivots, artificial, proven };
                    if proven {
                        return Err(failure);
                    }
                    ray = Some(failure);
                }
                PivotEnd::Work => self.candidates(&mut judge, &mut residual),
            }
        }
        match ray {
            Some(failure) if residual.is_nan() => Err(failure),
            _ => Err(Failure::NotReached { residual, tolerance: self.tolerance, iterations: pivots }),
        }
    }
}
