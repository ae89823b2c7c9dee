#![doc = include_str!("../README.md")]

pub mod decades;
pub mod figures;
mod outcome;
pub mod output;
pub mod page;
pub mod show;
pub mod terminal;

pub use outcome::Outcome;
