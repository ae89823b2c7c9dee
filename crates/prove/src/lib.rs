#![doc = include_str!("../README.md")]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod first_hit;
mod matrix;
mod motion;
mod ground_near;
mod proof;
mod contact_end;
mod enclosing_step;

pub use proof::{Open, Proof, Proven, prove};
