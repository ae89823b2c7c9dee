//! Restitution that adds no energy.
//!
//! Impulses change the kinetic energy by `W(P) = P·u_free + PᵀWP/2`. Those without restitution, P⁰, take energy:
//! `P⁰·u₁ ≤ 0` by complementarity and Coulomb's law, so `W(P⁰) = P⁰·u₁ − P⁰ᵀWP⁰/2 ≤ 0`. Those with Newton's restitution, P¹, need
//! not (Kane's paradox). On the way from P⁰ to P¹
//!
//! ```text
//! P(s) = P⁰ + s (P¹ − P⁰),     W(P(s)) convex in s, W(P(0)) ≤ 0
//! ```
//!
//! the largest s ≤ 1 with `W(P(s)) ≤ 0` is one root of a quadratic. P(s) is in the cones of friction, which are convex, and
//! `u₁ + s e u₀ ≥ 0` at each contact, both being linear: Newton's law as an inequality with s e for e. Glocker, *Energetic consistency
//! conditions for standard impacts, Part II*, Multibody Syst. Dyn., doi 10.1007/s11044-013-9387-2, sums up what is known of such
//! laws; Poisson's is no way out, it may add energy with two contacts that have friction (*ibid.*).

/// Error of the work of impulses by rounding and by a solver to this tolerance (m/s), J: speeds are missed at impulses, and
/// impulses at speeds. `size` is the sum of impulses and of momenta in the contacts, N s.
pub(crate) fn unseen(tolerance: f64, size: f64, fastest: f64) -> f64 {
    (1e-9 * fastest + tolerance) * size
}

/// `square s² + linear s + constant`, square ≥ 0.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Quadratic {
    pub square: f64,
    pub linear: f64,
    pub constant: f64,
}

impl Quadratic {
    /// The largest s from 0 … 1 up to which it is not above 0; 0 where it is above 0 there.
    pub fn largest_part(&self) -> f64 {
        let Quadratic { square, linear, constant } = *self;
        if !(constant < 0.0) {
            return 0.0;
        }
        let root = (linear * linear - 4.0 * square * constant).sqrt();
        // The positive root, without a difference of like numbers.
        let part = if linear > 0.0 { -2.0 * constant / (linear + root) } else { (root - linear) / (2.0 * square) };
        if part < 1.0 { part } else { 1.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots() {
        let part = |square: f64, linear: f64, constant: f64| Quadratic { square, linear, constant }.largest_part();
        assert_eq!(part(1.0, 1.0, -0.75), 0.5);
        assert_eq!(part(4.0, -1.0, -0.5), 0.5);
        assert_eq!(part(0.0, 2.0, -1.0), 0.5);
        assert_eq!((part(1.0, 0.0, -4.0), part(0.0, -1.0, -1.0), part(1.0, 1.0, 0.0)), (1.0, 1.0, 0.0));
    }
}
