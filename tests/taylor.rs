//! Taylor series on the ground, by whole runs, and in flight: against 25 digits, with every force, past what coefficients don't see, and
//! where there is no series.

use flight::{FlightMethod, FlightStep};
use mechanics::{Ball, Forces, OwnForce, State};
use nalgebra::Vector2;
use newmark::{Control, Tolerance};
use reference::Collocation;
use supervisor::EventKind;

use crate::harness::{Worst, run, slope};

const TOLERANCES: [f64; 3] = [1e-6, 1e-9, 1e-12];

/// A bead on y = x² that starts at rest.
const BEAD: &str = r#"
    initial = { contact = { x = -0.3 } }
    ground = { curve = { kind = "graph", y = "x^2" } }
    solver = { formulation = "taylor", duration = 3.0 }
"#;

/// A solid sphere on y = 0.3 sin x.
const SPHERE: &str = r#"
    ball = { radius = 0.1 }
    initial = { contact = { x = 0.0, speed = 1.0, spin = "rolling" } }
    ground = { curve = { kind = "graph", y = "0.3*sin(x)" } }
    contact = { friction = "infinite", rolling-damping = 0.05 }
    solver = { formulation = "taylor", duration = 3.0 }
"#;

fn to(tolerance: f64) -> String {
    format!("solver.tolerance={tolerance}")
}

/// With friction 0.05 the bead turns round four times: when and where, and place and velocity at 3 s, by `crates/reference/data/contact.py`.
#[test]
fn friction_to_25_digits() {
    let turns = [
        [0.7594641187250800698916064, 0.2407836622956608948269313],
        [1.500734863702609998767147, -0.1849599971406459128255863],
        [2.228336815895303115424223, 0.1316902684182114551741792],
        [2.946373509413280599509831, -0.08021043699495167192668314],
    ];
    let [x, speed] = [-0.07869848992277194630730603, 0.05683519572390000921206087];
    for tolerance in TOLERANCES {
        let run = run(BEAD, &["contact.friction=0.05", &to(tolerance)]);
        assert_eq!(run.kinds(), ["slip"; 4]);
        let mut worst = Worst::default();
        for (event, [time, place]) in run.events.iter().zip(turns) {
            worst.see(event.before.time - time);
            worst.see(event.after.position.x - place);
        }
        let end = run.summary.state;
        worst.see(end.position.x - x);
        worst.see(end.velocity.norm() - speed);
        println!("to {tolerance:e}: off by {:.1e}, unexplained {:.1e} J", worst.0, run.summary.unexplained());
        assert!(worst.0 <= 2.0 * tolerance + 1e-14 && run.summary.unexplained().abs() <= 20.0 * tolerance);
    }
}

/// With drag 0.1 kg/m and damping 0.2 N s/m: |v| changes its formula where the bead turns.
#[test]
fn drag_to_25_digits() {
    let [x, speed] = [-0.1961019142230108398086088, 0.01096865202134265650332045];
    for tolerance in TOLERANCES {
        let settings = ["forces.drag={ coefficient = 0.1 }", "contact.rolling-damping=0.2", &to(tolerance)];
        let run = run(BEAD, &settings);
        let end = run.summary.state;
        let off = (end.position.x - x).abs().max((end.velocity.norm() - speed).abs());
        println!("to {tolerance:e}: off by {off:.1e}, unexplained {:.1e} J", run.summary.unexplained());
        assert!(off <= 2.0 * tolerance + 1e-14 && run.summary.unexplained().abs() <= 20.0 * tolerance, "{off:e}");
    }
}

