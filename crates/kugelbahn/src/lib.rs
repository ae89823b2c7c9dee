#![doc = include_str!("../README.md")]

pub mod aim;
pub mod check;
pub mod compare;
pub mod curve;
pub mod decades;
pub mod figures;
pub mod fit;
pub mod input;
pub mod output;
mod resolved;
pub mod scenario;
pub mod show;
mod simulation;
pub mod stepping;
pub mod terminal;
pub mod unknowns;

pub use scenario::Scenario;
pub use simulation::{NotEventDriven, run, run_with};

/// The Rust in the README of the repository.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
