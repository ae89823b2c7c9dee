//! Bounces, corners, ends, and two balls.

use std::sync::Arc;

use curves::{Ground, OffsetGround, Piece};
use mechanics::{Ball, Forces};
use moreau::{BallSettings, Balls, Body};
use nalgebra::Vector2;

use super::world::{GRAVITY, Slope, Valley, at, corners, ground, law, sphere};

/// On flat ground a ball does what the scalar recurrence does.
#[test]
fn drop_is_the_scalar_recurrence() {
    for theta in [0.5, 1.0] {
        let ground = ground(Slope(0.0), 0.25);
        let h = 5e-3;
        let body = sphere(&ground, law(0.9, 0.0), at([0.0, 1.25], [0.0, 0.0], 0.0));
        let mut balls =
            Balls::new(vec![body], law(0.0, 0.0), BallSettings { theta, ..BallSettings::new(h) }).expect("a start");
        let (mut y, mut v) = (1.0_f64, 0.0_f64);
        for _ in 0..2000 {
            let free = v - GRAVITY * h;
            let after = if y + 0.5 * h * v <= 0.0 { free.max(-0.9 * v) } else { free };
            y += h * (theta * after + (1.0 - theta) * v);
            v = after;
            balls.step().expect("a step");
            let state = balls.state(0);
            assert!((state.position.y - 0.25 - y).abs() < 1e-11 && (state.velocity.y - v).abs() < 1e-11);
        }
    }
}

/// A ball in a V of two walls touches both, and rests.
#[test]
fn two_walls() {
    for radius in [0.1, 0.0] {
        let walls = corners(&[[-1.0, 1.0], [0.0, 0.0], [1.0, 1.0]], radius);
        let start = at([0.05, 0.6], [0.0, 0.0], 0.0);
        let body = if radius > 0.0 {
            sphere(&walls, law(0.3, 0.2), start)
        } else {
            let ball = Ball::point(1.0).expect("a ball");
            let forces = Forces::gravity(&ball, Vector2::new(0.0, -GRAVITY)).expect("gravity");
            Body { ball, ground: walls.clone(), forces, law: law(0.3, 0.2), start }
        };
        let mut balls = Balls::new(vec![body], law(0.0, 0.0), BallSettings::new(1e-3)).expect("a start");
        for _ in 0..6000 {
            balls.step().expect("a step");
        }
        let (state, contacts) = (balls.state(0), balls.contacts());
        println!("R = {radius}: {state:?}\n{contacts:?}");
        assert_eq!(contacts.len(), 2);
        assert!(state.velocity.norm() < 1e-6 && state.spin.abs() < 1e-5);
        let rest = Vector2::new(0.0, radius * 2f64.sqrt());
        assert!((state.position - rest).norm() < 2e-3, "{}", state.position);
        let weight: f64 =
            contacts.iter().map(|c| (c.normal * c.normal_impulse + c.tangent() * c.tangential_impulse).y).sum::<f64>();
        assert!((weight / 1e-3 - GRAVITY).abs() < 1e-3, "{weight}");
    }
}

/// Two curves that cross are to a bead what one curve with a corner there is: it slides into the crossing, or is thrown there, and rests.
#[test]
fn a_bead_at_a_crossing() {
    let line = |a: [f64; 2], b: [f64; 2]| {
        Ground::new(Piece::polyline(&[a.into(), b.into()]).expect("a piece")).expect("a ground")
    };
    let both = Ground::of_curves(vec![line([-1.0, 1.0], [1.0, -1.0]), line([-1.0, -1.0], [1.0, 1.0])]).expect("two");
    let crossing = Arc::new(OffsetGround::new(Arc::new(both), 0.0));
    let corner = corners(&[[-1.0, 1.0], [0.0, 0.0], [1.0, 1.0]], 0.0);
    for (position, velocity) in [([-0.5, 0.5], [0.0, 0.0]), ([0.1, 0.7], [0.0, 0.0]), ([-0.3, 0.9], [0.4, -1.0])] {
        let mut runs = [&crossing, &corner].map(|ground| {
            let ball = Ball::point(1.0).expect("a ball");
            let forces = Forces::gravity(&ball, Vector2::new(0.0, -GRAVITY)).expect("gravity");
            let start = at(position, velocity, 0.0);
            let body = Body { ball, ground: ground.clone(), forces, law: law(0.3, 0.1), start };
            Balls::new(vec![body], law(0.0, 0.0), BallSettings::new(1e-3)).expect("a start")
        });
        // At rest rounding may open one side for a step: a fall of g h².
        let (mut allowed, step) = (1e-12, 1e-3);
        for _ in 0..4000 {
            let [a, b] = runs.each_mut().map(|balls| {
                balls.step().expect("a step");
                balls.state(0).position
            });
            assert!((a - b).norm() < allowed, "{position:?}: {a:?} {b:?}");
            if runs.iter().all(|balls| balls.contacts().len() == 2) {
                allowed = 2.0 * GRAVITY * step * step;
            }
        }
        assert!(allowed > 1e-12, "never in the crossing");
        let [crossing, _] = &runs;
        assert!(crossing.state(0).position.norm() < 5e-3 && crossing.state(0).velocity.norm() < GRAVITY * step);
    }
}

