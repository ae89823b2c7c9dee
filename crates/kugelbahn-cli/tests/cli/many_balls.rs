//! Several balls event by event.

use crate::common::{Outcome, Place, Table};

/// Two equal balls on level ground without friction: one at rest, one that comes at it.
const PAIR: &str = r#"title = "Two balls"
[[ball]]
mass = 2.0
radius = 0.1
initial = { contact = { x = 0.0, speed = 1.0 } }
[[ball]]
mass = 2.0
radius = 0.1
initial = { contact = { x = 0.5 } }
[ground]
curve = { kind = "graph", y = 0 }
[contact]
restitution = 0.0
[contact.balls]
restitution = 1.0
[solver]
method = "events"
step = 1e-3
duration = 1.0
[output]
interval = 0.25
"#;

fn run(place: &Place, scenario: &str, settings: &[&str]) -> Outcome {
    place.write("scenario.toml", scenario);
    let mut arguments = vec!["run", "scenario.toml", "--out", "out"];
    settings.iter().for_each(|setting| arguments.extend(["--set", *setting]));
    place.kugelbahn(&arguments)
}

#[test]
fn two_balls_meet_at_the_right_time() {
    let place = Place::new();
    let outcome = run(&place, PAIR, &[]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert!(outcome.stdout.contains("event by event, step 0.001 s of balls handed over"), "{}", outcome.stdout);
    assert!(outcome.stdout.contains("1 between balls"), "{}", outcome.stdout);
    let events = Table::read(&place, "out/events.csv");
    assert_eq!(events.numbers("time").len(), 1);
    assert!((events.numbers("time")[0] - 0.3).abs() < 1e-14);
    assert!((events.numbers("normal_impulse")[0] - 2.0).abs() < 1e-14);
    assert_eq!([events.words("ball")[0], events.words("other")[0]], ["1", "2"]);
    let summary: serde_json::Value = serde_json::from_str(&place.read("out/summary.json")).unwrap();
    assert_eq!(summary["solver"]["impacts_between_balls"], 1);
    assert_eq!(summary["scenario"]["solver"]["method"], "events");
    assert_eq!(summary["final"][0]["velocity"][0], 0.0);
    assert_eq!(summary["final"][1]["position"][0], 1.2);
    assert_eq!(summary["balance"]["momentum"]["residual"], 0.0);
}

#[test]
fn what_events_do_not_know_is_refused() {
    let place = Place::new();
    for (setting, said) in [
        ("forces.drag.coefficient=0.1", "balls fly on parabolas"),
        ("contact.rolling-damping=0.1", "`rolling-damping` is 0.1 N s/m"),
        ("solver.tolerance=1e-9", "is a key of event-driven runs"),
        ("ball.2.initial.contact.x=0.1", "overlap"),
    ] {
        let outcome = run(&place, PAIR, &[setting]);
        assert_eq!(outcome.code, 2, "{setting}: {}", outcome.stdout);
        assert!(outcome.stderr.contains(said), "{setting}: {}", outcome.stderr);
    }
    place.write("scenario.toml", PAIR.replace("step = 1e-3\n", ""));
    let outcome = place.kugelbahn(&["run", "scenario.toml"]);
    assert!(outcome.code == 2 && outcome.stderr.contains("handed over to time stepping"), "{}", outcome.stderr);
}
