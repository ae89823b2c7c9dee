#![doc = include_str!("../README.md")]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod extrapolation;
pub mod radau;
mod scheme;
mod step_control;

pub use extrapolation::{Extrapolation, Substeps, extrapolate_once, octic_error};
pub use scheme::{Control, Scheme, WeightError};
pub use step_control::{Pace, SchemeError, StepTooSmall, Stuck, Tolerance, Tried, longer};
