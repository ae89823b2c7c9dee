#![doc = include_str!("../README.md")]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

// Types of these stand in the signatures here: a user needs no versions of them of their own.
pub use {curves, mechanics, moreau, nalgebra, numbers};

mod cells;
mod collisions;
mod error;
mod foretell;
mod handover;
mod impacts;
mod meeting;
mod mover;
mod told;

pub use collisions::{CollisionSettings, Collisions};
pub use error::{CollisionStop, Refused};
pub use told::{CollisionCount, CollisionKind, CollisionLeg, Contact, Told};
