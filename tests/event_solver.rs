//! The benchmark's rigid ball by the event solver's methods, against its exact times.

use supervisor::{EventKind, Phase};

use crate::harness::{Worst, run};
use crate::tables::{DROP, THROW, compare, number, table};

const METHODS: [&str; 3] = ["bdf", "radau", "dop853"];

/// The benchmark's table: times of the first and second bounce of the vertical drop with drag. Its own solver has 0 to 2.3e-6 at
/// 1e-6 and 2.5e-5 at 1e-3, in a table of six digits.
#[test]
fn drop_of_the_benchmark() {
    let table = table("drop_analytic");
    let drag = format!("forces.drag={{ coefficient = {:?} }}", number(&table, "k_over_m"));
    let events = table.events();
    for method in METHODS {
        for localisation in ["certified", "parabola"] {
            for (tolerance, required) in [(1e-3, 2.5e-5), (1e-6, 1e-7), (1e-10, 1e-11)] {
                let settings = [
                    drag.clone(),
                    format!("solver.method=\"{method}\""),
                    format!("solver.localisation=\"{localisation}\""),
                    format!("solver.tolerance={tolerance:e}"),
                    "solver.duration=2.0".to_owned(),
                ];
                let run = run(DROP, &settings.each_ref().map(String::as_str));
                let (time, state) = compare(&run, &events, 2);
                println!(
                    "{method} {localisation} {tolerance:e}: two bounces {time:e} s, {state:e} m/s, {} steps, {} rejected, {} forces; unexplained {:e} J",
                    run.summary.count.flight.steps,
                    run.summary.count.flight.rejected,
                    run.summary.count.flight.forces,
                    run.summary.unexplained()
                );
                if localisation == "certified" {
                    assert!(time <= required, "{method} {tolerance:e}: {time:e}");
                }
            }
        }
    }
}

/// Errors of the tenth bounce, located by a parabola, at 1e-3, 1e-6, 1e-10, s.
const TENTH_BY_PARABOLA: [(&str, [f64; 3]); 3] =
    [("bdf", [8.7e-5, 7.1e-6, 6.4e-8]), ("radau", [2.0e-2, 1.3e-3, 1.5e-5]), ("dop853", [5.8e-2, 1.4e-2, 2.0e-3])];

/// The benchmark's Modelica model over 20 s: through the accumulation of bounces and on, sliding. A run keeps to its tolerance to the end.
#[test]
fn throw_of_the_benchmark() {
    let table = table("hard_modelica_e0.9");
    let events = table.events();
    let end = table.part("state_at_20s_after_zeno_sliding").expect("a state");
    let drag = format!("forces.drag={{ coefficient = {:?} }}", number(&table, "k_over_m"));
    for (method, tenth_by_parabola) in TENTH_BY_PARABOLA {
        for localisation in ["certified", "parabola"] {
            for (i, tolerance) in [1e-3, 1e-6, 1e-10].into_iter().enumerate() {
                let settings = [
                    drag.clone(),
                    r#"ground.curve={ kind = "graph", y = 0 }"#.to_owned(),
                    format!("solver.method=\"{method}\""),
                    format!("solver.localisation=\"{localisation}\""),
                    format!("solver.tolerance={tolerance:e}"),
                ];
                let run = run(THROW, &settings.each_ref().map(String::as_str));
                let (first, _) = compare(&run, &events, 1);
                let (tenth, _) = compare(&run, &events, 10);
                let landing = run.of(EventKind::Landing).last().expect("it lands");
                let zeno = landing.time() - number(&table, "zeno_time");
                let along = landing.position().x - number(&table, "x_zeno");
                let last = run.summary.state;
                let mut after = Worst::default();
                after.see(last.position.x - number(&end, "x"));
                after.see(last.velocity.x - number(&end, "vx"));
                let count = run.summary.count.flight;
                println!(
                    "{method} {localisation} {tolerance:e}: first {first:e}, ten {tenth:e}, Zeno {zeno:e} s, {along:e} m; at 20 s {:e}; unexplained {:e} J; {count:?}",
                    after.0,
                    run.summary.unexplained()
                );
                assert_eq!((run.summary.phase, last.position.y, last.velocity.y), (Phase::Sliding, 0.0, 0.0));
                if localisation == "certified" {
                    assert!(first <= tolerance && tenth <= 10.0 * tolerance, "{method} {tolerance:e}");
                    let allowed = if tolerance >= 1e-6 { tolerance } else { 4.0 * tolerance };
                    assert!(after.0 <= allowed, "{method} {tolerance:e}: {:e}", after.0);
                    assert!(run.summary.unexplained().abs() <= 40.0 * tolerance, "{:e} J", run.summary.unexplained());
                } else {
                    let ratio = tenth / tenth_by_parabola[i];
                    assert!((0.6..1.6).contains(&ratio), "{method} {tolerance:e}: {tenth:e}");
                }
            }
        }
    }
}

