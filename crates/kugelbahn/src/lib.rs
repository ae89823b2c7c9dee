#![doc = include_str!("../README.md")]

pub use report::{decades, figures, output, show, terminal};
pub use scenario::{NotEventDriven, Scenario, curve, input, run, run_with, unknowns};
pub use study::{aim, check, compare, fit};
pub use {::scenario, ::study};

/// Runs by time stepping: one ball or many.
pub mod stepping {
    pub use report::stepping::*;
    pub use scenario::stepping::*;
}

/// The Rust in the README of the repository.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
