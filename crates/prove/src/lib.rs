#![doc = include_str!("../README.md")]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod enclosing_step;
mod equations_of_motion;
mod event_proof;
mod first_contact;
mod ground_near;
mod guard_end;
mod matrix;
mod open;

pub use event_proof::{Proof, Proven, prove};
pub use open::Open;
