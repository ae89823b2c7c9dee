//! Flight with every force, against an independent integrator, and back again.

use flight::{FlightMethod, FlightStep, Newmark};
use mechanics::{Ball, Forces, State};
use nalgebra::Vector2;
use newmark::{Control, Tolerance};
use numbers::Expression;
use reference::Collocation;

use crate::harness::{Worst, slope};

const G: f64 = 9.81;
pub const MASS: f64 = 0.7;
const DRAG: f64 = 0.05;
const LIFT: f64 = 0.01;
const WIND: Vector2<f64> = Vector2::new(3.0, -0.5);
const SPIN: f64 = 20.0;
pub const DURATION: f64 = 2.0;

pub fn forces() -> Forces {
    let ball = Ball::new(MASS, 0.05, 0.4).expect("a ball");
    let pull = ["sin(3*t)*x", "-vx*y/4"].map(|f| Expression::parse(f, &Forces::VARIABLES, &[]).expect("a formula"));
    let forces = Forces::gravity(&ball, Vector2::new(0.0, -G)).expect("finite");
    let forces = forces.with_drag(DRAG).expect("allowed").with_magnus(LIFT).expect("allowed");
    forces.with_wind(WIND).expect("allowed").with_external(pull)
}

pub fn start() -> State {
    let (position, velocity) = (Vector2::new(0.5, 2.0), Vector2::new(4.0, 6.0));
    State { time: 0.0, position, velocity, angle: 0.0, spin: SPIN, dissipated: 0.0, work: 0.0 }
}

/// The same forces written out, with dissipated energy and work alongside.
pub fn exact(time: f64) -> [f64; 6] {
    let rates = |t: f64, [x, y, vx, vy, _, _]: &[f64; 6]| {
        let (v, w) = (Vector2::new(*vx, *vy), Vector2::new(vx - WIND.x, vy - WIND.y));
        let drag = -DRAG * w.norm() * w;
        let lift = LIFT * SPIN * Vector2::new(-w.y, w.x);
        let pull = Vector2::new((3.0 * t).sin() * x, -vx * y / 4.0);
        let a = (drag + lift + pull) / MASS - Vector2::new(0.0, G);
        [*vx, *vy, a.x, a.y, DRAG * w.norm().powi(3), (drag + lift).dot(&WIND) + pull.dot(&v)]
    };
    let State { position: q, velocity: v, .. } = start();
    Collocation::new(8).integrate(rates, 0.0, [q.x, q.y, v.x, v.y, 0.0, 0.0], time, 100)
}

/// Error of position, velocity and ledger after the whole flight.
fn error(control: Control) -> f64 {
    let forces = forces();
    let mut method = Newmark::average(control);
    let mut state = start();
    let mut step = FlightStep::parabola(&state, Vector2::zeros(), 0.0);
    while state.time < DURATION {
        if let Err(error) = method.step(&forces, &state, DURATION, &mut step) {
            panic!("{error}");
        }
        state = step.at(&forces, step.duration());
        if DURATION - state.time < 1e-12 {
            break;
        }
    }
    difference(&state, &exact(DURATION))
}

pub fn difference(state: &State, exact: &[f64; 6]) -> f64 {
    let State { position: q, velocity: v, dissipated, work, .. } = state;
    let mut worst = Worst::default();
    for (found, exact) in [q.x, q.y, v.x, v.y, *dissipated, *work].into_iter().zip(exact) {
        worst.see(found - exact);
    }
    worst.0
}

/// Order 2 at fixed steps, 4 with one extrapolation, ledger included.
#[test]
fn order_in_h() {
    for (extrapolate, expected) in [(false, 2.0), (true, 4.0)] {
        let errors = [0.02, 0.01, 0.005, 0.0025].map(|step| (step, error(Control::Step { step, extrapolate })));
        let order = slope(&errors);
        println!("extrapolate {extrapolate}: order {order:.3}, {errors:?}");
        assert!((order - expected).abs() <= 0.1, "{order}");
    }
}

/// With a tolerance: as good as asked for, at the end of the flight.
#[test]
fn tolerance() {
    for asked in [1e-6, 1e-9, 1e-12] {
        let error = error(Control::Tolerance(Tolerance { relative: asked, absolute: asked }));
        println!("{asked:e}: {error:e}");
        assert!(error <= 20.0 * asked, "{asked:e}: {error:e}");
    }
}

