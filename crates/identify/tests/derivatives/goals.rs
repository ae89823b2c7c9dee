//! What is read off runs, and the way down a cost, against closed forms.

use std::cell::Cell;
use std::sync::Arc;

use curves::{Ground, OffsetGround, Piece, Profile};
use identify::{
    Component, DescentEnd, GoalError, Limits, Model, ParameterRange, Quantity, Reading, RunSettings, descend, read,
};
use mechanics::{Ball, ContactLaw, Forces, ParameterError, State};
use nalgebra::Vector2;
use newmark::Tolerance;
use numbers::{Interval, Number};
use supervisor::{EventKind, Moment, Options, Scene, Start, Watching};

#[derive(Debug)]
struct Floor;

impl Profile for Floor {
    fn point<N: Number>(&self, s: N) -> [N; 2] {
        [s, N::constant(0.0)]
    }
}

/// vx, vy, y of a throw over a floor, e = 0.5.
fn throw(p: &[f64]) -> Result<Model, ParameterError> {
    let ball = Ball::point(2.0)?;
    let forces = Forces::gravity(&ball, Vector2::new(0.0, -10.0))?;
    let (position, velocity) = (Vector2::new(0.0, p[2]), Vector2::new(p[0], p[1]));
    let start = State { time: 0.0, position, velocity, angle: 0.0, spin: 0.0, dissipated: 0.0, work: 0.0 };
    let ground = Ground::new(vec![Piece::new(Floor, Interval::REAL)]).unwrap();
    let (ground, law) = (OffsetGround::new(Arc::new(ground), 0.0), ContactLaw::new(0.5)?);
    Ok(Model { scene: Scene::new(ground.into(), ball, forces, law), start: Start::Flight(start) })
}

fn runs(duration: f64) -> RunSettings {
    let options = Options {
        duration,
        interval: None,
        capture_speed: 1e-6,
        capture_tolerance: 1e-9,
        largest_step: f64::INFINITY,
        compression: Tolerance { relative: 1e-9, absolute: 1e-9 },
        limit: None,
    };
    RunSettings { options, tolerance: 1e-12, watching: Watching::default() }
}

const THROW: [f64; 3] = [3.0, 2.0, 1.25];

fn of(quantity: Quantity) -> Result<Reading, GoalError<ParameterError>> {
    read(&[quantity], &THROW, throw, &runs(3.0), true).map(|mut readings| readings.remove(0))
}

fn at(component: Component, moment: Moment) -> Quantity {
    Quantity::At { component, moment, before: false }
}

#[track_caller]
fn agree(found: &Reading, value: f64, by: [f64; 3]) {
    assert!((found.value - value).abs() < 1e-11, "{} {value}", found.value);
    for (own, exact) in found.by.iter().zip(by) {
        assert!((own - exact).abs() < 1e-9, "{:?} {by:?}", found.by);
    }
}

#[test]
fn a_throw_lands_rises_and_passes_as_its_parabola_does() {
    let [vx, vy, y] = THROW;
    let root = (vy * vy + 20.0 * y).sqrt();
    // Down at t = (vy + √(vy² + 2gy))/g.
    let time = (vy + root) / 10.0;
    let (by_vy, by_y) = ((1.0 + vy / root) / 10.0, 1.0 / root);
    agree(&of(at(Component::Time, Moment::Impact(1))).unwrap(), time, [0.0, by_vy, by_y]);
    agree(&of(at(Component::State(0), Moment::Impact(1))).unwrap(), vx * time, [time, vx * by_vy, vx * by_y]);
    // Up again with half of it: the next is 2·½√(…)/g later.
    let second = time + root / 10.0;
    let next = [0.0, by_vy + vy / root / 10.0, by_y + 1.0 / root];
    agree(&of(at(Component::Time, Moment::Impact(2))).unwrap(), second, next);
    let up = Quantity::At { component: Component::State(3), moment: Moment::Event(EventKind::Impact, 1), before: true };
    agree(&of(up).unwrap(), -root, [0.0, -vy / root, -10.0 / root]);
    agree(&of(Quantity::Height).unwrap(), y + vy * vy / 20.0, [0.0, vy / 10.0, 1.0]);
    // x = 0.9 at t = 0.3.
    let passing = Moment::Passing(0, 0.9);
    agree(&of(at(Component::Time, passing)).unwrap(), 0.3, [-0.1, 0.0, 0.0]);
    agree(&of(at(Component::State(3), passing)).unwrap(), -1.0, [1.0, 1.0, 0.0]);
    agree(&of(at(Component::State(1), Moment::Time(0.2))).unwrap(), 1.45, [0.0, 0.2, 1.0]);
    let speed = (9.0f64 + 1.0).sqrt();
    agree(&of(at(Component::Speed, passing)).unwrap(), speed, [(3.0 - 1.0) / speed, -1.0 / speed, 0.0]);
    // Sliding on for ever after t = time + √(…)/g · (1 + ½ + …).
    agree(&of(at(Component::State(0), Moment::End)).unwrap(), 9.0, [3.0, 0.0, 0.0]);
    assert!((of(Quantity::NormalForce).unwrap().value - 20.0).abs() < 1e-9);
}

