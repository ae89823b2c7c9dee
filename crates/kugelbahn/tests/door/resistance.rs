//! Rolling resistance: where a ball comes to rest, what it loses, and who refuses it.

use kugelbahn::Scenario;
use kugelbahn::supervisor::{EventKind, Recording, Summary};

use super::*;

/// Solid sphere: 1 + k.
pub(crate) const HEAVIER: f64 = 1.4;

pub(crate) fn load(curve: &str, start: &str, settings: &[&str]) -> Result<Scenario, String> {
    let text = format!(
        "ball = {{ mass = 0.2, radius = 0.05 }}\ninitial = {{ contact = {{ {start} }} }}\nground = {{ curve = {curve} }}\n\
         contact = {{ friction = 'infinite', rolling-resistance = 0.02 }}\nsolver = {{ duration = 20 }}"
    );
    let settings: Vec<String> = settings.iter().map(|setting| (*setting).to_owned()).collect();
    Scenario::from_text(&text, std::path::Path::new(""), &settings).map_err(|error| format!("{error:?}"))
}

pub(crate) fn roll(curve: &str, start: &str, settings: &[&str]) -> (Recording, Summary) {
    let scenario = load(curve, start, settings).unwrap();
    let mut all = Recording::default();
    let summary = kugelbahn::run(&scenario, &mut all).unwrap();
    assert_eq!(summary.stop, None, "{settings:?}");
    (all, summary)
}

pub(crate) fn kinds(run: &Recording) -> Vec<EventKind> {
    run.events.iter().map(|event| event.kind).collect()
}

/// On level ground v̇ = −c g/(1+k): rest after v/|v̇|, v²/(2|v̇|) further on, and all energy lost.
#[test]
fn stops_on_level_ground() {
    let line = "{ kind = 'line', from = [-9, 0], to = [9, 0] }";
    let slowing = 0.02 * G / HEAVIER;
    for speed in [1.0_f64, -1.0] {
        for settings in
            [&[][..], &["solver.formulation='taylor'"], &["solver.formulation='arc-length'"], &["solver.method='auto'"]]
        {
            let (run, summary) = roll(line, &format!("x = 0.5, speed = {speed:?}, spin = 'rolling'"), settings);
            assert_eq!(kinds(&run), [EventKind::Rest], "{settings:?}");
            let (rest, lost) = (&run.events[0], 0.5 * 0.2 * HEAVIER);
            let off = [
                rest.before.time - 1.0 / slowing,
                rest.after.position.x - 0.5 - speed * 0.5 / slowing,
                summary.state.dissipated - lost,
            ];
            assert!(off.iter().all(|off| off.abs() < 1e-8), "{settings:?}: {off:?}");
            assert!(rest.after.velocity.norm() == 0.0 && summary.state.position == rest.after.position);
        }
    }
}

/// A slope holds a ball where tan α ≤ c, and below it the ball rolls with g (sin α − c cos α)/(1+k).
#[test]
fn rests_on_a_slope() {
    for (slope, rolls) in [(0.0199, false), (-0.0199, false), (0.0201, true), (-0.0201, true), (0.5, true)] {
        let line = format!("{{ kind = 'line', from = [-1000, {:?}], to = [1000, {:?}] }}", -1e3 * slope, 1e3 * slope);
        let (run, summary) = roll(&line, "x = 0", &["solver.duration=2"]);
        assert!(run.events.is_empty());
        let length = 1.0_f64.hypot(slope);
        let drive = if rolls { G * (slope.abs() - 0.02) / length / HEAVIER } else { 0.0 };
        let off = summary.state.velocity.norm() - 2.0 * drive;
        assert!(off.abs() < 1e-9, "{slope}: {off:e}");
    }
}

/// Thrown up a slope it comes back where it is steep, and stays where it is not.
#[test]
fn turns_or_stays() {
    for (slope, then) in [(0.015, EventKind::Rest), (0.1, EventKind::Stick)] {
        let line = format!("{{ kind = 'line', from = [-100, {:?}], to = [100, {:?}] }}", -100.0 * slope, 100.0 * slope);
        let (run, _) = roll(&line, "x = 0, speed = 1.0, spin = 'rolling'", &["solver.duration=6"]);
        assert_eq!(kinds(&run), [then]);
        let up = G * (slope + 0.02) / 1.0_f64.hypot(slope) / HEAVIER;
        assert!((run.events[0].before.time - 1.0 / up).abs() < 1e-8, "{slope}");
    }
}

/// In a bowl it swings to and fro until it rests; formulations and methods agree how often and where, and nothing of the energy is
/// unexplained.
#[test]
fn comes_to_rest_in_a_bowl() {
    let bowl = "{ kind = 'graph', y = '0.5*x^2' }";
    let mut places = Vec::new();
    let exact = ["solver.tolerance=1e-11", "solver.formulation='taylor'"];
    for settings in
        [&exact[..], &[], &["solver.formulation='arc-length'"], &["solver.step=1e-3", "solver.formulation='projected'"]]
    {
        let (run, summary) = roll(bowl, "x = -0.4", settings);
        let (last, turns) = run.events.split_last().unwrap();
        assert!(last.kind == EventKind::Rest && turns.iter().all(|turn| turn.kind == EventKind::Stick));
        let off = (summary.unexplained()).abs();
        assert!(off < 1e-6, "{settings:?}: {off:e} J");
        places.push((turns.len(), last.after.position.x, last.before.time));
    }
    assert!(places[0].0 > 3 && places.iter().all(|place| place.0 == places[0].0), "{places:?}");
    assert!((places[1].1 - places[0].1).abs() < 1e-7 && (places[2].1 - places[0].1).abs() < 1e-7, "{places:?}");
    assert!((places[3].1 - places[0].1).abs() < 1e-4, "{places:?}");
}

/// A tray that is shaken to and fro, x = a sin 2t, carries a ball with it until 4 a sin 2t exceeds c g.
#[test]
fn starts_when_it_is_driven() {
    let line = "{ kind = 'line', from = [-9, 0], to = [9, 0] }";
    for (most, begins) in [(0.04, None), (0.1, Some(0.5 * (0.02 * G / 0.4).asin()))] {
        let motion = format!("ground.motion={{ x = '{most:?}*sin(2*t)' }}");
        let (run, _) = roll(line, "x = 0", &[&motion, "solver.duration=1"]);
        assert_eq!(run.events.first().map(|event| event.kind), begins.map(|_| EventKind::Stick), "{most}");
        let off = begins.map_or(0.0, |begins| run.events[0].before.time - begins);
        assert!(off.abs() < 1e-12, "{most}: {off:e}");
    }
}

/// Who has no law of it says so.
#[test]
fn is_refused() {
    let line = "{ kind = 'line', from = [-9, 0], to = [9, 0] }";
    for (settings, why) in [
        (&["contact.rolling-resistance=-0.1"][..], "zero or positive"),
        (&["solver.method='moreau'", "solver.step=1e-3"], "time stepping"),
        (&["solver.formulation='index3'", "solver.step=1e-3"], "this formulation"),
        (&["solver.formulation='stabilized-index2'", "solver.step=1e-3"], "this formulation"),
        (&["contact.law='hertz'", "contact.stiffness=1e6", "contact.rolling-resistance=0.02"], "rigid contact"),
    ] {
        let error = load(line, "x = 0", settings).err().unwrap_or_default();
        assert!(error.contains(why), "{settings:?}: {error}");
    }
    let bead = load(line, "x = 0", &["ball={ radius = 0.0 }"]).err().unwrap_or_default();
    assert!(bead.contains("a bead does not roll"), "{bead}");
}
