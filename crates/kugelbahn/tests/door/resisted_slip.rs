//! Rolling resistance where friction is finite: what slips, rolls, turns round and rests, against closed forms.

use kugelbahn::supervisor::{EventKind, Phase, Recording, Summary};

use super::resistance::{HEAVIER, kinds, roll};
use super::*;

/// Solid sphere.
const K: f64 = 0.4;
/// As in [`roll`], m.
const RADIUS: f64 = 0.05;
const LEVEL: &str = "{ kind = 'line', from = [-90, 0], to = [90, 0] }";
const METHODS: [&[&str]; 5] = [
    &[],
    &["solver.formulation='taylor'"],
    &["solver.formulation='arc-length'"],
    &["solver.method='auto'"],
    &["solver.step=0.01", "solver.formulation='projected'"],
];

fn rolls_on(curve: &str, start: &str, [friction, resistance]: [f64; 2], settings: &[&str]) -> (Recording, Summary) {
    let law = [format!("contact.friction={friction:?}"), format!("contact.rolling-resistance={resistance:?}")];
    let all: Vec<&str> = law.iter().map(String::as_str).chain(settings.iter().copied()).collect();
    let found = roll(curve, start, &all);
    assert!(found.1.unexplained().abs() < 1e-9, "{settings:?}: {:e} J unexplained", found.1.unexplained());
    found
}

/// Events of a run by every method, mirrored too: kinds, times, speeds and spins after them; where it ends (m).
fn expect(law: [f64; 2], [speed, spin]: [f64; 2], events: &[(EventKind, f64, f64, f64)], end: f64) {
    for (settings, side) in METHODS.iter().flat_map(|settings| [(settings, 1.0), (settings, -1.0)]) {
        let start = format!("x = 0, speed = {:?}, spin = {:?}", side * speed, side * spin);
        let (run, summary) = rolls_on(LEVEL, &start, law, settings);
        assert_eq!(kinds(&run), events.iter().map(|event| event.0).collect::<Vec<_>>(), "{settings:?}");
        for (found, (kind, time, speed, spin)) in run.events.iter().zip(events) {
            let after = found.after;
            let off = [found.time() - time, side * after.velocity.x - speed, RADIUS * (side * after.spin - spin)];
            assert!(off.iter().all(|off| off.abs() < 1e-8), "{settings:?}: {kind}: {off:?}");
        }
        let off = side * summary.state.position.x - end;
        assert!(off.abs() < 1e-7, "{settings:?}: ends {off:e} m off");
    }
}

/// A ball set down without spin: v̇ = −μg and R ω̇ = −(μ − c) g/k until u = 0, then it rolls to rest.
#[test]
fn slips_then_rolls_to_rest() {
    let (mu, c, v) = (0.2, 0.03, 2.0);
    let stick = K * v / (G * (mu * HEAVIER - c));
    let rolling = v - mu * G * stick;
    let rest = rolling * HEAVIER / (c * G);
    let way = 0.5 * (v + rolling) * stick + 0.5 * rolling * rest;
    let events = [(EventKind::Stick, stick, rolling, -rolling / RADIUS), (EventKind::Rest, stick + rest, 0.0, 0.0)];
    expect([mu, c], [v, 0.0], &events, way);
}

/// With backspin the couple helps friction to stop the spin, (μ + c) g/k, and works against it after.
#[test]
fn loses_its_backspin() {
    let (mu, c, v, spin) = (0.2, 0.05, 3.0, 20.0);
    let unwound = K * RADIUS * spin / (G * (mu + c));
    let then = v - mu * G * unwound;
    let stick = K * then / (G * (mu * HEAVIER - c));
    let rolling = then - mu * G * stick;
    let rest = rolling * HEAVIER / (c * G);
    let way = 0.5 * (v + rolling) * (unwound + stick) + 0.5 * rolling * rest;
    let events = [
        (EventKind::Slip, unwound, then, 0.0),
        (EventKind::Stick, unwound + stick, rolling, -rolling / RADIUS),
        (EventKind::Rest, unwound + stick + rest, 0.0, 0.0),
    ];
    expect([mu, c], [v, spin], &events, way);
}

/// Where c ≥ (1+k) μ it can't roll: the couple stops the spin, (c − μ) g/k, and the ball slides on without it.
#[test]
fn is_held_and_slides_to_rest() {
    let (mu, c, v) = (0.1, 0.3, 1.0);
    let unwound = K * v / (G * (c - mu));
    let events = [(EventKind::Slip, unwound, v - mu * G * unwound, 0.0), (EventKind::Rest, v / (mu * G), 0.0, 0.0)];
    expect([mu, c], [v, -v / RADIUS], &events, 0.5 * v * v / (mu * G));
}

/// Without friction the spin is lost alone, c g/k, on the way or on the spot.
#[test]
fn stops_a_spin_without_friction() {
    let (c, spin) = (0.04, 30.0);
    let unwound = K * RADIUS * spin / (G * c);
    expect([0.0, c], [0.5, spin], &[(EventKind::Slip, unwound, 0.5, 0.0)], 0.5 * 20.0);
    expect([0.0, c], [0.0, spin], &[(EventKind::Rest, unwound, 0.0, 0.0)], 0.0);
}

