//! Time stepping.

use super::common::{Outcome, Place};
use super::fault;

/// The scenario of a fault with parts of its text replaced.
fn changed(name: &str, changes: &[(&str, &str)]) -> (Place, Outcome) {
    let place = Place::new();
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/faults/{name}.toml"));
    let mut text = std::fs::read_to_string(file).unwrap();
    for (old, new) in changes {
        assert!(text.contains(old), "no {old} in {text}");
        text = text.replace(old, new);
    }
    place.write("scenario.toml", text);
    let outcome = place.kugelbahn(&["run", "scenario.toml", "--out", "out"]);
    (place, outcome)
}

fn summary(place: &Place) -> serde_json::Value {
    serde_json::from_str(&place.read("out/summary.json")).unwrap()
}

/// `[x, y, vx, vy]` of each ball in the end.
#[track_caller]
fn ends((place, outcome): &(Place, Outcome)) -> Vec<[f64; 4]> {
    assert_eq!(outcome.code, 0, "{}\n{}", outcome.stdout, outcome.stderr);
    let last = summary(place)["final"].clone();
    let balls = last.as_array().cloned().unwrap_or_else(|| vec![last]);
    let number = |ball: &serde_json::Value, name: &str, i: usize| ball[name][i].as_f64().unwrap();
    let keys = [("position", 0), ("position", 1), ("velocity", 0), ("velocity", 1)];
    balls.iter().map(|ball| keys.map(|(name, i)| number(ball, name, i))).collect()
}

#[track_caller]
fn close(found: [f64; 2], expected: [f64; 2], tolerance: f64) {
    let off = (found[0] - expected[0]).hypot(found[1] - expected[1]);
    assert!(off <= tolerance, "{found:?} instead of {expected:?}");
}

/// Symptom: sliding from one straight wall to the other a ball left the second under 5.7 degrees. Cause: the normal of its
/// second contact was that of the place that would touch, turned by up to penetration/R.
#[test]
fn second_wall_tilted() {
    const NAME: &str = "second-wall-tilted";
    // What the walls leave of (1, −3): its part along the first, and of that the part along the second.
    let unit = [2.0, 0.85].map(|c: f64| c / 2.0_f64.hypot(0.85));
    let speed = (unit[0] + 3.0 * unit[1]) * (unit[0] * unit[0] - unit[1] * unit[1]);
    let along = unit.map(|c| speed * c);
    assert!((along[0] - 1.33733).abs() < 1e-5 && (along[1] - 0.56837).abs() < 1e-5);
    let velocity = |changes: &[(&str, &str)]| {
        let [_, _, vx, vy] = ends(&changed(NAME, changes))[0];
        [vx, vy]
    };
    for step in ["5e-3", "2.5e-3", "1.25e-3", "6.25e-4"] {
        for x in ["-0.2955", "-0.2909"] {
            close(velocity(&[("1.25e-3", step), ("-0.2955", x)]), along, 1e-9);
        }
    }
    // Mirrored, moved, turned by a right angle.
    close(
        velocity(&[("[-0.2955, 0.5], velocity = [1, -3]", "[0.2955, 0.5], velocity = [-1, -3]")]),
        [-along[0], along[1]],
        1e-9,
    );
    let moved = [
        ("[-0.2955, 0.5]", "[999.7045, 0.5]"),
        ("[[-2, 0.85], [0, 0], [2, 0.85]]", "[[998, 0.85], [1000, 0], [1002, 0.85]]"),
    ];
    close(velocity(&moved), along, 1e-9);
    let turned = [
        ("[-0.2955, 0.5], velocity = [1, -3]", "[-0.5, -0.2955], velocity = [3, 1]"),
        ("[[-2, 0.85], [0, 0], [2, 0.85]]", "[[-0.85, -2], [0, 0], [-0.85, 2]]"),
    ];
    close(velocity(&turned), [-along[1], along[0]], 1e-9);
}

/// The same between curved walls: with the step the velocity goes to that of the event-driven run.
#[test]
fn second_wall_curved() {
    let walls = "kind = \"graph\", y = \"0.425*abs(x) + 0.3*x^2\"";
    let run = |method: &str| {
        let polyline = "kind = \"polyline\", points = [[-2, 0.85], [0, 0], [2, 0.85]]";
        let [_, _, vx, vy] =
            ends(&changed("second-wall-tilted", &[(polyline, walls), ("method = \"moreau\"\nstep = 1.25e-3", method)]))
                [0];
        [vx, vy]
    };
    let exact = run("method = \"newmark\"");
    for step in [5e-3, 1.25e-3, 6.25e-4] {
        let found = run(&format!("method = \"moreau\"\nstep = {step}"));
        println!("{step}: {found:?} {exact:?}");
        close(found, exact, 10.0 * step);
    }
}

