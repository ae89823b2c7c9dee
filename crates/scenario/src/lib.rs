#![doc = include_str!("../README.md")]

mod balls;
mod complaints;
mod compliance;
pub mod curve;
mod initial;
pub mod input;
mod load;
mod methods;
mod motion;
mod numbers;
mod physics;
mod resolved;
mod scenario;
mod simulation;
mod solver;
mod start;
pub mod stepping;
pub mod unknowns;
mod warning;

pub use initial::{FAR, Initial, StartError};
pub use load::{Document, SharedGround};
pub use methods::{Contact, Flight, Keys, Methods};
pub use numbers::NumberError;
pub use scenario::{
    CONTACT_SOLVERS, CurveInfo, Entrant, FLIGHT_METHODS, FORMULATIONS, FlightKind, FormulationKind, LOCALISATIONS,
    Scenario, Solver, Stepping, SteppingMethod,
};
pub use simulation::{NotEventDriven, run, run_with};
pub use solver::{EVENT_DRIVEN, STEPPING};
pub use warning::Warning;
