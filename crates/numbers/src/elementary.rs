//! Elementary functions of `f64`, equal to the bit on every machine.
//!
//! The functions of `std` come from the C library of each platform, which differ in the last bit, and so do late events
//! of a run. These come from the crate [`libm`], plain Rust that only adds, multiplies, divides and takes square roots,
//! which IEEE 754 defines to the last bit; WebAssembly and native programs give the same numbers. The lint
//! `disallowed_methods` (`clippy.toml`) keeps the crates that compute runs from the functions of `std`. Square roots
//! and remainders of `std` need no replacement: IEEE 754 defines them, too.

pub use libm::{acos, asin, asinh, atan, atan2, atanh, cbrt, cos, cosh, exp, exp2, hypot, log2, sin, sinh, tan, tanh};
pub use libm::{expm1 as exp_m1, log as ln, log1p as ln_1p, pow as powf, sincos as sin_cos};

/// Whole power by repeated squaring; `0⁰ = 1`. `std` promises no order of its products.
#[inline]
pub fn powi(base: f64, exponent: i32) -> f64 {
    crate::number::power_by_squares(base, exponent)
}