/// The dense output between nodes is as good as the nodes; so is the ledger, whose 100 J are allowed 100 times as much.
#[test]
fn between_the_nodes() {
    let forces = forces();
    for asked in [1e-6, 1e-9, 1e-12] {
        let control = Control::Tolerance(Tolerance { relative: asked, absolute: asked });
        let mut method = Newmark::average(control);
        let mut state = start();
        let mut step = FlightStep::parabola(&state, Vector2::zeros(), 0.0);
        let (mut worst, mut ledger) = (Worst::default(), Worst::default());
        while state.time < 0.999 * DURATION {
            if let Err(error) = method.step(&forces, &state, DURATION, &mut step) {
                panic!("{error}");
            }
            for part in [0.1, 0.2, 0.35, 0.6, 0.77, 0.9] {
                let t = part * step.duration();
                let (there, exact) = (step.at(&forces, t), exact(state.time + t));
                let [.., dissipated, work] = exact;
                worst.see(difference(&State { dissipated, work, ..there }, &exact));
                ledger.see(difference(&there, &exact));
            }
            state = step.at(&forces, step.duration());
        }
        println!("{asked:e}: {:e} between nodes, ledger {:e} J; {:?}", worst.0, ledger.0, method.count());
        assert!(worst.0 <= 20.0 * asked && ledger.0 <= 1000.0 * asked, "{asked:e}: {:e}, {:e} J", worst.0, ledger.0);
    }
}

/// The Newmark step is symmetric in time, the ledger along its path too: 50 steps forth and back return to the start.
#[test]
fn there_and_back() {
    let forces = forces();
    let begin = start();
    let mut state = begin;
    for h in [0.02, -0.02] {
        let mut method = Newmark::average(Control::Step { step: h, extrapolate: false });
        let mut step = FlightStep::parabola(&state, Vector2::zeros(), 0.0);
        for _ in 0..50 {
            if let Err(error) = method.step(&forces, &state, state.time + h, &mut step) {
                panic!("{error}");
            }
            state = step.at(&forces, step.duration());
        }
        if h > 0.0 {
            assert!((state.position - begin.position).norm() > 1.0);
        }
    }
    let State { position: q, velocity: v, .. } = begin;
    let error = difference(&state, &[q.x, q.y, v.x, v.y, 0.0, 0.0]);
    println!("there and back: {error:e}");
    assert!(error <= 1e-12, "{error:e}");
}

/// Under a constant force one step is exact to the end, whatever the control says.
#[test]
fn constant_force_takes_one_exact_step() {
    let ball = Ball::point(1.0).expect("a ball");
    let forces = Forces::gravity(&ball, Vector2::new(0.5, -G)).expect("finite");
    for control in [
        Control::Step { step: 1e-3, extrapolate: false },
        Control::Tolerance(Tolerance { relative: 1e-6, absolute: 1e-6 }),
    ] {
        let mut method = Newmark::average(control);
        let mut step = FlightStep::parabola(&start(), Vector2::zeros(), 0.0);
        if let Err(error) = method.step(&forces, &start(), 7.0, &mut step) {
            panic!("{error}");
        }
        let end = step.at(&forces, 7.0);
        assert_eq!((step.duration(), method.count().steps), (7.0, 1));
        let State { position: q, velocity: v, .. } = start();
        let a = Vector2::new(0.5, -G);
        assert!(
            (end.position - (q + 7.0 * v + 24.5 * a)).norm() <= 1e-13 && (end.velocity - (v + 7.0 * a)).norm() <= 1e-14
        );
    }
}

/// A fall that comes to its final speed, where the acceleration is nothing but rounding: the step's equation was once
/// held to rounding of that, and the run stopped.
#[test]
fn falling_at_the_final_speed() {
    for i in 0..100 {
        let ball = Ball::point(1.0).expect("a ball");
        let drag = 0.2 + 0.01 * f64::from(i);
        let wind = Vector2::new(0.3, 0.1);
        let forces = Forces::gravity(&ball, Vector2::new(0.0, -G)).expect("finite");
        let forces = forces.with_drag(drag).expect("allowed").with_wind(wind).expect("allowed");
        let mut method = Newmark::average(Control::Step { step: 0.005, extrapolate: false });
        let mut state = State { spin: 0.0, ..start() };
        let mut step = FlightStep::parabola(&state, Vector2::zeros(), 0.0);
        while state.time < 40.0 {
            if let Err(error) = method.step(&forces, &state, 41.0, &mut step) {
                panic!("drag {drag}: {error}");
            }
            state = step.at(&forces, step.duration());
        }
        let last = wind - Vector2::new(0.0, (G / drag).sqrt());
        assert!((state.velocity - last).norm() <= 1e-12, "drag {drag}: {:?} for {last:?}", state.velocity);
    }
}
