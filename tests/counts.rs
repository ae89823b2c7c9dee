//! Work of fixed scenarios, so that a change of it is seen.

use curves::SearchCount;
use flight::FlightCount;
use rolling::{CompressedCount, ContactCount};
use supervisor::Count;

use crate::harness::run;

fn work(text: &str, settings: &[&str]) -> String {
    let Count { events, captures, flight, contact, search, .. } = run(text, settings).summary.count;
    let FlightCount { steps, rejected, forces, jacobians } = flight;
    let mut line = format!(
        "{events} events, {captures} captures; flight {steps} steps, {rejected} rejected, {forces} forces, {jacobians} jacobians"
    );
    let SearchCount { searches, evaluations, enclosures, grazes } = search;
    line += &format!("; {searches} searches, {evaluations} evaluations, {enclosures} enclosures, {grazes} grazes");
    let ContactCount { steps, rejected, frames, projections, .. } = contact;
    line + &format!("; contact {steps} steps, {rejected} rejected, {frames} frames, {projections} put back\n")
}

const SOLVERS: [&str; 4] =
    ["solver.step=0.01", "solver.tolerance=1e-6", "solver.tolerance=1e-9", "solver.tolerance=1e-12"];

/// A throw over a sine with spin and friction, without and with drag.
#[test]
fn throw_over_a_sine() {
    let text = r#"
        ball = { radius = 0.05 }
        initial = { position = [0.0, 2.0], velocity = [1.0, 0.0] }
        ground = { curve = { kind = "graph", y = "0.1*sin(pi*x)" } }
        contact = { restitution = 0.8, friction = 0.3 }
        solver = { duration = 10.0 }
    "#;
    let drag = "forces.drag={ coefficient = 0.0102 }";
    let mut table = String::new();
    for solver in SOLVERS {
        table += &format!("{solver}: {}", work(text, &[solver]));
        table += &format!("{solver}, drag: {}", work(text, &[solver, drag]));
    }
    insta::assert_snapshot!(table, @r"
    solver.step=0.01: 71 events, 1 captures; flight 70 steps, 0 rejected, 0 forces, 0 jacobians; 70 searches, 114 evaluations, 0 enclosures, 0 grazes; contact 464 steps, 0 rejected, 1341 frames, 0 put back
    solver.step=0.01, drag: 72 events, 1 captures; flight 611 steps, 0 rejected, 2426 forces, 611 jacobians; 611 searches, 330 evaluations, 0 enclosures, 0 grazes; contact 444 steps, 0 rejected, 2152 frames, 0 put back
    solver.tolerance=1e-6: 71 events, 1 captures; flight 70 steps, 0 rejected, 0 forces, 0 jacobians; 70 searches, 114 evaluations, 0 enclosures, 0 grazes; contact 21 steps, 5 rejected, 1560 frames, 50 put back
    solver.tolerance=1e-6, drag: 72 events, 1 captures; flight 85 steps, 3 rejected, 1546 forces, 88 jacobians; 85 searches, 110 evaluations, 0 enclosures, 0 grazes; contact 17 steps, 3 rejected, 2256 frames, 38 put back
    solver.tolerance=1e-9: 71 events, 1 captures; flight 70 steps, 0 rejected, 0 forces, 0 jacobians; 70 searches, 114 evaluations, 0 enclosures, 0 grazes; contact 39 steps, 8 rejected, 3171 frames, 94 put back
    solver.tolerance=1e-9, drag: 72 events, 1 captures; flight 120 steps, 31 rejected, 4692 forces, 151 jacobians; 120 searches, 134 evaluations, 0 enclosures, 0 grazes; contact 38 steps, 9 rejected, 4656 frames, 90 put back
    solver.tolerance=1e-12: 72 events, 1 captures; flight 71 steps, 0 rejected, 0 forces, 0 jacobians; 71 searches, 115 evaluations, 0 enclosures, 0 grazes; contact 78 steps, 15 rejected, 6383 frames, 182 put back
    solver.tolerance=1e-12, drag: 74 events, 1 captures; flight 200 steps, 54 rejected, 10541 forces, 254 jacobians; 200 searches, 187 evaluations, 0 enclosures, 0 grazes; contact 79 steps, 12 rejected, 8606 frames, 160 put back
    ");
}

/// Compliant contact: the benchmark's soft sphere, and a ball that rolls on soft hills.
#[test]
fn soft() {
    let text = r#"
        ball = { mass = 2.0, radius = 0.1 }
        initial = { position = [0.0, 2.0], velocity = [1.0, 5.0] }
        ground = { curve = { kind = "graph", y = 0 } }
        contact = { law = "hertz", youngs-modulus = 1e7, viscosity = 100.0 }
        solver = { duration = 10.0 }
    "#;
    let hills = [
        r#"ground.curve={ kind = "graph", y = "0.1*sin(2*x)" }"#,
        "initial={ contact = { x = 1.0 } }",
        "contact.viscosity=0.0",
        "contact.friction=0.3",
        "solver.duration=1.0",
    ];
    let mut table = String::new();
    for tolerance in ["solver.tolerance=1e-6", "solver.tolerance=1e-9", "solver.tolerance=1e-12"] {
        for settings in [&[][..], &hills[..]] {
            let settings: Vec<&str> = settings.iter().copied().chain([tolerance]).collect();
            let Count { events, compressed, .. } = run(text, &settings).summary.count;
            let CompressedCount { steps, rejected, evaluations } = compressed;
            table += &format!(
                "{tolerance}: {events} events, {steps} steps, {rejected} rejected, {evaluations} evaluations\n"
            );
        }
    }
    insta::assert_snapshot!(table, @r"
    solver.tolerance=1e-6: 16 events, 48 steps, 8 rejected, 12585 evaluations
    solver.tolerance=1e-6: 0 events, 29 steps, 2 rejected, 1523 evaluations
    solver.tolerance=1e-9: 16 events, 119 steps, 31 rejected, 22819 evaluations
    solver.tolerance=1e-9: 0 events, 427 steps, 143 rejected, 22142 evaluations
    solver.tolerance=1e-12: 16 events, 278 steps, 25 rejected, 41539 evaluations
    solver.tolerance=1e-12: 0 events, 1549 steps, 653 rejected, 119333 evaluations
    ");
}

/// First contacts: bounces of a point and of a ball on a sine, on flat ground, over a spike and in a half-pipe.
#[test]
fn searches() {
    let grounds = [
        ("flat", r#"{ kind = "graph", y = 0 }"#),
        ("sine", r#"{ kind = "graph", y = "0.1*sin(2*x)" }"#),
        ("spike", r#"{ kind = "graph", y = "0.5*exp(-(x/0.0005)^2)" }"#),
        ("circle", r#"{ kind = "circle", centre = [0, 0], radius = 3, side = "inside" }"#),
        ("polyline", r#"{ kind = "polyline", points = [[-9, 3], [-2, 0], [-1, 0.2], [1, 0], [2, 0.1], [9, 3]] }"#),
    ];
    let mut table = String::new();
    for (name, ground) in grounds {
        for radius in ["0.0", "0.05"] {
            let text = r#"
                initial = { position = [-0.4, 1.0], velocity = [0.7, 0.0] }
                contact = { restitution = 1.0 }
                solver = { duration = 30.0 }
            "#;
            let settings = [format!("ground.curve={ground}"), format!("ball.radius={radius}")];
            table += &format!("{name}, R = {radius}: {}", work(text, &[&settings[0], &settings[1]]));
        }
    }
    insta::assert_snapshot!(table, @r"
    flat, R = 0.0: 33 events, 0 captures; flight 34 steps, 0 rejected, 0 forces, 0 jacobians; 34 searches, 2 evaluations, 0 enclosures, 0 grazes; contact 0 steps, 0 rejected, 0 frames, 0 put back
    flat, R = 0.05: 34 events, 0 captures; flight 35 steps, 0 rejected, 0 forces, 0 jacobians; 35 searches, 2 evaluations, 0 enclosures, 0 grazes; contact 0 steps, 0 rejected, 0 frames, 0 put back
    sine, R = 0.0: 36 events, 0 captures; flight 37 steps, 0 rejected, 0 forces, 0 jacobians; 37 searches, 98 evaluations, 0 enclosures, 0 grazes; contact 0 steps, 0 rejected, 0 frames, 0 put back
    sine, R = 0.05: 38 events, 0 captures; flight 39 steps, 0 rejected, 0 forces, 0 jacobians; 39 searches, 112 evaluations, 0 enclosures, 0 grazes; contact 0 steps, 0 rejected, 0 frames, 0 put back
    spike, R = 0.0: 34 events, 0 captures; flight 35 steps, 0 rejected, 0 forces, 0 jacobians; 35 searches, 56 evaluations, 84 enclosures, 0 grazes; contact 0 steps, 0 rejected, 0 frames, 0 put back
    spike, R = 0.05: 35 events, 0 captures; flight 36 steps, 0 rejected, 0 forces, 0 jacobians; 36 searches, 14 evaluations, 298 enclosures, 0 grazes; contact 0 steps, 0 rejected, 0 frames, 0 put back
    circle, R = 0.0: 35 events, 0 captures; flight 36 steps, 0 rejected, 0 forces, 0 jacobians; 36 searches, 218 evaluations, 0 enclosures, 0 grazes; contact 0 steps, 0 rejected, 0 frames, 0 put back
    circle, R = 0.05: 35 events, 0 captures; flight 36 steps, 0 rejected, 0 forces, 0 jacobians; 36 searches, 226 evaluations, 0 enclosures, 0 grazes; contact 0 steps, 0 rejected, 0 frames, 0 put back
    polyline, R = 0.0: 39 events, 0 captures; flight 40 steps, 0 rejected, 0 forces, 0 jacobians; 40 searches, 150 evaluations, 0 enclosures, 0 grazes; contact 0 steps, 0 rejected, 0 frames, 0 put back
    polyline, R = 0.05: 38 events, 0 captures; flight 39 steps, 0 rejected, 0 forces, 0 jacobians; 39 searches, 140 evaluations, 0 enclosures, 0 grazes; contact 0 steps, 0 rejected, 0 frames, 0 put back
    ");
}

/// The benchmark's throw with drag over 20 s, by the methods of event solvers.
#[test]
fn event_solvers() {
    let text = r#"
        initial = { position = [0.0, 2.0], velocity = [1.0, 5.0] }
        ground = { curve = { kind = "graph", y = 0 } }
        contact = { restitution = 0.9 }
        forces = { drag = { coefficient = 0.0092273181818181818 } }
        solver = { duration = 20.0 }
    "#;
    let mut table = String::new();
    for method in ["bdf", "radau", "dop853"] {
        let name = format!("solver.method=\"{method}\"");
        for solver in SOLVERS {
            table += &format!("{method}, {solver}: {}", work(text, &[&name, solver]));
        }
        table +=
            &format!("{method}, parabola, 1e-6: {}", work(text, &[&name, SOLVERS[1], "solver.localisation=parabola"]));
    }
    insta::assert_snapshot!(table, @r"
    bdf, solver.step=0.01: 151 events, 1 captures; flight 1461 steps, 0 rejected, 4722 forces, 1461 jacobians; 1461 searches, 184 evaluations, 0 enclosures, 0 grazes; contact 531 steps, 0 rejected, 1062 frames, 0 put back
    bdf, solver.tolerance=1e-6: 151 events, 1 captures; flight 1648 steps, 27 rejected, 2831 forces, 1675 jacobians; 1648 searches, 191 evaluations, 0 enclosures, 0 grazes; contact 13 steps, 0 rejected, 361 frames, 26 put back
    bdf, solver.tolerance=1e-9: 151 events, 1 captures; flight 6250 steps, 22 rejected, 7581 forces, 6272 jacobians; 6250 searches, 207 evaluations, 0 enclosures, 0 grazes; contact 13 steps, 0 rejected, 486 frames, 26 put back
    bdf, solver.tolerance=1e-12: 151 events, 1 captures; flight 10397 steps, 234 rejected, 15599 forces, 10631 jacobians; 10397 searches, 212 evaluations, 0 enclosures, 0 grazes; contact 13 steps, 0 rejected, 564 frames, 26 put back
    bdf, parabola, 1e-6: 131 events, 1 captures; flight 1628 steps, 27 rejected, 2691 forces, 1655 jacobians; 1628 searches, 1977 evaluations, 0 enclosures, 0 grazes; contact 13 steps, 0 rejected, 360 frames, 26 put back
    radau, solver.step=0.01: 151 events, 1 captures; flight 1587 steps, 0 rejected, 17457 forces, 1587 jacobians; 1587 searches, 198 evaluations, 0 enclosures, 0 grazes; contact 531 steps, 0 rejected, 1062 frames, 0 put back
    radau, solver.tolerance=1e-6: 151 events, 1 captures; flight 336 steps, 60 rejected, 3747 forces, 396 jacobians; 336 searches, 186 evaluations, 0 enclosures, 0 grazes; contact 13 steps, 0 rejected, 361 frames, 26 put back
    radau, solver.tolerance=1e-9: 151 events, 1 captures; flight 899 steps, 82 rejected, 10040 forces, 981 jacobians; 899 searches, 196 evaluations, 0 enclosures, 0 grazes; contact 13 steps, 0 rejected, 486 frames, 26 put back
    radau, solver.tolerance=1e-12: 151 events, 1 captures; flight 3050 steps, 11 rejected, 32222 forces, 3061 jacobians; 3050 searches, 209 evaluations, 0 enclosures, 0 grazes; contact 13 steps, 0 rejected, 564 frames, 26 put back
    radau, parabola, 1e-6: 131 events, 1 captures; flight 316 steps, 60 rejected, 3607 forces, 376 jacobians; 316 searches, 673 evaluations, 0 enclosures, 0 grazes; contact 13 steps, 0 rejected, 360 frames, 26 put back
    dop853, solver.step=0.01: 151 events, 1 captures; flight 1587 steps, 0 rejected, 25392 forces, 0 jacobians; 1587 searches, 198 evaluations, 0 enclosures, 0 grazes; contact 531 steps, 0 rejected, 1062 frames, 0 put back
    dop853, solver.tolerance=1e-6: 151 events, 1 captures; flight 234 steps, 38 rejected, 4200 forces, 0 jacobians; 234 searches, 189 evaluations, 0 enclosures, 0 grazes; contact 13 steps, 0 rejected, 360 frames, 26 put back
    dop853, solver.tolerance=1e-9: 151 events, 1 captures; flight 364 steps, 76 rejected, 6736 forces, 0 jacobians; 364 searches, 189 evaluations, 0 enclosures, 0 grazes; contact 13 steps, 0 rejected, 486 frames, 26 put back
    dop853, solver.tolerance=1e-12: 151 events, 1 captures; flight 661 steps, 149 rejected, 12364 forces, 0 jacobians; 661 searches, 195 evaluations, 0 enclosures, 0 grazes; contact 13 steps, 0 rejected, 564 frames, 26 put back
    dop853, parabola, 1e-6: 131 events, 1 captures; flight 214 steps, 39 rejected, 3892 forces, 0 jacobians; 214 searches, 577 evaluations, 0 enclosures, 0 grazes; contact 13 steps, 0 rejected, 361 frames, 26 put back
    ");
}
