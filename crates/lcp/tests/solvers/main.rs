//! Every solver against the conditions of the problem, against simpler ways to a solution, and against bad input.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "tests say what they measured, and fail loudly"
)]

mod contact;
mod degenerate;
mod heap;
mod matrices;
mod others;
mod pile;
mod random;
mod robust;
mod wedged;

use lcp::Problem;

/// `w = M z + q`
fn slack(problem: Problem<'_>, z: &[f64]) -> Vec<f64> {
    let row = |i: usize| (0..z.len()).map(|j| problem.matrix[(i, j)] * z[j]).sum::<f64>() + problem.vector[i];
    (0..z.len()).map(row).collect()
}

/// Largest of `−w`, `−z`, `min(w, z)`, over the largest `|q_i|` and `|M_ij z_j|`; z as it is, for M near 1.
fn complementarity(problem: Problem<'_>, z: &[f64]) -> f64 {
    let w = slack(problem, z);
    let mut scale = 0.0_f64;
    for i in 0..z.len() {
        scale =
            (0..z.len()).fold(scale.max(problem.vector[i].abs()), |x, j| x.max((problem.matrix[(i, j)] * z[j]).abs()));
    }
    w.iter().zip(z).map(|(w, z)| w.min(*z).abs()).fold(0.0, f64::max) / scale.max(f64::MIN_POSITIVE)
}

/// Largest difference.
fn apart(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}
