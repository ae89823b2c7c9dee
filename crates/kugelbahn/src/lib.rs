#![doc = include_str!("../README.md")]

pub mod curve;
pub mod figures;
pub mod input;
pub mod output;
pub mod scenario;
pub mod show;
mod simulation;
pub mod terminal;

pub use scenario::Scenario;
pub use simulation::run;
