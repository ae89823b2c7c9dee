#![doc = include_str!("../README.md")]

mod extrapolation;
mod linear;
pub mod radau;
mod scheme;

pub use extrapolation::{Column, Extrapolation, Outcome, StepTooSmall, Substeps, Tolerance, extrapolate_once};
pub use linear::{LinearNewmark, NewmarkError, State};
pub use scheme::{Control, Scheme, SchemeError};
