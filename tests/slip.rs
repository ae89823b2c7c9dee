//! Friction and spin on flat ground.

use supervisor::{EventKind, Phase};

use crate::harness::run;

const G: f64 = 9.81;

/// A sphere sent along flat ground without spin.
const BOWLED: &str = r#"
    ball = { radius = 0.1 }
    initial = { contact = { x = 0.0, speed = 3.0 } }
    ground = { curve = { kind = "graph", y = 0 } }
    contact = { friction = 0.2 }
    solver = { duration = 2.0 }
"#;

/// Slip ends at `t = k/(1+k) v₀/(μg)` with `v = v₀/(1+k)`; with fixed steps, with a tolerance, for every formulation.
#[test]
fn slip_turns_to_rolling() {
    let time = 2.0 / 7.0 * 3.0 / (0.2 * G);
    assert!((time - 0.4368720).abs() < 5e-8);
    let solvers = [
        vec!["solver.tolerance=1e-11"],
        vec![],
        vec!["solver.step=0.003", "solver.formulation=symmetric"],
        vec!["solver.step=0.003", "solver.formulation=index3"],
        vec!["solver.step=0.003", "solver.formulation=stabilized-index2"],
        vec!["solver.step=0.003", "solver.formulation=projected"],
        vec!["solver.step=0.003", "solver.formulation=arc-length"],
        vec!["solver.step=0.003", "solver.extrapolate=true"],
        // The event is within the first step.
        vec!["solver.step=5.0"],
    ];
    for solver in solvers {
        let run = run(BOWLED, &solver);
        assert_eq!(run.kinds(), ["stick"], "{solver:?}");
        let event = run.first(EventKind::Stick);
        let (late, fast) = (event.time() - time, event.after.velocity.x - 15.0 / 7.0);
        let end = run.summary.state;
        let travelled = 3.0 * time - 0.5 * 0.2 * G * time * time + 15.0 / 7.0 * (2.0 - time);
        println!("{solver:?}: time {late:e}, speed {fast:e}, end {:e}", end.position.x - travelled);
        // λ of `index3` is a second difference of positions: rounding of them is divided by h²/4.
        let rounding =
            if solver.contains(&"solver.formulation=index3") { 4.0 * f64::EPSILON / (0.003 * 0.003) } else { 1e-12 };
        assert!(late.abs() <= rounding && fast.abs() <= rounding, "{solver:?}: {late:e} {fast:e}");
        assert!((end.position.x - travelled).abs() <= rounding, "{solver:?}: {:e}", end.position.x - travelled);
        // Rolling to the last bit, from then on.
        assert_eq!(event.after.velocity.x + 0.1 * event.after.spin, 0.0);
        assert!((end.velocity.x + 0.1 * end.spin).abs() <= 1e-16);
        assert_eq!(run.summary.phase, Phase::Rolling);
        assert!(run.summary.unexplained().abs() <= rounding, "{solver:?}: {:e}", run.summary.unexplained());
    }
}

/// A spinning sphere dropped on a rough floor: friction at the impact spends all it may, or stops the slip.
#[test]
fn rough_floor() {
    let text = r#"
        ball = { radius = 0.1 }
        initial = { position = [0.0, 1.0] }
        ground = { curve = { kind = "graph", y = 0 } }
        contact = { friction = 0.2 }
        solver = { duration = 0.43 }
    "#;
    let approach = (2.0 * G * 0.9f64).sqrt();
    for spin in [50.0, -50.0, 10.0, -10.0f64] {
        let run = run(text, &[&format!("initial.spin={spin}")]);
        let event = run.first(EventKind::Landing);
        let slips = spin.abs() == 50.0;
        // Slipping: P_t = −μ P_n sign(u). Sticking: u = 0 with L = k R v_x + … kept about the contact point.
        let vx = -spin.signum() * if slips { 0.2 * approach } else { 2.0 / 7.0 * 0.1 * spin.abs() };
        let after = spin + 0.1 * vx / (0.4 * 0.01);
        let error = event.after.velocity.x - vx;
        println!("spin {spin}: vx = {}, {error:e} off", event.after.velocity.x);
        assert!((vx.abs() - if slips { 0.84043 } else { 0.285714 }).abs() <= 5e-6);
        assert!(error.abs() <= 1e-12, "{error:e}");
        assert!((event.after.spin - after).abs() <= 1e-11, "{} for {after}", event.after.spin);
        let slip = event.after.velocity.x + 0.1 * event.after.spin;
        assert_eq!(slip == 0.0, !slips, "{slip:e}");
        assert_eq!(event.phase_after, if slips { Phase::Sliding } else { Phase::Rolling });
        assert!(run.summary.unexplained().abs() <= 1e-13, "{:e}", run.summary.unexplained());
    }
}

