#![doc = include_str!("../README.md")]

mod compressed;
mod dense;
mod foot;
mod formulation;
mod method;
mod newmark;
mod state;

pub use compressed::{Compressed, CompressedCount, CompressedState, CompressedStep, CompressedSystem};
pub use dense::Dense;
pub use foot::{Foot, foot};
pub use formulation::Formulation;
pub use method::{ContactCount, ContactMethod, ContactStep, RollingError};
pub use newmark::Newmark;
pub use state::{ContactState, ContactSystem};
