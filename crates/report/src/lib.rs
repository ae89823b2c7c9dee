#![doc = include_str!("../README.md")]

pub mod figures;
mod outcome;
pub mod output;
pub mod page;
pub mod show;
pub mod terminal;

pub use figures::decades;
pub use outcome::Outcome;
