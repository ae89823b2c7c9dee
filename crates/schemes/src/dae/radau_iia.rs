//! Radau IIA with three stages for index 2.

use nalgebra::{Matrix3, Vector3};
use newmark::SchemeError;
use newmark::radau::{A, C, mix};
use rolling::{DaeScheme, DaeState, DaeSystem, DaeTerms};

use super::iterate;

/// Collocation of the Gear–Gupta–Leimkuhler equations of index 2 at three nodes of a step, the last of which is its
/// end:
///
/// ```text
/// q̇ = v + n μ̂,   M v̇ = F + w λ,   g(q) = 0,   n·v = 0
/// Qᵢ = q₀ + h Σ aᵢⱼ (Vⱼ + nⱼ μ̂ⱼ),   Vᵢ = v₀ + h Σ aᵢⱼ (Fⱼ + wⱼ λⱼ)/M,   g(Qᵢ) = 0,   nᵢ·Vᵢ = 0
/// ```
///
/// E. Hairer, G. Wanner, Solving ODEs II, 2nd ed., chapter VII, table VII.4.1: order 5 of q and v, 3 of λ. μ̂ is 0 for
/// the exact solution; the book leaves open whether to use it, and without it q drifts off the ground.
#[derive(Clone, Copy, Debug, Default)]
pub struct RadauIia;

impl DaeScheme for RadauIia {
    fn order(&self) -> u32 {
        5
    }

    fn step(&mut self, dae: &DaeSystem, start: &DaeState, h: f64) -> Result<DaeState, SchemeError> {
        let a0 = dae.acceleration(&dae.at(start.time, start.q, start.v)?, start.multiplier);
        let inverse = Matrix3::from_fn(|i, j| A[i][j]).try_inverse().unwrap_or_default();
        let sums = |from: Vector3<f64>, rates: &[Vector3<f64>; 3]| A.map(|row| from + h * mix(rates, row));
        let mut rates = [a0; 3];
        let mut v = sums(start.v, &rates);
        let mut q = sums(start.q, &v);
        let (mut multipliers, mut corrections) = (Vector3::repeat(start.multiplier), Vector3::zeros());
        iterate(dae, || {
            let at = |i: usize| dae.at(start.time + C[i] * h, q[i], v[i]);
            let terms: [DaeTerms; 3] = [at(0)?, at(1)?, at(2)?];
            let rise = Vector3::from_fn(|i, _| terms[i].normal.dot(&v[i]));
            // λ makes n·V zero, and with it n·q̇.
            multipliers -= inverse * rise * (dae.mass() / h);
            corrections += rise - inverse * Vector3::from_fn(|i, _| terms[i].gap) / h;
            rates = std::array::from_fn(|i| dae.acceleration(&terms[i], multipliers[i]));
            let faster = sums(start.v, &rates);
            let along = std::array::from_fn(|i| faster[i] + corrections[i] * terms[i].normal);
            let moved = sums(start.q, &along);
            let change = |i: usize| (moved[i] - q[i]).xy().norm().max(h.abs() * dae.size(&(faster[i] - v[i])));
            let largest = change(0).max(change(1)).max(change(2));
            (v, q) = (faster, moved);
            Ok(largest)
        })?;
        Ok(DaeState { time: start.time + h, q: q[2], v: v[2], multiplier: multipliers[2] })
    }
}
