//! What once went wrong, each with its symptom and cause.

use supervisor::{EventKind, Phase, Stop};

use crate::harness::attempt;

/// Symptom: a spinning point mass slid on with λ < 0 and left the ground late, on the step grid. Cause: bounds of the
/// force took the spin of a ball that does not turn for zero, and so left the Magnus force out.
#[test]
fn magnus_force_lifts_a_point_off() {
    let text = r#"
        ball = { mass = 0.2 }
        initial = { contact = { x = 0, speed = -2.3415, spin = -30 } }
        ground = { curve = { kind = "graph", y = "0.308*x" } }
        forces = { magnus = 0.010501 }
        contact = { friction = 0.3 }
        solver = { duration = 3.0 }
    "#;
    // λ = m g cos α − |m_c ω v| falls to zero at this speed, down the slope where ω J v points upwards.
    let slope = 0.308f64;
    let cosine = 1.0 / slope.hypot(1.0);
    let lifting = 0.2 * 9.81 * cosine / (0.010501 * 30.0);
    for (solver, most) in [("step=0.001", 1e-5), ("tolerance=1e-9", 1e-8), ("tolerance=1e-12", 1e-11)] {
        let run = attempt(text, &[&format!("solver.{solver}")]);
        let event = run.events.iter().find(|event| event.kind == EventKind::LiftOff).expect("a lift-off");
        let speed = event.before.velocity.norm();
        println!("{solver}: {:.9} s, speed off by {:e}", event.time(), speed - lifting);
        assert!((speed - lifting).abs() <= most, "{solver}: {speed} for {lifting}");
        assert!(run.samples.iter().all(|sample| sample.normal_force >= 0.0));
    }
}

/// Symptom: a ball put onto a corner jumped to the piece beside it. Cause: a start on the ground knew pieces only.
#[test]
fn a_ball_starts_on_a_corner() {
    let text = r#"
        ball = { radius = 0.1 }
        initial = { position = [0.0, 0.1] }
        ground = { curve = { kind = "polyline", points = [[-1, -1], [0, 0], [1, -1]] } }
        contact = { friction = 0.5 }
        solver = { duration = 1.0 }
    "#;
    let run = attempt(text, &[]);
    assert!(run.events.is_empty() && run.summary.phase == Phase::Resting);
    assert!((run.samples[0].state.position.y - 0.1).abs() < 1e-15);
    let run = attempt(text, &["initial.velocity=[0.1,0.0]"]);
    assert_eq!(run.samples[0].phase, Phase::Sliding);
    assert_eq!(run.summary.stop, None);
}

/// Symptom: `arc-length` did not converge at the origin. Cause: rounding there was measured by the distance from it.
#[test]
fn arc_length_starts_at_the_origin() {
    let text = r#"
        initial = { contact = { x = 0, speed = 1.0 } }
        ground = { curve = { kind = "graph", y = "-x" } }
        solver = { formulation = "arc-length", duration = 1.0 }
    "#;
    let run = attempt(text, &[]);
    let state = run.summary.state;
    let along = 1.0 + 0.5 * 9.81 * 0.5f64.sqrt();
    assert_eq!(run.summary.stop, None);
    assert!((state.position.norm() - along).abs() < 1e-9, "{}", state.position);
}

/// Symptom: a run hung where the force on a resting ball oscillates fast. Cause: the search for its waking had no end.
#[test]
fn waking_gives_up_with_a_reason() {
    let text = r#"
        initial = { contact = { x = 0 } }
        ground = { curve = { kind = "graph", y = 0 } }
        contact = { friction = 0.5 }
        forces = { external = { x = "0.5*m*g*sin(1e9*t)" } }
    "#;
    assert!(matches!(attempt(text, &[]).summary.stop, Some(Stop::Waking { .. })));
}

/// Symptom: without gravity a point bounced ever closer to the corner of a V, and then fell through it. Cause: faces
/// ended at the corner. Now such bounces accumulate on two walls, which ends the run.
#[test]
fn bounces_accumulate_on_two_walls() {
    let text = r#"
        initial = { position = [0.0, 1.0], velocity = [0.3, -1.0] }
        ground = { curve = { kind = "polyline", points = [[-1, 4], [0, 0], [1, 4]] } }
        forces = { gravity = 0.0 }
    "#;
    for restitution in [0.001, 0.05, 0.2] {
        let run = attempt(text, &[&format!("contact.restitution={restitution:?}")]);
        assert!(matches!(run.summary.stop, Some(Stop::TwoWalls { .. })), "{restitution}: {:?}", run.summary.stop);
        assert!(run.summary.state.position.norm() < 1e-9);
    }
}

/// A point that wakes from rest creeps so slowly that the dense output's velocities are rounding: slip that only they
/// see come to zero once cut every step short, each a little shorter than the one before.
#[test]
fn waking_goes_on() {
    let run = attempt(
        r#"
        ball = { mass = 1.7753559215691537 }
        initial = { position = [-1.721998636377904, 1.4485174807217795], velocity = [0.019858669037331775, 0.6161834883169507], spin = -25.389604337110075 }
        ground = { curve = { kind = "graph", y = "0.26649211772626713*sin(2.5784614237606065*x) + -0.18548234322193877*x" } }
        contact = { tangential-restitution = -0.6593553531444553, friction = 0.43046280198983733 }
        forces = { wind = [2.3838099183261043, 0.1], external = { x = "0.6413199573780015*m*sin(2*t)", y = "0.1*0.6413199573780015*x - 0.05*vy" } }
        "#,
        &["solver.tolerance=1e-12", "solver.duration=3", "solver.limit=2000"],
    );
    assert_eq!(run.kinds(), ["landing", "rest", "slip", "rest"]);
    assert!(run.summary.count.contact.steps < 200, "{:?}", run.summary.count);
}