/// On a slope it rests where tan α ≤ μ and ≤ c; beyond c it rolls where k tan α + c ≤ (1+k) μ, else it slides, spinning where μ > c.
#[test]
fn rests_rolls_or_slides_on_a_slope() {
    let cases = [
        // slope, μ, c
        (0.0299, 0.2, 0.03, Phase::Resting),
        (0.0301, 0.2, 0.03, Phase::Rolling),
        (0.6249, 0.2, 0.03, Phase::Rolling),
        (0.6251, 0.2, 0.03, Phase::Sliding),
        (0.0999, 0.1, 0.3, Phase::Resting),
        (0.1001, 0.1, 0.3, Phase::Sliding),
        (0.5, 0.1, 0.3, Phase::Sliding),
        (0.0001, 0.0, 0.3, Phase::Sliding),
    ];
    for ((slope, mu, c, phase), side) in cases.into_iter().flat_map(|case| [(case, 1.0), (case, -1.0)]) {
        let line = format!(
            "{{ kind = 'line', from = [-1000, {:?}], to = [1000, {:?}] }}",
            -1e3 * side * slope,
            1e3 * side * slope
        );
        let long = 1.0_f64.hypot(slope);
        let [pull, push] = [G * slope / long, G / long];
        let (speed, rim) = match phase {
            Phase::Rolling => ((pull - c * push) / HEAVIER, -(pull - c * push) / HEAVIER),
            Phase::Sliding => (pull - mu * push, -(mu - c).max(0.0) * push / K),
            _ => (0.0, 0.0),
        };
        for settings in METHODS {
            let settings: Vec<&str> = settings.iter().copied().chain(["solver.duration=2"]).collect();
            let (run, summary) = rolls_on(&line, "x = 0", [mu, c], &settings);
            assert!(run.events.is_empty() && summary.phase == phase, "{slope} {settings:?}: {}", summary.phase);
            let off = [summary.state.velocity.norm() - 2.0 * speed, -side * RADIUS * summary.state.spin - 2.0 * rim];
            assert!(off.iter().all(|off| off.abs() < 1e-8), "{slope} {settings:?}: {off:?}");
        }
    }
}

/// Rolling up a slope friction need hold only (k tan α − c)/(1+k), rolling down (k tan α + c)/(1+k): it rolls up, turns, and slips down.
#[test]
fn slips_where_it_turns_round() {
    let (slope, mu, c) = (0.5, 0.16, 0.06);
    let line = format!("{{ kind = 'line', from = [-100, {:?}], to = [100, {:?}] }}", -100.0 * slope, 100.0 * slope);
    for settings in METHODS {
        let settings: Vec<&str> = settings.iter().copied().chain(["solver.duration=2"]).collect();
        let (run, summary) = rolls_on(&line, "x = 0, speed = 3.0, spin = 'rolling'", [mu, c], &settings);
        assert_eq!(kinds(&run), [EventKind::Slip], "{settings:?}");
        let push = G / 1.0_f64.hypot(slope);
        let up = 3.0 * HEAVIER / (push * (slope + c));
        let off = [
            run.events[0].time() - up,
            summary.state.velocity.norm() - (2.0 - up) * push * (slope - mu),
            RADIUS * summary.state.spin - (2.0 - up) * push * (mu - c) / K,
        ];
        assert!(off.iter().all(|off| off.abs() < 1e-8), "{settings:?}: {off:?}");
    }
}

/// In a bowl too steep to roll all the way it slips, spins, rolls and turns until it rests: methods agree.
#[test]
fn comes_to_rest_in_a_steep_bowl() {
    let bowl = "{ kind = 'graph', y = '0.8*x^2' }";
    for law in [[0.15, 0.05], [0.1, 0.2]] {
        let exact = ["solver.tolerance=1e-12", "solver.formulation='taylor'"];
        let found = [&exact[..], &["solver.tolerance=1e-10"], &["solver.formulation='arc-length'"]].map(|settings| {
            let (run, _) = rolls_on(bowl, "x = -0.9, spin = 40", law, settings);
            let last = *run.events.last().unwrap();
            assert_eq!(last.kind, EventKind::Rest, "{settings:?}");
            (kinds(&run), last.time(), last.after.position)
        });
        assert!(found[0].0.len() > 3, "{:?}", found[0].0);
        for (events, time, place) in &found[1..] {
            assert_eq!(*events, found[0].0, "{law:?}");
            let off = [time - found[0].1, (place - found[0].2).norm()];
            assert!(off.iter().all(|off| off.abs() < 1e-6), "{law:?}: {off:?}");
        }
    }
}

/// A ball that spins in a notch is slowed by friction and the couple: walls at 45° press with √2 m g/(1 + μ²) in all.
#[test]
fn stops_spinning_in_a_notch() {
    let (mu, c, spin) = (0.1, 0.07, 50.0_f64);
    let text = format!(
        "ball = {{ radius = {RADIUS} }}\nground = {{ curve = {{ kind = 'graph', y = 'abs(x)' }} }}\n\
         initial = {{ position = [0, {:?}], spin = {spin:?} }}\n\
         contact = {{ friction = {mu:?}, rolling-resistance = {c:?} }}\nsolver = {{ duration = 2 }}",
        RADIUS * std::f64::consts::SQRT_2
    );
    let scenario = kugelbahn::Scenario::from_text(&text, std::path::Path::new(""), &[]).unwrap();
    let mut run = Recording::default();
    let summary = kugelbahn::run(&scenario, &mut run).unwrap();
    let push = std::f64::consts::SQRT_2 * G / (1.0 + mu * mu);
    let rest = run.events.last().unwrap();
    assert_eq!((rest.kind, summary.phase), (EventKind::Rest, Phase::Resting));
    let off = rest.time() - K * RADIUS * spin / (push * (mu + c));
    assert!(off.abs() < 1e-9, "{off:e}");
}
