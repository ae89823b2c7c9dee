#![doc = include_str!("../README.md")]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod ballistic;
mod bdf;
mod dop853;
mod method;
mod newmark;
mod one_step_scheme;
mod radau;
mod settings;
mod step;
mod taylor;

pub use ballistic::Ballistic;
pub use bdf::Bdf;
pub use dop853::Dop853;
pub use method::{FlightCount, FlightError, FlightMethod, NotBallistic};
pub use newmark::Newmark;
pub use one_step_scheme::{AnyFlight, FlightScheme, Stepped};
pub use radau::Radau;
pub use settings::{MethodError, allowed};
pub use step::FlightStep;
pub use taylor::Taylor;
