//! No allocation in a step. Alone in its binary, because it counts what the whole process allocates.

#![allow(clippy::expect_used, clippy::print_stdout, reason = "tests say what they measured, and fail loudly")]

use std::sync::Arc;

use allocation_counter::measure;
use curves::{Ground, OffsetGround, Piece, Profile};
use mechanics::{Ball, ContactLaw, Forces, Friction, State};
use moreau::{BallSettings, Balls, Body, ByScheme, Projection};
use nalgebra::Vector2;
use numbers::{Interval, Number};

use midpoint::Midpoint;

#[path = "balls/midpoint.rs"]
mod midpoint;

#[derive(Debug)]
struct Wave;

impl Profile for Wave {
    fn point<N: Number>(&self, x: N) -> [N; 2] {
        [x, (x + x).sin().scale(0.1)]
    }
}

/// One ball, bouncing, slipping and rolling: in a valley with drag and damping, with projection and without.
#[test]
fn one_ball() {
    let piece = Piece::new(Wave, Interval::new(f64::NEG_INFINITY, f64::INFINITY));
    let ground = Arc::new(OffsetGround::new(Arc::new(Ground::new(vec![piece]).expect("a ground")), 0.05));
    let ball = Ball::new(1.0, 0.05, 0.4).expect("a ball");
    let law = ContactLaw::new(0.6).and_then(|law| law.with_friction(Friction::Coefficient(0.3))).expect("a law");
    let forces = Forces::gravity(&ball, Vector2::new(0.0, -9.81)).expect("gravity");
    let (position, velocity) = (Vector2::new(0.1, 1.0), Vector2::new(0.3, 0.0));
    let start = State { time: 0.0, position, velocity, angle: 0.0, spin: 3.0, dissipated: 0.0, work: 0.0 };
    let body = Body { ball, ground, forces, law, start };
    for (drag, projection) in [(0.0, None), (0.01, Some(Projection::default()))] {
        let forces = body.forces.clone().with_drag(drag).expect("drag");
        let law = body.law.clone().with_rolling_damping(drag).expect("damping");
        let settings = BallSettings { projection, ..BallSettings::new(2e-3) };
        let mut balls =
            Balls::new(vec![Body { forces, law: law.clone(), ..body.clone() }], law, settings).expect("a start");
        for _ in 0..1000 {
            balls.step().expect("a step");
        }
        let mut contacts = 0;
        let info = measure(|| {
            for _ in 0..10_000 {
                contacts += balls.step().expect("a step").contacts;
            }
        });
        println!("one ball: {} allocations, {contacts} contacts", info.count_total);
        assert!(info.count_total == 0 && contacts > 1000);
    }
}

/// Balls in a row through the door of schemes, which land, slip and come to lie.
#[test]
fn several_balls_by_a_scheme_of_the_caller() {
    let piece = Piece::new(Wave, Interval::new(f64::NEG_INFINITY, f64::INFINITY));
    let ground = Arc::new(OffsetGround::new(Arc::new(Ground::new(vec![piece]).expect("a ground")), 0.05));
    let ball = Ball::new(1.0, 0.05, 0.4).expect("a ball");
    let law = ContactLaw::new(0.2).and_then(|law| law.with_friction(Friction::Coefficient(0.3))).expect("a law");
    let forces = Forces::gravity(&ball, Vector2::new(0.0, -9.81)).expect("gravity");
    let body = |i: i32| {
        let (position, velocity) = (Vector2::new(0.11 * f64::from(i), 0.3), Vector2::zeros());
        let start = State { time: 0.0, position, velocity, angle: 0.0, spin: 3.0, dissipated: 0.0, work: 0.0 };
        Body { ball, ground: ground.clone(), forces: forces.clone(), law: law.clone(), start }
    };
    let mut balls = Balls::new((0..4).map(body).collect(), law.clone(), BallSettings::new(2e-3)).expect("a start");
    let mut scheme = ByScheme::new(Box::<Midpoint>::default());
    let (mut most, mut lists) = (0, 0);
    for step in 0..5000 {
        let before = balls.neighbour_lists();
        let info = measure(|| most = most.max(scheme.step(&mut balls).expect("a step").contacts));
        let listed = balls.neighbour_lists() > before;
        lists += u32::from(listed);
        assert!(step < 3000 || listed || info.count_total == 0, "{} allocations in step {step}", info.count_total);
    }
    println!("by a scheme: up to {most} contacts, {lists} lists of neighbours");
    assert!(most > 4 && lists < 500);
}
