//! Its work, what is refused, and starts from rest.

use super::*;

/// Work of fixed scenarios, so that a change of it is seen: `forces` are nodes of quadratures.
#[test]
fn counts() {
    let mut table = String::new();
    for ground in ["0", "0.1*sin(pi*x)"] {
        for tolerance in ["1e-3", "1e-6", "1e-9", "1e-12"] {
            let curve = format!(r#"ground.curve={{ kind = "graph", y = "{ground}" }}"#);
            let settings = [&curve, &format!("solver.tolerance={tolerance}"), "solver.duration=10.0"];
            let Count { events, flight, search, .. } = run(SPHERE, &settings).summary.count;
            table += &format!(
                "{ground} {tolerance}: {events} events, {} steps, {} nodes, {} searches, {} evaluations\n",
                flight.steps, flight.forces, search.searches, search.evaluations
            );
        }
    }
    insta::assert_snapshot!(table, @r"
    0 1e-3: 10 events, 11 steps, 110 nodes, 11 searches, 0 evaluations
    0 1e-6: 10 events, 11 steps, 154 nodes, 11 searches, 0 evaluations
    0 1e-9: 10 events, 11 steps, 230 nodes, 11 searches, 0 evaluations
    0 1e-12: 10 events, 11 steps, 350 nodes, 11 searches, 0 evaluations
    0.1*sin(pi*x) 1e-3: 10 events, 11 steps, 218 nodes, 11 searches, 31 evaluations
    0.1*sin(pi*x) 1e-6: 11 events, 12 steps, 350 nodes, 23 searches, 39 evaluations
    0.1*sin(pi*x) 1e-9: 11 events, 12 steps, 578 nodes, 45 searches, 36 evaluations
    0.1*sin(pi*x) 1e-12: 11 events, 12 steps, 1112 nodes, 89 searches, 38 evaluations
    ");
}

/// What has no first integral is refused where it is given, and by the method itself.
#[test]
fn refused() {
    let ground = r#"ground = { curve = { kind = "graph", y = 0 } }
        initial = { position = [0.0, 1.0] }
        solver = { method = "ballistic" }
    "#;
    for (line, words) in [
        ("forces = { magnus = 0.1 }", "Magnus"),
        (r#"forces = { external = { x = "t" } }"#, "external force"),
        ("forces = { linear-drag = 0.1, drag = { coefficient = 0.1 } }", "none together"),
        (r#"ground.motion = { y = "0.1*sin(t)" }"#, "moving ground"),
        (r#"solver.localisation = "parabola""#, "whole flights"),
    ] {
        let error = match line.split_once(" = ") {
            Some((key, value)) if line.starts_with("ground") || line.starts_with("solver") => {
                Scenario::from_text(ground, Path::new(""), &[format!("{key}={value}")]).err()
            }
            _ => Scenario::from_text(&format!("{ground}\n{line}"), Path::new(""), &[]).err(),
        };
        let error = error.unwrap_or_else(|| panic!("{line} is not refused")).to_string();
        assert!(error.contains(words) && error.contains("ballistic"), "{error}");
    }
    let magnus = air(9.81, [0.1, 0.0]).with_magnus(0.1).expect("allowed");
    assert_eq!(Ballistic::refuses(&magnus), Some(NotBallistic::Magnus));
    let mut step = FlightStep::parabola(&thrown(Vector2::x()), Vector2::zeros(), 0.0);
    let mut method = Ballistic::new(within(1e-6)).expect("allowed");
    let error = method.step(&magnus, &thrown(Vector2::x()), 1.0, &mut step);
    assert_eq!(error, Err(FlightError::NotBallistic { time: 0.0, reason: NotBallistic::Magnus }));
    assert_eq!(Ballistic::new(Control::Step { step: 0.1, extrapolate: true }).err(), Some(MethodError::Extrapolation));
    assert!(matches!(Ballistic::new(within(1e-17)), Err(MethodError::Tolerance { .. })));
    let nowhere = State { velocity: Vector2::new(f64::NAN, 0.0), ..thrown(Vector2::x()) };
    let error = method.step(&air(9.81, [0.1, 0.0]), &nowhere, 1.0, &mut step);
    assert!(matches!(error, Err(FlightError::NotFinite { .. })), "{error:?}");
}

/// From rest through the air over hills: against Radau IIA, from the shortest run on.
#[test]
fn from_rest() {
    let text = "[ball]\nmass = 1.0\n[initial]\nposition = [0.1, 1.0]\n[ground.curve]\nkind = \"graph\"\ny = \"0.25*sin(pi*x)\"\n\
                [forces]\ndrag = { coefficient = 0.1 }\n";
    for duration in [1e-14, 0.3, 1.0] {
        let end = |method: &str| {
            let solver = format!("{text}[solver]\nmethod = \"{method}\"\nduration = {duration:?}\ntolerance = 1e-11\n");
            run(&solver, &[]).summary.state
        };
        let [exact, other] = ["ballistic", "radau"].map(end);
        assert!((exact.position - other.position).norm() < 1e-9, "{duration}: {exact:?} {other:?}");
    }
}
