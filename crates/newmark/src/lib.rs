#![doc = include_str!("../README.md")]

mod extrapolation;
mod linear;
mod pace;
pub mod radau;
mod scheme;

pub use extrapolation::{Extrapolation, Substeps, extrapolate_once, octic_error};
pub use linear::{LinearNewmark, NewmarkError, State};
pub use pace::{Pace, StepTooSmall, Stuck, Tolerance, Tried, longer};
pub use scheme::{Control, Scheme, SchemeError};
