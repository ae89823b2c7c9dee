//! What cuts a step short, or lets it be long, must not change the motion: symptoms of a review, with their causes.

use newmark::StepTooSmall;
use rolling::RollingError;
use supervisor::{EventKind, Stop};

use crate::harness::{attempt, run};

/// Symptom: a stick came 1e-6 s late, slip events too, with energies made of 3e-3 J and ten times the steps. Cause: the
/// rounding of velocities between the ends of a step, which grows as the step gets shorter, was taken for that of its ends.
#[test]
fn slip_ends_when_it_ends() {
    let text = r#"
        ball = { radius = 0.3, mass = 50 }
        initial = { position = [-0.2114007201796695, 1.5150202561623611], velocity = [-0.2170457166908628, -2.1104025647095295], spin = 20 }
        ground = { curve = { kind = "graph", y = 0 } }
        forces = { magnus = 0.1 }
        contact = { restitution = 0.5, tangential-restitution = -0.55, friction = 2 }
        solver = { duration = 3.0 }
    "#;
    for formulation in ["arc-length", "symmetric", "projected"] {
        let solver = if formulation == "projected" { "step=1e-3" } else { "tolerance=1e-7" };
        let run = run(text, &[&format!("solver.formulation=\"{formulation}\""), &format!("solver.{solver}")]);
        let (landing, stick) = (run.first(EventKind::Landing).time(), run.first(EventKind::Stick));
        // On flat ground without spring-back the contact point slips by u when it lands, and friction takes it away.
        let slip = |state: &mechanics::State| state.velocity.x + 0.3 * state.spin;
        let after = run.first(EventKind::Landing).after;
        let pressure = 9.81 - 0.1 * after.spin * after.velocity.x / 50.0;
        let expected = slip(&after).abs() / (2.0 * pressure * (1.0 + 2.5));
        let late = stick.time() - landing - expected;
        println!("{formulation}: {expected:e} s, late {late:e}, unexplained {:e}", run.summary.unexplained());
        assert!(late.abs() <= 1e-12 + 1e-6 * expected, "{formulation}: {late:e} of {expected:e}");
        let most = if formulation == "projected" { 1e-4 } else { 1e-8 };
        assert!(run.summary.unexplained().abs() <= most && run.summary.count.contact.steps < 3500);
    }
}

/// Symptom: between a landing and a lift-off 1e-4 s later, `index3` took a ball from 3.5 J to 6.4 J. Cause: the way to the
/// event began with steps of nanoseconds, over which a second difference of places is rounding.
#[test]
fn index3_makes_no_tiny_steps() {
    let text = r#"
        ball = { radius = 0.01, inertia = "hoop" }
        initial = { position = [-0.27008628691450753, 1.7324046180987358], velocity = [-0.9199054924676493, -1.6298763392740885] }
        ground = { curve = "../curves/circle-bowl.toml" }
        contact = { tangential-restitution = 1, friction = 0.5 }
        solver = { step = 0.01, formulation = "index3", duration = 3.0 }
    "#;
    let run = run(text, &[]);
    println!("unexplained {:e} J of {:e}", run.summary.unexplained(), run.summary.energy_start.total());
    assert!(run.summary.unexplained().abs() <= 5e-3, "{:e}", run.summary.unexplained());
}

/// Symptom: "the force in flight is not finite" for drag at a large fixed step. Cause: the first guess of the acceleration
/// followed its tangent over the whole step, beyond where the inner solver finds back.
#[test]
fn long_steps_with_strong_drag() {
    let text = r#"
        initial = { position = [0, 50], velocity = [30, 0] }
        ground = { curve = { kind = "line", from = [-1000, 0], to = [1000, 0] } }
        solver = { duration = 20.0 }
    "#;
    for (drag, step) in [(0.1, 1.0), (0.3, 0.3), (1.0, 0.1)] {
        let drag = format!("forces.drag={{ coefficient = {drag} }}");
        let coarse = run(text, &[&drag, &format!("solver.step={step}")]);
        let exact = run(text, &[&drag, "solver.tolerance=1e-10"]);
        let late = coarse.first(EventKind::Landing).time() - exact.first(EventKind::Landing).time();
        println!("step {step}: {late:e} s");
        assert!(late.abs() <= 0.1, "{late}");
    }
}

