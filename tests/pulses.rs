//! Forces shorter than a step: in flight missed by every method that chooses its own, found with a largest step; on the ground
//! found by bounds over the step.

use crate::harness::run;

/// In N, around 0.61234 s; its impulse is `5 √π 1e-3` N s.
const PULSE: &str = "5*exp(-((t-0.61234)/0.001)^2)";

/// In flight, sliding, and compressed on the ground.
#[test]
fn largest_step() {
    let impulse = 5e-3 * std::f64::consts::PI.sqrt();
    let flight = "initial={ position = [0.0, 50.0], velocity = [1.0, 0.0] }";
    let contact = "initial={ contact = { x = 0.0, speed = 1.0 } }";
    let soft = "contact={ law = \"hertz\", stiffness = 1e5 }";
    let rigid = "contact={ restitution = 0.0 }";
    let mut cases: Vec<(&str, &str, &str)> =
        ["newmark", "bdf", "radau", "dop853"].map(|method| (method, flight, rigid)).to_vec();
    cases.extend([("newmark", contact, rigid), ("newmark", contact, soft)]);
    for (method, initial, law) in cases {
        let text = format!(
            r#"
            ball = {{ radius = 0.1, inertia = "point" }}
            ground = {{ curve = {{ kind = "graph", y = 0 }} }}
            forces = {{ external = {{ x = "{PULSE}" }} }}
            solver = {{ method = "{method}", duration = 1.0, tolerance = 1e-8 }}
            "#
        );
        let gained = |more: &[&str]| {
            let settings: Vec<&str> = [initial, law].into_iter().chain(more.iter().copied()).collect();
            let run = run(&text, &settings);
            let steps =
                run.summary.count.flight.steps + run.summary.count.contact.steps + run.summary.count.compressed.steps;
            (run.summary.state.velocity.x - 1.0, steps)
        };
        let ((without, few), (with, many)) = (gained(&[]), gained(&["solver.largest-step=2e-3"]));
        println!("{method}, {initial}: {without:e} in {few} steps, {:e} off in {many}", with - impulse);
        let missed = if initial == flight { 0.0 } else { impulse };
        assert!((without - missed).abs() <= 1e-7, "{method}: {without:e}");
        assert!((with - impulse).abs() <= 2e-6 && many >= 500, "{method}: {with:e} in {many} steps");
    }
}

/// What is no largest step is told, with the rule and the cure.
#[test]
fn refused() {
    let text = r#"
        initial = { position = [0.0, 1.0] }
        ground = { curve = { kind = "graph", y = 0 } }
    "#;
    let told = |settings: &[&str]| {
        let settings: Vec<String> = settings.iter().map(|setting| (*setting).to_owned()).collect();
        let error = kugelbahn::Scenario::from_text(text, std::path::Path::new("."), &settings).expect_err("an error");
        error.to_string()
    };
    for value in ["0.0", "-1.0", "inf", "nan", "1e-12"] {
        let message = told(&[&format!("solver.largest-step={value}")]);
        assert!(message.contains("largest-step"), "{value}: {message}");
    }
    let both = told(&["solver.largest-step=0.1", "solver.step=0.01"]);
    assert!(both.contains("both a step and a largest step"), "{both}");
    let stepping = told(&["solver.largest-step=0.1", "solver.method=moreau", "solver.step=0.01"]);
    assert!(stepping.contains("`largest-step` is a key of event-driven runs"), "{stepping}");
}
