//! Several curves in one scene.

use mechanics::State;
use supervisor::{Event, EventKind};

use crate::harness::{Run, run};

/// A ball that falls through a zigzag of planks, with friction and restitution.
const BALL: &str = r#"
ball = { mass = 0.2, radius = 0.04 }
contact = { restitution = 0.4, friction = 0.3 }
"#;

/// From left to right and back: the ends of six planks, m; the free side of every other is its upper one.
const PLANKS: [[[f64; 2]; 2]; 6] = [
    [[-0.7, 6.2], [1.2, 5.6]],
    [[3.6, 5.7], [0.7, 4.8]],
    [[-1.7, 4.9], [1.2, 4.0]],
    [[3.6, 4.1], [0.7, 3.2]],
    [[-1.7, 3.3], [1.2, 2.4]],
    [[3.6, 2.5], [0.7, 1.6]],
];

/// The plank with its free side up.
fn plank(index: usize) -> String {
    let [a, b] = PLANKS[index];
    let [from, to] = if a[0] < b[0] { [a, b] } else { [b, a] };
    format!("{{ kind = \"line\", from = {from:?}, to = {to:?} }}")
}

fn start(state: &State) -> String {
    let State { position: q, velocity: v, spin, .. } = state;
    format!("initial = {{ position = [{:?}, {:?}], velocity = [{:?}, {:?}], spin = {spin:?} }}", q.x, q.y, v.x, v.y)
}

fn curve(run: &Run, event: &Event) -> usize {
    run.scenario.scene.ground.curve_of(event.place)
}

/// Each plank alone, with the state carried over, says the same as all of them together.
#[test]
fn planks_alone_and_together() {
    let tables: String =
        (0..6).map(|i| format!("[[ground]]\nname = \"plank {}\"\ncurve = {}\n", i + 1, plank(i))).collect();
    let whole = run(
        &format!("{BALL}\ninitial = {{ position = [0.1, 6.4] }}\nsolver.duration = 16\noutput.interval = 1\n{tables}"),
        &[],
    );
    let mut compared = 0;
    for index in 0..6 {
        let on_it = |event: &&Event| curve(&whole, event) == index;
        let first = whole.events.iter().position(|event| on_it(&event)).expect("every plank is met");
        let met: Vec<&Event> = whole.events.iter().filter(on_it).collect();
        let (begin, from) = match first {
            0 => (0.0, "initial = { position = [0.1, 6.4] }".to_owned()),
            _ => (whole.events[first - 1].time(), start(&whole.events[first - 1].after)),
        };
        let last = met[met.len() - 1].time() - begin;
        let duration = last + 1e-3;
        let text = format!("{BALL}\n{from}\nsolver.duration = {duration:?}\nground.curve = {}", plank(index));
        let alone = run(&text, &[]);
        assert_eq!(alone.events.len(), met.len(), "plank {index}");
        for (a, b) in alone.events.iter().zip(met) {
            assert_eq!(a.kind, b.kind);
            let off = [
                a.time() + begin - b.time(),
                (a.position() - b.position()).norm(),
                (a.after.velocity - b.after.velocity).norm(),
                0.04 * (a.after.spin - b.after.spin),
            ];
            assert!(off.iter().all(|off| off.abs() <= 1e-11), "plank {index}, {} at {}: {off:?}", a.kind, b.time());
            compared += 1;
        }
    }
    assert!(compared > 30, "{compared}");
}