/// Symptom: 1e-4 J/kg unexplained at a tolerance of 1e-7, where an impact cut a long step. Cause: the ledger was held to
/// the tolerance at the nodes of a step, and not between them.
#[test]
fn ledger_of_a_cut_step() {
    let text = r#"
        ball = { mass = 0.02 }
        initial = { position = [-0.8448745281096091, 1.620583717402293], velocity = [-0.982632115971378, 0.4640159301646576] }
        ground = { curve = { kind = "composite", pieces = [
            { kind = "line", from = [-3, 0], to = [-1, 0] },
            { kind = "arc", centre = [-1, 1], radius = 1, from = -1.5707963267948966, to = -0.5 },
            { kind = "line", from = [-0.12241743810962724, 0.520574461395797], to = [3, 0.520574461395797] } ] } }
        forces = { wind = [1.59589, -0.971126], external = { x = "0.3*sin(5*t)", y = "0" } }
        contact = { restitution = 0.99, friction = 2 }
        solver = { duration = 1.0 }
    "#;
    for (tolerance, most) in [(1e-6, 1e-6), (1e-7, 1e-7), (1e-8, 1e-8), (1e-9, 1e-9)] {
        let run = run(text, &[&format!("solver.tolerance={tolerance:e}")]);
        println!("{tolerance:e}: {:e} J", run.summary.unexplained());
        assert!(run.summary.unexplained().abs() <= most, "{tolerance:e}: {:e}", run.summary.unexplained());
    }
}

/// Symptom: a run at a tolerance below what rounding allows on sharply bent ground went on for ever, and later stopped. Cause: after
/// a step too short for the clock a shorter end was asked for, which let one such step pass, and so on in steps of 1e-14 of the
/// time; and errors below the rounding of places were asked for, which over a short step are more, not less.
#[test]
fn a_tolerance_below_rounding() {
    let text = r#"
        ball = { mass = 1, radius = 0.0001 }
        initial = { contact = { x = -5, speed = 5, spin = "rolling" } }
        ground = { curve = { kind = "graph", y = "h*exp(-((x-c)/w)^2)", parameters = { h = 0.63710499490316, w = 0.001, c = 7.77 }, domain = [-30, 30] } }
        contact = { friction = "infinite" }
        solver = { tolerance = 1e-12, duration = 5.108, limit = 5000 }
    "#;
    let ends = ["solver.tolerance=1e-12", "solver.tolerance=1e-9"].map(|set| {
        let run = run(text, &[set]);
        assert!(run.summary.count.contact.steps < 200 && run.summary.unexplained().abs() < 1e-8, "{:?}", run.summary);
        run.summary.state.position
    });
    assert!((ends[0] - ends[1]).norm() < 1e-6, "{ends:?}");
}

/// A force without limit at t = 1 asks for steps without limit: the run says so at once, with what the tolerance allows there and
/// what places are known to.
#[test]
fn a_step_too_short_stops_the_run() {
    let text = r#"
        initial = { contact = { x = 0, speed = 1 } }
        ground = { curve = { kind = "graph", y = "0" } }
        forces = { external = { x = "1/abs(t - 1)", y = "0" } }
        solver = { duration = 2.0, limit = 5000 }
    "#;
    let stop = attempt(text, &[]).summary.stop;
    let Some(Stop::Rolling(RollingError::StepTooSmall(StepTooSmall { time, step, tolerance, rounding }))) = stop else {
        panic!("{stop:?}")
    };
    assert!(
        (time - 1.0).abs() < 1e-6 && step < 1e-12 && rounding < tolerance,
        "{time} {step:e} {tolerance:e} {rounding:e}"
    );
}

