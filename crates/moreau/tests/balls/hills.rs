//! Flights over hills, into valleys and corners: no ball gets through the ground, wherever it comes from.

use std::f64::consts::PI;
use std::sync::Arc;

use curves::{Ground, OffsetGround, Piece, Profile};
use moreau::{BallSettings, Balls, Projection};
use numbers::{Interval, Number};

use super::world::{at, corners, ground, law, sphere};

/// `y = 0.3 sin(πx)`
#[derive(Debug)]
struct Hills;

impl Profile for Hills {
    fn point<N: Number>(&self, x: N) -> [N; 2] {
        [x, x.scale(PI).sin().scale(0.3)]
    }
}

/// The same leaning over, and the faster the parameter the slower: `x = u³ + u + 0.1 sin(πx)`.
#[derive(Debug)]
struct Leaning;

impl Profile for Leaning {
    fn point<N: Number>(&self, u: N) -> [N; 2] {
        let x = u.square() * u + u;
        let [sine, cosine] = [x.scale(PI).sin(), x.scale(PI).cos()];
        [x + cosine.scale(0.1), sine.scale(0.3)]
    }
}

/// One side of `y = |x|`.
#[derive(Debug)]
struct Side(f64);

impl Profile for Side {
    fn point<N: Number>(&self, x: N) -> [N; 2] {
        [x, x.scale(self.0)]
    }
}

fn vee(radius: f64) -> Arc<OffsetGround> {
    let pieces =
        vec![Piece::new(Side(-1.0), Interval::new(-50.0, 0.0)), Piece::new(Side(1.0), Interval::new(0.0, 50.0))];
    Arc::new(OffsetGround::new(Arc::new(Ground::new(pieces).expect("a ground")), radius))
}

fn zigzag(radius: f64) -> Arc<OffsetGround> {
    let points: Vec<[f64; 2]> = (-40..=40).map(|i| [0.5 * f64::from(i), if i % 2 == 0 { 0.3 } else { -0.3 }]).collect();
    corners(&points, radius)
}

/// Starts over a ground; how many of them touched it.
fn fly(ground: &Arc<OffsetGround>, settings: BallSettings, restitution: f64, starts: usize) -> usize {
    let mut landed = 0;
    for i in 0..starts {
        let part = i as f64 / starts as f64;
        let start = at([-0.9 + 1.8 * part, 1.5 + 0.5 * (7.3 * part).sin()], [1.5 * (31.0 * part).cos(), 0.0], 0.0);
        let body = sphere(ground, law(restitution, 0.2), start);
        let mut balls = Balls::new(vec![body], law(0.0, 0.0), settings).expect("a start");
        let (mut lowest, mut touched) = (0.0_f64, false);
        while balls.time() < 2.0 {
            balls.step().expect("a step");
            let gap = balls.gap(0);
            lowest = lowest.min(gap);
            // No ball that is in contact is missed, and none touches what it does not.
            let closed = balls.contacts().iter().map(|contact| contact.gap).fold(f64::INFINITY, f64::min);
            touched |= closed < f64::INFINITY;
            assert!(closed < f64::INFINITY || gap > -6.0 * settings.step, "start {i}: {gap:e} at {}", balls.time());
            assert!(closed == f64::INFINITY || gap < 12.0 * settings.step, "start {i}: {gap:e} at {}", balls.time());
        }
        // What it flies in a step or so.
        assert!(lowest > -12.0 * settings.step, "start {i}, {settings:?}: {lowest:e}");
        // A point has no inside: below, it is as far from a ground with two ends as above.
        let (kept, seen) = (balls.gap(0), ground.gap(balls.state(0).position));
        assert!(kept == seen || ground.radius() == 0.0 && kept == -seen && kept < 0.0, "{kept:e}, {seen:e}");
        landed += usize::from(touched);
    }
    landed
}

fn everywhere(make: impl Fn(f64) -> Arc<OffsetGround>) {
    for radius in [0.0, 0.05, 0.1] {
        let ground = make(radius);
        for (step, restitution) in [(1e-3, 0.9), (2e-3, 0.5), (2e-3, 0.0)] {
            for projection in [None, Some(Projection::default())] {
                let settings = BallSettings { projection, ..BallSettings::new(step) };
                assert_eq!(fly(&ground, settings, restitution, 6), 6);
            }
        }
    }
}

