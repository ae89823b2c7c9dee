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
    assert!(
        (run.captures()[0].start.time + run.captures()[0].duration - end).abs() <= run.captures()[0].time_bound + 1e-11
    );
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
    let run = Simulation::from_text(&text).unwrap().run(4.5).unwrap();
    let slips = 0.5 * 2.0 * G * 3.5 / 10.0;
    // From rest it rolls at once.
    let kinds: Vec<_> = run.events().iter().map(|event| event.kind).collect();
    assert_eq!(kinds, [EventKind::Stick, EventKind::Slip]);
    assert!((run.events()[1].time() - slips).abs() < 1e-9, "{}", run.events()[1].time() - slips);
    let end = run.at(4.5).unwrap();
    let speed = 5.0 * 4.5 * 4.5 / 2.0 - 5.0 * slips * slips / 2.0 - 0.2 * G * (4.5 - slips) + 5.0 * slips * slips / 2.8;
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

/// Lift and drag of golf balls go by the spin ratio; Magnus' force by formulas is that of its key, in the air and on the ground.
#[test]
fn formulas_of_forces_know_the_spin() {
    let throw = |forces: &str| {
        let text = format!(
            "ball = {{ mass = 0.046, radius = 0.0213 }}\ninitial = {{ position = [0, 1], velocity = [9, 3], spin = -50 }}\n\
             ground = {{ curve = {FLAT} }}\nforces = {{ {forces} }}\ncontact = {{ restitution = 0.6, friction = 0.3 }}\n\
             solver = {{ tolerance = 1e-12 }}"
        );
        Simulation::from_text(&text).unwrap().run(4.0).unwrap()
    };
    let (key, written) = (throw("magnus = 1e-4"), throw("external = { x = '-1e-4*spin*vy', y = '1e-4*spin*vx' }"));
    assert_eq!(key.events().len(), written.events().len());
    assert!(apart(&key.at(4.0).unwrap(), &written.at(4.0).unwrap()) < 1e-7);
    // C_L = 1/(2 + ‖v‖/(R|ω|)) lifts a ball that spins.
    let lift = "external = { y = '1e-3*(vx^2 + vy^2)/(2 + sqrt(vx^2 + vy^2)/(0.0213*abs(spin) + 1e-9))' }";
    assert!(throw(lift).at(0.5).unwrap().position[1] > throw("").at(0.5).unwrap().position[1]);
}

/// Heun's method, with the spin or without.
#[derive(Clone)]
struct Turning {
    spin: bool,
}

impl FlightScheme for Turning {
    fn order(&self) -> u32 {
        2
    }

    fn step(&mut self, forces: &Forces, start: &State, h: f64) -> Result<State, SchemeError> {
        let rates = |at: &State| {
            let turn = forces.spin_rate(at.time, at.position.into(), at.velocity.into(), at.spin);
            (at.velocity, forces.force_at(at) / forces.mass(), if self.spin { turn } else { 0.0 })
        };
        let after = |h: f64, (v, a, turn): (Vector2<f64>, Vector2<f64>, f64)| State {
            time: start.time + h,
            position: start.position + h * v,
            velocity: start.velocity + h * a,
            spin: start.spin + h * turn,
            ..*start
        };
        let k1 = rates(start);
        let k2 = rates(&after(h, k1));
        Ok(after(0.5 * h, (k1.0 + k2.0, k1.1 + k2.1, k1.2 + k2.2)))
    }
}