/// Symptom: a run stopped with a residual of 1.5e-11 whatever `lcp-tolerance`. Cause: pivoting judged its own form of the problem, by
/// a tolerance of its own.
#[test]
fn lemke_own_tolerance() {
    let balls = |more: &[&str]| ends(&fault("lemke-own-tolerance", more));
    let swept = balls(&["--set", "solver.lcp=gauss-seidel"]);
    for tolerance in ["1e-10", "1e-6"] {
        let pivoted = balls(&["--set", &format!("solver.lcp-tolerance={tolerance}")]);
        for (one, other) in pivoted.iter().zip(&swept) {
            close([one[0], one[1]], [other[0], other[1]], 1e-3);
            close([one[2], one[3]], [0.0, 0.0], 1e-3);
        }
    }
}

/// Symptom: without friction and restitution the report blamed Newton's restitution with friction for 1 mJ. Cause: whatever the
/// contacts of a step with an impact added was counted as that; it is the normals, which turn as balls roll over each other.
#[test]
fn gain_names_wrong_cause() {
    let turned = |step: &str| {
        let (place, outcome) = changed("gain-names-wrong-cause", &[("step = 1e-3", &format!("step = {step}"))]);
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        let told = outcome.stdout.contains("normals that turn within a step");
        assert!(told && !outcome.stdout.contains("Newton's restitution"), "{}", outcome.stdout);
        let summary = summary(&place);
        assert_eq!(summary["solver"]["energy_added_by_restitution"], 0.0);
        assert!(summary["energy"]["unexplained"].as_f64().unwrap().abs() < 1e-11);
        summary["solver"]["energy_added_by_turning"].as_f64().unwrap()
    };
    let [coarse, fine] = ["1e-3", "2.5e-4"].map(turned);
    println!("{coarse:e} J, {fine:e} J");
    assert!(coarse > 1e-4 && coarse / fine > 2.0, "{coarse} {fine}");
}

/// Symptom: balls that touch and approach were refused, and balls that overlap and separate were not. Cause: the places half a step
/// after the start were judged.
#[test]
fn touching_balls_refused() {
    const NAME: &str = "touching-balls-refused";
    let starts = ["position = [0.0, 0.0], velocity = [1.0, 0.0]", "position = [0.2, 0.0]"];
    let velocities = |[one, two]: [&str; 2]| {
        let outcome = changed(NAME, &[(starts[0], "one"), (starts[1], two), ("one", one)]);
        ends(&outcome).iter().map(|ball| [ball[2], ball[3]]).collect::<Vec<_>>()
    };
    assert_eq!(velocities(starts), [[0.0, 0.0], [1.0, 0.0]]);
    // The order of the balls, the direction, the place.
    assert_eq!(velocities([starts[1], starts[0]]), [[1.0, 0.0], [0.0, 0.0]]);
    let mirrored = ["position = [0.0, 0.0], velocity = [-1.0, 0.0]", "position = [-0.2, 0.0]"];
    assert_eq!(velocities(mirrored), [[0.0, 0.0], [-1.0, 0.0]]);
    let moved = ["position = [1e6, 0.0], velocity = [1.0, 0.0]", "position = [1000000.2, 0.0]"];
    assert_eq!(velocities(moved), [[0.0, 0.0], [1.0, 0.0]]);
    for (x, depth) in [("0.1995", "0.0005 m"), ("0.199999999999", "1e-12 m")] {
        let (_, outcome) = changed(NAME, &[(starts[1], &format!("position = [{x}, 0.0], velocity = [2, 0]"))]);
        assert!(outcome.code == 2 && outcome.stderr.contains("overlap by"), "{depth}: {}", outcome.stderr);
    }
}

/// Symptom: a heap of 200 balls stopped at 0.162 s with "residual 4.09e-5 after 20383 iterations". Cause: a step whose contacts miss the
/// solver's tolerance, by however little, ended the run.
#[test]
fn heap_200_stops() {
    let (place, outcome) = fault("heap-200-stops", &[]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let summary = summary(&place);
    let number = |part: &str, name: &str| summary[part][name].as_f64().unwrap();
    println!("{} {:e}", summary["solver"]["steps_that_missed_tolerance"], number("solver", "largest_residual"));
    assert_eq!(summary["solver"]["steps"], 300);
    assert!(number("solver", "largest_residual") < 1e-8 && number("energy", "unexplained").abs() < 1e-11);
    assert_eq!(number("solver", "energy_added_by_missing"), 0.0);
}
