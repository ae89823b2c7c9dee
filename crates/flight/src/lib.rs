#![doc = include_str!("../README.md")]

mod method;
mod newmark;
mod step;

pub use method::{FlightCount, FlightError, FlightMethod};
pub use newmark::Newmark;
pub use step::FlightStep;
