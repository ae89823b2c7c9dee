//! `kugelbahn aim` where a quantity stops to change: friction beyond which all sticks, spin beyond which all slips.

use crate::common::{MARBLE, Outcome, Place, throw};
use serde_json::Value;

fn aim(arguments: &[&str]) -> Outcome {
    let place = Place::new();
    place.write("throw.toml", throw(MARBLE, 0.2, 3.0));
    place.kugelbahn(&[["aim", "throw.toml"].as_slice(), arguments].concat())
}

#[track_caller]
fn told(arguments: &[&str], end: &str) -> (f64, f64) {
    let outcome = aim(&[arguments, &["--json"]].concat());
    assert_eq!(outcome.code, 0, "{}{}", outcome.stdout, outcome.stderr);
    let json: Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!(json["end"], end, "{json:#}");
    assert!(json["runs"].as_u64().unwrap() < 250, "{}", json["runs"]);
    (json["free"][0]["value"].as_f64().unwrap(), json["goals"][0]["value"].as_f64().unwrap())
}

#[test]
fn what_stays_the_same_from_a_value_on_is_level() {
    let at = |spin: f64| {
        let setting = format!("initial.spin={spin:?}");
        told(&["--free", "initial.spin=-1e9..1e9", "--minimise", "x(t=2)", "--set", &setting], "level").1
    };
    // Every impact slips.
    assert!((at(1e4) - at(1e5)).abs() < 1e-7);
    let outcome = aim(&["--free", "initial.spin", "--minimise", "x(t=2)"]);
    assert!(outcome.code == 1 && outcome.stderr.contains("--free initial.spin=LOW..HIGH"), "{}", outcome.stderr);
}

#[test]
fn a_start_on_a_plateau_looks_beyond_it() {
    // Without friction: 1 m/s for 3 s.
    let free = ["--free", "contact.friction", "--set", "contact.friction=0.9"];
    let (friction, far) = told(&[&free[..], &["--maximise", "x(end)"]].concat(), "bound");
    assert!(friction == 0.0 && (far - 3.0).abs() < 1e-9, "{friction}, {far}");
    // Where all sticks nothing is nearer; it is no extreme that its derivatives make.
    let (_, near) = told(&[&free[..], &["--minimise", "x(end)"]].concat(), "level");
    assert!(near < 2.5, "{near}");
}

#[test]
fn a_bound_is_met_to_the_last_bit() {
    let (spin, _) = told(&["--free", "initial.spin=-3..3", "--maximise", "x(end)"], "bound");
    assert_eq!(spin, -3.0);
}

#[test]
fn an_extreme_that_has_no_value_is_not_found() {
    let outcome = aim(&["--free", "initial.spin", "--maximise", "height"]);
    assert_eq!(outcome.code, 1);
    assert!(outcome.stderr.starts_with("not found: height is "), "{}", outcome.stderr);
}
