#![doc = include_str!("../README.md")]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod fly;
mod matrix;
mod motion;
mod near;
mod proof;
mod slide;
mod tube;

pub use proof::{Open, Proof, Proven, prove};