/// A ball that rolls off a table falls, and is not caught by its underside.
#[test]
fn over_the_edge() {
    let table = corners(&[[-1.0, 0.0], [0.0, 0.0]], 0.1);
    let body = sphere(&table, law(0.0, 0.5), at([-0.5, 0.1], [0.2, 0.0], -2.0));
    let mut balls = Balls::new(vec![body], law(0.0, 0.0), BallSettings::new(1e-3)).expect("a start");
    for _ in 0..6000 {
        balls.step().expect("a step");
    }
    let state = balls.state(0);
    println!("{state:?}");
    assert!(state.position.y < -20.0 && state.velocity.x > 0.2 && state.velocity.x < 3.0);
}

/// Two balls collide head on: momentum is kept, and e of the approach comes back.
#[test]
fn head_on() {
    let flat = ground(Slope(0.0), 0.1);
    let first = sphere(&flat, law(0.0, 0.0), at([0.0, 5.0], [1.0, 0.0], 0.0));
    let second = sphere(&flat, law(0.0, 0.0), at([1.0, 5.0], [-1.0, 0.0], 0.0));
    let mut balls = Balls::new(vec![first, second], law(0.5, 0.3), BallSettings::new(1e-3)).expect("a start");
    for _ in 0..700 {
        balls.step().expect("a step");
    }
    let (a, b) = (balls.state(0), balls.state(1));
    assert!((a.velocity.x + 0.5).abs() < 1e-12 && (b.velocity.x - 0.5).abs() < 1e-12, "{a:?} {b:?}");
    let ledger = balls.energy();
    assert!((ledger.normal + 0.75).abs() < 1e-12 && ledger.numerical().abs() < 1e-12, "{ledger:?}");
}

/// A ball on a curve is found by the closest point however fast the run culls it: never deeper than a step takes it.
#[test]
fn bounces_in_a_valley() {
    let valley = ground(Valley, 0.1);
    let body = sphere(&valley, law(0.8, 0.3), at([0.7, 2.0], [-1.0, 0.0], 3.0));
    let forces = body.forces.clone().with_drag(0.05).and_then(|forces| forces.with_magnus(0.02)).expect("forces");
    let body = Body { forces, law: body.law.with_rolling_damping(2.0).expect("a law"), ..body };
    for step in [2e-3, 1e-3] {
        let mut balls = Balls::new(vec![body.clone()], law(0.0, 0.0), BallSettings::new(step)).expect("a start");
        let (mut deepest, mut gain) = (0.0_f64, 0.0_f64);
        let mut before = balls.energy().total();
        while balls.time() < 40.0 {
            let speed = balls.state(0).velocity.norm();
            balls.step().expect("a step");
            let gap = valley.gap(balls.state(0).position);
            assert!(gap > -1.5 * step * speed - 1e-3, "{gap} at {}", balls.time());
            deepest = deepest.min(gap);
            gain = gain.max(balls.energy().total() - before);
            before = balls.energy().total();
        }
        let ledger = balls.energy();
        println!(
            "h = {step}: deepest {deepest:e}, largest gain {gain:e}, {ledger:?}, numerical {:e}",
            ledger.numerical()
        );
        assert!(balls.state(0).velocity.norm() < 1e-3);
    }
}

/// A ball that falls straight into a valley, through more than its radius in a step that begins above the ground, does
/// not go along it: its impact is no hop of the scheme, and has its tangential restitution.
#[test]
fn a_fall_through_a_step_is_an_impact() {
    let law = law(0.1, 1.0).with_tangential_restitution(0.5).expect("a law");
    let body = sphere(&ground(Valley, 0.05), law, at([0.0, 0.3], [0.0, -20.0], 10.0));
    let mut balls = Balls::new(vec![body], super::world::law(0.0, 0.0), BallSettings::new(0.02)).expect("a start");
    balls.step().expect("a step");
    let state = balls.state(0);
    assert!(balls.audit().late > 0 && state.velocity.y > 1.0, "{state:?}");
    assert!((state.velocity.x + 0.05 * state.spin + 0.5 * 0.05 * 10.0).abs() < 1e-12, "{state:?}");
}
