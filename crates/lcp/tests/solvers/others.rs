//! Two simple ways to a solution that share no code with pivoting.

use lcp::Problem;
use nalgebra::{DMatrix, DVector};

use crate::{apart, complementarity};

/// Solutions of all 2ⁿ supports `M_αα z_α = −q_α` that are regular; one with ties comes more than once.
pub fn by_supports(problem: Problem<'_>) -> Vec<Vec<f64>> {
    let n = problem.vector.len();
    let solution = |mask: usize| {
        let support: Vec<usize> = (0..n).filter(|i| mask >> i & 1 == 1).collect();
        let part = DMatrix::from_fn(support.len(), support.len(), |i, j| problem.matrix[(support[i], support[j])]);
        let right = DVector::from_fn(support.len(), |i, _| -problem.vector[support[i]]);
        let found = if mask == 0 { right } else { part.lu().solve(&right)? };
        let mut z = vec![0.0; n];
        support.iter().zip(&found).for_each(|(i, x)| z[*i] = *x);
        (complementarity(problem, &z) <= 1e-11).then_some(z)
    };
    (0..1 << n).filter_map(solution).collect()
}

/// Projected Gauss–Seidel, `z_i ← max(0, z_i − w_i/M_ii)` there and back (Cottle, Pang & Stone, §5.2), from 0 until a pair of sweeps
/// moves nothing; `None`: it does not come to rest. Converges for symmetric positive definite M and for H-matrices.
pub fn by_sweeps(problem: Problem<'_>, pairs: usize) -> Option<Vec<f64>> {
    let n = problem.vector.len();
    let mut z = vec![0.0_f64; n];
    for _ in 0..pairs {
        let before = z.clone();
        for i in (0..n).chain((0..n).rev()) {
            let w = (0..n).map(|j| problem.matrix[(i, j)] * z[j]).sum::<f64>() + problem.vector[i];
            z[i] = (z[i] - w / problem.matrix[(i, i)]).max(0.0);
        }
        if apart(&z, &before) <= 1e-13 * z.iter().fold(0.0_f64, |x, z| x.max(*z)) {
            return Some(z);
        }
    }
    None
}