#[test]
fn what_a_run_does_not_do_is_told() {
    let error = of(at(Component::Time, Moment::Event(EventKind::LiftOff, 2))).unwrap_err();
    assert!(matches!(error, GoalError::Events { asked: 2, found: 0, .. }), "{error}");
    assert!(error.to_string().contains("; it has 23 impact, 1 landing"), "{error}");
    assert!(matches!(of(at(Component::Time, Moment::Passing(1, 2.0))), Err(GoalError::Never { .. })));
    assert!(matches!(of(at(Component::Time, Moment::Time(3.1))), Err(GoalError::Never { .. })));
}

const LIMITS: Limits = Limits { evaluations: 500, reach: 1e4 };

fn rosenbrock(p: &[f64]) -> (f64, Vec<f64>) {
    let (a, b) = (1.0 - p[0], p[1] - p[0] * p[0]);
    (a * a + 100.0 * b * b, vec![-2.0 * a - 400.0 * p[0] * b, 200.0 * b])
}

#[test]
fn the_way_down_a_bent_valley_ends_at_its_bottom() {
    let count = Cell::new(0);
    let cost = |p: &[f64]| {
        count.set(count.get() + 1);
        // No value on one side of the start.
        (p[0] > -1.5).then(|| rosenbrock(p))
    };
    let found = descend(&[-1.2, 1.0], &[1.0; 2], &[ParameterRange::NONE; 2], LIMITS, cost).unwrap();
    assert!(found.parameters.iter().all(|p| (p - 1.0).abs() < 1e-6), "{found:?}");
    assert!(found.evaluations == count.get() && count.get() < 100, "{}", count.get());
    assert!(found.history.windows(2).all(|pair| pair[1] < pair[0]));
    assert_eq!(descend(&[-2.0, 1.0], &[1.0; 2], &[ParameterRange::NONE; 2], LIMITS, |_| None), None);
}

#[test]
fn a_way_down_without_end_is_given_up() {
    // A plane, and one over x.
    let plane =
        descend(&[1.0, 1.0], &[0.3; 2], &[ParameterRange::NONE; 2], LIMITS, |p| Some((p[0], vec![1.0, 0.0]))).unwrap();
    assert!(plane.parameters[0] < -10.0 && plane.evaluations < 200, "{plane:?}");
    let hyperbola = |p: &[f64]| (p[0] > 0.0).then(|| (1.0 / p[0], vec![-1.0 / (p[0] * p[0])]));
    let found = descend(&[1.0], &[0.3], &[ParameterRange::NONE], LIMITS, hyperbola).unwrap();
    assert_eq!(found.ended, DescentEnd::Far(0), "{found:?}");
    assert!((found.parameters[0] - 3001.0).abs() < 1e-9 && found.evaluations < 100, "{found:?}");
}

#[test]
fn bounds_hold_on_the_way_down() {
    let bounds = [ParameterRange { lower: -2.0, upper: 0.5 }, ParameterRange { lower: -3.0, upper: f64::INFINITY }];
    let found = descend(&[-1.2, 1.0], &[1.0; 2], &bounds, LIMITS, |p| Some(rosenbrock(p))).unwrap();
    // On the bound x = 1/2 it is lowest at y = 1/4.
    assert!((found.parameters[0] - 0.5).abs() < 1e-6 && found.parameters[0] <= 0.5, "{found:?}");
    assert!((found.parameters[1] - 0.25).abs() < 1e-6, "{found:?}");
}
