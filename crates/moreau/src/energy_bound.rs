//! How large a part of Newton's restitution may act in an island of contacts without adding energy?

/// Energy, J, as a function of the part s of restitution: `square s² + linear s + constant`, square ≥ 0.
///
/// With the Delassus operator W of an island, impulses P change the kinetic energy by `T(P) = P·u_free + PᵀWP/2`. Those
/// without restitution, P⁰, take energy: `P⁰·u₁ ≤ 0` by complementarity and Coulomb's law, so that
/// `T(P⁰) = P⁰·u₁ − P⁰ᵀWP⁰/2 ≤ 0`. Those with Newton's restitution, P¹, may add some (Kane's paradox). On the way
///
/// ```text
/// P(s) = P⁰ + s (P¹ − P⁰),     T(P(s)) convex in s, T(P(0)) ≤ 0
/// ```
///
/// the largest s ≤ 1 with `T(P(s)) ≤ 0` is 1 or the larger root of a quadratic. P(s) is in the cones of friction, which
/// are convex, and obeys `u₁ + s e u₀ ≥ 0` at each contact, since u₁ is linear in s: Newton's law as an inequality with
/// s e for e. Glocker, *Energetic consistency conditions for standard impacts, Part II*, Multibody Syst. Dyn., doi
/// 10.1007/s11044-013-9387-2, reviews such laws; Poisson's may add energy, too, with two contacts that have friction.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Quadratic {
    pub square: f64,
    pub linear: f64,
    pub constant: f64,
}

impl Quadratic {
    /// The largest s in 0 … 1 up to which the energy is not positive; 0 if it is not negative at s = 0.
    pub fn largest_part(&self) -> f64 {
        let Quadratic { square, linear, constant } = *self;
        if !(constant < 0.0) {
            return 0.0;
        }
        let root = (linear * linear - 4.0 * square * constant).sqrt();
        // The positive root, without cancellation.
        let part = if linear > 0.0 { -2.0 * constant / (linear + root) } else { (root - linear) / (2.0 * square) };
        if part < 1.0 { part } else { 1.0 }
    }
}
