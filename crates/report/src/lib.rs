#![doc = include_str!("../README.md")]

pub mod decades;
pub mod figures;
pub mod output;
pub mod show;
pub mod stepping;
pub mod terminal;
