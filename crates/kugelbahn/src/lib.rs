#![doc = include_str!("../README.md")]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod error;
mod ground;
mod moment;
mod paused_run;
mod run;
mod scenario_text;
mod simulation;
mod threads;
mod watch;

pub mod guide;
pub mod prelude;

pub use report::{Outcome, figures, output, page, show, terminal};
pub use scenario::{NotEventDriven, Scenario, Setting as Value, curve, input, run, run_with, unknowns};
pub use study::{aim, check, compare, fit};
pub use {
    ::curves, ::flight, ::identify, ::mechanics, ::moreau, ::nalgebra, ::newmark, ::numbers, ::prove, ::rolling,
    ::scenario, ::study, ::supervisor, ::sweep, ::tables,
};

pub use error::Error;
pub use ground::Ground;
pub use moment::Moment;
pub use paused_run::{Running, Snapshot};
pub use run::{Ended, PhaseSpan, Run};
pub use simulation::Simulation;
pub use supervisor::{Watch, Watched};
pub use watch::{Crossing, Entry};

/// Runs by time stepping: one ball or many.
pub mod stepping {
    pub use crate::threads::Threads;
    pub use scenario::stepping::*;
}

/// The Rust in the README of the repository.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// The Rust in the book.
#[cfg(doctest)]
#[doc = include_str!("../../../book/src/tutorials/program.md")]
struct Program;
