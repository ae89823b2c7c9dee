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

/// Symptom: drag that stops the ball within 1e-17 s took minutes. Newmark's scheme damps little of what decays within a step, and each step was
/// as short as that asked for: now it is followed from where it begins. A series, which stability holds to short steps, says so.
#[test]
fn drag_that_stops_a_ball_at_once() {
    let place = super::common::Place::new();
    let run = |method: &str, drag: &str| {
        let set = [format!("solver.method={method}"), format!("forces.linear-drag={drag}")];
        let outcome = place.kugelbahn(&["run", "drop.toml", "--json", "--set", &set[0], "--set", &set[1]]);
        let told: serde_json::Value = serde_json::from_str(&outcome.stdout).unwrap();
        (outcome.code, told["solver"]["flight_steps"].as_u64().unwrap(), outcome.stderr)
    };
    for drag in ["1e3", "1e6", "9e9", "9e12", "9e15"] {
        for (method, most) in [("newmark", 20_000), ("radau", 1000), ("bdf", 1000)] {
            let (code, steps, told) = run(method, drag);
            assert!(code == 0 && steps < most, "{method}, {drag}: {steps} steps: {told}");
        }
    }
    for (method, drag) in [("taylor", "1e6"), ("taylor", "9e15"), ("dop853", "1e6"), ("dop853", "9e9")] {
        let (code, steps, told) = run(method, drag);
        assert!(
            code == 1 && steps < 20_000 && told.contains("the force is stiff"),
            "{method}, {drag}: {steps}: {told}"
        );
    }
}
