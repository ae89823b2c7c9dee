//! Scenarios that once went wrong, one test each: the test has the scenario's name, says what was seen, and asserts what must be.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "helpers of tests, which tell what they measured"
)]

#[path = "../common/mod.rs"]
mod common;

mod bounds;
mod checkpoints;
mod commands;
mod contact;
mod files;
mod geometry;
mod impacts;
mod loops;
mod real_files;
mod safe;
mod speed;
mod stepping;

use common::{Outcome, Place};

/// Runs `faults/NAME.toml` with the binary in a folder of its own, with its outputs in `out`.
pub fn fault(name: &str, more: &[&str]) -> (Place, Outcome) {
    let place = Place::new();
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/faults/{name}.toml"));
    place.write("scenario.toml", std::fs::read_to_string(file).unwrap());
    let arguments = [&["run", "scenario.toml", "--out", "out"], more].concat();
    let outcome = place.kugelbahn(&arguments);
    (place, outcome)
}
