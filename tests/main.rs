//! What must hold across crates: each row of the main job's table, by topic.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "tests say what they measured, and fail loudly"
)]

mod drop;
mod energy;
mod grazing;
mod hard;
mod harness;
mod liftoff;
mod slip;
mod spikes;
mod tables;
mod tautochrone;
