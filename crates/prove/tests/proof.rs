//! Events that are proven, against the same motions to 50 digits (`reference.py`, which uses nothing of ours).

#![allow(clippy::expect_used, clippy::panic, reason = "tests fail loudly")]

use std::ops::ControlFlow;
use std::path::Path;

use numbers::Interval;
use prove::{Open, Proof, prove};
use scenario::Scenario;
use supervisor::{Event, Observer};

#[derive(Default)]
struct Events(Vec<Event>);

impl Observer for Events {
    fn event(&mut self, event: &Event) -> ControlFlow<()> {
        self.0.push(*event);
        ControlFlow::Continue(())
    }
}

fn proof_of(text: &str) -> (Vec<Event>, Proof) {
    let scenario = Scenario::from_text(text, Path::new(""), &[]).expect(text);
    let mut events = Events::default();
    scenario.supervisor(scenario.options()).expect("a run").run(&mut events);
    let end = scenario.start.time() + scenario.solver.duration;
    let proof = prove(&scenario.scene, &scenario.start, &events.0, end);
    (events.0, proof)
}

/// A number of 28 digits as an interval, which holds what a double can't.
fn number(text: &str) -> Interval {
    let value: f64 = text.parse().expect(text);
    Interval::around(value, 0.5 * f64::EPSILON * value.abs())
}

fn holds(proven: Interval, truth: Interval) -> bool {
    proven.lo <= truth.hi && truth.lo <= proven.hi
}

