//! Gauss–Legendre quadrature.

use std::f64::consts::PI;

/// Nodes and weights of order `count` on [0, 1]: roots of Legendre's polynomial by Newton from Tricomi's estimate.
///
/// Source: Davis & Rabinowitz, Methods of Numerical Integration, §2.7.
pub fn gauss_legendre(count: usize) -> Vec<(f64, f64)> {
    let n = count as f64;
    (0..count)
        .map(|i| {
            let mut x = (PI * (i as f64 + 0.75) / (n + 0.5)).cos();
            let mut slope = 1.0;
            for _ in 0..10 {
                let (mut p, mut before) = (x, 1.0);
                for j in 2..=count {
                    let j = j as f64;
                    (p, before) = (((2.0 * j - 1.0) * x * p - (j - 1.0) * before) / j, p);
                }
                slope = n * (x * p - before) / (x * x - 1.0);
                x -= p / slope;
            }
            (0.5 * (1.0 - x), 1.0 / ((1.0 - x * x) * slope * slope))
        })
        .collect()
}

/// `∫ f` from `from` to `to` with 20 nodes on each of `panels` equal parts.
pub fn integrate(f: impl Fn(f64) -> f64, from: f64, to: f64, panels: usize) -> f64 {
    let nodes = gauss_legendre(20);
    let width = (to - from) / panels as f64;
    let panel = |i: usize| nodes.iter().map(|(x, w)| w * f(from + width * (i as f64 + x))).sum::<f64>();
    width * (0..panels).map(panel).sum::<f64>()
}
