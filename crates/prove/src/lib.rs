#![doc = include_str!("../README.md")]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod contact_end;
mod enclosing_step;
mod first_hit;
mod ground_near;
mod matrix;
mod motion;
mod open;
mod proof;

pub use open::Open;
pub use proof::{Proof, Proven, prove};
