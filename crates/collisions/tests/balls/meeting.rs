//! When two balls meet that fly with accelerations of their own.

use collisions::mechanics::{Ball, ContactLaw, Forces};
use collisions::nalgebra::Vector2;
use collisions::{CollisionKind, CollisionSettings, Collisions};

use crate::{Draw, at, body, line};
use collisions::moreau::CellGrid;
use collisions::numbers::polynomial::first_fall;

/// The first that happens between a ball, by its place, velocity and acceleration, and one that begins at the origin with a velocity of
/// its own, and when; their radii sum up to 1 m.
fn first_of([q, v, a]: [[f64; 2]; 3], other: [f64; 2], until: f64) -> Option<(CollisionKind, f64)> {
    let ground = line(&[[-999.0, -500.0], [999.0, -500.0]]);
    let ball = Ball::new(1.0, 0.5, Ball::DISC).unwrap();
    let law = ContactLaw::default();
    let mut bodies =
        [at(q, v, 0.0), at([0.0; 2], other, 0.0)].map(|start| body(ball, &ground, law.clone(), 0.0, start));
    bodies[0].forces = Forces::gravity(&ball, Vector2::from(a)).unwrap();
    let mut run = Collisions::new(bodies.into(), law, CollisionSettings::until(until, 1e-3)).unwrap();
    let mut told = None;
    run.advance(until, &mut |event| told = told.or(Some((event.kind, event.states[0].time)))).unwrap();
    told
}

fn first(q: [f64; 2], v: [f64; 2], a: [f64; 2], until: f64) -> Option<(CollisionKind, f64)> {
    first_of([q, v, a], [0.0; 2], until)
}

fn met(q: [f64; 2], v: [f64; 2], a: [f64; 2], until: f64) -> f64 {
    let (kind, time) = first(q, v, a, until).unwrap();
    assert_eq!(kind, CollisionKind::Impact, "{q:?} {v:?} {a:?}");
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
    assert_eq!(pressed, Some((CollisionKind::Handed, 0.0)));
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
            (Some((CollisionKind::Impact, time)), Some(seen)) => {
                assert!((time - seen).abs() <= 1.01e-4 && gap(time).abs() < 1e-13, "{q:?} {v:?} {a:?} {time} {seen}");
                hits += 1;
            }
            // Between two marks only.
            (Some((CollisionKind::Impact, time)), None) => assert!(gap(time).abs() < 1e-13 && gap(time + 1e-7) < 0.0),
            (None, None) => misses += 1,
            other => panic!("{q:?} {v:?} {a:?} {other:?}"),
        }
    }
    assert!(hits > 300 && misses > 300, "{hits} {misses}");
}

/// A ball that goes from cell to cell is always listed with all that are near it.
#[test]
fn near_balls_are_listed_wherever_they_go() {
    let places: Vec<Vector2<f64>> = (0..9).map(|i| Vector2::new(f64::from(i % 3), f64::from(i / 3))).collect();
    let mut cells = CellGrid::new(&places, 0.4);
    let (mut q, a) = (places[0], Vector2::new(0.0, -9.81));
    let (mut v, mut time) = (Vector2::new(1.7, 4.1), 0.0);
    while time < 3.0 {
        let exit = cells.exit(0, q, v, a);
        assert!(exit.after.is_finite());
        q += v * exit.after + a * (0.5 * exit.after * exit.after);
        v += a * exit.after;
        time += exit.after;
        cells.cross(0, exit);
        let mut seen = Vec::new();
        cells.near(0, |ball| seen.push(ball));
        for other in 1..9 {
            assert!((places[other] - q).amax() > 0.4 || seen.contains(&other), "{time} {other}");
        }
    }
    assert!(q.y < -20.0);
}

#[test]
fn falls() {
    assert_eq!(first_fall(1.0, -2.0, 0.0), 0.5);
    assert_eq!(first_fall(1.0, 2.0, 0.0), f64::INFINITY);
    assert_eq!(first_fall(0.0, 3.0, -2.0), 3.0);
    assert_eq!(first_fall(2.0, 0.0, -4.0), 1.0);
    // Turns before it gets there.
    assert_eq!(first_fall(2.0, -1.0, 4.0), f64::INFINITY);
    assert_eq!(first_fall(0.0, -1.0, 2.0), 0.0);
}