/// Over a sine the first 20 events at 1e-10, none missed, each to 10 × 1e-10 × its condition: `∂t/∂z₀` of the table.
#[test]
fn sine_of_the_benchmark() {
    for (name, curve) in [("sine_A0.1_drag", "0.1*sin(pi*x)"), ("sine_A0.5_vacuum", "0.5*sin(pi*x)")] {
        let table = table(name);
        let drag = format!("forces.drag={{ coefficient = {:?} }}", number(&table, "k_over_m"));
        let ground = format!("ground.curve={{ kind = \"graph\", y = \"{curve}\" }}");
        for method in ["bdf", "radau", "dop853"] {
            let method = format!("solver.method=\"{method}\"");
            let run = run(THROW, &[&drag, &ground, &method, "solver.tolerance=1e-10"]);
            let (mut condition, mut worst) = (0.0f64, 0.0f64);
            for (count, event) in (1..=20).zip(&table.events()) {
                condition = condition.max(number(event, "condition_dt_dz0"));
                let (time, _) = compare(&run, &table.events(), count);
                worst = worst.max(time / (1e-10 * condition));
                assert!(
                    time <= 1e-9 * condition.max(1.0),
                    "{name} {method} {count}: {time:e}, condition {condition:e}"
                );
            }
            println!("{name} {method}: at most {worst:.3} × 1e-10 × condition; {:?}", run.summary.count.flight);
        }
    }
}

/// High hills with drag, where no table is: the methods agree with each other at 1e-10 as they do at 1e-12, and their
/// difference to 1e-12 grows with the events as over high hills without drag.
#[test]
fn high_hills_with_drag() {
    let times_from = |method: &str, tolerance: f64, height: f64| -> Vec<f64> {
        let settings = [
            "forces.drag={ coefficient = 0.0092273181818181818 }".to_owned(),
            r#"ground.curve={ kind = "graph", y = "0.5*sin(pi*x)" }"#.to_owned(),
            format!("solver.method=\"{method}\""),
            format!("solver.tolerance={tolerance:e}"),
            format!("initial.position=[0.0, {height:?}]"),
        ];
        let run = run(THROW, &settings.each_ref().map(String::as_str));
        run.of(EventKind::Impact).take(20).map(|event| event.time()).collect()
    };
    let times = |method: &str, tolerance: f64| times_from(method, tolerance, 2.0);
    let fine = times("dop853", 1e-13);
    // How far each time moves with the height of the start.
    let shifted = times_from("dop853", 1e-13, 2.0 + 1e-9);
    let conditions: Vec<f64> = shifted.iter().zip(&fine).map(|(a, b)| ((a - b) / 1e-9).abs()).collect();
    let other = times("newmark", 1e-12);
    for method in ["bdf", "radau", "dop853"] {
        let coarse = times(method, 1e-10);
        let mut condition = 1.0f64;
        let mut worst = 0.0f64;
        for (i, time) in coarse.iter().enumerate() {
            condition = condition.max(conditions[i]);
            worst = worst.max((time - fine[i]).abs() / (1e-10 * condition));
            assert!((time - fine[i]).abs() <= 1e-9 * condition, "{method} {i}: {:e}, {condition:e}", time - fine[i]);
            assert!((other[i] - fine[i]).abs() <= 1e-10 * condition, "newmark {i}: {:e}", other[i] - fine[i]);
        }
        println!("{method}: at most {worst:.3} × 1e-10 × condition");
    }
}

