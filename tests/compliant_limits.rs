//! Compliant contact at corners, limits and hills, and starts within it.

use supervisor::{EventKind, Phase, Stop};

use crate::compliant::hit;
use crate::harness::{attempt, run};

/// A law and its own friction for a ball of 2 kg that rolls off at 1 m/s.
pub const ROLLING: [&str; 3] = [
    r#"law = "kelvin-voigt", stiffness = 1e5, damping = 100, friction = 0.3"#,
    r#"law = "hertz", stiffness = 1e6, friction = 0.3"#,
    r#"law = "hertz", stiffness = 1e6"#,
];

/// Corners are rolled around while compressed; what is beyond the law is said.
#[test]
fn corners_and_limits() {
    let text = r#"
        ball = { radius = 0.1 }
        initial = { contact = { x = -0.5, speed = 0.5 } }
        ground = { curve = { kind = "polyline", points = [[-2, 0], [0, 0], [2, -0.4]] } }
        contact = { law = "kelvin-voigt", stiffness = 1e5, damping = 50.0 }
        solver = { duration = 2.0, tolerance = 1e-8 }
    "#;
    let around = run(text, &[]);
    assert!(around.summary.unexplained().abs() <= 1e-6, "{:e}", around.summary.unexplained());
    assert!(around.summary.state.position.x > 0.5, "{:?}", around.summary);
    let valley = r#"ground={ curve = { kind = "polyline", points = [[-2, 0], [0, 0], [2, 0.4]] } }"#;
    assert!(matches!(attempt(text, &[valley]).summary.stop, Some(Stop::SecondContact { .. })));
    let fall = ["initial={ position = [0.5, 3.0] }", "contact.stiffness=100.0"];
    assert!(matches!(attempt(text, &fall).summary.stop, Some(Stop::Crushed { .. })));
    // A contact shorter than 1e-14 of the time.
    let stiff = ["initial={ position = [0.5, 3.0] }", "contact.stiffness=1e60"];
    assert!(matches!(
        attempt(text, &stiff).summary.stop,
        Some(Stop::Rolling(rolling::RollingError::StepTooSmall { .. }))
    ));
}

/// A ball that starts compressed: what it stores is energy from the start, and pushes it off in half a contact.
#[test]
fn compressed_start() {
    let (stiffness, depth, mass) = (1e6_f64, 1e-3_f64, 0.5_f64);
    let law = format!("law = \"hertz\", stiffness = {stiffness:?}");
    let at = ["initial={ position = [0.0, 0.099], velocity = [0.5, 0.0] }"];
    let pushed = hit(&law, &at);
    assert_eq!(pushed.kinds(), ["release"]);
    let stored = 0.4 * stiffness * depth.powf(2.5);
    let start = pushed.summary.energy_start;
    assert!((start.potential - stored).abs() <= 1e-13, "{:e}", start.potential - stored);
    let first = &pushed.samples[0];
    assert_eq!((first.phase, first.state.time), (Phase::Compressed, 0.0));
    assert!((first.normal_force - stiffness * depth.powf(1.5)).abs() <= 1e-10);
    let release = pushed.first(EventKind::Release);
    let speed = (2.0 * stored / mass).sqrt();
    let half = 0.5 * 2.943_275_184_324_704_7 * depth / speed;
    println!("t {:e}, v {:e}", release.time() - half, release.after.velocity.y - speed);
    assert!((release.time() - half).abs() <= 1e-11 && (release.after.velocity.y - speed).abs() <= 1e-9);
    assert!((release.normal_impulse - mass * speed).abs() <= 1e-9 && pushed.summary.unexplained().abs() <= 1e-10);
    // Already on its way out faster than the law can push: it lets go at once, and what was stored is lost.
    let let_go = hit(
        "law = \"kelvin-voigt\", stiffness = 5e4, damping = 60.0",
        &["initial={ position = [0.0, 0.099], velocity = [0.0, 2.0] }"],
    );
    let release = let_go.first(EventKind::Release);
    assert!((release.time() - 5e-4).abs() <= 1e-13 && (release.after.velocity.y - 2.0).abs() <= 1e-14);
    assert!((let_go.summary.state.dissipated - 0.025).abs() <= 1e-12 && let_go.summary.unexplained().abs() <= 1e-12);
    // The middle of the ball must be above the ground, and a rigid ball all of it.
    let refused = |contact: &str, height: f64| {
        let text = format!(
            r#"
            ball = {{ radius = 0.1 }}
            initial = {{ position = [0.0, {height:?}] }}
            ground = {{ curve = {{ kind = "graph", y = 0 }} }}
            contact = {{ {contact} }}
            "#
        );
        kugelbahn::Scenario::from_text(&text, std::path::Path::new("."), &[]).err().map(|error| error.to_string())
    };
    assert!(refused(&law, 1e-6).is_none());
    for (contact, height) in [(law.as_str(), 0.0), (law.as_str(), -0.05), ("restitution = 0.5", 0.099)] {
        assert!(refused(contact, height).expect("an error").contains("below the ground"), "{contact} {height}");
    }
    let soft = r#"
        ball = { radius = 0.1 }
        initial = { contact = { x = 0.0 } }
        ground = { curve = { kind = "graph", y = 0 } }
        contact = { law = "kelvin-voigt", stiffness = 50 }
    "#;
    let crushed = kugelbahn::Scenario::from_text(soft, std::path::Path::new("."), &[]).unwrap_err().to_string();
    assert!(crushed.contains("the ball starts compressed by 0.1962 m, but its radius is 0.1 m"), "{crushed}");
}

