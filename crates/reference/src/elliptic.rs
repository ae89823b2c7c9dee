//! Jacobi's elliptic functions by the arithmetic-geometric mean.
//!
//! Source: Abramowitz & Stegun, Handbook of Mathematical Functions, 16.4 and 17.6.

use std::f64::consts::FRAC_PI_2;

/// Halvings after which the mean has converged for any m < 1 − 1e-16.
const LEVELS: usize = 12;

/// The three functions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jacobi {
    /// sn(u|m)
    pub sn: f64,
    /// cn(u|m)
    pub cn: f64,
    /// dn(u|m)
    pub dn: f64,
}

/// Numbers `(a_n, c_n)` of the arithmetic-geometric mean for m, from n = 0.
fn means(m: f64) -> [(f64, f64); LEVELS] {
    let (mut a, mut b, mut c) = (1.0, (1.0 - m).sqrt(), m.sqrt());
    std::array::from_fn(|_| {
        let now = (a, c);
        (a, b, c) = (0.5 * (a + b), (a * b).sqrt(), 0.5 * (a - b));
        now
    })
}

/// `K(m) = ∫₀^{π/2} dφ/√(1 − m sin²φ)`, m = κ² (0 ≤ m < 1).
pub fn complete_elliptic(m: f64) -> f64 {
    FRAC_PI_2 / means(m)[LEVELS - 1].0
}

/// sn, cn, dn at `u` for the parameter m = κ² (0 ≤ m < 1).
pub fn jacobi(u: f64, m: f64) -> Jacobi {
    let means = means(m);
    let mut phi = u * means[LEVELS - 1].0 * (1u32 << (LEVELS - 1)) as f64;
    for (a, c) in means[1..].iter().rev() {
        phi = 0.5 * (phi + (c / a * phi.sin()).asin());
    }
    let (sn, cn) = phi.sin_cos();
    Jacobi { sn, cn, dn: ((1.0 - m) + m * cn * cn).sqrt() }
}
