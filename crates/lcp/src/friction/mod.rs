//! Contacts in the plane with Coulomb friction: impulse `p = (p_n, p_t)` and velocity `u = W p + q` of each obey
//!
//! ```text
//! 0 ≤ u_n ⟂ p_n ≥ 0        |p_t| ≤ μ p_n        p_t = −μ p_n sign(u_t) where u_t ≠ 0
//! ```
//!
//! `q` holds the free velocities and restitution: `H_nᵀ v_free + e ẏ_n⁻` and `H_tᵀ v_free + e_t ẏ_t⁻`. `W = HᵀM⁻¹H` is
//! the Delassus operator in blocks `[[W_nn, W_nt], [W_tn, W_tt]]`.
//!
//! The residual of impulses is in m/s: the largest by which a contact misses its law. A contact misses it by the speed at which its
//! gap closes; by the velocity with which it opens although it is pressed on, or what the impulse makes of that, if less; by how far
//! its friction is out of the cone, or from what the slip asks for, as a velocity of its own contact: the natural map of Alart &
//! Curnier (1991). A tolerance below 1e-14 of the largest `|q_i|` is rounding, and counts as that.

mod bodies;
mod dense;
mod elimination;
mod heap;
mod one;

pub use bodies::{Bodies, Lever};
pub use dense::{DenseFriction, Frictional};
pub use heap::{Heap, Settled};
pub use one::{One, Regime, one};

use crate::Failure;
use crate::problem::finite;

/// `[[W_nn, W_nt], [W_tn, W_tt]]`
pub type Block = [[f64; 2]; 2];

/// Every μ is a number and ≥ 0; infinite only where that is allowed.
fn check_friction(friction: &[f64], infinite: bool) -> Result<(), Failure> {
    for (contact, value) in friction.iter().copied().enumerate() {
        if value.is_nan() || value == f64::INFINITY && !infinite {
            return Err(Failure::NotFinite { name: "friction", row: contact, column: 0, value });
        }
        if value < 0.0 {
            return Err(Failure::NegativeFriction { contact, value });
        }
    }
    Ok(())
}

/// A tolerance, or what rounding leaves, m/s.
fn reachable(tolerance: f64, velocity: &[[f64; 2]]) -> f64 {
    tolerance.max(1e-14 * velocity.iter().flatten().fold(0.0_f64, |x, q| x.max(q.abs())))
}

/// Refuses entries that are not finite, and names the first.
fn check_pairs(name: &'static str, pairs: &[[f64; 2]]) -> Result<(), Failure> {
    finite(name, pairs.iter().enumerate().flat_map(|(row, [a, b])| [(row, 0, *a), (row, 1, *b)]))
}

/// `μ p_n`, 0 without p_n even if μ is infinite.
fn limit(friction: f64, normal: f64) -> f64 {
    if normal > 0.0 && friction > 0.0 { friction * normal } else { 0.0 }
}

/// Moves impulses into the friction cones.
fn project(friction: &[f64], impulse: &mut [[f64; 2]]) {
    for (p, friction) in impulse.iter_mut().zip(friction) {
        p[0] = p[0].max(0.0);
        let limit = limit(*friction, p[0]);
        p[1] = p[1].max(-limit).min(limit);
    }
}

/// The natural map of one contact in m/s (Alart & Curnier 1991, with `ρ = 1/W_nn` and `1/W_tt`), larger component:
///
/// ```text
/// min(u_n, W_nn p_n)        W_tt (p_t − clamp(p_t − u_t/W_tt, ±μ p_n))
/// ```
fn natural(block: &Block, friction: f64, impulse: [f64; 2], velocity: [f64; 2]) -> f64 {
    let [normal, tangential] = impulse;
    let first = velocity[0].min(block[0][0] * normal).abs();
    let limit = limit(friction, normal);
    // Contacts that no tangential impulse moves: by the normal one.
    let weight = if block[1][1] > 0.0 { block[1][1] } else { block[0][0] };
    let target = (tangential - velocity[1] / weight).max(-limit).min(limit);
    let second = weight * (tangential - target).abs();
    if first.is_nan() || second.is_nan() || !velocity[0].is_finite() || !velocity[1].is_finite() {
        return f64::NAN;
    }
    first.max(second)
}

/// The larger, NaN if either is.
fn larger(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::NAN } else { a.max(b) }
}
