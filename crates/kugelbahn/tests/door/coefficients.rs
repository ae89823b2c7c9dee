//! Restitution by the approach speed, and static friction above kinetic.

use kugelbahn::supervisor::{EventKind, Stop};

use super::*;

fn dropped(restitution: &str, height: f64) -> Simulation {
    let flat = Ground::graph("0").unwrap();
    let drop = Simulation::new(Ball::point(1.0).unwrap(), flat).restitution(restitution);
    drop.thrown_from([0.0, height], [0.0, 0.0])
}

/// Speeds at which a ball rises, closed forms apart from the code: 1/w′ = (1/w + b)/a of e = a/(1 + b v).
fn rises(a: f64, b: f64, first: f64) -> impl Iterator<Item = f64> {
    let whole = b / (1.0 - a);
    (1..).map(move |k| 1.0 / ((1.0 / first + whole) * a.powi(-k) - whole))
}

#[test]
fn bounces_follow_a_formula_of_the_approach_speed() {
    let speed = (2.0 * G * 2.0_f64).sqrt();
    let run = dropped("0.7/(1 + 0.3*v)", 2.0).tolerance(1e-12).run(3.0).unwrap();
    let mut time = speed / G;
    for (event, rise) in run.events().iter().zip(rises(0.7, 0.3, speed)).take(12) {
        assert!((event.time() - time).abs() < 1e-11, "{time}: {}", event.time() - time);
        assert!((event.velocity_after().0 - rise).abs() < 1e-10, "{rise}");
        time += 2.0 * rise / G;
    }
    // Where all bounces have ended.
    let end = speed / G + rises(0.7, 0.3, speed).take(200).map(|rise| 2.0 * rise / G).sum::<f64>();
    let landing = run.events().iter().find(|event| event.kind == EventKind::Landing).unwrap();
    assert!((landing.time() - end).abs() < 1e-10, "{}", landing.time() - end);
    assert_eq!(run.captures().len(), 1);
    assert!((run.captures()[0].start.time + run.captures()[0].duration - end).abs() <= run.captures()[0].time_bound);
    assert!(run.unexplained().abs() < 1e-9);
    // As it is written, read again and run again.
    let again = Simulation::from_text(&run.simulation().to_toml().unwrap()).unwrap().run(3.0).unwrap();
    assert_eq!(again.events(), run.events());
}

#[test]
fn derivatives_go_through_a_formula_of_restitution() {
    let key = "initial.position.y";
    let end = |height: f64| {
        let speed = (2.0 * G * height).sqrt();
        speed / G + rises(0.7, 0.3, speed).take(200).map(|rise| 2.0 * rise / G).sum::<f64>()
    };
    let run = dropped("0.7/(1 + 0.3*v)", 2.0).tolerance(1e-12).run(3.0).unwrap();
    let found = run.sensitivities(&[key], &[]).unwrap();
    let landing = found.events.iter().find(|event| event.event.kind == EventKind::Landing).unwrap();
    let slope = (end(2.0 + 1e-4) - end(2.0 - 1e-4)) / 2e-4;
    assert!((landing.time_by[0] - slope).abs() < 1e-8, "{} {slope}", landing.time_by[0]);
    let refused = run.sensitivities(&["contact.restitution"], &[]).unwrap_err().to_string();
    assert!(refused.contains("contact.restitution"), "{refused}");
}

/// e = 1 at rest: the rises fall as 1/k, and their sum has no end.
#[test]
fn bounces_without_an_end_are_not_summed_up() {
    let speed = (2.0 * G).sqrt();
    let run = dropped("1/(1 + 0.1*v)", 1.0).run(20.0).unwrap();
    assert!(run.captures().is_empty() && run.events().len() > 25);
    for (k, event) in run.events().iter().enumerate() {
        let rise = 1.0 / (1.0 / speed + 0.1 * (k + 1) as f64);
        assert!((event.velocity_after().0 - rise).abs() < 1e-7, "{k}");
    }
}

/// Below a speed of 0.5 m/s nothing comes back: the ball stays at the first impact so slow, and no bounces are summed up.
#[test]
fn a_threshold_ends_bounces() {
    let run = dropped("max(0, 0.8 - 0.4/v)", 1.0).run(5.0).unwrap();
    let mut speed = (2.0 * G).sqrt();
    let mut impacts = 0;
    while speed > 0.5 {
        speed = 0.8 * speed - 0.4;
        impacts += 1;
    }
    let kinds: Vec<_> = run.events().iter().map(|event| event.kind).collect();
    let most = kinds.iter().filter(|kind| **kind == EventKind::Impact).count();
    assert_eq!((most, kinds.contains(&EventKind::Landing)), (impacts, true), "{kinds:?}");
    assert!(run.captures().is_empty());
}

