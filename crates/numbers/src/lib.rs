#![doc = include_str!("../README.md")]

mod functions;
mod interval;
mod number;
mod rounding;
mod taylor;

pub use interval::Interval;
pub use number::{Number, PlaneSeries};
pub use rounding::Rounding;
pub use taylor::Taylor;
