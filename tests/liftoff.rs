//! Off the top of a circle: where a ball leaves the ground.

use supervisor::{EventKind, Phase};

use crate::harness::{Worst, attempt, run, slope};

const G: f64 = 9.81;
/// m/s at the top.
const SPEED: f64 = 0.5;

/// A circle of radius 1 by angle from the top.
const TOP: &str = r#"
    initial = { contact = { s = 0.0, speed = 0.5, spin = "rolling" } }
    ground = { curve = { kind = "parametric", x = "sin(s)", y = "cos(s)", domain = [-1.5, 1.5] } }
    solver = { duration = 3.0 }
"#;
/// The same by arc length, as an arc from the left down to the right.
const ARC: &str = r#"
    initial = { contact = { x = 0.0, speed = 0.5, spin = "rolling" } }
    ground = { curve = { kind = "arc", centre = [0, 0], radius = 1, from = "pi/2 + 1.5", to = "pi/2 - 1.5" } }
    solver = { duration = 3.0 }
"#;

struct Body {
    name: &'static str,
    settings: &'static [&'static str],
    k: f64,
    radius: f64,
}

const BODIES: [Body; 5] = [
    Body { name: "bead", settings: &[], k: 0.0, radius: 0.0 },
    Body {
        name: "solid sphere",
        settings: &["ball.inertia=solid-sphere", "ball.radius=0.1", "contact.friction=infinite"],
        k: 0.4,
        radius: 0.1,
    },
    Body {
        name: "hollow sphere",
        settings: &["ball.inertia=hollow-sphere", "ball.radius=0.1", "contact.friction=infinite"],
        k: 2.0 / 3.0,
        radius: 0.1,
    },
    Body {
        name: "disc",
        settings: &["ball.inertia=disc", "ball.radius=0.2", "contact.friction=infinite"],
        k: 0.5,
        radius: 0.2,
    },
    Body {
        name: "hoop",
        settings: &["ball.inertia=hoop", "ball.radius=0.1", "contact.friction=infinite"],
        k: 1.0,
        radius: 0.1,
    },
];

/// `cos θ = (2 + (1+k) v₀²/(gρ))/(3+k)`
fn exact_angle(body: &Body) -> f64 {
    let rho = 1.0 + body.radius;
    ((2.0 + (1.0 + body.k) * SPEED * SPEED / (G * rho)) / (3.0 + body.k)).acos()
}

/// Error of the lift-off angle, rad.
fn angle_error(ground: &str, body: &Body, solver: &str) -> f64 {
    let mut settings = body.settings.to_vec();
    settings.push(solver);
    let run = attempt(ground, &settings);
    let event = run.first(EventKind::LiftOff);
    assert_eq!(event.phase_after, Phase::Flight);
    // Located to rounding, whatever the step: nothing is left of λ.
    let left =
        G * event.position().y / event.position().norm() - event.after.velocity.norm_squared() / (1.0 + body.radius);
    assert!(left.abs() <= 1e-12, "{}: λ = {left:e} N", body.name);
    event.position().x.atan2(event.position().y) - exact_angle(body)
}

/// The angle to 1e-9 at tolerance 1e-11; 6e-15 seen.
#[test]
fn angle_with_tolerance() {
    let mut worst = Worst::default();
    for ground in [TOP, ARC] {
        for body in &BODIES {
            let error = angle_error(ground, body, "solver.tolerance=1e-11");
            println!("{}: {error:e} rad", body.name);
            worst.see(error);
        }
    }
    assert!(worst.0 <= 1e-9, "{:e}", worst.0);
}

/// `symmetric` at fixed steps: order 2 in h. (Once λ was left at 1e-3 N: a slope from dense output and step mixed.)
#[test]
fn order_of_the_angle() {
    for body in &BODIES {
        let errors: Vec<(f64, f64)> =
            [0.02, 0.01, 0.005, 0.0025].map(|h: f64| (h, angle_error(TOP, body, &format!("solver.step={h}")))).to_vec();
        let order = slope(&errors);
        println!("{}: order {order:.3}, {errors:?}", body.name);
        assert!((order - 2.0).abs() <= 0.1, "{}: order {order}, {errors:?}", body.name);
    }
}

