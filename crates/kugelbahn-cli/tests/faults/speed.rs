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