#[test]
fn a_formula_outside_its_range_is_told() {
    let Err(Error::Stopped(run)) = dropped("0.8 - 0.05*v", 20.0).run(5.0) else { panic!("it ran") };
    let Some(Stop::Impact { time, .. }) = run.summary().stop else { panic!("{:?}", run.summary().stop) };
    assert!((time - (40.0 / G).sqrt()).abs() < 1e-9);
    let words = run.summary().stop.unwrap().to_string();
    assert!(words.contains("restitution") && words.contains("between 0 and 1") && words.contains("max(0"), "{words}");
    for (text, word) in
        [("1.5 - v", "between 0 and 1"), ("0.8 - w", "unknown"), ("-0.1", "between 0 and 1"), ("", "empty")]
    {
        let error = dropped(text, 1.0).run(1.0).unwrap_err().to_string();
        assert!(error.contains(word), "{text}: {error}");
    }
}

#[test]
fn impacts_by_a_formula_are_proven() {
    let run = dropped("0.8 - 0.05*v", 1.0).run(1.5).unwrap();
    let proof = run.prove();
    assert!(proof.proven.len() >= 2, "{proof:?}");
    for (proven, event) in proof.proven.iter().zip(run.events()) {
        assert!(proven.time.lo - 1e-9 <= event.time() && event.time() <= proven.time.hi + 1e-9);
    }
    assert!(proof.proven[1].time.width() < 1e-9, "{proof:?}");
}

fn text(initial: &str, ground: &str, forces: &str, contact: &str) -> Simulation {
    let text = format!(
        "ball = {{ mass = 2.0, radius = 0.0 }}\ninitial = {{ {initial} }}\nground = {{ curve = {ground} }}\nforces = {{ {forces} }}\n\
         contact = {{ {contact} }}\nsolver = {{ tolerance = 1e-11 }}"
    );
    Simulation::from_text(&text).unwrap()
}

const FLAT: &str = "{ kind = 'line', from = [-90, 0], to = [90, 0] }";
const BOTH: &str = "friction = 0.2, static-friction = 0.5";

/// Holds up to tan α = μ_s, slides with μ beyond, and is held again where it came to rest on the way up.
#[test]
fn a_slope_holds_up_to_static_friction() {
    for (slope, slides) in [(0.3, false), (0.499, false), (0.501, true), (-0.501, true)] {
        let line = format!("{{ kind = 'line', from = [-90, {:?}], to = [90, {:?}] }}", -90.0 * slope, 90.0 * slope);
        let run = text("contact = { x = 0 }", &line, "", BOTH).run(2.0).unwrap();
        let (end, angle) = (run.at(2.0).unwrap(), f64::atan(slope));
        let speed = if slides { 2.0 * G * (angle.abs().sin() - 0.2 * angle.cos()) } else { 0.0 };
        assert!((end.velocity[0].hypot(end.velocity[1]) - speed).abs() < 1e-9, "{slope}");
    }
    // Up a slope of 0.3, slowed by μ: it stays, as μ < 0.3 < μ_s.
    let line = "{ kind = 'line', from = [-90, -27], to = [90, 27] }";
    let run = text("contact = { x = 0, speed = 3 }", line, "", BOTH).run(2.0).unwrap();
    let angle = 0.3_f64.atan();
    let rest = run.events()[0];
    assert_eq!((rest.kind, run.events().len()), (EventKind::Rest, 1));
    assert!((rest.time() - 3.0 / (G * (angle.sin() + 0.2 * angle.cos()))).abs() < 1e-9);
}

