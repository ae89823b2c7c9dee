//! Systems of n degrees of freedom with constraints, against exact motions.

#![allow(clippy::expect_used, clippy::print_stdout, reason = "tests say what they measured, and fail loudly")]

mod drop;
mod extremes;
mod linear;
mod newmark;
mod nonlinear;
mod user;
