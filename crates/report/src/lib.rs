#![doc = include_str!("../README.md")]

pub mod figures;
mod legs;
mod outcome;
pub mod output;
pub mod page;
mod phases;
pub mod show;
pub mod terminal;

pub use outcome::Outcome;
pub use phases::{JumpRows, NormalPush, PhaseRow, Phases};
