//! Work that grew with the square of what is asked for, or was done for nothing.

use super::common::Table;
use super::fault;

/// Figures of 1000 bounces took forty times as long as the run: a line was cut at its farthest point, then what was left of it. Lines are
/// simplified in one pass now, see `a_line_is_simplified_in_one_pass`: each bounce stays, with a few points.
#[test]
fn slow_figures() {
    let (place, outcome) = fault("slow-figures", &[]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let impacts = Table::read(&place, "out/events.csv").words("kind").iter().filter(|kind| **kind == "impact").count();
    let points = std::fs::read_to_string(place.path("out/path.svg")).unwrap().matches('L').count();
    assert!(impacts == 1000 && (2 * impacts..40 * impacts).contains(&points), "{impacts} impacts, {points} points");
}

/// On flat ground with ends a bounce took three times as long as without: all faces of the ground, its back and the arcs around its ends
/// among them, were gone through with boxes of the whole path. A straight face that the ball leaves is met again first, and the path up to
/// there is near no other.
#[test]
fn slow_ends() {
    let evaluations = |more: &[&str]| {
        let (place, outcome) = fault("slow-ends", more);
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        let summary = std::fs::read_to_string(place.path("out/summary.json")).unwrap();
        let summary: serde_json::Value = serde_json::from_str(&summary).unwrap();
        let count = |key: &str| summary["solver"][key].as_u64().unwrap();
        assert_eq!(count("ground_enclosures"), 0);
        (count("contact_searches"), count("ground_evaluations"))
    };
    assert_eq!(evaluations(&[]), evaluations(&["--set", "ground.curve={ kind = \"graph\", y = \"0\" }"]));
}

/// Symptom: Taylor series went on for minutes through drag that stops the ball within 1e-7 s, as stability holds an explicit method to steps as
/// short: it says so, as `dop853` does.
#[test]
fn drag_that_stops_a_ball_at_once() {
    let place = super::common::Place::new();
    let stiff = Some("the force is stiff");
    for (method, drag, stops) in [
        ("taylor", "1e6", stiff),
        ("taylor", "9e15", Some("no progress")),
        ("dop853", "1e6", stiff),
        ("dop853", "9e9", stiff),
        ("radau", "9e15", None),
        ("bdf", "9e15", None),
        ("newmark", "1e6", None),
    ] {
        let set = [format!("solver.method={method}"), format!("forces.linear-drag={drag}")];
        let outcome = place.kugelbahn(&["run", "drop.toml", "--json", "--set", &set[0], "--set", &set[1]]);
        let told: serde_json::Value = serde_json::from_str(&outcome.stdout).unwrap();
        let (steps, told) = (told["solver"]["flight_steps"].as_u64().unwrap(), outcome.stderr);
        let ends = stops.map_or(outcome.code == 0, |why| outcome.code == 1 && told.contains(why));
        assert!(ends && steps < if stops.is_some() { 20_000 } else { 1000 }, "{method}, {drag}: {steps} steps: {told}");
    }
}
