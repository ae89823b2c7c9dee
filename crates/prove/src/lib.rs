#![doc = include_str!("../README.md")]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod enclosing_step;
mod equations_of_motion;
mod ground_near;
mod matrix;
mod open;
mod proof_of_event_chain;
mod proof_of_first_contact;
mod proof_of_guard_end;

pub use open::Open;
pub use proof_of_event_chain::{Proof, Proven, prove};
