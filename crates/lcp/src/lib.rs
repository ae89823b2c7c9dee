#![doc = include_str!("../README.md")]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

// Its views of matrices stand in the signatures here.
pub use nalgebra;

pub mod friction;
mod lemke;
mod problem;
mod scaled;

pub use lemke::Lemke;
pub use problem::{Failure, Problem, Solved};
