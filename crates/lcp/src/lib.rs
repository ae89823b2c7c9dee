#![doc = include_str!("../README.md")]

// Its views of matrices stand in the signatures here.
pub use nalgebra;

mod dense;
mod failure;
pub mod friction;
mod lemke;
mod problem;
mod scaled;

pub use failure::Failure;
pub use lemke::Lemke;
pub use problem::{Problem, Solved};
