#![doc = include_str!("../README.md")]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod elementary;
mod first_event;
mod formula;
mod integral;
mod interval;
mod number;
pub mod polynomial;
mod rounding;
mod taylor;

pub use first_event::{Trigger, Valued, bisect, first_event, first_of, halve};
pub use formula::{CornersError, Expression, ExpressionError, ExpressionErrorKind, Series, Tape, Traced, smooth_parts};
pub use integral::integral;
pub use interval::Interval;
pub use number::{BesideFloats, FunctionPair, Number, OpaquePair};
pub use rounding::Rounding;
pub use taylor::{Dual, Taylor};
