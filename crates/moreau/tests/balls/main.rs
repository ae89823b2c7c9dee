//! Balls over ground by time stepping.

#![allow(clippy::expect_used, clippy::print_stdout, reason = "tests say what they measured, and fail loudly")]

mod bound;
mod bowl;
mod contacts;
mod energy_bound;
mod hills;
mod impacts;
mod midpoint;
mod pile;
mod refusals;
mod scaled;
mod scheme;
mod slip;
mod solvers;
mod world;
