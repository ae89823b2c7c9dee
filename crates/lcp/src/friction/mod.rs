//! Contacts in the plane with Coulomb friction: which law do impulses obey, and how far are they from it? The impulse
//! `p = (p_n, p_t)`, N s, and the velocity `u = W p + q`, m/s, of each contact obey
//!
//! ```text
//! 0 ≤ u_n ⟂ p_n ≥ 0        |p_t| ≤ μ p_n        p_t = −μ p_n sign(u_t) where u_t ≠ 0
//! ```
//!
//! `q` holds the free velocities and restitution: `H_nᵀ v_free + e ẏ_n⁻` and `H_tᵀ v_free + e_t ẏ_t⁻`. `W = HᵀM⁻¹H` is
//! the Delassus operator in blocks `[[W_nn, W_nt], [W_tn, W_tt]]`.
//!
//! The residual of impulses, in m/s, is the largest error of a contact in its law, by the natural map of Alart &
//! Curnier (1991), the larger of
//!
//! ```text
//! |min(u_n, W_nn p_n)|: the gap closes, or opens in spite of an impulse
//! W_tt |p_t − clamp(p_t − u_t/W_tt, ±μ p_n)|: friction is off the cone, or does not oppose the slip
//! ```
//!
//! Rounding leaves about 1e-14 of the largest `|q_i|`: a tolerance below that counts as that.

mod delassus_of_bodies;
mod dense;
mod elimination;
mod heap;
mod one_contact;

pub use delassus_of_bodies::{Bodies, Lever};
pub use dense::{DenseFriction, Frictional};
pub use heap::Heap;
pub use one_contact::{One, Regime, one};

use crate::Failure;

/// `[[W_nn, W_nt], [W_tn, W_tt]]`
pub type Block = [[f64; 2]; 2];

/// Finite μ used for an infinite one where contacts share bodies: see [`Heap::infinite`].
const INFINITE: f64 = 100.0;

/// Checks that every μ is a number ≥ 0.
fn check_friction(friction: &[f64]) -> Result<(), Failure> {
    for (contact, value) in friction.iter().copied().enumerate() {
        if !(value >= 0.0) {
            return Err(Failure::Entry { name: "friction", row: contact, column: 0, value, rule: "≥ 0" });
        }
    }
    Ok(())
}

/// Number of contacts that slide at a μ that was `used` in place of their own greater one (infinite).
fn slipped(friction: &[f64], used: &[f64], impulse: &[[f64; 2]]) -> usize {
    let slides = |((mu, used), p): &((&f64, &f64), &[f64; 2])| mu > used && p[0] > 0.0 && p[1].abs() >= **used * p[0];
    friction.iter().zip(used).zip(impulse).filter(slides).count()
}

/// Number of unknowns of a contact in Stewart & Trinkle's LCP ([`DenseFriction`]).
fn unknowns(friction: f64) -> usize {
    if friction == 0.0 { 1 } else { 4 }
}

/// The tolerance, m/s, or 1e-14 of the largest component of `velocity` (q) where that is more: rounding.
fn reachable(tolerance: f64, velocity: &[[f64; 2]]) -> f64 {
    tolerance.max(1e-14 * velocity.iter().flatten().fold(0.0_f64, |x, q| x.max(q.abs())))
}

/// Refuses entries that are not finite, by the first one.
fn check_pairs(name: &'static str, pairs: &[[f64; 2]]) -> Result<(), Failure> {
    Failure::finite(name, pairs.iter().enumerate().flat_map(|(row, [a, b])| [(row, 0, *a), (row, 1, *b)]))
}

/// `μ p_n`, which is 0 for p_n = 0 even if μ is infinite.
fn limit(friction: f64, normal: f64) -> f64 {
    if normal > 0.0 && friction > 0.0 { friction * normal } else { 0.0 }
}

/// Projects impulses into the friction cones.
fn project(friction: &[f64], impulse: &mut [[f64; 2]]) {
    for (p, friction) in impulse.iter_mut().zip(friction) {
        p[0] = p[0].max(0.0);
        let limit = limit(*friction, p[0]);
        p[1] = p[1].max(-limit).min(limit);
    }
}

/// Residual of one contact, m/s, by the natural map as above; NaN where a number is not finite.
fn natural(block: &Block, friction: f64, impulse: [f64; 2], velocity: [f64; 2]) -> f64 {
    let [normal, tangential] = impulse;
    let first = velocity[0].min(block[0][0] * normal).abs();
    let limit = limit(friction, normal);
    // A contact that no tangential impulse moves is weighted by its normal entry.
    let weight = if block[1][1] > 0.0 { block[1][1] } else { block[0][0] };
    let target = (tangential - velocity[1] / weight).max(-limit).min(limit);
    let second = weight * (tangential - target).abs();
    if first.is_nan() || second.is_nan() || !velocity[0].is_finite() || !velocity[1].is_finite() {
        return f64::NAN;
    }
    first.max(second)
}

/// The larger number; NaN if either is.
fn larger(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::NAN } else { a.max(b) }
}
