#![doc = include_str!("../README.md")]

pub mod bounce;
pub mod bowl;
pub mod circle;
mod collocation;
pub mod cycloid;
pub mod drag;
mod elliptic;
pub mod heap;
pub mod kern;
pub mod parabola;
mod quadrature;
pub mod shaken_table;
pub mod slip;
pub mod table;

pub use collocation::Collocation;
pub use elliptic::{Jacobi, complete_elliptic, jacobi};
pub use quadrature::{gauss_legendre, integrate};
