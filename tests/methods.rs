//! BDF, Radau IIA and DOP853 in flight with every force: order, tolerance, dense output, ledger, and what is refused.

use flight::{Bdf, Dop853, FlightCount, FlightMethod, FlightStep, MethodError, Radau};
use curves::Expression;
use mechanics::{Ball, Forces, State};
use nalgebra::Vector2;
use newmark::{Control, Tolerance};
use reference::Collocation;

use crate::flight::{DURATION, MASS, difference, exact, forces, start};
use crate::harness::{Worst, slope};

/// A method by its name; `bdf3` is the BDF of order 3.
fn method(name: &str, control: Control) -> Result<Box<dyn FlightMethod>, MethodError> {
    Ok(match name {
        "radau" => Box::new(Radau::new(control)?),
        "dop853" => Box::new(Dop853::new(control)?),
        "bdf" => Box::new(Bdf::new(control)?),
        _ => Box::new(Bdf::new(control)?.with_order(name[3..].parse().expect("an order"))?),
    })
}

fn made(name: &str, control: Control) -> Box<dyn FlightMethod> {
    method(name, control).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn within(asked: f64) -> Control {
    Control::Tolerance(Tolerance { relative: asked, absolute: asked })
}

/// Drag against a wind that keeps the speed through the air far from 0, and a force of time and place.
fn smooth() -> Forces {
    let ball = Ball::point(MASS).expect("a ball");
    let pull = ["sin(9*t)*x", "-vx*y/4"].map(|f| Expression::parse(f, &Forces::VARIABLES, &[]).expect("a formula"));
    let forces = Forces::gravity(&ball, Vector2::new(0.0, -9.81)).expect("finite").with_drag(0.05).expect("allowed");
    forces.with_wind(Vector2::new(-8.0, 0.0)).expect("allowed").with_external(pull)
}

/// The same written out.
fn exact_smooth(time: f64) -> [f64; 6] {
    let rates = |t: f64, [x, y, vx, vy, _, _]: &[f64; 6]| {
        let w = Vector2::new(vx + 8.0, *vy);
        let drag = -0.05 * w.norm() * w;
        let pull = Vector2::new((9.0 * t).sin() * x, -vx * y / 4.0);
        let a = (drag + pull) / MASS - Vector2::new(0.0, 9.81);
        let work = -8.0 * drag.x + pull.x * vx + pull.y * vy;
        [*vx, *vy, a.x, a.y, 0.05 * w.norm().powi(3), work]
    };
    let State { position: q, velocity: v, .. } = start();
    Collocation::new(8).integrate(rates, 0.0, [q.x, q.y, v.x, v.y, 0.0, 0.0], time, 100)
}

/// Flies to the end, showing each step.
fn fly(
    forces: &Forces,
    method: &mut dyn FlightMethod,
    mut see: impl FnMut(&FlightStep),
) -> (State, FlightCount) {
    let mut state = start();
    let mut step = FlightStep::parabola(&state, Vector2::zeros(), 0.0);
    while DURATION - state.time > 1e-12 {
        if let Err(error) = method.step(forces, &state, DURATION, &mut step) {
            panic!("{error}");
        }
        see(&step);
        state = step.at(step.duration());
    }
    (state, method.count())
}

/// Orders at fixed steps, ledger included: 1 to 5, 5 and 8.
#[test]
fn order_in_h() {
    let bdf = [0.02, 0.01, 0.005, 0.0025].map(|h| 0.5 * h);
    let cases = [
        ("bdf1", bdf.map(|h| 0.2 * h), 1.0),
        ("bdf2", bdf.map(|h| 0.5 * h), 2.0),
        ("bdf3", bdf, 3.0),
        ("bdf4", bdf, 4.0),
        ("bdf5", bdf.map(|h| 2.0 * h), 5.0),
        ("radau", [0.2, 0.1, 0.05, 0.025], 5.0),
        ("dop853", [0.125, 0.1, 0.0625, 0.05], 8.0),
    ];
    for (name, steps, expected) in cases {
        let errors = steps.map(|step| {
            let mut method = made(name, Control::Step { step, extrapolate: false });
            (step, difference(&fly(&smooth(), &mut *method, |_| ()).0, &exact_smooth(DURATION)))
        });
        let order = slope(&errors);
        println!("{name}: order {order:.3}, {errors:?}");
        assert!((order - expected).abs() <= 0.25, "{name}: {order}");
    }
}

/// With a tolerance: nodes and the dense output between them are as good as asked for, the ledger's 100 J to 100 times as
/// much; paths begin where the step before has ended, with its velocity.
#[test]
fn tolerance() {
    for name in ["bdf", "radau", "dop853"] {
        for asked in [1e-3, 1e-6, 1e-9, 1e-12] {
            let (mut between, mut ledger, mut seam) = (Worst::default(), Worst::default(), Worst::default());
            let mut last = start();
            let mut method = made(name, within(asked));
            let (end, count) = fly(&forces(), &mut *method, |step| {
                seam.see((step.at(0.0).position - last.position).norm());
                seam.see((step.at(0.0).velocity - last.velocity).norm());
                last = step.at(step.duration());
                for part in [0.1, 0.2, 0.35, 0.6, 0.77, 0.9] {
                    let t = part * step.duration();
                    let (there, exact) = (step.at(t), exact(step.start().time + t));
                    let [.., dissipated, work] = exact;
                    between.see(difference(&State { dissipated, work, ..there }, &exact));
                    ledger.see(difference(&there, &exact));
                }
            });
            let nodes = difference(&end, &exact(DURATION));
            println!(
                "{name} {asked:e}: nodes {nodes:e}, between {:e}, ledger {:e} J, seams {:e}; {count:?}",
                between.0, ledger.0, seam.0
            );
            assert!(between.0 <= 50.0 * asked && nodes.max(ledger.0) <= 1000.0 * asked, "{name} {asked:e}");
            assert!(seam.0 <= 1e-14, "{name} {asked:e}: {:e}", seam.0);
        }
    }
}
