#![doc = include_str!("../README.md")]

mod event_rules;
mod minimise;
mod family;
mod read_quantity;
mod gragg;
mod least_squares;
mod model;
mod quantity;
mod saltation;
mod sensitivities;
mod statistics;
mod variational_run;
mod trace;
mod track;

pub use minimise::{Descent, DescentEnd, Limits, descend, simplex};
pub use family::{Family, FamilyError};
pub use read_quantity::{GoalError, GoalPlace, Reading, Wanted, read};
pub use least_squares::{Evaluation, Loss, ParameterRange, Solution, SolveError, Solver};
pub use model::Model;
pub use quantity::{Component, OfJump, Quantity};
pub use sensitivities::{EventSensitivity, Sensitivities, sweep};
pub use statistics::{Statistics, Undetermined, statistics, student_quantile};
pub use variational_run::{Observation, SweepError};
pub use trace::{Mark, Trace, TraceError};
pub use track::{ModelError, RunSettings, Track, TrackError, observe};
