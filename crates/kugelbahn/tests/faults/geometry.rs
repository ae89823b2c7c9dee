//! Questions put to the ground: where a start is, which side is free, how far it goes.

use super::common::{Outcome, Place, Table};
use super::fault;

/// Runs a scenario text, with its outputs in `out`.
fn run(place: &Place, text: &str, more: &[&str]) -> Outcome {
    place.write("scenario.toml", text);
    place.kugelbahn(&[&["run", "scenario.toml", "--out", "out"], more].concat())
}

/// A knot of a spline was counted as two places; the hint to give `s` was refused beside `x`.
/// The search counted pieces that have a point with the abscissa, not places; a setting did not take the place of a key.
#[test]
fn start_at_a_knot() {
    let (_, outcome) = fault("start-at-a-knot", &[]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let (place, outcome) = fault("start-at-a-knot", &["--set", "initial.contact.s=1.0047349447107377"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let at = Table::read(&place, "trajectory.csv").numbers("x")[0];
    assert!((at - 1.0).abs() < 1e-15, "{at}");
}