/// At 1e-8 x and vx at 20 s are right to 1e-6 by Newmark's scheme, too, and at 1e-12 to rounding by all.
#[test]
fn end_of_the_throw() {
    let table = table("hard_modelica_e0.9");
    let end = table.part("state_at_20s_after_zeno_sliding").expect("a state");
    let drag = format!("forces.drag={{ coefficient = {:?} }}", number(&table, "k_over_m"));
    for method in ["newmark", "bdf", "radau", "dop853"] {
        let at = |tolerance: f64| {
            let settings = [
                drag.clone(),
                r#"ground.curve={ kind = "graph", y = 0 }"#.to_owned(),
                format!("solver.method=\"{method}\""),
                format!("solver.tolerance={tolerance:e}"),
            ];
            let state = run(THROW, &settings.each_ref().map(String::as_str)).summary.state;
            (state.position.x - number(&end, "x")).abs().max((state.velocity.x - number(&end, "vx")).abs())
        };
        let (coarse, fine) = (at(1e-8), at(1e-12));
        println!("{method}: {coarse:e} at 1e-8, {fine:e} at 1e-12");
        // Arcs of a microsecond far from the origin once took 1e-8 from vx, as rounding of x over their duration.
        assert!(coarse <= 1e-6 && fine <= 2e-10, "{method}: {coarse:e} {fine:e}");
    }
}

/// The rule in equal steps, where the bounce is in the middle of one: the parabola misses the gap by
/// `y‴ 3h³/48`, and the cubic the velocity by `v⁗ h⁴/384`.
#[test]
fn order_of_the_benchmark() {
    let table = table("drop_analytic");
    let drag = number(&table, "k_over_m");
    let exact = number(&table.events()[0], "t");
    // v = −v∞ tanh(gt/v∞)
    let limit = (9.81 / drag).sqrt();
    let part = (9.81 * exact / limit).tanh();
    let (speed, rest) = (limit * part, 1.0 - part * part);
    let jerk = 2.0 * drag * speed * 9.81 * rest;
    let fourth = -limit * (9.81 / limit).powi(4) * 8.0 * rest * part * (2.0 - 3.0 * part * part);
    let (mut times, mut speeds) = (Vec::new(), Vec::new());
    for steps in [8.0, 16.0, 32.0] {
        let h = exact / (steps + 0.5);
        let settings = [
            format!("forces.drag={{ coefficient = {drag:?} }}"),
            "solver.method=dop853".to_owned(),
            "solver.localisation=parabola".to_owned(),
            "solver.duration=1.0".to_owned(),
            format!("solver.step={h:?}"),
        ];
        let run = run(DROP, &settings.each_ref().map(String::as_str));
        let impact = run.first(EventKind::Impact);
        let late = impact.time() - exact;
        let off = impact.before.velocity.y + limit * (9.81 * impact.time() / limit).tanh();
        let (of_time, of_speed) = (late / (h.powi(3) * jerk / (16.0 * speed)), off / (-h.powi(4) * fourth / 384.0));
        println!("{steps} steps: {late:e} s, {of_time} of theory; {off:e} m/s, {of_speed} of theory");
        assert!((of_time - 1.0).abs() <= 2.0 * h && (of_speed - 1.0).abs() <= 2.0 * h, "{of_time} {of_speed}");
        times.push((h, late));
        speeds.push((h, off));
    }
    let (of_times, of_speeds) = (crate::harness::slope(&times), crate::harness::slope(&speeds));
    println!("orders {of_times}, {of_speeds}");
    assert!((of_times - 3.0).abs() <= 0.05 && (of_speeds - 4.0).abs() <= 0.05);
}

