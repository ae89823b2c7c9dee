#![doc = include_str!("../README.md")]

mod error;
mod estimate;
mod execute;
mod folder;
mod hash;
mod layout;
mod manifest;
mod merge;
mod normal;
pub mod observed;
pub mod plan;
mod plot;
mod prepare;
mod random;
mod request;
mod sobol;
mod status;
mod sweep;
mod tally;
mod verify;
mod worker;

pub use error::SweepError;
pub use estimate::{Estimate, estimate};
pub use execute::{Shard, Work, execute, work_json};
pub use folder::Store;
pub use layout::Layout;
pub use merge::merge;
pub use normal::normal_quantile;
pub use plot::{Drawing, plot};
pub use request::{KEYS, Request};
pub use sobol::{DIMENSIONS, Sobol};
pub use status::{Status, status};
pub use sweep::Sweep;
pub use tally::Tally;
pub use verify::{Verified, verify};
pub use worker::{END, REFUSED, Worker};
