//! Profiles, pieces and grounds: closest points, first contacts, offsets, second places.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "tests say what they measured, and fail loudly"
)]

mod backs;
mod budgets;
mod clothoids;
mod exclusion;
mod first_contact;
mod flights;
mod long;
mod loops;
mod needles;
mod osculating;
mod parallels;
mod paths;
mod random;
mod rounded_ends;
mod seams;
mod several;
mod splines;
mod straight;
mod touches;
