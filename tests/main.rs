//! What must hold across crates: each row of the main job's table, by topic.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "tests say what they measured, and fail loudly"
)]

mod ballistic;
mod between_walls;
mod compliant;
mod compliant_limits;
mod corners;
mod counts;
mod dependencies;
mod drop;
mod energy;
mod event_solver;
mod first_build;
mod flight;
mod grazing;
mod hard;
mod harness;
mod liftoff;
mod loops;
mod lost_contacts;
mod methods;
mod moving_ground;
mod osculating;
mod pressing;
mod pulses;
mod readmes;
mod robust;
mod second_places;
mod short_steps;
mod slip;
mod spikes;
mod symptoms;
mod tables;
mod tautochrone;
mod taylor;
mod tracks;
mod walls;
