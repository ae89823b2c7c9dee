//! Walls and needles thinner than their own height by many digits.

use std::sync::Arc;

use curves::{FirstContact, Graph, Ground, JointKind, Motion, OffsetGround, Path, Piece, Place, SearchCount};
use nalgebra::Vector2;
use numbers::{Expression, Interval};

fn ground(y: &str) -> Ground {
    let y = Expression::parse(y, &["x"], &[]).expect("a formula");
    Ground::new(vec![Piece::of(Graph { y }, Interval::REAL)]).expect("a ground")
}

fn thrown(position: Vector2<f64>, velocity: Vector2<f64>, duration: f64) -> Path {
    Path::parabola(Motion { position, velocity, acceleration: Vector2::new(0.0, -9.81) }, duration)
}

fn search(offset: &OffsetGround, path: &Path, from: Option<Place>) -> (Option<FirstContact>, u64) {
    let (mut count, departure) = (SearchCount::default(), from.map(|place| offset.departure(place)));
    let found = offset.first_contact(path, departure.as_ref(), &mut count).expect("a decision");
    (found, count.evaluations + count.enclosures)
}

/// A tip is a corner where the next parameter has another tangent already, and smooth where it has not.
#[test]
fn a_tip_is_a_corner() {
    for formula in ["0.3/(1+((x-1.3)/W)^2)", "0.3*exp(-((x-1.3)/W)^2)"] {
        for (width, corners) in [("1e-3", 0), ("1e-8", 1), ("1e-10", 1), ("1e-12", 1)] {
            let ground = ground(&formula.replace('W', width));
            let joints = ground.joints().iter().filter(|joint| joint.kind == JointKind::Convex);
            assert_eq!(joints.count(), corners, "{formula} {width}");
        }
    }
    // Far from the origin a parameter says little of any ground: that is no tip.
    for formula in ["sin(x)", "0.1*x^2", "sin(100*x)"] {
        assert_eq!(ground(formula).pieces().len(), 1, "{formula}");
    }
}

/// Symptom: a ball of 0.1 m that left a needle struck the floor a centimetre above it. Cause: the arc around the tip lies between two
/// neighbouring parameters.
#[test]
fn what_leaves_a_needle_comes_down_beside_it() {
    for width in ["1e-6", "1e-8", "1e-10", "1e-12"] {
        for y in ["0.0653*exp(-((x-0.59)/W)^2)", "0.0653/(1+((x-0.59)/W)^2)"] {
            let offset = OffsetGround::new(Arc::new(ground(&y.replace('W', width))), 0.1);
            let (found, work) =
                search(&offset, &thrown(Vector2::new(0.495, 0.1001), Vector2::new(-1.2, 1.85), 1.0), None);
            let end = found.expect("the floor").frame.position;
            assert!((end - Vector2::new(0.0424, 0.1)).amax() < 1e-4 && work < 1000, "{y} {width}: {end:?} {work}");
        }
    }
}

/// Symptom: a ball that left a wall struck it again in a nanosecond, some micrometres higher. Cause: a wall's height is known to what
/// rounding makes of its parameter, and all other ground counted as known no better.
#[test]
fn what_leaves_a_wall_does_not_strike_it() {
    let (at, radius) = (0.8043795494929527, 0.02);
    for width in ["9e-10", "1e-11", "1.6e-12"] {
        let wall = ground(&format!("0.025*tanh((x-{at})/{width})"));
        let offset = OffsetGround::new(Arc::new(wall), radius);
        let place = Place::Piece { index: 0, parameter: at };
        let frame = offset.frame(place);
        let (found, _) = search(&offset, &thrown(frame.position, 1.8 * frame.normal, 1.0), Some(place));
        let contact = found.expect("the floor");
        // From the middle of the wall down to the floor.
        let fall = (2.0_f64 * (0.025 - radius) / 9.81).sqrt();
        assert!((contact.time - fall).abs() < 1e-3 * fall, "{width}: {contact:?}");
    }
}

/// Symptom: a ball flew through the edge of a step. Cause: Newton's method left the part of the curve that its root was on, for the floor
/// below, and nothing looked where it had come to.
#[test]
fn an_edge_is_not_flown_through() {
    let step = ground("-0.7618669442638116*tanh(((x-0.7859281277361662)/3.745342433518633e-8))");
    let offset = OffsetGround::new(Arc::new(step), 0.1);
    let path =
        thrown(Vector2::new(-1.0, 1.7811993981938656), Vector2::new(26.739951406909608, -13.34043527487313), 2.0);
    let contact = search(&offset, &path, None).0.expect("the edge");
    let off = (path.at(contact.time).position - contact.frame.position).norm();
    assert!((contact.time - 0.067_323_856_8).abs() < 1e-9 && off < 1e-9, "{contact:?} {off:e}");
}

/// Symptom: the flat end of `tanh` could not be searched. Cause: of `1 − tanh²` all digits cancel.
#[test]
fn the_flat_end_of_tanh_is_flat() {
    for width in ["5e-10", "1e-12", "1e-14"] {
        let offset = OffsetGround::new(Arc::new(ground(&format!("0.02*tanh((x-1.17)/{width})"))), 0.02);
        let (found, work) = search(&offset, &thrown(Vector2::new(-1.0, 0.03), Vector2::new(1.6, 0.8), 2.0), None);
        assert!(found.is_some_and(|contact| contact.place.parameter() < 0.0) && work < 100, "{width}: {work}");
    }
}

/// Symptom: a bead that crept over the edge of a wall fell through the floor beside it. Cause: the edge was a corner whose ends lay 1.5e-10 m
/// apart, and the bead fell into that hole.
#[test]
fn what_creeps_over_an_edge_comes_down_beside_it() {
    let (at, width) = (0.6449427570966773, 7.164870135635048e-11);
    let ground = ground(&format!("0.0122*tanh((x-{at})/{width})"));
    assert_eq!(ground.pieces().len(), 3, "flank, chord, plateau");
    let edge = ground.pieces()[2].domain().lo;
    let offset = OffsetGround::new(Arc::new(ground), 0.0);
    for speed in [1e-7, 1e-6, 1.64e-5, 1e-4, 1e-2] {
        let place = Place::Piece { index: 2, parameter: edge };
        let frame = offset.frame(place);
        let (found, _) = search(&offset, &thrown(frame.position, -speed * frame.tangent, 0.3), Some(place));
        assert!(found.is_some(), "{speed} m/s: through the floor");
    }
}
