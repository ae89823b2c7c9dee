#![doc = include_str!("../README.md")]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod ballistic;
mod bdf;
mod caller_flight_scheme;
mod dop853;
mod flight_step;
mod flight_trait_and_errors;
mod newmark;
mod radau;
mod stiffness;
mod taylor;
mod tolerance_and_first_step;

pub use ballistic::Ballistic;
pub use bdf::Bdf;
pub use caller_flight_scheme::{AnyFlight, FlightScheme, Stepped};
pub use dop853::Dop853;
pub use flight_step::FlightStep;
pub use flight_trait_and_errors::{FlightCount, FlightError, FlightMethod, NotBallistic};
pub use newmark::Newmark;
pub use radau::Radau;
pub use taylor::Taylor;
pub use tolerance_and_first_step::{MethodError, allowed};
