#![doc = include_str!("../README.md")]

mod balls;
mod complaints;
mod compliance;
pub mod curve;
pub mod input;
mod load;
mod motion;
mod physics;
mod resolved;
mod scenario;
mod simulation;
mod solver;
mod start;
pub mod stepping;
pub mod unknowns;
mod warning;

pub use scenario::{
    CONTACT_SOLVERS, CurveInfo, Entrant, FLIGHT_METHODS, FORMULATIONS, FlightKind, LOCALISATIONS, Scenario, Solver,
    Stepping, SteppingMethod,
};
pub use simulation::{NotEventDriven, run, run_with};
pub use solver::{EVENT_DRIVEN, STEPPING};
pub use start::FAR;
pub use warning::Warning;
