//! Paths aimed exactly at where faces meet.
//!
//! Symptom: a point dropped into the very corner of a steep V fell through it. Cause: each face ended at the corner, and
//! the path passed both ends before it was deeper than rounding below either.

use std::f64::consts::PI;
use std::sync::Arc as Shared;

use curves::{Arc, Graph, Ground, Motion, OffsetGround, Path, Piece, SearchCount};
use nalgebra::Vector2;
use numbers::{Expression, Interval};

fn polyline(points: &[[f64; 2]]) -> Ground {
    let points: Vec<_> = points.iter().map(|p| Vector2::from(*p)).collect();
    match Piece::polyline(&points).and_then(Ground::new) {
        Ok(ground) => ground,
        Err(error) => panic!("{error}"),
    }
}

/// A straight path from `distance` away in the direction `angle` (of where it comes from) through `target`.
fn aimed(target: Vector2<f64>, angle: f64, distance: f64, speed: f64) -> Path {
    let back = Vector2::new(angle.cos(), angle.sin());
    let motion = Motion {
        position: target + distance * back,
        velocity: -speed * back,
        acceleration: Vector2::new(0.0, -1e-3 * speed),
    };
    Path::parabola(motion, 2.0 * distance / speed)
}

fn hits(ground: &OffsetGround, path: &Path, expected: f64) -> bool {
    let mut count = SearchCount::default();
    match ground.first_contact(path, None, &mut count) {
        Ok(Some(contact)) => (contact.time - expected).abs() <= 2e-3 * expected,
        other => {
            println!("{other:?}");
            false
        }
    }
}

/// V corners from flat to almost closed, at the origin and elsewhere, from every direction between the walls.
#[test]
fn into_the_corner_of_a_v() {
    for slope in [0.01, 0.3, 1.0, 4.0, 30.0, 300.0] {
        for corner in [Vector2::zeros(), Vector2::new(3.7, -2.1), Vector2::new(-1e3, 0.1)] {
            let run = 10.0 / f64::hypot(1.0, slope);
            let [x, y] = corner.into();
            let v = polyline(&[[x - run, y + slope * run], [x, y], [x + run, y + slope * run]]);
            let ground = OffsetGround::new(Shared::new(v), 0.0);
            let half = (1.0 / slope).atan();
            for part in [-0.9, -0.5, -0.1, 0.0, 0.1, 0.37, 0.8] {
                for off in [0.0, 1e-16, -1e-15, 3e-15, -1e-14, 1e-13] {
                    let angle = 0.5 * PI + part * half;
                    let path = aimed(corner + Vector2::new(off, 0.0), angle, 1.0, 3.0);
                    assert!(
                        hits(&ground, &path, 1.0 / 3.0),
                        "slope {slope}, corner {corner}, from {part}, {off:e} beside"
                    );
                }
            }
        }
    }
}

/// The inside of a circle, at angles where its leaves may meet, for a point and for balls.
#[test]
fn between_the_leaves_of_a_circle() {
    for radius in [0.0, 0.05, 0.7] {
        let (arc, length) = match Arc::new(Vector2::new(0.2, 1.0), 1.0, -PI, 0.0) {
            Some(arc) => arc,
            None => panic!("no arc"),
        };
        let ground = match Ground::by_arc_length(vec![Piece::of(arc, Interval::new(0.0, length))]) {
            Ok(ground) => OffsetGround::new(Shared::new(ground), radius),
            Err(error) => panic!("{error}"),
        };
        for i in 1..96 {
            let angle = -PI + PI * f64::from(i) / 96.0;
            let normal = -Vector2::new(angle.cos(), angle.sin());
            let target = Vector2::new(0.2, 1.0) - normal * (1.0 - radius);
            for tilt in [-0.8, 0.0, 0.3] {
                let path = aimed(target, normal.y.atan2(normal.x) + tilt, 0.2, 2.0);
                assert!(hits(&ground, &path, 0.1), "R = {radius}, {i}/96, tilt {tilt}");
            }
        }
    }
}

/// A point passes a corner that sticks out by more than rounding, on either side.
#[test]
fn past_a_corner_that_sticks_out() {
    let ground = OffsetGround::new(Shared::new(polyline(&[[-2.0, -1.0], [0.0, 0.0], [2.0, -3.0]])), 0.0);
    for off in [1e-13, 1e-12, 1e-9] {
        let path = |height: f64| {
            let motion = Motion {
                position: Vector2::new(-1.0, height),
                velocity: Vector2::new(2.0, 0.0),
                acceleration: Vector2::zeros(),
            };
            Path::parabola(motion, 1.0)
        };
        let touches = |path: &Path| ground.first_contact(path, None, &mut SearchCount::default());
        assert_eq!(touches(&path(off)).map(|hit| hit.is_some()), Ok(false), "{off:e} above");
        assert_eq!(touches(&path(-off)).map(|hit| hit.is_some()), Ok(true), "{off:e} below");
    }
}

/// Ground whose bend hardly changes: a foot beside the ball was judged by the height over its tangent, not over the ground, and a
/// ball that left the ground was taken for one behind it; it landed where a point would.
#[test]
fn over_a_parabola_from_its_ground() {
    let parabola = |y: &str| -> Result<Ground, Box<dyn std::error::Error>> {
        let y = Expression::parse(y, &["x"], &[])?;
        Ok(Ground::new(vec![Piece::of(Graph { y }, Interval::REAL)])?)
    };
    let ground = match parabola("0.2546*x^2") {
        Ok(ground) => OffsetGround::new(Shared::new(ground), 0.1),
        Err(error) => panic!("{error}"),
    };
    for s in [-3.0, -1.3, 0.4, 1.395_356_756_965_240_6, 2.0] {
        let frame = ground.frame(curves::Place::Piece { index: 0, parameter: s });
        for along in [-2.0, 0.3, 2.0] {
            let velocity = 5.3 * frame.normal + along * frame.tangent;
            let motion = Motion { position: frame.position, velocity, acceleration: Vector2::new(0.0, -9.81) };
            let path = Path::parabola(motion, 10.0);
            let Ok(Some(found)) = ground.first_contact(&path, None, &mut SearchCount::default()) else { panic!("{s}") };
            let off = ground.frame(found.place).position - path.at(found.time).position;
            assert!(off.norm() < 1e-13 && found.time > 0.1, "{s} {along}: {found:?}");
        }
    }
}