/// A row of `reference.csv` as a scenario, s long.
fn scenario(row: &[&str], duration: f64) -> String {
    let [kind, a, b, r, m, k, e, mu, spin, start, x, y, vx, vy] = row else { panic!("{row:?}") };
    let curve = match *kind {
        "flat" => r#"{ kind = "graph", y = "0" }"#.to_owned(),
        "graph" => format!(r#"{{ kind = "graph", y = "{a}*sin({b}*x)" }}"#),
        side => format!(r#"{{ kind = "circle", centre = [0.0, 0.0], radius = {a}, side = "{side}" }}"#),
    };
    let begin = match *start {
        "contact" => format!("contact = {{ x = {x}, speed = {vx}, spin = 0.0 }}"),
        _ => format!("position = [{x}, {y}]\nvelocity = [{vx}, {vy}]\nspin = {spin}"),
    };
    format!(
        "[ball]\nmass = {m}\nradius = {r}\n[initial]\n{begin}\n[ground]\ncurve = {curve}\n[forces]\ndrag = {{ coefficient = {k} }}\n\
         [contact]\nrestitution = {e}\nfriction = {mu}\n[solver]\ntolerance = 1e-11\nduration = {duration}\n"
    )
}

/// The rows of `reference.csv`, or of the file that `KUGELBAHN_PROOFS` names: no interval misses the truth, and nine of ten events are
/// proven.
#[test]
fn intervals_hold_the_truth() {
    let file = std::env::var("KUGELBAHN_PROOFS").ok();
    let text = match &file {
        Some(file) => std::fs::read_to_string(file).expect(file),
        None => include_str!("reference.csv").to_owned(),
    };
    let (mut all, mut proven, mut widest) = (0, 0, 0.0_f64);
    let mut reasons: Vec<String> = Vec::new();
    for line in text.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let (told, row) = cells.split_last().expect(line);
        let last = told.rsplit(';').next().and_then(|event| event.split(' ').nth(1)).expect(told);
        let (events, proof) = proof_of(&scenario(row, number(last).hi + 0.01));
        for (i, truth) in told.split(';').enumerate() {
            let [kind, time, x, y] = truth.split(' ').collect::<Vec<_>>()[..] else { panic!("{truth}") };
            all += 1;
            let Some(found) = proof.proven.get(i) else { continue };
            let event = &events[i];
            assert_eq!(event.kind.name(), kind, "event {i} of {line}");
            let inside = holds(found.time, number(time))
                && holds(found.position[0], number(x))
                && holds(found.position[1], number(y));
            assert!(inside, "event {i}, {found:?} of {line}");
            proven += 1;
            widest = widest.max(found.time.width());
        }
        if proof.proven.len() < told.split(';').count() {
            let why = proof.open.map_or_else(|| "the run has no more events".to_owned(), |open| open.to_string());
            reasons.push(format!("{} {why}: {}", proof.proven.len(), row.join(",")));
        }
    }
    eprintln!("{proven} of {all} events proven, to {widest:e} s at most; open:\n{}", reasons.join("\n"));
    assert!(10 * proven >= 9 * all, "{proven} of {all}");
}

/// Ten bounces of the hard sphere: the tenth to 1e-12 s.
#[test]
fn ten_bounces_of_the_hard_sphere() {
    let (events, proof) = proof_of(
        "[ball]\nmass = 1.0\nradius = 0.05\n[initial]\nposition = [0.0, 1.0]\nvelocity = [1.0, 0.0]\n[ground]\n\
         curve = { kind = \"graph\", y = \"0\" }\n[forces]\ndrag = { coefficient = 0.02 }\n[contact]\nrestitution = 0.9\n\
         friction = 0.1\n[solver]\ntolerance = 1e-12\nduration = 6.0\n",
    );
    assert!(proof.proven.len() >= 10, "{:?}", proof.open);
    let tenth = proof.proven[9];
    assert!(tenth.time.width() < 2e-12, "{:e}", tenth.time.width());
    // The run is as right as it says.
    assert!((events[9].before.time - tenth.time.middle()).abs() < 1e-10);
}

/// Over a crest by 1e-9 m, and into it by as little: what is there is proven, what is not is not.
#[test]
fn grazing_by_a_nanometre() {
    // A bead flies level, without gravity, over the crest of -x²/8.
    let with = |height: f64| {
        format!(
            "[ball]\nradius = 0.0\n[initial]\nposition = [-1.0, {height:?}]\nvelocity = [2.0, 0.0]\n[ground]\n\
             curve = {{ kind = \"graph\", y = \"-0.125*x^2\" }}\n[forces]\ngravity = 0.0\n[contact]\nrestitution = 0.5\n[solver]\ntolerance = 1e-12\nduration = 1.0\n"
        )
    };
    let (events, proof) = proof_of(&with(1e-9));
    assert!(events.is_empty() && proof.open.is_none());
    let (events, proof) = proof_of(&with(-1e-9));
    assert_eq!(events.len(), proof.proven.len(), "{:?}", proof.open);
    // 0.125 x² = 1e-9 on the way to the crest, from x = -1 at 2 m/s.
    let truth = 0.5 * (1.0 - (8e-9_f64).sqrt());
    assert!(holds(proof.proven[0].time, Interval::around(truth, 1e-16)), "{:?}", proof.proven[0]);
}

/// What is not enclosed is said.
#[test]
fn what_is_open_is_said() {
    let (_, proof) = proof_of(
        "[ball]\nradius = 0.05\n[initial]\nposition = [0.0, 1.0]\n[ground]\ncurve = { kind = \"graph\", y = \"0\" }\n\
         [forces]\nexternal = { x = \"0.1*t\", y = \"0\" }\n[solver]\nduration = 1.0\n",
    );
    assert!(proof.proven.is_empty());
    assert_eq!(proof.open, Some(Open::Scene("an external force")));
    // A motion that begins at a joint was said to graze: parts that begin at 0 were never short enough.
    let (events, proof) = proof_of(
        "[ball]\nradius = 0.05\n[initial]\ncontact = { x = 0.0, speed = 1.0, spin = 0.0 }\n[ground]\n\
         curve = { kind = \"polyline\", points = [[-1.0, 0.0], [0.0, 0.0], [9.0, 0.0]] }\n[contact]\nfriction = 0.3\n\
         [solver]\nduration = 1.0\n",
    );
    assert_eq!((events.len(), proof.open), (1, Some(Open::Several)));
}
