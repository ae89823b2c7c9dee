//! The benchmark deck's rigid ball by the event solver's methods, against its exact times.

use supervisor::{EventKind, Phase};

use crate::harness::{Worst, run};
use crate::tables::{DROP, THROW, compare, number, table};

const METHODS: [&str; 3] = ["bdf", "radau", "dop853"];

/// The deck's table: times of the first and second bounce of the vertical drop with drag. Its own solver has 0 to 2.3e-6 at
/// 1e-6 and 2.5e-5 at 1e-3, in a table of six digits.
#[test]
fn drop_of_the_deck() {
    let table = table("drop_deck_analytic");
    let drag = format!("forces.drag={{ coefficient = {:?} }}", number(&table, "k_over_m"));
    let events = table.events();
    for method in METHODS {
        for localisation in ["certified", "deck"] {
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

/// The deck's Modelica model over 20 s: through the accumulation of bounces and on, sliding.
#[test]
fn throw_of_the_deck() {
    let table = table("hard_modelica_e0.9");
    let events = table.events();
    let end = table.part("state_at_20s_after_zeno_sliding").expect("a state");
    let drag = format!("forces.drag={{ coefficient = {:?} }}", number(&table, "k_over_m"));
    for method in METHODS {
        for localisation in ["certified", "deck"] {
            // What is left at 20 s comes from all 150 flights and the sliding after them.
            for (tolerance, left) in [(1e-3, 2e-2), (1e-6, 1e-4), (1e-10, 5e-8)] {
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
                    assert!(after.0 <= left, "{method} {tolerance:e}: {:e}", after.0);
                    assert!(run.summary.unexplained().abs() <= 40.0 * tolerance, "{:e} J", run.summary.unexplained());
                }
            }
        }
    }
}

/// Over a sine the first 20 events at 1e-10, none missed, each to 10 × 1e-10 × its condition: `∂t/∂z₀` of the table.
#[test]
fn sine_of_the_deck() {
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

/// What the deck's localisation is: exact where the gap is a parabola, some 1e-5 s with drag, blind for what happens within
/// a step.
#[test]
fn localisation_of_the_deck() {
    let first = |text: &str, settings: &[&str]| run(text, settings).of(EventKind::Impact).map(|e| e.time()).next();
    let flat = first(DROP, &["solver.method=bdf", "solver.localisation=deck", "solver.duration=1"]);
    assert!((flat.expect("it falls") - (4.0f64 / 9.81).sqrt()).abs() <= 1e-15);
    let table = table("drop_deck_analytic");
    let drag = format!("forces.drag={{ coefficient = {:?} }}", number(&table, "k_over_m"));
    let settings =
        [&drag, "solver.method=bdf", "solver.localisation=deck", "solver.tolerance=1e-6", "solver.duration=2"];
    let (time, _) = compare(&run(DROP, &settings), &table.events(), 2);
    assert!((1e-7..2e-5).contains(&time), "{time:e}");
    let spike = r#"
        initial = { position = [-0.5, 0.3], velocity = [5.0, 1.0] }
        ground = { curve = { kind = "graph", y = "0.5*exp(-(x/0.001)^2)" } }
        solver = { method = "bdf", duration = 0.2 }
    "#;
    for forces in ["forces.drag.coefficient=0", "forces.drag.coefficient=0.01"] {
        assert!(first(spike, &[forces, "contact.restitution=0.5"]).is_some());
        assert_eq!(first(spike, &[forces, "contact.restitution=0.5", "solver.localisation=deck"]), None);
    }
}
