#![doc = include_str!("../README.md")]

mod dense;
mod enumeration;
mod failure;
pub mod friction;
mod gauss_seidel;
mod lemke;
mod newton;
mod problem;
mod scaled;

pub use enumeration::Enumeration;
pub use failure::Failure;
pub use gauss_seidel::ProjectedGaussSeidel;
pub use lemke::Lemke;
pub use newton::SemismoothNewton;
pub use problem::{Problem, Solved, Solver, one};
