#![doc = include_str!("../README.md")]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod balls;
mod changed_numbers;
mod compliance;
pub mod curve;
mod event_driven_run;
mod ground_motion;
mod grounds;
mod initial_keys;
pub mod input;
pub mod keys;
mod load;
mod many_balls;
mod methods;
pub mod moment;
mod physics;
mod resolved;
mod scenario;
mod settings;
mod shared_ground;
mod solver;
mod start_on_ground;
pub mod stepping;
pub mod unknowns;
mod variants;
mod warning;
mod watch;

pub use changed_numbers::NumberError;
pub use event_driven_run::{NotEventDriven, Unlawful, advance, run, run_supervisor, run_with};
pub use grounds::{told_along, told_crowded};
pub use keys::{unit_of, words_of};
pub use load::Document;
pub use methods::{Contact, Flight, Keys, Methods};
pub use scenario::{BallSetup, CurveInfo, CurveName, Scenario, Stepping};
pub use settings::{
    CONTACT_SOLVERS, FLIGHT_METHODS, FORMULATIONS, FlightKind, FormulationKind, IMPACT_LAWS, LOCALISATIONS,
    MethodFamily, Solver, SteppingKind, SteppingMethod,
};
pub use shared_ground::SharedGround;
pub use start_on_ground::{FAR, Initial, StartError};
pub use variants::{Setting, Variants};
pub use warning::{Warning, short_reaches};
