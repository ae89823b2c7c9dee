//! Planar friction as one dense LCP, after Stewart & Trinkle 1996.

use nalgebra::DMatrixView;

use super::{check_friction, check_pairs, larger, natural, reachable};
use crate::problem::{entries, finite, size};
use crate::{Failure, Lemke, Problem, Solved};

/// Contacts with a dense Delassus operator.
#[derive(Clone, Copy, Debug)]
pub struct Frictional<'a> {
    /// `W`, 2n × 2n in the order n₀, t₀, n₁, t₁, ...; 1/kg.
    pub matrix: DMatrixView<'a, f64>,
    /// `q`, m/s.
    pub velocity: &'a [[f64; 2]],
    /// μ of each contact.
    pub friction: &'a [f64],
}

impl Frictional<'_> {
    /// Checks sizes and that all numbers are valid.
    pub fn check(&self, impulses: usize) -> Result<(), Failure> {
        let n = self.velocity.len();
        size("friction", (self.friction.len(), 1), (n, 1))?;
        size("impulse", (impulses, 1), (n, 1))?;
        size("matrix", self.matrix.shape(), (2 * n, 2 * n))?;
        check_pairs("velocity", self.velocity)?;
        check_friction(self.friction, false)?;
        finite("matrix", entries(self.matrix))
    }

    /// Contact velocity `u = W p + q`.
    pub fn velocity_after(&self, contact: usize, impulse: &[[f64; 2]]) -> [f64; 2] {
        let component = |k: usize| {
            let row = 2 * contact + k;
            let sum: f64 = impulse
                .iter()
                .enumerate()
                .map(|(j, p)| self.matrix[(row, 2 * j)] * p[0] + self.matrix[(row, 2 * j + 1)] * p[1])
                .sum();
            sum + self.velocity[contact][k]
        };
        [component(0), component(1)]
    }

    /// Largest natural map, m/s: see [`friction`](super).
    pub fn residual(&self, impulse: &[[f64; 2]]) -> f64 {
        let n = self.velocity.len().min(impulse.len()).min(self.friction.len());
        (0..n).fold(0.0, |worst, i| {
            let entry = |k: usize, l: usize| self.matrix[(2 * i + k, 2 * i + l)];
            let block = [[entry(0, 0), entry(0, 1)], [entry(1, 0), entry(1, 1)]];
            larger(worst, natural(&block, self.friction[i], impulse[i], self.velocity_after(i, impulse)))
        })
    }
}

/// Solves the planar problem as an LCP in `z = (p_n, β₊, β₋, σ)` of each contact, by [`Lemke`]:
///
/// ```text
/// p_t = β₊ − β₋      w = (u_n,  u_t + σ,  −u_t + σ,  μ p_n − β₊ − β₋)
/// ```
///
/// with `σ = |u_t|` where the contact slides. `zᵀMz = pᵀWp + Σ μ p_n σ`, so M is copositive if W is positive
/// semidefinite, and Lemke ends in a solution unless contacts jam. Of several solutions it finds one.
#[derive(Clone, Debug)]
pub struct DenseFriction {
    /// Largest [`Frictional::residual`], m/s; 1e-10.
    pub tolerance: f64,
    lemke: Lemke,
    matrix: Vec<f64>,
    vector: Vec<f64>,
    solution: Vec<f64>,
}

impl Default for DenseFriction {
    fn default() -> Self {
        DenseFriction {
            tolerance: 1e-10,
            lemke: Lemke::default(),
            matrix: Vec::new(),
            vector: Vec::new(),
            solution: Vec::new(),
        }
    }
}

impl DenseFriction {
    /// Writes the impulses; no start is needed.
    pub fn solve(&mut self, problem: Frictional<'_>, impulse: &mut [[f64; 2]]) -> Result<Solved, Failure> {
        crate::problem::tolerance(self.tolerance)?;
        problem.check(impulse.len())?;
        let n = problem.velocity.len();
        let size = 4 * n;
        let unit = problem.matrix.iter().fold(0.0_f64, |most, entry| most.max(entry.abs()));
        // Scales impulses to a velocity.
        let unit = if unit.is_normal() { unit } else { 1.0 };
        self.matrix.clear();
        self.matrix.resize(size * size, 0.0);
        self.vector.clear();
        self.vector.resize(size, 0.0);
        self.solution.clear();
        self.solution.resize(size, 0.0);
        for j in 0..n {
            for i in 0..n {
                for (k, row, row_sign) in [(0, 0, 1.0), (1, 1, 1.0), (2, 1, -1.0)] {
                    for (l, column, column_sign) in [(0, 0, 1.0), (1, 1, 1.0), (2, 1, -1.0)] {
                        self.matrix[(4 * j + l) * size + 4 * i + k] =
                            row_sign * column_sign * problem.matrix[(2 * i + row, 2 * j + column)] / unit;
                    }
                }
            }
            let mut set = |k: usize, l: usize, value: f64| self.matrix[(4 * j + l) * size + 4 * j + k] = value;
            set(1, 3, 1.0);
            set(2, 3, 1.0);
            set(3, 0, problem.friction[j]);
            set(3, 1, -1.0);
            set(3, 2, -1.0);
            let [normal, tangential] = problem.velocity[j];
            self.vector[4 * j..4 * j + 3].copy_from_slice(&[normal, tangential, -tangential]);
        }
        let matrix = DMatrixView::from_slice(&self.matrix, size, size);
        let mut read = |solution: &[f64]| {
            for (p, z) in impulse.iter_mut().zip(solution.chunks_exact(4)) {
                *p = [z[0] / unit, (z[1] - z[2]) / unit];
            }
            problem.residual(impulse)
        };
        self.lemke.tolerance = reachable(self.tolerance, problem.velocity);
        let pivoted = Problem { matrix, vector: &self.vector };
        let solved = self.lemke.solve_judged(pivoted, &mut self.solution, &mut read)?;
        read(&self.solution);
        Ok(solved)
    }
}
