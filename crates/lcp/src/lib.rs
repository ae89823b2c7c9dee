#![doc = include_str!("../README.md")]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

// Re-exported for the matrix views in public signatures.
pub use nalgebra;

pub mod friction;
mod lemke;
mod problem;
mod scaling;

pub use lemke::Lemke;
pub use problem::{Failure, Problem, Solved};

/// Replaces all entries of a buffer, which keeps its memory.
fn refill<T>(buffer: &mut Vec<T>, entries: impl IntoIterator<Item = T>) {
    buffer.clear();
    buffer.extend(entries);
}