/// A sphere rolls, and another one slides until it sticks.
#[test]
fn sphere_to_25_digits() {
    // Of the ground point.
    let [s, speed] = [-3.221886843459004076871785, -0.4796653509621609160897805];
    let [time, stuck, slowed] = [0.5610520856918267153247072, 1.104850237212284600768577, 1.264366812069806640528042];
    for tolerance in TOLERANCES {
        let rolled = run(SPHERE, &[&to(tolerance)]);
        let last = rolled.samples.last().expect("samples");
        let off = (last.place.expect("in contact").parameter() - s)
            .abs()
            .max((last.state.velocity.norm() - speed.abs()).abs());
        println!("to {tolerance:e}: off by {off:.1e}");
        assert!(rolled.events.is_empty() && off <= 2.0 * tolerance + 1e-14, "{off:e}");
        let slides = ["initial.contact.speed=3.0", "initial.contact.spin=0.0", "contact.friction=0.1"];
        let mut settings = slides.to_vec();
        let tolerance_setting = to(tolerance);
        settings.extend(["contact.rolling-damping=0", "solver.duration=0.6", &tolerance_setting]);
        let slid = run(SPHERE, &settings);
        let event = slid.first(EventKind::Stick);
        let [when, place] = [event.before.time, event.place.parameter()];
        let off = [when - time, place - stuck, event.after.velocity.norm() - slowed];
        println!("to {tolerance:e}: stick off by {off:?}");
        assert!(off.iter().all(|off| off.abs() <= 4.0 * tolerance + 1e-14), "{off:?}");
    }
}

/// A bead leaves a circle of 1 m where cos θ = (2 + v²/g)/3.
#[test]
fn lift_off() {
    let text = r#"
        initial = { contact = { x = 0.0, speed = 1.0 } }
        ground = { curve = { kind = "graph", y = "sqrt(1 - x^2)", domain = [-0.9, 0.9] } }
        solver = { formulation = "taylor", duration = 1.0 }
    "#;
    let cosine: f64 = (2.0 + 1.0 / 9.81) / 3.0;
    for tolerance in TOLERANCES {
        let run = run(text, &[&to(tolerance)]);
        let event = run.first(EventKind::LiftOff);
        let off = event.after.position.y - cosine;
        println!("to {tolerance:e}: off by {off:.1e}");
        assert!(off.abs() <= 4.0 * tolerance + 1e-14, "{off:e}");
    }
}

/// With all forces at once, and on moving ground: what Newmark's extrapolation comes to.
#[test]
fn every_force() {
    let forces = [
        "forces.drag={ coefficient = 0.02 }",
        "forces.linear-drag=0",
        "forces.wind=[1.5, -0.3]",
        "forces.magnus=0.05",
        "forces.external={ x = \"0.3*sin(2*t) + abs(x)\", y = \"min(0.2*vx, 0.1) - 0.1*y\" }",
    ];
    let motion = ["ground.motion={ x = \"0.05*sin(3*t)\", y = \"0.02*cos(4*t)\" }", "contact.friction=0.3"];
    for settings in [&forces[..1], &forces[2..4], &forces[..], &motion[..]] {
        let by = |formulation: &str, tolerance: f64| {
            let mut all = settings.to_vec();
            let (formulation, tolerance) = (format!("solver.formulation={formulation}"), to(tolerance));
            all.extend([formulation.as_str(), tolerance.as_str()]);
            run(SPHERE, &all)
        };
        let (series, newmark) = (by("taylor", 1e-10), by("symmetric", 1e-11));
        assert_eq!(series.kinds(), newmark.kinds(), "{settings:?}");
        let off = (series.summary.state.position - newmark.summary.state.position).norm();
        println!("{settings:?}: {off:.1e}, {:.1e} J, {:?}", series.summary.unexplained(), series.summary.count.contact);
        assert!(off < 1e-8 && series.summary.unexplained().abs() < 1e-8, "{settings:?}: {off:e}");
    }
}