/// Slip, stick and rest in one run: a sphere with backspin slows, slips back, rolls and, damped, comes to crawl.
#[test]
fn backspin_returns() {
    // u = v + Rω > 0 brakes until u = 0: v = (v₀ − k R ω₀... with v₀ = 1, Rω₀ = 6.
    let run = run(BOWLED, &["initial.contact.speed=1.0", "initial.contact.spin=60"]);
    let event = run.first(EventKind::Stick);
    // Angular momentum about the contact point: v − kRω is kept.
    let v = (1.0 - 0.4 * 6.0) / 1.4;
    let time = (1.0 - v) / (0.2 * G);
    assert!((event.time() - time).abs() <= 1e-12, "{:e}", event.time() - time);
    assert!((event.after.velocity.x - v).abs() <= 1e-12);
    assert_eq!(run.kinds(), ["stick"]);
}

/// A block on a rough slope: slides to rest, or does not stop, or starts from rest only if it is too steep.
#[test]
fn blocks_on_a_slope() {
    let slope = r#"
        initial = { contact = { x = 0.0, speed = 2.0 } }
        ground = { curve = { kind = "graph", y = "-x/4" } }
        contact = { friction = 0.5 }
        solver = { duration = 5.0 }
    "#;
    let (sin, cos) = (0.25 / 1.0625f64.sqrt(), 1.0 / 1.0625f64.sqrt());
    let down = run(slope, &[]);
    assert_eq!(down.kinds(), ["rest"]);
    let stop = 2.0 / (G * (0.5 * cos - sin));
    let rest = down.first(EventKind::Rest);
    assert!((rest.time() - stop).abs() <= 1e-12, "{:e}", rest.time() - stop);
    assert_eq!(down.summary.state.velocity.norm(), 0.0);
    assert!(down.summary.unexplained().abs() <= 1e-12);
    // Too little friction: uphill it turns round and comes back ever faster.
    let up = run(slope, &["contact.friction=0.2", "initial.contact.speed=-2.0"]);
    assert_eq!(up.kinds(), ["slip"]);
    let turn = 2.0 / (G * (0.2 * cos + sin));
    assert!((up.first(EventKind::Slip).time() - turn).abs() <= 1e-12);
    let speed = G * (sin - 0.2 * cos) * (5.0 - turn);
    assert!((up.summary.state.velocity.norm() - speed).abs() <= 1e-11);
    // Held: nothing happens at all.
    let held = run(slope, &["initial.contact.speed=0.0"]);
    assert!(held.events.is_empty(), "{:?}", held.kinds());
    assert_eq!(held.summary.phase, Phase::Resting);
}

/// A sphere at rest in a bowl or on a crest that a growing force wakes rolls: on curved ground as on flat, at once.
#[test]
fn woken_by_a_growing_force() {
    for (ground, radius) in [("x^2", 0.02), ("-0.5*x^2", 0.1), ("cos(x) - 1", 0.1), ("0.3*x", 0.1), ("0", 0.1)] {
        for friction in ["0.3", "\"infinite\""] {
            for method in ["newmark", "bdf", "dop853"] {
                // On the slope a force along it holds the ball until t = 1.
                let (held, along) = if ground == "0.3*x" { ("0.3*9.81/1.09", "0.09*9.81/1.09") } else { ("0", "0") };
                let text = format!(
                    r#"
                    ball.radius = {radius:?}
                    initial.contact = {{ x = 0 }}
                    ground.curve = {{ kind = "graph", y = "{ground}" }}
                    contact.friction = {friction}
                    forces.external = {{ x = "{held} + 0.05*max(t - 1, 0)", y = "{along}" }}
                    solver = {{ duration = 1.5, method = "{method}" }}
                    "#
                );
                let woken = run(&text, &[]);
                let what = format!("{ground}, {friction}, {method}: {:?}", woken.kinds());
                assert_eq!(woken.summary.phase, Phase::Rolling, "{what}");
                assert!(
                    woken.of(EventKind::Slip).count() == 0 && woken.summary.state.position.x.abs() > 1e-6,
                    "{what}"
                );
                assert!(woken.summary.unexplained().abs() < 1e-9, "{what}");
            }
        }
    }
}
