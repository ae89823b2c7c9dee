//! Intervals, series, formulas and first zeros.

#![allow(clippy::unwrap_used, reason = "tests say what they measured, and fail loudly")]

mod corners;
mod polynomial;
mod tape;
mod taylor;
mod witness;
