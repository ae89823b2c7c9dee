#![doc = include_str!("../README.md")]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod beta_gamma;
mod extrapolation_order_and_step;
mod fixed_steps_or_tolerance;
pub mod radau;
mod step_length;

pub use beta_gamma::{Scheme, WeightError};
pub use extrapolation_order_and_step::{Extrapolation, Substeps, extrapolate_once, octic_error};
pub use fixed_steps_or_tolerance::Control;
pub use step_length::{Pace, SchemeError, StepTooSmall, Stuck, Tolerance, Tried, longer, longest, with_rest};
