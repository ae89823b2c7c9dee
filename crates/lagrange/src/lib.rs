#![doc = include_str!("../README.md")]

// Re-exported for the types in public signatures.
pub use {faer, lcp, mechanics, moreau, newmark};

mod error;
mod linear;
mod linear_newmark;
mod matrix_checks_and_factors;
mod system;
mod time_stepping;
mod unilateral_constraints;

pub use error::{InputError, StepError};
pub use linear::Linear;
pub use linear_newmark::{LinearNewmark, NewmarkState};
pub use matrix_checks_and_factors::{Matrix, MatrixView};
pub use moreau::Energy;
pub use system::{At, Constant, Derivatives, Gap, Gradients, System};
pub use time_stepping::{Settings, Start, Step, Theta};