/// A ball and a point in the trough of two planks that cross: contacts of two curves, each with its own law.
#[test]
fn a_trough_of_two_curves() {
    for radius in [0.0, 0.1] {
        let text = format!(
            r#"
            ball = {{ radius = {radius} }}
            initial = {{ position = [-0.5, 1.0] }}
            contact = {{ restitution = 0.5, friction = 0.2 }}
            solver.duration = 20
            [[ground]]
            name = "left"
            curve = {{ kind = "graph", y = "-x" }}
            [[ground]]
            name = "right"
            curve = {{ kind = "graph", y = "x" }}
            contact = {{ restitution = 0.2, friction = 0 }}
            "#
        );
        let run = run(&text, &[]);
        let met = |index: usize| run.events.iter().any(|event| curve(&run, event) == index);
        assert!(met(0) && met(1));
        let wedged = run.summary.wedged.expect("held by both");
        let weight = 9.81;
        // Forces at rest: each normal force is F/√2 without friction.
        for normal in wedged.normal_forces {
            assert!((normal - weight / 2f64.sqrt()).abs() < 1e-9, "{radius}: {wedged:?}");
        }
        let height = radius * 2f64.sqrt();
        assert!((run.summary.state.position.y - height).abs() < 1e-9, "{radius}: {:?}", run.summary.state);
        let smooth: Vec<f64> = run
            .of(EventKind::Impact)
            .filter(|event| curve(&run, event) == 1)
            .map(|event| event.tangential_impulse)
            .collect();
        assert!(!smooth.is_empty() && smooth.iter().all(|impulse| *impulse == 0.0), "{radius}: {smooth:?}");
    }
}

/// A start says which curve it is on; without it a place that is on one curve alone is enough.
#[test]
fn starts_name_their_curve() {
    let text = |contact: &str| {
        format!(
            r#"
            ball = {{ radius = 0.1 }}
            initial.contact = {contact}
            solver.duration = 0.1
            [[ground]]
            name = "upper"
            curve = {{ kind = "line", from = [0, 1], to = [2, 1] }}
            [[ground]]
            name = "lower"
            curve = {{ kind = "line", from = [1, 0], to = [4, 0] }}
            "#
        )
    };
    for (contact, y) in
        [("{ ground = 'upper', s = 0.5 }", 1.1), ("{ ground = 'lower', s = 0.5 }", 0.1), ("{ x = 3 }", 0.1)]
    {
        let run = run(&text(contact), &[]);
        assert!((run.summary.state.position.y - y).abs() < 1e-12, "{contact}: {:?}", run.summary.state);
        // As resolved it is the same start.
        let again = run.scenario.with_setting("solver.duration=0.2").expect("a scenario");
        assert_eq!(again.start, run.scenario.start);
    }
    let refused = |contact: &str| {
        let base = std::path::Path::new("");
        format!("{:?}", kugelbahn::Scenario::from_text(&text(contact), base, &[]).expect_err("refused"))
    };
    assert!(refused("{ s = 0.5 }").contains("of which curve"));
    assert!(refused("{ ground = 'uper', s = 0.5 }").contains("did you mean \\\"upper\\\""));
    assert!(refused("{ x = 1.5 }").contains("in 2 places"));
}

/// Names are there, not empty, and no two alike; a motion of one of several is refused.
#[test]
fn bad_tables() {
    let refused = |tables: &str| {
        let text = format!("initial = {{ position = [0, 1] }}\n{tables}");
        let base = std::path::Path::new("");
        format!("{:?}", kugelbahn::Scenario::from_text(&text, base, &[]).expect_err("refused"))
    };
    let flat = "curve = { kind = 'graph', y = 0 }";
    assert!(refused(&format!("[[ground]]\nname = 'a'\n{flat}\n[[ground]]\nname = 'a'\n{flat}")).contains("two curves"));
    assert!(refused(&format!("[[ground]]\n{flat}")).contains("has no `name`"));
    assert!(refused(&format!("[[ground]]\nname = ''\n{flat}")).contains("empty"));
    assert!(refused("ground = []").contains("empty list"));
    assert!(
        refused(&format!("[[ground]]\nname = 'a'\nmotion = {{ x = 't' }}\n{flat}"))
            .contains("motion of one of several")
    );
    assert!(
        refused(&format!("[[ground]]\nname = 'a'\ncontact = {{ restitution = 2 }}\n{flat}")).contains("restitution")
    );
}
