//! When and where last bounces end, by the heights of a spline, though touches get as slow as 1e-6 m/s.

use std::sync::Arc;

use curves::spline::{SplineEnds, knots, spline};
use curves::{Ground, OffsetGround};
use identify::{EventSensitivity, Family, Model, Trace, sweep};
use mechanics::{Ball, ContactLaw, Forces, Friction, State};
use nalgebra::Vector2;
use newmark::Tolerance;
use supervisor::{EventKind, Options, Phase, Scene, Start};

type Point = Vector2<f64>;

const GRAVITY: f64 = 9.81;
const RESTITUTION: f64 = 0.3;
/// x of the points of the spline.
const X: [f64; 7] = [-1.0, 0.1, 0.9, 1.7, 3.1, 4.0, 6.0];
/// Where the ball is thrown level.
const FROM: [f64; 2] = [0.3, 1.6];
const SPEED: f64 = 0.5;

/// Heights of the points, then of the start.
fn model(p: &[f64], radius: f64) -> Model {
    let points: Vec<Point> = X.iter().zip(p).map(|(x, y)| Point::new(*x, *y)).collect();
    let pieces = spline(&knots(&points).unwrap(), &points, SplineEnds::Natural);
    let ball = Ball::new(0.2, radius, Ball::SOLID_SPHERE).unwrap();
    let forces = Forces::gravity(&ball, Point::new(0.0, -GRAVITY)).unwrap();
    let law = ContactLaw::new(RESTITUTION).unwrap().with_friction(Friction::Coefficient(0.1)).unwrap();
    let ground = OffsetGround::new(Arc::new(Ground::new(pieces).unwrap()), radius);
    let (position, velocity) = (Point::new(FROM[0], p[X.len()]), Point::new(SPEED, 0.0));
    let start = State { time: 0.0, position, velocity, angle: 0.0, spin: 0.0, dissipated: 0.0, work: 0.0 };
    Model { scene: Scene::new(ground.into(), ball, forces, law), start: Start::Flight(start) }
}

fn landing(bend: f64, radius: f64, capture_speed: f64, capture_tolerance: f64) -> EventSensitivity {
    let mut values: Vec<f64> = X.iter().map(|x| 1.05 - 0.5 * x + bend * x * x).collect();
    values.push(FROM[1]);
    let compression = Tolerance { relative: 1e-13, absolute: 1e-13 };
    let options = Options {
        duration: 1.0,
        interval: None,
        capture_speed,
        capture_tolerance,
        largest_step: f64::INFINITY,
        compression,
        limit: None,
    };
    let trace = Trace::of(&model(&values, radius), options, 1e-13).unwrap();
    let family = Family::new(&values, |p| Ok::<_, ()>(model(p, radius))).unwrap();
    let found = sweep(&family, &trace, &[]).unwrap();
    let landing = found.events.into_iter().find(|e| e.event.kind == EventKind::Landing).unwrap();
    assert_eq!(landing.event.phase_after, Phase::Sliding);
    landing
}

#[track_caller]
fn near(own: f64, exact: f64, bound: f64) {
    assert!((own - exact).abs() < bound, "{own} for {exact}: {:.1e}", own - exact);
}

/// Of a point over `y = 1.05 + a x + b`: `t = (w + u)/g + 2 e u/(g (1 − e))` with `u² = w² + 2 g z`, all along the normal.
fn end(a: f64, b: f64) -> f64 {
    let n = a.hypot(1.0);
    let (g, w, z) = (GRAVITY / n, -a * SPEED / n, (FROM[1] - 1.05 - b - a * FROM[0]) / n);
    let u = (w * w + 2.0 * g * z).sqrt();
    (w + u) / g + 2.0 * RESTITUTION * u / (g * (1.0 - RESTITUTION))
}

#[test]
fn the_end_of_bounces_on_a_straight_spline_is_that_of_a_line() {
    // Heights move together as the line does: all by 1, or each by its x.
    let found = landing(0.0, 0.0, 1e-6, 1e-9);
    near(found.time, end(-0.5, 0.0), 1e-12);
    let [height, slope] = [true, false].map(|height| {
        let terms = found.time_by.iter().zip(X).map(|(by, x)| if height { *by } else { by * x });
        terms.sum::<f64>()
    });
    let step = 1e-3;
    let by = |f: &dyn Fn(f64) -> f64| (8.0 * (f(step) - f(-step)) - f(2.0 * step) + f(-2.0 * step)) / (12.0 * step);
    near(height, by(&|h| end(-0.5, h)), 5e-8);
    near(slope, by(&|h| end(-0.5 + h, 0.0)), 5e-8);
}

#[test]
fn the_end_of_bounces_does_not_know_when_they_are_summed_up() {
    for radius in [0.0, 0.05] {
        // Slow touches of 1e-4, 1e-6 and 1e-7 m/s.
        let early = landing(0.05, radius, 1e-4, 1e-5);
        for (speed, tolerance) in [(1e-6, 1e-9), (1e-7, 1e-11)] {
            let late = landing(0.05, radius, speed, tolerance);
            let place = |e: &EventSensitivity, j: usize| e.after.by[j][0] + e.after.rates[0] * e.time_by[j];
            for j in 0..=X.len() {
                near(late.time_by[j], early.time_by[j], 1e-8);
                near(place(&late, j), place(&early, j), 2e-8);
            }
            // Ground and ball raised together change nothing.
            near(late.time_by.iter().sum(), 0.0, 5e-8);
        }
    }
}
