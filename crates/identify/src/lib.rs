#![doc = include_str!("../README.md")]

mod between_events;
mod dual_equations_of_motion;
mod event_rules;
mod gragg;
mod growing_parts;
mod least_squares;
mod minimise;
mod observe;
mod parameter_differences;
mod quantity;
mod read_quantity;
mod saltation;
mod sensitivities;
mod statistics;
mod trace;
mod variational_run;

pub use dual_equations_of_motion::Model;
pub use least_squares::{Evaluation, Loss, ParameterRange, Solution, SolveError, Solver};
pub use minimise::{Descent, DescentEnd, Limits, descend, simplex};
pub use observe::{ModelError, RunSettings, observe};
pub use parameter_differences::{Family, FamilyError};
pub use quantity::{Component, OfJump, Quantity};
pub use read_quantity::{GoalError, GoalPlace, Reading, Wanted, read};
pub use sensitivities::{EventSensitivity, Sensitivities, sweep};
pub use statistics::{Statistics, Undetermined, statistics, student_quantile};
pub use trace::{Mark, Trace, TraceError};
pub use variational_run::{Observation, SweepError};
