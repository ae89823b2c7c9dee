//! Derivatives of runs, least squares and goals.

#![allow(clippy::unwrap_used, reason = "tests say what they measured, and fail loudly")]

mod differences;
mod drop;
mod goals;
mod last_bounces;
mod least_squares;
mod pieces;
mod sensitivities;