/// A spring of 80 N/m whose end goes at 0.5 m/s pulls a bead: it slips from `u = 0` by half a swing and more, and sticks for
/// `2(μ_s − μ) m g/(K v)` (den Hartog 1931; Awrejcewicz & Olejnik 2005).
#[test]
fn a_pulled_bead_sticks_and_slips() {
    let (mass, spring, pull, [sticks, slides]) = (2.0_f64, 80.0_f64, 0.5_f64, [0.5, 0.2]);
    let run = text("contact = { x = 0 }", FLAT, "external = { x = '80*(0.5*t - x)' }", BOTH).run(8.0).unwrap();
    let turn = (spring / mass).sqrt();
    let stuck = 2.0 * (sticks - slides) * mass * G / (spring * pull);
    let slip = 2.0 / turn * (std::f64::consts::PI - ((sticks - slides) * G / (turn * pull)).atan());
    let mut time = sticks * mass * G / (spring * pull);
    for pair in run.events().chunks(2) {
        let [begin, end] = pair else { break };
        assert_eq!(begin.kind, EventKind::Slip);
        let off = [begin.time() - time, end.time() - time - slip];
        assert!(off.iter().all(|off| off.abs() < 1e-8), "{off:?}");
        time += slip + stuck;
    }
    assert!(run.events().len() >= 8, "{:?}", run.events().len());
    // δt = m g/(K v) δμ_s of the first slip.
    let found = run.sensitivities(&["contact.static-friction", "contact.friction"], &[]).unwrap();
    let [by_static, by_kinetic] = found.events[0].time_by[..] else { panic!("two") };
    assert!(
        (by_static - mass * G / (spring * pull)).abs() < 1e-9 && by_kinetic.abs() < 1e-9,
        "{by_static} {by_kinetic}"
    );
    // Second slip: time = (3 μ_s − 2 μ) m g/(K v) + slip(μ_s − μ).
    let swing = 2.0 / turn * (G / (turn * pull)) / (1.0 + ((sticks - slides) * G / (turn * pull)).powi(2));
    let unit = mass * G / (spring * pull);
    let [by_static, by_kinetic] = found.events[2].time_by[..] else { panic!("two") };
    let off = [by_static - (3.0 * unit - swing), by_kinetic - (swing - 2.0 * unit)];
    assert!(off.iter().all(|off| off.abs() < 1e-7), "{off:?}");
}

/// A ball rolls while k/(1+k) F ≤ μ_s m g, and slides then with μ.
#[test]
fn rolling_ends_at_static_friction() {
    let text = format!(
        "ball = {{ mass = 2.0, radius = 0.1 }}\ninitial = {{ contact = {{ x = 0, spin = 'rolling' }} }}\nground = {{ curve = {FLAT} }}\n\
         forces = {{ external = {{ x = '10*t' }} }}\ncontact = {{ {BOTH} }}\nsolver = {{ tolerance = 1e-11 }}"
    );
    let run = Simulation::from_text(&text).unwrap().run(6.0).unwrap();
    let slips = 0.5 * 2.0 * G * 3.5 / 10.0;
    assert_eq!(run.events()[0].kind, EventKind::Slip);
    assert!((run.events()[0].time() - slips).abs() < 1e-9, "{}", run.events()[0].time() - slips);
    let end = run.at(6.0).unwrap();
    let speed = 5.0 * 36.0 / 2.0 - 5.0 * slips * slips / 2.0 - 0.2 * G * (6.0 - slips) + 5.0 * slips * slips / 2.8;
    assert!((end.velocity[0] - speed).abs() < 1e-7, "{}", end.velocity[0] - speed);
}

/// P_t* = m_t u up to μ_s P_n sticks; beyond it friction is μ P_n.
#[test]
fn impacts_stick_up_to_static_friction() {
    let drop = |along: f64| {
        let ball = Ball::solid_sphere(2.0, 0.1).unwrap();
        let sim =
            Simulation::new(ball, Ground::graph("0").unwrap()).restitution(0.5).friction(0.2).static_friction(0.5);
        sim.thrown_from([0.0, 1.1], [along, 0.0]).run(0.6).unwrap().events()[0].after
    };
    // m_t u ≤ μ_s (1+e) m w, m_t = 2/7 m
    let fall = (2.0 * G).sqrt();
    let limit = 0.5 * 1.5 * fall * 3.5;
    let [sticks, slips] = [drop(limit * 0.999), drop(limit * 1.001)];
    assert!((sticks.velocity.x + 0.1 * sticks.spin).abs() < 1e-12);
    assert!((slips.velocity.x - (limit * 1.001 - 0.2 * 1.5 * fall)).abs() < 1e-11);
}

#[test]
fn static_friction_has_its_place() {
    let flat = || Simulation::new(Ball::point(1.0).unwrap(), Ground::graph("0").unwrap()).on_ground(0.0, 1.0);
    let below = flat().friction(0.4).static_friction(0.3).run(1.0).unwrap_err().to_string();
    assert!(below.contains("static-friction") && below.contains("no less than `friction`"), "{below}");
    let boundless = flat().friction(f64::INFINITY).static_friction(0.3).check().is_err();
    assert!(boundless);
    let stepping = format!(
        "ground = {{ curve = {FLAT} }}\ncontact = {{ {BOTH} }}\ninitial = {{ position = [0, 1] }}\n\
         solver = {{ method = 'moreau', step = 1e-3, duration = 1 }}"
    );
    let error = Simulation::from_text(&stepping).unwrap_err().to_string();
    assert!(error.contains("static-friction") && error.contains("one coefficient"), "{error}");
    // As it is written, read again.
    let sim = text("contact = { x = 0, speed = 1 }", FLAT, "", BOTH);
    let again = Simulation::from_text(&sim.to_toml().unwrap()).unwrap();
    assert_eq!(again.scenario().scene.law, sim.scenario().scene.law);
}
