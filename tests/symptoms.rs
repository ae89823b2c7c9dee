//! What once went wrong, each with its symptom and cause.

use rolling::RollingError;
use supervisor::{EventKind, Phase, Stop};

use crate::harness::{attempt, run};

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
        forces = { external = { x = "0.35*m*g*(sin(1e9*t) + cos(1e9*t))" } }
    "#;
    assert!(matches!(attempt(text, &[]).summary.stop, Some(Stop::Waking { .. })));
}

/// Symptom: without gravity a point bounced ever closer to the corner of a V, and then fell through it. Cause: faces
/// ended at the corner. Now such bounces accumulate on two walls, and it stays in the corner.
#[test]
fn bounces_accumulate_on_two_walls() {
    let text = r#"
        initial = { position = [0.0, 1.0], velocity = [0.3, -1.0] }
        ground = { curve = { kind = "polyline", points = [[-1, 4], [0, 0], [1, 4]] } }
        forces = { gravity = 0.0 }
    "#;
    for restitution in [0.001, 0.05, 0.2] {
        let run = attempt(text, &[&format!("contact.restitution={restitution:?}")]);
        assert_eq!((run.summary.stop, run.summary.phase), (None, Phase::Resting), "{restitution}: {:?}", run.kinds());
        assert!(run.summary.state.position.norm() < 1e-12 && run.summary.wedged.is_some());
        assert!(run.summary.unexplained().abs() < 1e-12);
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

/// Symptom: with e = 1 hops below rounding panicked, or gave NaN and went on. Cause: such hops never end, and the jump
/// over infinitely long ones was taken because its bound was no longer than it.
#[test]
fn endless_hops_below_rounding_are_jumped_at_once() {
    let strong = r#"
        initial = { position = [0.0, 1.000000001] }
        ground = { curve = { kind = "graph", y = "1" } }
        forces = { external = { y = "-1000*vy" } }
        contact = { restitution = 1.0 }
        solver = { duration = 0.1 }
    "#;
    let run = attempt(strong, &[]);
    assert_eq!((run.summary.stop, run.summary.phase), (None, Phase::Resting));
    let valley = r#"
        ball = { radius = 0.2, mass = 0.02, inertia = "hoop" }
        initial = { position = [-0.020567569675921327, 0.8617286930901451], velocity = [2.7901528830051117, 2.3494319697567274] }
        ground = { curve = { kind = "graph", y = "0.2*sin(3*x) + 0.05*cos(17*x + 1)" } }
        forces = { drag = { coefficient = 0.3 } }
        contact = { restitution = 1.0, tangential-restitution = -0.5, friction = 0.1, rolling-damping = 0.3 }
        solver = { formulation = "arc-length", duration = 3.0, tolerance = 5e-10, limit = 20000 }
    "#;
    // By about half of all tolerances it comes into an orbit of 0.15 µs between the two walls instead, which drag would end in years.
    let run = attempt(valley, &[]);
    assert!(!run.captures.is_empty() && run.captures.iter().all(|capture| capture.duration == 0.0));
    assert_eq!(run.summary.stop, None);
    let states = run.events.iter().map(|event| event.after).chain(run.samples.iter().map(|sample| sample.state));
    for state in states.chain([run.summary.state]) {
        assert!(state.time.is_finite() && state.position.norm().is_finite() && state.velocity.norm().is_finite());
    }
}

/// A point at rest on flat ground under a force `[x, y]` of formulas.
fn pushed(mu: f64, [x, y]: [&str; 2], duration: f64) -> String {
    format!(
        r#"
        initial = {{ contact = {{ x = 0 }} }}
        ground = {{ curve = {{ kind = "graph", y = 0 }} }}
        contact = {{ friction = {mu:?} }}
        forces = {{ external = {{ x = "{x}", y = "{y}" }} }}
        solver = {{ duration = {duration:?} }}
        "#
    )
}

/// Symptom: a point that rests by friction of more than its weight slipped and rested a thousand times at once. Cause:
/// what holds it was bounded by λ as well as by μλ, so that μ counted as 1 at most.
#[test]
fn friction_above_one_holds() {
    let slope = r#"
        ball = { mass = 0.02 }
        initial = { contact = { x = 0 } }
        ground = { curve = { kind = "graph", y = "-1.5*x" } }
        forces = { external = { y = "0.01*m*g*sin(3*t)" } }
        contact = { friction = 2.0 }
        solver = { duration = 3.0 }
    "#;
    assert!(run(slope, &[]).events.is_empty());
    // On 45° the force along the ground is λ, whatever the weight.
    let line = r#"{ curve = { kind = "line", from = [-1, 1], to = [1, -1] } }"#;
    let steep = slope.replace(r#"{ curve = { kind = "graph", y = "-1.5*x" } }"#, line).replace("x = 0 }", "s = 1.0 }");
    assert!(run(&steep, &["forces.external.y=\"m*g*0.5*sin(3*t)\""]).events.is_empty());
    // m g t/2 = μ m g
    let pushed = run(&pushed(1.2, ["m*g*0.5*t", "0"], 3.0), &[]);
    assert_eq!(pushed.kinds(), ["slip"]);
    assert!((pushed.events[0].time() - 2.4).abs() < 1e-12, "{}", pushed.events[0].time());
}

/// Symptom: where the force on a resting ball is no longer defined, a thousand events followed each other. Cause: the
/// time before was taken for one at which the ball gives way.
#[test]
fn rest_ends_where_the_force_is_undefined() {
    for force in [["0*sqrt(3-t)", "0"], ["0", "0.1*m*g*ln(4-t-1)"]] {
        let run = attempt(&pushed(0.1, force, 5.0), &[]);
        let Some(Stop::Rolling(RollingError::NotFinite { time })) = run.summary.stop else {
            panic!("{force:?}: {:?}", run.summary.stop)
        };
        assert!((time - 3.0).abs() < 1e-8, "{time}");
        assert!(run.samples.iter().all(|sample| sample.normal_force.is_finite()));
    }
    assert!(attempt(&pushed(0.1, ["0*sqrt(3-t)", "0"], 5.0), &[]).events.is_empty());
}

/// Symptom: a resting ball whose friction only just suffices stopped the run. Cause: near the touch no interval of the
/// force is clear of the limit but those below rounding, and there are too many of them.
#[test]
fn a_force_that_touches_the_limit_is_no_event() {
    for force in [
        ["0.5*m*g*sin(t)", "0"],
        ["0.5*m*g*sin(t)^2", "0"],
        ["0.5*m*g*sin(t)*sin(t)", "0"],
        ["0", "m*g*sin(t)"],
        ["0.5*m*g*abs(sin(t))", "0"],
        ["0.25*m*g*(sin(t) + sin(t)^3)", "0"],
        ["0.5*m*g*exp(-(t - 3)^2)", "0"],
        ["0.5*m*g/(1 + (t - 3)^2)", "0"],
        ["0.5*m*g*sin(1e9*t)", "0"],
    ] {
        let held = run(&pushed(0.5, force, 7.0), &[]);
        assert!(held.events.is_empty(), "{force:?}: {:?}", held.kinds());
    }
    // A little more is one.
    for part in [1e-4_f64, 1e-6, 1e-8, 1e-10] {
        let more = 0.5 * (1.0 + part);
        let woken = run(&pushed(0.5, [&format!("{more:?}*m*g*sin(t)"), "0"], 3.0), &[]);
        let first = woken.first(EventKind::Slip).time();
        let exact = f64::asin(0.5 / more);
        println!("{part:e}: {first} for {exact}");
        // As far as rounding of the force tells.
        assert!((first - exact).abs() < 1e-14 / part.sqrt(), "{part:e}: {first} for {exact}");
    }
}

/// A run that has used up its limit says when: on the ground, in flight and compressed.
#[test]
fn the_limit_says_when() {
    for contact in ["", "contact = { law = \"hertz\", youngs-modulus = 1e7 }"] {
        for start in ["contact = { x = 0.0, speed = 3.0 }", "position = [0.0, 1.0]"] {
            let text = format!(
                "{contact}\nball = {{ radius = 0.05 }}\ninitial = {{ {start} }}\nforces = {{ drag = {{ coefficient = 0.01 }} }}\n\
                 [ground]\ncurve = {{ kind = \"graph\", y = \"0.1*sin(3*x)\" }}\n[solver]\nduration = 1e3\nlimit = 20"
            );
            let run = attempt(&text, &[]);
            let Some(Stop::Limit { time, limit: 20 }) = run.summary.stop else { panic!("{:?}", run.summary.stop) };
            assert!(time > 0.0 && time == run.summary.state.time, "{time} and {}", run.summary.state.time);
        }
    }
}

/// Symptom: a run by tolerance that ends where no step is short enough was told that "of fixed steps" a smaller one may do. Cause:
/// equations without a solution found said what they say to fixed steps, however short the step.
#[test]
fn no_step_of_a_tolerance_is_short_enough() {
    let pole = r#"
        initial = { contact = { x = 0.0, speed = 1.0 } }
        ground = { curve = { kind = "graph", y = "0.1*x^2" } }
        forces = { external = { x = "1/abs(x - 1)^1.5", y = "0" } }
        solver = { duration = 2.5, tolerance = 1e-12, formulation = "arc-length" }
    "#;
    let told = attempt(pole, &[]).summary.stop.map(|stop| stop.to_string()).unwrap_or_default();
    assert!(told.contains("steps below") && !told.contains("of fixed steps"), "{told}");
}

/// Symptom: a ball with rolling resistance rolled on for 32 ms around a corner that asked for nine times the friction there is, with exit
/// 0; a scene of another scale slipped. Cause: a guard that is beyond zero where a step begins counted as one that begins at zero, and the
/// step was so long that it had come back in the end.
#[test]
fn a_joint_that_asks_for_too_much_friction_lets_slip() {
    let text = r#"
        ball = { mass = 0.1, radius = 90.576, inertia = 0.9099 }
        initial = { position = [-175.1952, 836.4], velocity = [786.624, 365.4456], spin = 20.88 }
        [ground]
        curve = { kind = "polyline", points = [[-816.0, 0.0], [-408.0, -134.5176], [133.5792, -96.5736], [350.2272, -140.352], [892.5, 59.0784]] }
        [forces]
        gravity = [0.0, -4002.48]
        [contact]
        friction = 0.2522
        rolling-resistance = 0.4
        [solver]
        formulation = "arc-length"
        duration = 1.3
        [output]
        interval = 0.001
    "#;
    for tolerance in ["1e-6", "1e-9", "1e-11", "1e-14"] {
        let run =
            attempt(text, &[&format!("solver.relative-tolerance={tolerance}"), "solver.absolute-tolerance=1e-11"]);
        let rolls = |sample: &&supervisor::Sample| sample.phase == Phase::Rolling;
        for sample in run.samples.iter().filter(rolls) {
            let most = 0.2522 * sample.normal_force * (1.0 + 1e-9);
            assert!(
                sample.friction_force.abs() <= most,
                "{tolerance}: {} N at {} s",
                sample.friction_force,
                sample.state.time
            );
        }
        let slips =
            run.events.iter().find(|event| event.kind == EventKind::Slip && event.phase_before == Phase::Rolling);
        let slips = slips.expect("it slips").time();
        assert!((slips - 1.094_754_692_5).abs() < 1e-6, "{tolerance}: {slips}");
    }
}

/// Symptom: a bead that began to slide slipped at one instant without end, `Stalled`. Cause: by what acts at its start alone, which is zero to
/// rounding there, it did not move within the step, and so the step that it turned back in was not made shorter.
#[test]
fn a_slide_that_turns_back_within_a_step() {
    let text = r#"
        ball = { mass = 0.1 }
        initial = { position = [0.0, 2.05] }
        [ground]
        curve = { kind = "graph", y = "0.4774*x" }
        motion = { x = "0.07011*sin(7.273*t)", y = "0.01912*sin(10.39*t)" }
        [forces]
        external = { x = "m*g*sin(t)/2", y = "0" }
        [contact]
        restitution = 0.0
        friction = 0.387
        [solver]
        duration = 2.154
        tolerance = 1e-11
    "#;
    for formulation in ["symmetric", "arc-length", "taylor"] {
        let run = run(text, &[&format!("solver.formulation=\"{formulation}\"")]);
        assert_eq!(run.kinds(), ["landing", "rest", "slip", "rest"], "{formulation}");
        assert!((run.events[3].time() - 1.970_936_565).abs() < 1e-8, "{formulation}: {}", run.events[3].time());
    }
}

/// Symptom: a ball between two walls with static friction alone got impulses that no cone allows, `Unbalanced`. Cause: what slips without
/// friction of its own counted as what cannot slip.
#[test]
fn static_friction_alone_lets_slip_between_walls() {
    let text = r#"
        ball = { mass = 2.516, radius = 0.01 }
        initial = { position = [0.0, 2.05] }
        ground.curve = { kind = "graph", y = "max(-0.7876*x, 0.6328*x)" }
        contact = { restitution = "0.9/(1 + v)", friction = 0.0, static-friction = 0.02 }
        solver = { duration = 2.961, method = "ballistic", formulation = "taylor", tolerance = 1e-11 }
    "#;
    let run = run(text, &[]);
    for event in &run.events {
        // Of the last bounces, summed up, an impulse may have the other sign.
        let most = 0.02 * event.normal_impulse.abs() * (1.0 + 1e-9);
        assert!(event.tangential_impulse.abs() <= most, "{event:?}");
    }
}

/// Symptom: a ball without spin slipped anew at the instant of its landing. Cause: the rounding of its slip counted as a spin, which rolling
/// resistance then brought to rest.
#[test]
fn a_landing_without_spin_slips_once() {
    let text = r#"
        ball = { mass = 1.105, radius = 0.1716 }
        initial = { position = [-0.11, 2.22145], velocity = [-0.6076, -1.174] }
        ground.curve = { kind = "graph", y = "max(-0.6742*x, 0.3534*x)" }
        [forces]
        gravity = [0.05443, -3.93823]
        drag = { coefficient = 0.02922 }
        [contact]
        restitution = "0.4214*(0.9*exp(-0.2*v))"
        friction = 0.0
        static-friction = 0.02
        rolling-resistance = 0.4
        [solver]
        method = "taylor"
        tolerance = 1e-11
        duration = 2.828
    "#;
    let run = run(text, &[]);
    let slips: Vec<f64> = run.of(EventKind::Slip).map(|event| event.time()).collect();
    assert!(slips.len() == 1 && (slips[0] - 1.840_709_866).abs() < 1e-8, "{slips:?}");
}

/// Symptom: a ball 0.15 m above a curve of nanometres was put 0.19 m lower, into it. Cause: its rounding was that of the
/// centre's way along the ground, which such a curve makes endless.
#[test]
fn a_start_above_a_wild_curve_is_not_moved() {
    for (y, height) in [("sin(1e9*x)", 1.2), ("sin(1e9*x)", 1.06), ("0.1*sin(1e9*x)", 0.155)] {
        let text = format!(
            "ball.radius = 0.05\ninitial.position = [0.1, {height}]\nground.curve = {{ kind = 'graph', y = '{y}' }}\n\
             solver = {{ duration = 1e-3, tolerance = 1e-6 }}"
        );
        let run = run(&text, &[]);
        let first = run.samples[0];
        assert!(first.phase == Phase::Flight && first.state.position.y == height, "{y}: {:?}", first.state.position);
    }
}