/// A table-tennis ball whose drag and lift coefficients are of the spin ratio S = Rω/|v|, and whose spin the air slows down. The end at
/// 0.6 s is of Runge and Kutta's method of order 4 in Python, 4000 and 8000 steps, extrapolated, which differ by less than 1e-12.
#[test]
fn a_torque_in_flight_slows_the_spin_that_lifts() {
    let [speed, ratio] = ["sqrt(vx^2 + vy^2)", "0.02*spin/sqrt(vx^2 + vy^2)"];
    let drag = format!("(0.4 + 0.1*abs({ratio}))");
    let lift = format!("({ratio}/(1 + 2*abs({ratio})))");
    let air = format!(
        "{{ x = \"-7.5e-4*{speed}*({drag}*vx + {lift}*vy)\", y = \"-7.5e-4*{speed}*({drag}*vy - {lift}*vx)\", \
         torque = \"-1e-8*spin*{speed}\" }}"
    );
    let ball = Simulation::new(Ball::hollow_sphere(2.7e-3, 0.02).unwrap(), Ground::graph("-9").unwrap())
        .thrown_from([0.0, 1.0], [8.0, 3.0])
        .spin(150.0);
    let thrown = ball.clone().set("forces.external", air.as_str());
    let kept = thrown.as_ref().err().map(ToString::to_string).unwrap_or_default();
    assert!(kept.contains("keeps the spin"), "{kept}");
    let thrown = ball.method("taylor").set("forces.external", air.as_str()).unwrap().tolerance(1e-12);
    let end = [
        3.672934026030105,
        1.3354297677367477,
        4.916848600326367,
        -1.681379980089327,
        87.48733235209573,
        142.3560248349565,
    ];
    for method in ["taylor", "auto", "heun"] {
        let methods = Methods::builtin().with_flight("heun", |control| Turning { spin: true }.stepped(control));
        let run = thrown.clone().methods(methods).method(method).tolerance(if method == "heun" { 1e-7 } else { 1e-12 });
        let run = run.run(0.6).unwrap();
        let state = run.at(0.6).unwrap();
        let found = [state.position.x, state.position.y, state.velocity.x, state.velocity.y, state.angle, state.spin];
        let allowed = if method == "heun" { 1e-4 } else { 1e-10 };
        for (found, end) in found.into_iter().zip(end) {
            assert!((found - end).abs() < allowed * end.abs().max(1.0), "{method}: {found} {end}");
        }
        let left = if method == "heun" { 1e-6 } else { 1e-13 };
        assert!(run.unexplained().abs() < left, "{method}: {}", run.unexplained());
    }
    // As it is written, read again.
    let again = Simulation::from_text(&thrown.to_toml().unwrap()).unwrap();
    assert_eq!(again.run(0.6).unwrap().at(0.6).unwrap(), thrown.run(0.6).unwrap().at(0.6).unwrap());
}

/// Constant torque, closed form: a drop without friction, whose bounces are summed up, lands with the spin α t of the landing; what the sum
/// leaves out is within its bound.
#[test]
fn a_torque_is_in_the_bound_of_bounces_that_are_summed_up() {
    let ball = Simulation::new(Ball::solid_sphere(1.0, 0.1).unwrap(), Ground::graph("0").unwrap()).restitution(0.5);
    let drop = ball.thrown_from([0.0, 1.1], [0.0, 0.0]).method("taylor");
    let drop = drop.set("forces.external", "{ torque = '0.01' }").unwrap();
    let run = drop.clone().run(3.0).unwrap();
    let (landing, turn) = (run.events().iter().find(|event| event.kind == EventKind::Landing).unwrap(), 0.01 / 0.004);
    let [capture] = run.captures() else { panic!("{:?}", run.captures()) };
    let off = 0.1 * (landing.after.spin - turn * landing.time()).abs();
    assert!(off <= capture.velocity_bound && capture.velocity_bound <= 1e-6 && off > 0.0, "{off} {capture:?}");
    assert!((landing.before.spin - landing.after.spin).abs() < 1e-12);
    let refused = run.sensitivities(&["initial.position.y"], &[]).unwrap_err().to_string();
    assert!(refused.contains("torque"), "{refused}");
    // On the ground no torque acts.
    assert_eq!(run.at(3.0).unwrap().spin, landing.after.spin);
    assert!(run.unexplained().abs() < 1e-9, "{}", run.unexplained());
    // A scheme that keeps the spin is found out.
    let methods = Methods::builtin().with_flight("kept", |control| Turning { spin: false }.stepped(control));
    let Err(Error::Stopped(run)) = drop.methods(methods).method("kept").run(1.0) else { panic!("no spin") };
    let told = run.summary().stop.unwrap().to_string();
    assert!(told.contains("keeps the spin"), "{told}");
}
