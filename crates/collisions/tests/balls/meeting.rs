//! When two balls meet that fly with accelerations of their own.

use collisions::mechanics::{Ball, ContactLaw, Forces};
use collisions::nalgebra::Vector2;
use collisions::{Collisions, Kind, Settings};

use crate::cells::fall;
use crate::{Draw, at, body, line};

/// The first that happens between a ball, by its place, velocity and acceleration, and one that begins at the origin with a velocity of
/// its own, and when; their radii sum up to 1 m.
fn first_of([q, v, a]: [[f64; 2]; 3], other: [f64; 2], until: f64) -> Option<(Kind, f64)> {
    let ground = line(&[[-999.0, -500.0], [999.0, -500.0]]);
    let ball = Ball::new(1.0, 0.5, Ball::DISC).unwrap();
    let law = ContactLaw::default();
    let mut bodies = [at(q, v, 0.0), at([0.0; 2], other, 0.0)].map(|start| body(ball, &ground, law, 0.0, start));
    bodies[0].forces = Forces::gravity(&ball, Vector2::from(a)).unwrap();
    let mut run = Collisions::new(bodies.into(), law, Settings::until(until, 1e-3)).unwrap();
    let mut told = None;
    run.advance(until, &mut |event| told = told.or(Some((event.kind, event.states[0].time)))).unwrap();
    told
}

fn first(q: [f64; 2], v: [f64; 2], a: [f64; 2], until: f64) -> Option<(Kind, f64)> {
    first_of([q, v, a], [0.0; 2], until)
}

fn met(q: [f64; 2], v: [f64; 2], a: [f64; 2], until: f64) -> f64 {
    let Some((Kind::Impact, time)) = first(q, v, a, until) else { panic!("{q:?} {v:?} {a:?}") };
    time
}

#[test]
fn straight_and_bent() {
    // 3 m apart, one after the other at 2 m/s: the gap of 2 m is closed in 1 s.
    assert!((met([3.0, 0.0], [-2.0, 0.0], [0.0, 0.0], 9.0) - 1.0).abs() < 1e-15);
    assert_eq!(first([3.0, 1.001], [-2.0, 0.0], [0.0, 0.0], 9.0), None);
    assert_eq!(first([3.0, 0.0], [-2.0, 0.0], [0.0, 0.0], 0.9), None);
    // Falls 2 m.
    let fall = met([0.0, 3.0], [0.0, 0.0], [0.0, -4.0], 9.0);
    assert!((fall - 1.0).abs() < 1e-15, "{fall}");
    // Thrown up and back: 2 + 4 t − 2 t² = 0 at 1 + √2.
    let back = met([0.0, 3.0], [0.0, 4.0], [0.0, -4.0], 9.0);
    assert!((back - 1.0 - 2f64.sqrt()).abs() < 1e-14, "{back}");
    assert_eq!(first([0.0, 3.0], [0.0, 4.0], [0.0, -4.0], 2.4), None);
}

#[test]
fn the_root_at_the_start_is_not_found_again() {
    // Leaves upwards from the touch and comes back after 2 v/g.
    let hop = met([0.0, 1.0], [0.0, 1.0], [0.0, -4.0], 9.0);
    assert!((hop - 0.5).abs() < 1e-14, "{hop}");
    let pressed = first([0.0, 1.0], [0.0, 0.0], [0.0, -4.0], 9.0);
    assert_eq!(pressed, Some((Kind::Handed, 0.0)));
    assert_eq!(first([0.0, 1.0], [0.0, 0.0], [0.0, 4.0], 9.0), None);
    assert_eq!(first([0.0, 1.0], [1.0, 0.0], [0.0, 0.0], 9.0), None);
    // Closer by rounding alone.
    assert_eq!(first_of([[0.0, 1.0], [1.0, -1e-17], [0.0, 0.0]], [1.0, 0.0], 9.0), None);
    assert_eq!(met([0.0, 1.0], [0.0, -1e-3], [0.0, 0.0], 9.0), 0.0);
}

/// Against marching in small steps, over many parabolas.
#[test]
fn the_first_of_several_roots() {
    let mut draw = Draw(7);
    let mut drawn = |size: f64| [0; 2].map(|_| size * (draw.next() - 0.5));
    let (mut hits, mut misses) = (0, 0);
    for _ in 0..3000 {
        let (q, v, a) = (drawn(6.0), drawn(4.0), drawn(8.0));
        let [place, velocity, acceleration] = [q, v, a].map(Vector2::from);
        if place.norm() < 1.01 {
            continue;
        }
        let gap = |t: f64| (place + t * (velocity + 0.5 * t * acceleration)).norm() - 1.0;
        let seen = (1..30_000).map(|i| f64::from(i) * 1e-4).find(|t| gap(*t) < 0.0);
        match (first(q, v, a, 3.0), seen) {
            (Some((Kind::Impact, time)), Some(seen)) => {
                assert!((time - seen).abs() <= 1.01e-4 && gap(time).abs() < 1e-13, "{q:?} {v:?} {a:?} {time} {seen}");
                hits += 1;
            }
            // Between two marks only.
            (Some((Kind::Impact, time)), None) => assert!(gap(time).abs() < 1e-13 && gap(time + 1e-7) < 0.0),
            (None, None) => misses += 1,
            other => panic!("{q:?} {v:?} {a:?} {other:?}"),
        }
    }
    assert!(hits > 300 && misses > 300, "{hits} {misses}");
}

/// A ball that goes from cell to cell sees all that are near it.
#[test]
fn near_balls_are_seen_wherever_it_goes() {
    let ground = line(&[[-999.0, -500.0], [999.0, -500.0]]);
    let (radius, law) = (0.2, ContactLaw::new(1.0).unwrap());
    let start = |i: u32| at([f64::from(i % 3), f64::from(i / 3)], if i == 0 { [1.7, 4.1] } else { [0.0; 2] }, 0.0);
    let ball = |i: u32| Ball::new(if i == 0 { 1e-9 } else { 1.0 }, if i == 0 { 0.0 } else { radius }, 0.0).unwrap();
    let bodies = (0..9).map(|i| body(ball(i), &ground, law, if i == 0 { 9.81 } else { 0.0 }, start(i))).collect();
    let mut run = Collisions::new(bodies, law, Settings::until(3.0, 1e-3)).unwrap();
    let mut seen = 0;
    for time in (1..=3000).map(|i| 1e-3 * f64::from(i)) {
        run.advance(time, &mut |_| ()).unwrap();
        let place = |i: usize| run.report(i).state.position;
        let gaps = (1..9).map(|i| ((place(i) - place(0)).norm() - radius, i));
        let (gap, nearest) = gaps.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
        if gap < radius {
            let (found, at) = run.nearest(0);
            assert!(found == Some(nearest) && (at - gap).abs() < 1e-12, "{time}");
            seen += 1;
        }
    }
    assert!(seen > 20 && run.report(0).state.position.y < -20.0, "{seen}");
}

#[test]
fn falls() {
    assert_eq!(fall(1.0, -2.0, 0.0), 0.5);
    assert_eq!(fall(1.0, 2.0, 0.0), f64::INFINITY);
    assert_eq!(fall(0.0, 3.0, -2.0), 3.0);
    assert_eq!(fall(2.0, 0.0, -4.0), 1.0);
    // Turns before it gets there.
    assert_eq!(fall(2.0, -1.0, 4.0), f64::INFINITY);
    assert_eq!(fall(0.0, -1.0, 2.0), 0.0);
}