#[test]
fn over_a_sine() {
    everywhere(|radius| ground(Hills, radius));
    // The first starts this was found with.
    let settings = BallSettings::new(2e-3);
    for i in 0..60 {
        let start = at([-0.9 + 0.03 * f64::from(i), 2.0], [1.0, 0.0], 0.0);
        let ground = ground(Hills, 0.1);
        let mut balls = Balls::new(vec![sphere(&ground, law(0.9, 0.0), start)], law(0.0, 0.0), settings).expect("");
        for _ in 0..1500 {
            balls.step().expect("a step");
            let gap = ground.gap(balls.state(0).position);
            assert!(gap > -0.02, "start {i}: {gap:e} at {}", balls.time());
        }
    }
}

#[test]
fn over_a_parametric_curve() {
    everywhere(|radius| {
        let piece = Piece::new(Leaning, Interval::new(-3.0, 3.0));
        Arc::new(OffsetGround::new(Arc::new(Ground::new(vec![piece]).expect("a ground")), radius))
    });
}

#[test]
fn over_corners() {
    everywhere(zigzag);
    everywhere(vee);
}

#[test]
fn a_point_mass_stays_in_a_corner() {
    for projection in [None, Some(Projection::default())] {
        for step in [1e-3, 2e-3, 5e-3] {
            for x in [0.1, 0.0, -0.3, 1e-4] {
                let ground = vee(0.0);
                let body = sphere(&ground, law(0.0, 0.1), at([x, 1.0], [0.0; 2], 0.0));
                let settings = BallSettings { projection, ..BallSettings::new(step) };
                let mut balls = Balls::new(vec![body], law(0.0, 0.0), settings).expect("a start");
                while balls.time() < 3.0 {
                    balls.step().expect("a step");
                }
                let state = balls.state(0);
                let gap = ground.gap(state.position);
                let least = if projection.is_some() { -1e-8 } else { -5.0 * step };
                assert!(gap > least && state.position.norm() < 5.0 * step, "{x}, {step}: {state:?}, {gap:e}");
                assert!(state.velocity.norm() < 1e-9, "{x}, {step}, {projection:?}: {state:?}");
            }
        }
    }
}

/// A ball that slides off a table and is taken back under it by a wind.
fn off_the_edge(ground: &Arc<OffsetGround>) -> Balls {
    let mut body = sphere(ground, law(0.5, 0.0), at([0.5, ground.radius()], [1.6, 0.0], 0.0));
    body.forces = mechanics::Forces::gravity(&body.ball, nalgebra::Vector2::new(-1.5, -2.0)).expect("gravity");
    Balls::new(vec![body], law(0.0, 0.0), BallSettings::new(1e-3)).expect("a start")
}

/// A plank is solid from both sides: what has gone around its end is free below it, and what comes from below bounces off.
#[test]
fn under_a_plank() {
    for (radius, from) in [(0.0, -1.0), (0.05, -1.0), (0.0, f64::NEG_INFINITY), (0.05, f64::NEG_INFINITY)] {
        let plank = Piece::new(Side(0.0), Interval::new(from, 1.0));
        let ground = Arc::new(OffsetGround::new(Arc::new(Ground::new(vec![plank]).expect("a ground")), radius));
        let mut balls = off_the_edge(&ground);
        while balls.time() < 3.0 {
            balls.step().expect("a step");
            assert!(balls.gap(0) > -1e-3, "at {}", balls.time());
        }
        let q = balls.state(0).position;
        assert!(q.x < 0.9 && q.y < -0.5, "{q:?}");
        for (speed, friction) in [(3.0, 0.0), (3.0, 0.2), (40.0, 0.0)] {
            let start = at([0.0, -0.4], [0.1, speed], 0.0);
            let body = sphere(&ground, law(0.5, friction), start);
            let mut balls = Balls::new(vec![body], law(0.0, 0.0), BallSettings::new(1e-3)).expect("a start");
            let mut met = 0;
            while balls.time() < 0.5 {
                balls.step().expect("a step");
                met += usize::from(!balls.contacts().is_empty());
            }
            let arrives = (speed * speed - 2.0 * 9.81 * (0.4 - radius)).sqrt();
            let left = 0.5 - (speed - arrives) / 9.81;
            let expected = -radius - 0.5 * arrives * left - 0.5 * 9.81 * left * left;
            let y = balls.state(0).position.y;
            assert!(
                (1..=2).contains(&met) && (y - expected).abs() < 3e-3 * speed,
                "R = {radius}, {speed}: {y} for {expected}, {met}"
            );
        }
    }
}
