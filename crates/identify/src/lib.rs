#![doc = include_str!("../README.md")]

mod crossing;
mod descend;
mod family;
mod goal;
mod gragg;
mod least_squares;
mod model;
mod observe;
mod quantity;
mod saltation;
mod sensitivities;
mod statistics;
mod sweep;
mod trace;

pub use descend::{Descent, DescentEnd, Limits, descend, simplex};
pub use family::{Family, FamilyError};
pub use goal::{GoalError, GoalPlace, Reading, Wanted, read};
pub use least_squares::{Evaluation, Loss, ParameterRange, Solution, SolveError, Solver};
pub use model::Model;
pub use observe::{ModelError, RunSettings, observe};
pub use quantity::{Component, OfJump, Quantity};
pub use sensitivities::{EventSensitivity, Sensitivities, sweep};
pub use statistics::{Statistics, Undetermined, statistics, student_quantile};
pub use sweep::{Observation, SweepError};
pub use trace::{Mark, Trace, TraceError};