fn rolls(ground: &str, contact: &str, duration: f64) -> String {
    format!(
        r#"
        ball = {{ mass = 2.0, radius = 0.1 }}
        initial = {{ contact = {{ x = 0.0, speed = 1.0, spin = "rolling" }} }}
        ground = {{ curve = {{ kind = "graph", y = "{ground}" }} }}
        contact = {{ {contact} }}
        solver = {{ duration = {duration:?} }}
        "#
    )
}

/// On level ground steps grow to tens of seconds: none may pass over a hill that its nodes have not met.
#[test]
fn no_hill_is_stepped_over() {
    for (away, width, height) in [(2.0, 0.1, 0.1), (20.0, 0.5, 0.1), (50.0, 0.3, 0.08)] {
        let ground = format!("{height:?}*exp(-((x-{away:?})/{width:?})^2)");
        for contact in ROLLING {
            for tolerance in ["1e-6", "1e-9"] {
                // 0.1 m is more than 1 m/s climb, rolling or not.
                let text = rolls(&ground, contact, 1.6 * away);
                let run = run(&text, &[&format!("solver.tolerance={tolerance}")]);
                let state = &run.summary.state;
                let text = format!("{ground} {contact} {tolerance}: {state:?}");
                assert!(state.velocity.x < 0.0 && state.position.x < away, "{text}");
                assert!(run.summary.unexplained().abs() <= 100.0 * tolerance.parse::<f64>().unwrap(), "{text}");
            }
        }
    }
    // One that it gets over takes time: that of the same ball on rigid ground, but for creep by regularised friction.
    let ground = "0.02*exp(-((x-50)/0.1)^2)";
    let rigid = run(&rolls(ground, "friction = 0.9", 60.0), &[]).summary.state.position.x;
    let soft = run(&rolls(ground, ROLLING[0], 60.0), &["contact.slip-speed=1e-6"]).summary.state.position.x;
    assert!((rigid - 59.965_607).abs() < 1e-5 && (soft - rigid).abs() < 1e-4, "{rigid:?} {soft:?}");
}

/// A ball at rest on ground that jumps up once, ten steps of its size later.
#[test]
fn a_pulse_of_the_ground_is_met() {
    let text = r#"
        ball = { mass = 2.0, radius = 0.1 }
        initial = { contact = { x = 0.0 } }
        ground = { curve = { kind = "graph", y = "0" }, motion = { x = "0.5*exp(-((t-20)/0.1)^2)" } }
        contact = { law = "kelvin-voigt", stiffness = 1e5, damping = 100, friction = 0.3 }
        solver = { duration = 40.0 }
    "#;
    let [by_tolerance, short] = ["40.0", "0.01"]
        .map(|largest| run(text, &[&format!("solver.largest-step={largest}")]).summary.state.position.x);
    assert!(short.abs() > 0.1 && (by_tolerance - short).abs() < 1e-9, "{by_tolerance:?} {short:?}");
}

/// On curved ground, too, a smaller slip speed costs no more steps.
#[test]
fn sticking_on_curved_ground() {
    let text = r#"
        ball = { mass = 2.0, radius = 0.1 }
        initial = { contact = { x = 0.3, speed = 0.0, spin = "rolling" } }
        ground = { curve = { kind = "graph", y = "x^2/2" } }
        contact = { law = "hertz", stiffness = 1e7, friction = 0.5 }
        solver = { tolerance = 1e-6, duration = 3.0 }
    "#;
    let runs = ["1e-5", "1e-9", "1e-12"].map(|slip| run(text, &[&format!("contact.slip-speed={slip}")]));
    let rigid = run(text, &["contact={ friction = 0.5 }"]).summary.state;
    for run in &runs {
        let (count, state) = (run.summary.count.compressed, &run.summary.state);
        println!("{} steps, {} rejected, x {:?}", count.steps, count.rejected, state.position.x);
        assert!(count.steps < 200, "{count:?}");
        assert!((state.position.x - rigid.position.x).abs() < 2e-3, "{:?} {:?}", state.position, rigid.position);
    }
    let x = runs.map(|run| run.summary.state.position.x);
    assert!((x[1] - x[2]).abs() < 1e-6, "{x:?}");
}
