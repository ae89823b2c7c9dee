//! Relations that hold whatever the numbers are: two scenarios that must give the same events and states.
//!
//! Each test takes random scenarios of all kinds, with fixed seeds. `KUGELBAHN_CASES=100000` sets how many are tried in all,
//! `KUGELBAHN_SEED=8` other ones, and `KUGELBAHN_FOUND=FOLDER` where the files of those that fail are written, each made as small as the search manages.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "tests say what they measured, and fail loudly"
)]

mod compare;
mod orbit;
mod parabolas;
mod relation;
mod search;

use search::holds;
use tests::scenarios::Formula;

#[test]
fn mirrored() {
    holds("mirrored", relation::mirrored());
}

#[test]
fn moved_by_up_to_a_million_metres() {
    holds("moved", relation::moved());
}

#[test]
fn turned_with_gravity() {
    holds("turned", relation::turned());
}

#[test]
fn scaled_in_length_time_and_mass() {
    holds("scaled", relation::scaled());
}

#[test]
fn in_other_units() {
    holds("units", relation::units());
}

#[test]
fn by_another_parameter() {
    holds("parameter", relation::by_another_parameter());
}

#[test]
fn of_another_kind() {
    holds("kind", relation::of_another_kind());
}

#[test]
fn by_another_method() {
    holds("method", relation::by_another_method());
}

#[test]
fn split_and_restarted() {
    holds("split", relation::split());
}

#[test]
fn run_back() {
    holds("back", relation::run_back());
}

#[test]
fn names_in_formulas_are_replaced_whole_and_at_once() {
    let formula = Formula::new("max(x, 1e-3*s) + exp(x*2.5e3) - sinx");
    let swapped = formula.with(&[("x", Formula::new("s")), ("s", Formula::new("x")), ("e", Formula::new("0"))]);
    assert_eq!(swapped.to_string(), "max((s), 1e-3*(x)) + exp((s)*2.5e3) - sinx");
}
