//! Times of whole runs on the ground, 3 s at 1e-9, by Taylor series beside Newmark's extrapolation, least of many in turn:
//! `cargo run --release -p supervisor --example contact_times`.

#![allow(clippy::expect_used, clippy::print_stdout, reason = "it prints what it measured, and stops on an error")]

use std::sync::Arc;
use std::time::Instant;

use curves::spline::{SplineEnds, spline};
use curves::{Expression, Graph, Ground, Interval, OffsetGround, Piece, Place};
use mechanics::{Ball, ContactLaw, Forces, Friction};
use nalgebra::Vector2;
use newmark::{Control, Scheme, Tolerance};
use rolling::{ContactMethod, Formulation};
use supervisor::{Event, Observer, Options, Scene, Start, Summary, Supervisor};

/// Counts events and looks at each.
#[derive(Default)]
struct Tally(u64, f64);

impl Observer for Tally {
    fn event(&mut self, event: &Event) -> std::ops::ControlFlow<()> {
        self.0 += 1;
        self.1 += event.time();
        std::ops::ControlFlow::Continue(())
    }
}

struct Case {
    name: &'static str,
    scene: Scene,
    start: Start,
}

fn graph(y: &str, domain: Interval) -> Vec<Piece> {
    let y = Expression::parse(y, &["x"], &[]).expect("a formula");
    vec![Piece::new(Graph { y }, domain)]
}

/// Fifty knots of a function of x from −2 to 2.
fn knots(f: impl Fn(f64) -> f64) -> Vec<Piece> {
    let knots: Vec<f64> = (0..50).map(|i| f64::from(i) * 4.0 / 49.0 - 2.0).collect();
    let points: Vec<_> = knots.iter().map(|x| Vector2::new(*x, f(*x))).collect();
    spline(&knots, &points, SplineEnds::Natural)
}

fn case(name: &'static str, pieces: Vec<Piece>, radius: f64, friction: f64, x: f64, speed: f64) -> Case {
    let ball = if radius > 0.0 { Ball::solid_sphere(1.0, radius) } else { Ball::point(1.0) }.expect("a ball");
    let ground = Ground::new(pieces).expect("a ground");
    let law = ContactLaw::default().with_friction(Friction::Coefficient(friction)).expect("allowed");
    let spin = (radius > 0.0).then(|| -speed / radius);
    let index = ground.pieces().iter().position(|piece| piece.domain().contains(x)).expect("on the ground");
    let scene = Scene::new(OffsetGround::new(Arc::new(ground), radius).into(), ball, Forces::standard(&ball), law);
    Case { name, scene, start: Start::Contact { place: Place::Piece { index, parameter: x }, speed, spin, time: 0.0 } }
}

fn run(case: &Case, tolerance: Tolerance, contact: impl ContactMethod) -> (Summary, Tally) {
    let options = Options {
        duration: 3.0,
        interval: None,
        capture_speed: 1e-6,
        capture_tolerance: tolerance.absolute,
        largest_step: f64::INFINITY,
        compression: tolerance,
        limit: None,
    };
    let mut tally = Tally::default();
    let flight = flight::Newmark::new(Scheme::AVERAGE, Control::Tolerance(tolerance));
    let summary = Supervisor::new(&case.scene, options, case.start, flight, contact).run(&mut tally);
    (summary, tally)
}

fn main() {
    let tolerance = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(1e-9);
    let times: u32 = std::env::args().nth(2).and_then(|text| text.parse().ok()).unwrap_or(300);
    let tolerance = Tolerance { relative: tolerance, absolute: tolerance };
    let control = Control::Tolerance(tolerance);
    let cases = [
        case("bowl, no friction", graph("1 - sqrt(1 - x^2)", Interval::new(-0.99, 0.99)), 0.0, 0.0, -0.8, 0.0),
        case("parabola, mu 0.05", graph("x^2", Interval::REAL), 0.0, 0.05, -0.3, 0.0),
        case("sine, mu 0.05", graph("0.2*sin(3*x)", Interval::REAL), 0.0, 0.05, -0.9, 0.0),
        case("sphere on a sine, mu 0.5", graph("0.3*sin(x)", Interval::REAL), 0.1, 0.5, 0.0, 1.0),
        case("spline of 50 knots, mu 0.05", knots(|x| x * x), 0.0, 0.05, -0.3, 0.0),
    ];
    println!("{:<30} {:>10} {:>10} {:>7} {:>6} {:>6}", "", "taylor", "symmetric", "ratio", "steps", "events");
    for case in &cases {
        let by_series = || run(case, tolerance, rolling::Taylor::new(control));
        let by_newmark =
            || run(case, tolerance, rolling::Newmark::new(Formulation::Symmetric, Scheme::AVERAGE, control));
        let mut least = [f64::INFINITY; 2];
        let time = |f: &dyn Fn() -> (Summary, Tally)| {
            let start = Instant::now();
            std::hint::black_box(f());
            start.elapsed().as_secs_f64() * 1e6
        };
        for _ in 0..times {
            least[0] = least[0].min(time(&by_series));
            least[1] = least[1].min(time(&by_newmark));
        }
        let ((summary, tally), (other, counted)) = (by_series(), by_newmark());
        let [a, b] = least;
        println!(
            "{:<30} {a:>7.1} us {b:>7.1} us {:>7.3} {:>6} {:>6}{}",
            case.name,
            a / b,
            summary.count.contact.steps,
            tally.0,
            if tally.0 == counted.0 && summary.stop == other.stop { "" } else { " (not those of symmetric)" }
        );
    }
}
