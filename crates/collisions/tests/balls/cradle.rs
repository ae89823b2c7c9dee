//! Rows of balls that touch, or nearly.

use collisions::mechanics::{Ball, ContactLaw};
use collisions::{CollisionKind, CollisionSettings, Collisions};

use crate::{at, body, line};

const RADIUS: f64 = 0.05;

/// `moving` of five balls come in with 1 m/s from 0.1 m; times of impacts, and velocities in the end.
fn cradle(moving: usize, gap: f64, gravity: f64) -> (Vec<f64>, Vec<f64>) {
    let (ground, law) = (line(&[[-9.0, 0.0], [9.0, 0.0]]), ContactLaw::new(1.0).unwrap());
    let ball = Ball::solid_sphere(0.3, RADIUS).unwrap();
    let mut x = 0.0;
    let bodies = (0..5).map(|i| {
        let q = [x, if gravity > 0.0 { RADIUS } else { 1.0 }];
        x += 2.0 * RADIUS + if i + 1 == moving { 0.1 } else { gap };
        body(ball, &ground, law.clone(), gravity, at(q, [if i < moving { 1.0 } else { 0.0 }, 0.0], 0.0))
    });
    let mut balls = Collisions::new(bodies.collect(), law, CollisionSettings::until(1.0, 1e-3)).unwrap();
    let mut times = Vec::new();
    balls
        .advance(1.0, &mut |told| {
            assert!(told.kind == CollisionKind::Impact && told.other.is_some(), "{told:?}");
            times.push(told.states[0].time);
        })
        .unwrap();
    (times, (0..5).map(|i| balls.leg(i).state.velocity.x).collect())
}

#[test]
fn as_many_leave_as_came_to_the_last_bit() {
    for moving in 1..5 {
        for gap in [0.0, 1e-9, 1e-2] {
            for gravity in [0.0, 9.81] {
                let (times, velocities) = cradle(moving, gap, gravity);
                for (i, v) in velocities.iter().enumerate() {
                    let exact = if i + moving >= 5 { 1.0 } else { 0.0 };
                    assert!((v - exact).abs() < 1e-14, "{moving} {gap} {gravity}: {velocities:?}");
                }
                assert_eq!(times.len(), moving * (5 - moving), "{moving} {gap} {gravity} {times:?}");
                // Impacts one after the other: the k-th ball that comes in meets the row's n-th after k + n gaps.
                let mut exact: Vec<f64> =
                    (0..moving).flat_map(|k| (0..5 - moving).map(move |n| 0.1 + (k + n) as f64 * gap)).collect();
                exact.sort_by(f64::total_cmp);
                for (time, exact) in times.iter().zip(&exact) {
                    assert!((time - exact).abs() < 1e-13, "{moving} {gap}: {times:?} {exact:?}");
                }
            }
        }
    }
}

/// Two come in at one instant from both sides: a mirror changes nothing.
#[test]
fn from_both_sides() {
    let (ground, law) = (line(&[[-9.0, 0.0], [9.0, 0.0]]), ContactLaw::new(1.0).unwrap());
    let ball = Ball::solid_sphere(1.0, RADIUS).unwrap();
    let bodies = [(-0.3, 1.0), (-0.1, 0.0), (0.0, 0.0), (0.1, 0.0), (0.3, -1.0)]
        .map(|(x, v)| body(ball, &ground, law.clone(), 0.0, at([x, 1.0], [v, 0.0], 0.0)));
    let mut balls = Collisions::new(bodies.into(), law, CollisionSettings::until(1.0, 1e-3)).unwrap();
    balls.advance(1.0, &mut |_| ()).unwrap();
    for (i, exact) in [-1.0, 0.0, 0.0, 0.0, 1.0].into_iter().enumerate() {
        assert!((balls.leg(i).state.velocity.x - exact).abs() < 1e-14);
    }
}
