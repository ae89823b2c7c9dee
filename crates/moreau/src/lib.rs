#![doc = include_str!("../README.md")]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

// Re-exported for the types in public signatures, so that users need no dependencies on matching versions.
pub use {curves, lcp, mechanics, nalgebra, newmark, numbers};

mod balls;
mod balls_by_caller_scheme;
mod body;
mod caller_stepping_scheme;
mod cell_grid;
mod contact_impulses;
mod counts;
mod energy;
mod energy_bound;
mod error;
mod ground_contact;
mod island;
mod kern;
mod neighbours;
mod one_ball_step;
mod projection;
mod settings;
mod theta;
mod which_contacts_close;

pub use balls::Balls;
pub use balls_by_caller_scheme::ByScheme;
pub use body::Body;
pub use caller_stepping_scheme::{Contact, ContactKey, Contacts, Direction, Lagrangian, Motion, SteppingScheme};
pub use cell_grid::{CellGrid, Exit};
pub use contact_impulses::BallContact;
pub use counts::{Anomalies, Audit, BallStep, Evaluations, Projected, Residuals};
pub use energy::Energy;
pub use error::{InputError, StepError};
pub use island::{Executor, InTurn, Island};
pub use kern::{Kern, KernState, KernStep};
pub use lcp::friction::Regime;
pub use settings::{BallSettings, ContactSolver, ImpactLaw, Projection};
pub use theta::{Closed, Mechanism, Stage, Stride, step};
