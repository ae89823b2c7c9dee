//! Curves that cross themselves, and what a ball that comes from there sees of them.

use std::path::Path;

use scenario::{Scenario, run};
use supervisor::{EventKind, Recording};

const TRACK: &str = "{ kind = \"composite\", pieces = [\
    { kind = \"line\", from = [-11.707106781186548, 8.292893218813452], to = [-3.7071067811865475, 0.2928932188134524] },\
    { kind = \"arc\", centre = [-3, 1.0], radius = 1.0, from = \"-3*pi/4\", to = \"-pi/2\" },\
    { kind = \"loop\", at = [0, 0], radius = 1, run-in = 3, run-out = 5 }] }";

fn made(initial: &str, radius: f64, more: &str) -> (Scenario, Recording) {
    let text = format!(
        "ball.radius = {radius:?}\ninitial = {{ {initial} }}\ncontact.restitution = 0.5\n\
         solver = {{ tolerance = 1e-12, duration = 3 }}\noutput.interval = 0.02\nground = {{ curve = {TRACK}{more} }}\n"
    );
    let scenario = Scenario::from_text(&text, Path::new(""), &[]).unwrap();
    let mut told = Recording::default();
    told.summary = Some(run(&scenario, &mut told).unwrap());
    (scenario, told)
}

/// A bead that falls from the top of a loop meets what it would have met, if it is started again on the way: with where it was last.
#[test]
fn a_row_in_flight_within_a_loop_is_a_start() {
    let (scenario, whole) = made("contact = { s = 9.05 }", 0.0, "");
    let left = whole.first(EventKind::LiftOff).expect("it falls off");
    let next = whole.events.iter().find(|event| event.time() > left.time()).expect("it comes down");
    let s = scenario.scene.ground.shown_parameter(left.place);
    let rows = whole.samples.iter().filter(|row| left.time() < row.state.time && row.state.time < next.time());
    let (mut compared, mut another) = (0, 0);
    for row in rows {
        let [q, v, t] = [row.state.position, row.state.velocity, [row.state.time; 2].into()];
        let thrown = format!("position = [{:?}, {:?}], velocity = [{:?}, {:?}], time = {:?}", q.x, q.y, v.x, v.y, t[0]);
        let (again, told) = made(&format!("{thrown}, s = {s:?}"), 0.0, "");
        let met = told.events.first().expect("it comes down again");
        assert!((met.time() - next.time()).abs() < 1e-11, "{t}: {} {}", met.time(), next.time());
        assert!((met.after.position - next.after.position).norm() < 1e-11, "{t}");
        // Written out it says so, too.
        let written = toml::to_string(&again.resolved()["initial"]).unwrap();
        assert!(written.lines().any(|line| line.starts_with("s = ")), "{written}");
        let without = made(&thrown, 0.0, "").1;
        another += usize::from((without.events[0].time() - next.time()).abs() > 1e-3);
        compared += 1;
    }
    assert!(compared > 10 && another > 0, "{compared} {another}");
}

/// A ball that is near a strand which is not there for it may start there, and no other may.
#[test]
fn a_start_in_a_strand_that_is_not_there() {
    // Above the way in, where the way out of the loop is 0.05 m from its centre.
    let start =
        |s: &str| format!("ball.radius = 0.1\ninitial = {{ position = [-0.3, 0.1001]{s} }}\nground.curve = {TRACK}\n");
    let read = |s: &str| Scenario::from_text(&start(s), Path::new(""), &[]).map(|_| ());
    read(", s = 12").unwrap();
    for refused in ["", ", s = 20"] {
        assert!(read(refused).unwrap_err().to_string().contains("deep in"), "{refused}");
    }
    let unknown = read(", s = 1e9").unwrap_err();
    assert!(unknown.to_string().contains("there is no ground at s = 1000000000"), "{unknown}");
    let which = read(", ground = \"rail\"").unwrap_err();
    assert!(which.to_string().contains("of which curve `s` is"), "{which}");
}

/// Gates of `[ground]` are those of the run; each crossing has one.
#[test]
fn gates_of_a_scenario() {
    let gate = |gates: &str| {
        let text =
            format!("initial.contact.s = 1\nground = {{ curve = {TRACK}, gates = {gates} }}\nsolver.duration = 0.1\n");
        Scenario::from_text(&text, Path::new(""), &[])
    };
    let at = |scenario: &Scenario| {
        let ground = scenario.scene.ground.ground();
        ground.shown_crossing(&ground.crossings()[0]).1
    };
    let moved = gate("[{ crossing = 1, s = 16.0 }]").unwrap();
    assert_eq!(at(&moved), 16.0);
    // Written out, and with a setting put in, they stay.
    let again = moved.with_settings(&["contact.restitution=0.3".to_owned()]).unwrap();
    assert_eq!(at(&again), 16.0);
    for (gates, wrong) in [
        ("[{ crossing = 1, s = 16.0 }, { crossing = 1, reach = 0.1 }]", "two gates of crossing 1"),
        ("[{ crossing = 2, s = 16.0 }]", "there is no crossing 2"),
        ("[{ crossing = 1, s = 1.0 }]", "is not between both passages"),
    ] {
        let error = gate(gates).unwrap_err();
        assert!(error.to_string().contains(wrong), "{gates}: {error}");
    }
    let inner =
        format!("kind = \"composite\"\npieces = [{}]", TRACK.replacen("composite\"", "composite\", gates = []", 1));
    let error = scenario::curve::curve_from_text(&inner, Path::new("")).unwrap_err();
    assert!(error.to_string().contains("`gates` of a curve in a curve"), "{error}");
}