/// The benchmark's steps end in soft ground before the touch is found: no row of flight holds energy of a compression.
#[test]
fn rows_by_parabola_in_soft_ground() {
    let text = r#"
        ball = { radius = 0.1 }
        initial = { position = [0.0, 0.8] }
        ground = { curve = { kind = "graph", y = 0 } }
        forces = { drag = { coefficient = 1.0 } }
        contact = { law = "hertz", youngs-modulus = 1e6 }
        solver = { method = "radau", localisation = "parabola", tolerance = 1e-3, duration = 0.5 }
        output = { interval = 1e-5 }
    "#;
    let run = run(text, &[]);
    let mut deepest = 0.0_f64;
    for sample in run.samples.iter().filter(|sample| sample.phase == Phase::Flight) {
        deepest = deepest.max(0.1 - sample.state.position.y);
        let energy = run.scenario.scene.energy(sample.phase, &sample.state);
        let height = sample.state.position.y * 9.81 * run.scenario.scene.ball.mass();
        assert!((energy.potential - height).abs() <= 1e-12 * height.abs());
    }
    println!("deepest row of flight {deepest:e} m");
    assert!(deepest > 0.0);
}

/// What the rule of the parabola is: exact where the gap is a parabola, some 1e-5 s with drag, blind for what happens within
/// a step.
#[test]
fn localisation_of_the_benchmark() {
    let first = |text: &str, settings: &[&str]| run(text, settings).of(EventKind::Impact).map(|e| e.time()).next();
    let flat = first(DROP, &["solver.method=bdf", "solver.localisation=parabola", "solver.duration=1"]);
    assert!((flat.expect("it falls") - (4.0f64 / 9.81).sqrt()).abs() <= 1e-15);
    let table = table("drop_analytic");
    let drag = format!("forces.drag={{ coefficient = {:?} }}", number(&table, "k_over_m"));
    let settings =
        [&drag, "solver.method=bdf", "solver.localisation=parabola", "solver.tolerance=1e-6", "solver.duration=2"];
    let (time, _) = compare(&run(DROP, &settings), &table.events(), 2);
    assert!((1e-7..2e-5).contains(&time), "{time:e}");
    let spike = r#"
        initial = { position = [-0.5, 0.3], velocity = [5.0, 1.0] }
        ground = { curve = { kind = "graph", y = "0.5*exp(-(x/0.001)^2)" } }
        solver = { method = "bdf", duration = 0.2 }
    "#;
    for forces in ["forces.drag.coefficient=0", "forces.drag.coefficient=0.01"] {
        assert!(first(spike, &[forces, "contact.restitution=0.5"]).is_some());
        assert_eq!(first(spike, &[forces, "contact.restitution=0.5", "solver.localisation=parabola"]), None);
    }
}

/// Hops below a few grazes of the search are summed up, however strong the pull and tight the tolerance: seen late, each hop gained what
/// restitution took, and bounces went on for ever.
#[test]
fn bounces_end_whatever_pulls() {
    let cases = [
        r#"initial = { position = [0, 2], velocity = [0, -7] }
           ground = { curve = { kind = "graph", y = "0" } }
           forces = { drag = { coefficient = 2.7 }, wind = [0, -8] }"#,
        r#"initial = { position = [0, 2], velocity = [1, 5] }
           ground = { curve = { kind = "graph", y = "0.1*x^2" } }
           forces = { drag = { coefficient = 0.01 } }"#,
        r#"initial = { position = [0, 2], velocity = [1, 5] }
           ground = { curve = { kind = "graph", y = "0" } }
           forces = { external = { x = "-3*vx", y = "-3*vy" } }"#,
    ];
    for case in cases {
        let text = format!("{case}\ncontact = {{ restitution = 0.9 }}\nsolver = {{ duration = 20.0, limit = 50000 }}");
        for method in ["newmark", "bdf", "radau", "dop853"] {
            for tolerance in ["1e-6", "1e-12"] {
                let settings = [&format!("solver.method=\"{method}\""), &format!("solver.tolerance={tolerance}")];
                let run = run(&text, &settings.map(String::as_str));
                assert_eq!(run.summary.count.captures, 1, "{method} {tolerance}: {case}");
            }
        }
    }
}