/// A push of 2 ms, and a bump of 2 mm, that a series at a distance says nothing of.
#[test]
fn what_coefficients_do_not_see() {
    let push = r#"
        initial = { contact = { x = 0.0, speed = 0.0 } }
        ground = { curve = { kind = "graph", y = "0" } }
        forces = { external = { x = "1000*exp(-((t - 0.5)/1e-3)^2)", y = "0" } }
        solver = { formulation = "taylor", duration = 1.0 }
    "#;
    let pushed = run(push, &[]);
    let gained = 1000.0 * 1e-3 * std::f64::consts::PI.sqrt();
    assert!((pushed.summary.state.velocity.x - gained).abs() < 1e-6, "{}", pushed.summary.state.velocity);
    let bump = r#"
        initial = { contact = { x = 0.0, speed = 1.0 } }
        ground = { curve = { kind = "graph", y = "1e-4*exp(-((x - 0.5)/1e-3)^2)" } }
        solver = { formulation = "taylor", duration = 1.0 }
    "#;
    let kinds = |formulation: &str| run(bump, &[&format!("solver.formulation={formulation}")]).kinds();
    assert_eq!(kinds("taylor"), kinds("symmetric"));
    assert_eq!(kinds("taylor")[0], "lift-off");
}

/// A flight by steps of the method, from the origin, looked at in between as well.
fn flown(forces: &Forces, start: &State, until: f64, control: Control, mut see: impl FnMut(&State)) -> State {
    let mut method = flight::Taylor::new(control).expect("allowed");
    let mut step = FlightStep::parabola(start, Vector2::zeros(), 0.0);
    let mut state = *start;
    while state.time < until {
        method.step(forces, &state, until, &mut step).unwrap_or_else(|error| panic!("{error}"));
        for part in [0.2, 0.7] {
            see(&step.at(forces, part * step.duration()));
        }
        let end = step.at(forces, step.duration());
        state = State { time: if until - end.time < 1e-12 { until } else { end.time }, ..end };
    }
    state
}

fn thrown(velocity: Vector2<f64>, spin: f64) -> State {
    State { time: 0.0, position: Vector2::zeros(), velocity, angle: 0.0, spin, dissipated: 0.0, work: 0.0 }
}

fn within(tolerance: f64) -> Control {
    Control::Tolerance(Tolerance { relative: tolerance, absolute: tolerance })
}

/// The throws of `ballistic`, but for stiff ones: a root of `u² + v²` is on its other branch after a steep apex, and no coefficient tells.
#[test]
fn throws_to_25_digits() {
    let numbers =
        |text: &str| text.split_whitespace().map(|word| word.parse().expect("a number")).collect::<Vec<f64>>();
    let mut compared = 0;
    for line in include_str!("ballistic/references.txt").lines() {
        let parts: Vec<&str> = line.split(';').collect();
        let (velocity, air, exact) = (numbers(parts[1]), numbers(parts[3]), numbers(parts[5]));
        let (gravity, time) = (numbers(parts[2])[0], numbers(parts[4])[0]);
        let ball = Ball::point(1.0).expect("a ball");
        let forces = Forces::gravity(&ball, Vector2::new(0.0, -gravity)).expect("finite");
        let forces = forces.with_drag(air[0]).and_then(|forces| forces.with_linear_drag(air[1])).expect("allowed");
        let start = thrown(Vector2::new(velocity[0], velocity[1]), 0.0);
        let fast = start.velocity.norm();
        if air[0] * fast.max(1.0) > 30.0 || air[1] > 30.0 {
            continue;
        }
        compared += 1;
        for tolerance in TOLERANCES {
            let end = flown(&forces, &start, time, within(tolerance), |_| {});
            let sizes = [1.0 + exact[0].hypot(exact[1]), 1.0 + fast];
            let off = (end.position - Vector2::new(exact[0], exact[1])).norm() / sizes[0];
            let slow = (end.velocity - Vector2::new(exact[2], exact[3])).norm() / sizes[1];
            println!("{} {time} s to {tolerance:e}: {off:.1e} {slow:.1e}", parts[0]);
            assert!(
                off.max(slow) <= 10.0 * tolerance + 1e-13,
                "{} {time} s to {tolerance:e}: {off:e} {slow:e}",
                parts[0]
            );
        }
    }
    assert!(compared >= 12, "{compared}");
}

