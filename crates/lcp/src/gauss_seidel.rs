//! Projected Gauss–Seidel: Cottle, Pang & Stone, §5.2.

use crate::problem::{finite, tolerance};
use crate::{Failure, Problem, Solved, Solver};

/// `z_i ← max(0, z_i − w_i/M_ii)`, forwards and backwards in turn, from the given start.
///
/// Converges for symmetric positive definite M and for H-matrices with a positive diagonal.
#[derive(Clone, Debug, PartialEq)]
pub struct ProjectedGaussSeidel {
    /// Largest [`Problem::residual`]; 1e-10.
    pub tolerance: f64,
    /// Most sweeps; 100 000.
    pub sweeps: usize,
}

impl Default for ProjectedGaussSeidel {
    fn default() -> Self {
        ProjectedGaussSeidel { tolerance: 1e-10, sweeps: 100_000 }
    }
}

impl Solver for ProjectedGaussSeidel {
    fn solve(&mut self, problem: Problem<'_>, solution: &mut [f64]) -> Result<Solved, Failure> {
        tolerance(self.tolerance)?;
        problem.check(solution.len())?;
        finite("solution", solution)?;
        let n = problem.size();
        for index in 0..n {
            let value = problem.matrix[(index, index)];
            if !(value > 0.0) {
                return Err(Failure::Diagonal { index, value });
            }
        }
        for z in solution.iter_mut() {
            *z = z.max(0.0);
        }
        let mut residual = problem.residual(solution);
        for iterations in 0..=self.sweeps {
            // The residual costs two sweeps: not every time.
            if iterations % 8 == 0 || iterations == self.sweeps {
                residual = problem.residual(solution);
                if residual <= self.tolerance {
                    return Ok(Solved { iterations, residual });
                }
                if residual.is_nan() {
                    break;
                }
            }
            if iterations == self.sweeps {
                break;
            }
            for k in 0..n {
                let i = if iterations % 2 == 0 { k } else { n - 1 - k };
                solution[i] = (solution[i] - problem.slack(i, solution) / problem.matrix[(i, i)]).max(0.0);
            }
        }
        Err(Failure::NotReached { residual, tolerance: self.tolerance, iterations: self.sweeps })
    }
}
