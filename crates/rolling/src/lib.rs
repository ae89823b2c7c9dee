#![doc = include_str!("../README.md")]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod caller_dae_scheme;
mod compressed;
mod dense_output;
mod foot;
mod formulation;
mod method;
mod newmark;
mod one_step_scheme;
mod series;
mod state;
mod straight;
mod taylor;

pub use caller_dae_scheme::{ByMultiplier, DaeScheme, DaeState, DaeSystem, DaeTerms};
pub use compressed::{Compressed, CompressedCount, CompressedState, CompressedStep, CompressedSystem};
pub use dense_output::Dense;
pub use foot::{Foot, foot};
pub use formulation::Formulation;
pub use method::{Between, ContactCount, ContactMethod, ContactStep, RollingError};
pub use newmark::Newmark;
pub use one_step_scheme::{AnyContact, ContactScheme, Coordinates, Stepped};
pub use series::{Guarded, Polynomial, StepSeries, TERMS};
pub use state::{ContactState, ContactSystem};
pub use straight::Straight;
pub use taylor::Taylor;
