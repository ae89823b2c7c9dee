#![doc = include_str!("../README.md")]

// Types of these stand in the signatures here: a user needs no versions of them of their own.
pub use {curves, faer, lcp, mechanics, nalgebra};

mod alone;
mod balls;
mod body;
mod contacts;
mod energy;
mod error;
mod flight;
mod footing;
mod group;
mod kern;
mod linear;
mod matrix;
mod neighbours;
mod projection;
mod relations;
mod system;
mod theta;

pub use balls::{Anomalies, BallStep, Balls, Evaluations};
pub use body::{BallSettings, Body, ContactSolver};
pub use contacts::BallContact;
pub use energy::Energy;
pub use error::{InputError, StepError};
pub use kern::{Kern, KernState, KernStep};
pub use lcp::friction::Regime;
pub use linear::Linear;
pub use matrix::{Matrix, MatrixView};
pub use projection::{Projected, Projection};
pub use system::{At, Constant, Derivatives, Gap, Gradients, Law, System};
pub use theta::{Settings, Start, Step, Theta};
