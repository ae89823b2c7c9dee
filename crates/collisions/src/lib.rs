#![doc = include_str!("../README.md")]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

// Re-exported for the types in public signatures, so that users need no dependencies on matching versions.
pub use {curves, mechanics, moreau, nalgebra, numbers};

mod ball_motion;
mod calendar;
mod error;
mod event_loop;
mod handover;
mod impacts;
mod pair_collision_time;
mod prediction;
mod reports;

pub use error::{CollisionStop, Refused};
pub use event_loop::{CollisionSettings, Collisions};
pub use reports::{CollisionCount, CollisionEvent, CollisionKind, CollisionLeg, Contact};