/// Symptom: a run of 1e-42 s through drag stopped, of a place, a velocity, an error that were not numbers. Cause: squares of such a
/// time are zero. A motion in which neither the place nor the force changes is what it began as, whatever the method.
#[test]
fn durations_in_which_nothing_moves() {
    let text = r#"
        ball = { radius = 0.05 }
        initial = { position = [0.3, 1.0] }
        ground = { curve = { kind = "graph", y = "0.2*sin(2*x)" } }
        forces = { drag = { coefficient = 0.1 } }
        solver = { duration = 1 }
    "#;
    for method in ["newmark", "bdf", "radau", "dop853", "ballistic", "taylor"] {
        for duration in [1e-15, 1e-20, 1e-42, 1e-120, 1e-250] {
            for speed in [0.0, 1e-3, 1.5, 1e3] {
                let sets = [
                    format!("solver.method={method}"),
                    format!("solver.duration={duration:e}"),
                    format!("initial.velocity=[{speed:e}, 0]"),
                ];
                let run = run(text, &sets.each_ref().map(String::as_str));
                let end = run.summary.state;
                let what = format!("{method}, {duration:e} s, {speed} m/s: {end:?}");
                assert!(run.summary.stop.is_none() && end.time == duration, "{what}");
                assert!((end.position.x - 0.3 - speed * duration).abs() <= 1e-16 && end.position.y == 1.0, "{what}");
                assert!((end.velocity.x - speed).abs() <= (1e-15 + duration) * speed * (1.0 + speed), "{what}");
            }
        }
    }
}

/// Ground whose parameter all but stands still at one place is run over in about as many steps as anywhere, and to the same end as the
/// graph that it is.
#[test]
fn a_parameter_that_all_but_stands_still() {
    let on = |curve: &str| {
        let text = format!(
            r#"
            ball.radius = 0.04
            initial = {{ position = [-0.016546068919480625, 2], velocity = [0.8396329847683441, 0], spin = 3.9 }}
            ground.curve = {curve}
            solver = {{ duration = 1.886, tolerance = 1e-12 }}
            "#
        );
        run(&text, &[])
    };
    let graph = on(r#"{ kind = "graph", y = "0.369*sin(3.144*x)+0.05*x^2" }"#);
    for slowest in ["1e-3", "1e-4", "1e-6", "1e-7"] {
        let x = format!("(s^5+{slowest}*s)");
        let slow = on(&format!(
            r#"{{ kind = "parametric", x = "{x}", y = "0.369*sin(3.144*{x})+0.05*{x}^2", domain = [-1.9, 1.9] }}"#
        ));
        assert_eq!(slow.kinds(), graph.kinds());
        let off = (slow.summary.state.position - graph.summary.state.position).norm();
        println!("{slowest}: {} steps, {off:e} m off the graph", slow.summary.count.contact.steps);
        assert!(slow.summary.count.contact.steps < 2000 && off < 1e-9, "{slowest}: {off:e}");
    }
}

/// Symptom: rows between the steps of a bead 65 km from the origin were 7e-7 m/s off those of a bead near it. Cause: velocities of a
/// step's polynomial were slopes between its places, with their rounding over the time.
#[test]
fn rows_far_from_the_origin_have_the_velocities_of_their_steps() {
    let far_away = 65_536.0;
    let samples = |from: f64| {
        let text = format!(
            r#"
            ball.radius = 0
            initial.contact = {{ x = {start}, speed = 1 }}
            ground = {{ curve = {{ kind = "graph", y = "0.1*sin(2*(x-{from}))" }} }}
            solver = {{ step = 1e-3, duration = 0.2 }}
            output.interval = 3.3e-4
            "#,
            start = from + 0.25
        );
        run(&text, &[]).samples
    };
    let (here, there) = (samples(0.0), samples(far_away));
    let off = here.iter().zip(&there).map(|(here, there)| (here.state.velocity - there.state.velocity).norm());
    let worst = off.fold(0.0, f64::max);
    assert!(here.len() == there.len() && worst < 5e-8, "{worst:e}");
}