/// Simpson's rule.
fn integral(f: impl Fn(f64) -> f64, a: f64, b: f64) -> f64 {
    let n = 2000;
    let h = (b - a) / f64::from(n);
    let weight = |i: i32| if i == 0 || i == n { 1.0 } else { 2.0 + 2.0 * f64::from(i % 2) };
    (0..=n).map(|i| weight(i) * f(a + h * f64::from(i))).sum::<f64>() * h / 3.0
}

/// From φ = 0.1 at speed 1: leaves at `cos φ = (v₀²/g + 2 cos φ₀)/3`, after `∫ dφ/v`.
#[test]
fn time_and_angle_of_a_start_beside_the_top() {
    let speed = |phi: f64| (1.0 + 2.0 * G * (0.1f64.cos() - phi.cos())).sqrt();
    let angle = ((1.0 / G + 2.0 * 0.1f64.cos()) / 3.0).acos();
    let time = integral(|phi| 1.0 / speed(phi), 0.1, angle);
    assert!((angle - 0.7991516).abs() < 5e-8 && (time - 0.4407421).abs() < 5e-8, "{angle} {time}");
    let start = ["initial.contact.s=0.1", "initial.contact.speed=1.0", "solver.tolerance=1e-11"];
    let run = run(TOP, &start);
    let event = run.first(EventKind::LiftOff);
    let angle_error = event.position().x.atan2(event.position().y) - angle;
    let time_error = event.time() - time;
    println!("angle {angle_error:e}, time {time_error:e}");
    assert!(angle_error.abs() <= 1e-10 && time_error.abs() <= 1e-10, "{angle_error:e} {time_error:e}");
    // The normal force is continuous: none is left.
    assert!(event.velocity_after().0.abs() <= 1e-14);
}

/// The same at the default tolerance, to the table's 1e-7.
#[test]
fn start_beside_the_top_at_default_tolerance() {
    let run = run(TOP, &["initial.contact.s=0.1", "initial.contact.speed=1.0"]);
    let event = run.first(EventKind::LiftOff);
    let angle = event.position().x.atan2(event.position().y);
    assert!((angle - 0.7991516).abs() <= 1e-7, "{angle}");
    assert!((event.time() - 0.4407421).abs() <= 1e-7, "{}", event.time());
}

/// From rest at the origin, where no place has a size, by a force that grows: λ falls through zero, and the gap grows as `20 (t − t₀)³/6`.
#[test]
fn what_rests_at_the_origin_leaves_it() {
    const REST: &str = r#"
        initial = { contact = { x = 0.0 } }
        ground = { curve = { kind = "graph", y = 0 } }
        forces = { external = { y = "20*t" } }
        solver = { duration = 1.0 }
    "#;
    let exact = 20.0 * (1.0 - G / 20.0).powi(3) / 6.0;
    for (ground, solver, bound) in [
        ("0", "solver.step=1e-3", 1e-5),
        ("0", "solver.step=1e-2", 1e-3),
        ("x^2", "solver.step=1e-3", 1e-5),
        ("0", "solver.tolerance=1e-6", 1e-6),
        ("0", "solver.method=auto", 1e-6),
        ("0", "solver.method=dop853", 1e-6),
    ] {
        let run = run(REST, &[&format!("ground.curve.y=\"{ground}\""), solver]);
        let off = run.summary.state.position.y - exact;
        assert!(off.abs() <= bound && run.events.len() == 1, "{ground} {solver}: {off:e} {:?}", run.events);
    }
}

/// Onto ground with a law of its own that falls away faster than a ball flies: it leaves at the joint, with an event.
#[test]
fn leaves_where_another_law_begins() {
    let text = |law: &str| {
        format!(
            "initial = {{ contact = {{ x = -0.5, speed = 4.0 }} }}\nsolver.duration = 0.3\n\
             [[ground]]\nname = 'level'\ncurve = {{ kind = 'line', from = [-1, 0], to = [0, 0] }}\n\
             [[ground]]\nname = 'dome'\n{law}\n\
             curve = {{ kind = 'arc', centre = [0, -1], radius = 1, from = 'pi/2', to = 0 }}\n"
        )
    };
    for law in ["", "contact = { restitution = 0.3 }"] {
        let run = run(&text(law), &[]);
        assert_eq!(run.kinds(), ["lift-off"], "{law}");
        assert!((run.events[0].time() - 0.125).abs() < 1e-12, "{law}: {}", run.events[0].time());
    }
}