/// Drag, wind, Magnus force and formulas at once, at all times of the steps: against Gauss' collocation; and of order 8 by given steps.
#[test]
fn flight_with_every_force() {
    let ball = Ball::solid_sphere(0.7, 0.05).expect("a ball");
    let formula = |text: &str| numbers::Expression::parse(text, &Forces::VARIABLES, &[]).expect("a formula");
    let forces = Forces::gravity(&ball, Vector2::new(0.5, -9.0))
        .and_then(|forces| forces.with_drag(0.02))
        .and_then(|forces| forces.with_wind(Vector2::new(4.0, -1.0)))
        .and_then(|forces| forces.with_magnus(0.03))
        .expect("allowed")
        .with_external([formula("0.4*sin(3*t) - 0.1*x"), formula("exp(-y^2/50)*0.3 + 0.05*vx*vy/(1 + vx^2)")]);
    let start = thrown(Vector2::new(3.0, 8.0), -20.0);
    let rates = |t: f64, [x, y, vx, vy]: &[f64; 4]| {
        let force = forces.force(t, Vector2::new(*x, *y), Vector2::new(*vx, *vy), -20.0) / 0.7;
        [*vx, *vy, force.x, force.y]
    };
    let exact = |t: f64| Collocation::new(8).integrate(rates, 0.0, [0.0, 0.0, 3.0, 8.0], t, 60);
    let off = |control: Control| {
        let mut worst = Worst::default();
        let mut see = |state: &State| {
            let found = [state.position.x, state.position.y, state.velocity.x, state.velocity.y];
            let exact = exact(state.time);
            (0..4).for_each(|i| worst.see(found[i] - exact[i]));
        };
        let end = flown(&forces, &start, 2.0, control, &mut see);
        see(&end);
        worst.0
    };
    for tolerance in TOLERANCES {
        let off = off(within(tolerance));
        println!("to {tolerance:e}: {off:.1e}");
        assert!(off <= 40.0 * tolerance + 1e-13, "{tolerance:e}: {off:e}");
    }
    let steps = [0.1, 0.05, 0.025];
    let points = steps.map(|step| (step, off(Control::Step { step, extrapolate: false })));
    println!("{points:?}: order {}", slope(&points));
    assert!((slope(&points) - 8.0).abs() < 0.7, "{points:?}");
}

/// A closure knows numbers alone: Newmark's steps take its place.
#[test]
fn without_a_series() {
    let ball = Ball::point(1.0).expect("a ball");
    let forces = Forces::standard(&ball).with_own(OwnForce::of_closure(|_, body| [-body.position[0], 0.0]));
    let end = flown(&forces, &thrown(Vector2::new(1.0, 0.0), 0.0), 2.0, within(1e-9), |_| {});
    assert!((end.position.x - 2_f64.sin()).abs() < 1e-7, "{}", end.position);
}

/// Bounces over hills with drag: the events of DOP853.
#[test]
fn bounces_over_hills() {
    let text = r#"
        ball = { radius = 0.05 }
        initial = { position = [0.1, 2.0], velocity = [0.9, 0.0], spin = 15.0 }
        ground = { curve = { kind = "graph", y = "0.1*sin(2*x)" } }
        forces = { drag = { coefficient = 0.02 }, magnus = 0.01 }
        contact = { restitution = 0.8, friction = 0.1 }
        solver = { method = "taylor", formulation = "taylor", duration = 4.0, tolerance = 1e-10 }
    "#;
    let (series, other) = (run(text, &[]), run(text, &["solver.method=dop853", "solver.formulation=arc-length"]));
    assert_eq!(series.kinds(), other.kinds());
    assert!(series.events.len() > 5);
    let mut worst = Worst::default();
    for (a, b) in series.events.iter().zip(&other.events).take(6) {
        worst.see(a.before.time - b.before.time);
        worst.see((a.after.position - b.after.position).norm());
    }
    println!("{} events, the first six differ by {:.1e}", series.events.len(), worst.0);
    assert!(worst.0 < 1e-7, "{:e}", worst.0);
}
