//! A point that touches the ground just where two faces of it meet: two marches see one half of the touch each.

use std::f64::consts::FRAC_PI_2;
use std::sync::Arc as Shared;

use curves::{Arc, Graph, Ground, Motion, OffsetGround, Path, Piece, SearchCount};
use nalgebra::Vector2;
use numbers::{Expression, Interval};

/// Grounds with a crest at the origin where faces meet; none is above `y = −0.3 x²` near it.
fn crests() -> Vec<(&'static str, Vec<Piece>)> {
    let corner = |left: f64, right: f64| {
        let points = [Vector2::new(-4.0, left), Vector2::zeros(), Vector2::new(4.0, right)];
        Piece::polyline(&points).expect("a polyline")
    };
    let graph = |y: &str, lo: f64, hi: f64| {
        let y = Expression::parse(y, &["x"], &[]).expect("a formula");
        Piece::of(Graph { y }, Interval::new(lo, hi))
    };
    // Halved by its leaves at the top.
    let (arc, length) = Arc::new(Vector2::new(0.0, -1.0), 1.0, FRAC_PI_2 + 1.0, FRAC_PI_2 - 1.0).expect("an arc");
    vec![
        ("corner", corner(-4.0, -4.0)),
        ("corner, steeper before", corner(-6.0, -4.0)),
        ("corner, steeper behind", corner(-4.0, -6.0)),
        ("smooth joint", vec![graph("-x^2", -4.0, 0.0), graph("-2*x^2", 0.0, 4.0)]),
        ("two leaves of an arc", vec![Piece::of(arc, Interval::new(0.0, length))]),
    ]
}

#[test]
fn a_touch_where_faces_meet_counts_once() {
    for (name, pieces) in crests() {
        let ground = OffsetGround::new(Shared::new(Ground::by_arc_length(pieces).expect("a ground")), 0.0);
        for height in [1e-9, 0.0, -1e-9] {
            // Along y = height − x²/4, from either side, from before the top of φ and behind it.
            for (x, speed) in [(-2.0, 4.0), (2.0, -4.0), (-0.5, 4.0), (0.5, -4.0), (-0.125, 1.0)] {
                let start = Motion {
                    position: Vector2::new(x, height - 0.25 * x * x),
                    velocity: Vector2::new(speed, -0.5 * x * speed),
                    acceleration: Vector2::new(0.0, -0.5 * speed * speed),
                };
                let path = Path::parabola(start, -1.75 * x / speed);
                let mut count = SearchCount::default();
                let contact = ground.first_contact(&path, None, &mut count).expect("decided");
                let place = format!("{name} by {height:e} from {x} at {speed}: {contact:?}, {count:?}");
                assert_eq!(count.grazes, u64::from(height == 0.0), "{place}");
                assert_eq!(contact.is_some(), height < 0.0, "{place}");
            }
        }
    }
}

/// A path through steps of flight each of which falls by less than rounding: they add up, and a contact is due at once.
#[test]
fn short_steps_do_not_sink_in() {
    for (from, to) in [([-4.0, 0.3], [4.0, 0.9]), ([4.0, 3.1], [-1.0, 2.7])] {
        let [from, to] = [from, to].map(|[x, y]| Vector2::new(x, y));
        let ground = Ground::by_arc_length(Piece::polyline(&[from, to]).expect("a line")).expect("a ground");
        let ground = OffsetGround::new(Shared::new(ground), 0.12);
        let along = (to - from).normalize();
        let up = Vector2::new(-along.y, along.x);
        for rate in [-0.04, 0.04] {
            let (mut position, velocity) = (0.5 * (from + to) + 0.12 * up, 1.9 * along + rate * up);
            let (mut time, mut step, mut found) = (0.0, 1e-14, None);
            while time < 1e-6 && found.is_none() {
                let path = Path::parabola(Motion { position, velocity, acceleration: Vector2::zeros() }, step);
                found = ground.first_contact(&path, None, &mut SearchCount::default()).expect("decided");
                (position, time, step) = (position + step * velocity, time + step, 1.5 * step);
            }
            assert_eq!(found.is_some(), rate < 0.0, "{rate}");
            assert!(found.is_none() || time < 1e-12, "{time:e} s");
        }
    }
}
