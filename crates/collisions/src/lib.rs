#![doc = include_str!("../README.md")]

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

pub use collisions::{Collisions, Settings};
pub use error::{Refused, Stop};
pub use told::{Contact, Count, Kind, Leg, Report, Told};
