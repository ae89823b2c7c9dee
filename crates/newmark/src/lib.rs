#![doc = include_str!("../README.md")]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod beta_gamma;
mod extrapolation_order;
pub mod radau;
mod step_length;

pub use beta_gamma::{Control, Scheme, WeightError};
pub use extrapolation_order::{Extrapolation, Substeps, extrapolate_once, octic_error};
pub use step_length::{Pace, SchemeError, StepTooSmall, Stuck, Tolerance, Tried, longer};
