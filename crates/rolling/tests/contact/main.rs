//! The contact formulations against exact motions, against each other and against ill treatment.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "tests say what they measured, and fail loudly"
)]

mod bowl;
mod counts;
mod ill_treated;
mod resisted;
mod slides;
mod straight;
mod symmetry;
mod taylor;
mod world;
