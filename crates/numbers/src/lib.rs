#![doc = include_str!("../README.md")]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod automatic_differentiation;
pub mod elementary;
mod first_event;
mod formula;
mod integral;
mod interval;
mod motion_rounding;
mod number;
mod outward_rounding;
pub mod polynomial;

pub use automatic_differentiation::{Dual, Taylor};
pub use first_event::{Trigger, Valued, bisect, first_event, first_of, halve};
pub use formula::{CornersError, Expression, ExpressionError, ExpressionErrorKind, Series, Tape, Traced, smooth_parts};
pub use integral::{GAUSS_RULES, integral};
pub use interval::Interval;
pub use motion_rounding::Rounding;
pub use number::{BesideFloats, FunctionPair, Number, OpaquePair};
