//! Whole runs on the ground, 3 s at a tolerance: Taylor series beside Newmark's extrapolation, in turn. `cargo bench -p benches --bench
//! contact`; a tolerance may follow after `--`, 1e-9 else.

#![allow(
    missing_docs,
    clippy::print_stdout,
    clippy::panic,
    reason = "it prints what it measured, and stops on an error"
)]

use std::hint::black_box;
use std::path::Path;

use benches::runs::{Tally, event_driven};
use benches::table::Table;
use kugelbahn::Scenario;
use supervisor::Summary;

/// A ground, the ball's radius (m), μ, and where (x, m) and how fast (m/s) it starts.
struct Case {
    name: &'static str,
    curve: String,
    radius: f64,
    friction: f64,
    start: [f64; 2],
}

impl Case {
    fn scenario(&self, formulation: &str, tolerance: f64) -> Scenario {
        let Case { name, curve, radius, friction, start: [x, speed] } = self;
        let text = format!(
            "title = \"{name}\"\nball.radius = {radius:?}\ninitial.contact = {{ x = {x:?}, speed = {speed:?} }}\n\
             ground.curve = {{ {curve} }}\ncontact.friction = {friction:?}\n\
             solver = {{ formulation = \"{formulation}\", tolerance = {tolerance:e}, duration = 3.0 }}\noutput.interval = 3.0"
        );
        let base = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios");
        Scenario::from_text(&text, &base, &[]).unwrap_or_else(|error| panic!("{name}: {error}"))
    }
}

fn cases() -> [Case; 7] {
    let graph = |y: &str| format!("kind = \"graph\", y = \"{y}\", domain = [-0.99, 0.99]");
    let points: Vec<[f64; 2]> = (0..50).map(|i| f64::from(i) * 4.0 / 49.0 - 2.0).map(|x| [x, x * x]).collect();
    let case = |name, curve, radius, friction, start| Case { name, curve, radius, friction, start };
    [
        case(
            "bowl, an arc",
            "kind = \"arc\", centre = [0.0, 1.0], radius = 1.0, from = \"-pi\", to = 0".into(),
            0.0,
            0.0,
            [-0.8, 0.0],
        ),
        case("bowl, a graph", graph("1 - sqrt(1 - x^2)"), 0.0, 0.0, [-0.8, 0.0]),
        case("parabola, mu 0.05", graph("x^2"), 0.0, 0.05, [-0.3, 0.0]),
        case(
            "parabola as a spline of 50 knots",
            format!("kind = \"spline\", points = {points:?}"),
            0.0,
            0.05,
            [-0.3, 0.0],
        ),
        case(
            "parabola as an SVG path",
            "kind = \"svg\", file = \"parabola.svg\", scale = 1.0".into(),
            0.0,
            0.05,
            [1.7, 0.0],
        ),
        case("sine, mu 0.05", graph("0.2*sin(3*x)"), 0.0, 0.05, [-0.9, 0.0]),
        case("sphere on a sine, mu 0.5", "kind = \"graph\", y = \"0.3*sin(x)\"".into(), 0.1, 0.5, [0.0, 1.0]),
    ]
}

fn run(scenario: &Scenario) -> (Summary, u64) {
    let mut tally = Tally::default();
    let summary = event_driven(scenario, &mut tally);
    assert_eq!(summary.stop, None, "{}", scenario.title);
    (summary, tally.events)
}

fn main() {
    let tolerance = std::env::args().skip(1).find_map(|text| text.parse().ok()).unwrap_or(1e-9);
    let mut table = Table::of("contact");
    for case in cases() {
        let [series, newmark] = ["taylor", "symmetric"].map(|formulation| case.scenario(formulation, tolerance));
        let (_, events) = run(&series);
        assert_eq!(events, run(&newmark).1, "{}", case.name);
        let time = |scenario: &Scenario| {
            black_box(run(scenario));
        };
        table.pair(&format!("{}, 3 s: taylor over symmetric", case.name), "", 1, || time(&series), || time(&newmark));
    }
    table.record();
}
