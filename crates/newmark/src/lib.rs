#![doc = include_str!("../README.md")]

mod extrapolation;
mod pace;
pub mod radau;
mod scheme;

pub use extrapolation::{Extrapolation, Substeps, extrapolate_once, octic_error};
pub use pace::{Pace, SchemeError, StepTooSmall, Stuck, Tolerance, Tried, longer};
pub use scheme::{Control, Scheme, WeightError};
