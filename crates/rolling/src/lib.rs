#![doc = include_str!("../README.md")]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod caller_contact_scheme;
mod caller_dae_scheme;
mod compressed;
mod contact_equations;
mod contact_power;
mod contact_trait_and_errors;
mod dense_output;
mod exact_straight_motion;
mod foot;
mod formulation;
mod newmark;
mod step_polynomials;
mod taylor;

pub use caller_contact_scheme::{AnyContact, ContactScheme, Coordinates, Stepped};
pub use caller_dae_scheme::{ByMultiplier, DaeScheme, DaeState, DaeSystem, DaeTerms};
pub use compressed::{Compressed, CompressedCount, CompressedState, CompressedStep, CompressedSystem};
pub use contact_equations::{ContactState, ContactSystem};
pub use contact_trait_and_errors::{Between, ContactCount, ContactMethod, ContactStep, RollingError};
pub use dense_output::Dense;
pub use exact_straight_motion::Straight;
pub use foot::{Foot, foot};
pub use formulation::Formulation;
pub use newmark::Newmark;
pub use step_polynomials::{Guarded, Polynomial, StepSeries, TERMS};
pub use taylor::Taylor;
