//! Curves that cross themselves: where, the gates, and which strand is there.

use std::f64::consts::PI;
use std::sync::Arc as Shared;

use curves::{Arc, Ground, GroundError, Line, OffsetGround, Parametric, Piece, Place, Spot, Touched};
use nalgebra::Vector2;
use numbers::{Expression, Interval};

fn line(a: [f64; 2], b: [f64; 2]) -> Piece {
    let (line, length) = Line::new(a.into(), b.into()).expect("a line");
    Piece::of(line, Interval::new(0.0, length))
}

/// A full circle of radius 1 that is run counter-clockwise from its lowest point.
fn circle(x: f64) -> Piece {
    let (arc, length) = Arc::new(Vector2::new(x, 1.0), 1.0, -0.5 * PI, 1.5 * PI).expect("an arc");
    Piece::of(arc, Interval::new(0.0, length))
}

/// Straight, so many loops 5 m apart, straight.
fn row(loops: usize) -> Result<Ground, GroundError> {
    let mut pieces = Vec::new();
    for i in 0..loops {
        let x = 5.0 * i as f64;
        pieces.extend([line([x - 5.0, 0.0], [x, 0.0]), circle(x)]);
    }
    let x = 5.0 * loops as f64;
    pieces.push(line([x - 5.0, 0.0], [x, 0.0]));
    Ground::by_arc_length(pieces)
}

/// A line, a full circle and a line, all through one point with one tangent: a crossing, its gate at the top.
#[test]
fn a_full_circle() -> Result<(), GroundError> {
    for loops in [1, 3] {
        let ground = row(loops)?;
        assert_eq!(ground.crossings().len(), loops);
        for (i, crossing) in ground.crossings().iter().enumerate() {
            let x = 5.0 * i as f64;
            assert!((crossing.point - Vector2::new(x, 0.0)).norm() < 1e-12);
            assert_eq!(crossing.passages.map(|(piece, _)| piece), [2 * i + 1, 2 * i + 2]);
            let (piece, s) = crossing.gate;
            assert_eq!(piece, 2 * i + 1);
            assert!((s - PI).abs() < 1e-9, "{s}");
        }
    }
    Ok(())
}

/// Run the other way it is the same crossing.
#[test]
fn backwards() -> Result<(), GroundError> {
    let forwards = row(1)?;
    let pieces = forwards.pieces().iter().rev().map(Piece::reversed).collect();
    let ground = Ground::by_arc_length(pieces)?;
    let [crossing] = ground.crossings() else { panic!("{:?}", ground.crossings()) };
    assert!(crossing.point.norm() < 1e-12 && (crossing.gate.1 + PI).abs() < 1e-9, "{crossing:?}");
    Ok(())
}

/// A curve through itself at an angle, at a place known in closed form: `x = s³ − s`, `y = s²` meets itself at s = ±1, (0, 1).
#[test]
fn at_an_angle() -> Result<(), GroundError> {
    let [x, y] = ["s^3 - s", "s^2"].map(|text| Expression::parse(text, &["s"], &[]).expect("a formula"));
    let ground = Ground::new(vec![Piece::of(Parametric { x, y }, Interval::new(-1.5, 1.5))])?;
    let [crossing] = ground.crossings() else { panic!("{:?}", ground.crossings()) };
    assert!((crossing.point - Vector2::new(0.0, 1.0)).norm() < 1e-12, "{crossing:?}");
    let [(_, first), (_, second)] = crossing.passages;
    assert!((first + 1.0).abs() < 1e-12 && (second - 1.0).abs() < 1e-12 && crossing.gate.1.abs() < 1e-9);
    Ok(())
}

/// What touches itself without a change of sides, ends on itself, or is closed and crosses itself, is refused.
#[test]
fn refused() {
    // Two arcs that touch from outside, at their joints with a line each.
    let touch = |pieces: Vec<Piece>| matches!(Ground::by_arc_length(pieces), Err(GroundError::Crossing { .. }));
    let arc = |centre: [f64; 2], from: f64, to: f64| {
        let (arc, length) = Arc::new(centre.into(), 1.0, from, to).expect("an arc");
        Piece::of(arc, Interval::new(0.0, length))
    };
    // An S that comes back to touch its own line in one point: line, half turns.
    assert!(touch(vec![
        line([-3.0, 0.0], [3.0, 0.0]),
        arc([3.0, 1.0], -0.5 * PI, 0.5 * PI),
        line([3.0, 2.0], [0.0, 2.0]),
        arc([0.0, 1.0], 0.5 * PI, 2.0 * PI)
    ]));
    // The end of the curve on its own middle.
    assert!(touch(vec![line([0.0, 0.0], [4.0, 0.0]), line([4.0, 0.0], [4.0, 2.0]), line([4.0, 2.0], [2.0, 0.0])]));
    let [x, y] = ["sin(s)", "sin(2*s)"].map(|text| Expression::parse(text, &["s"], &[]).expect("a formula"));
    let eight = Ground::new(vec![Piece::of(Parametric { x, y }, Interval::new(-PI, PI))]);
    assert!(matches!(eight, Err(GroundError::Crossing { .. })), "{eight:?}");
}

/// Before the gate the strand of the way out is not there near the crossing, after it that of the way in; far from it both are.
#[test]
fn strands_that_are_there() -> Result<(), GroundError> {
    let ground = Shared::new(row(3)?);
    for radius in [0.0, 0.05, 0.2] {
        let offset = OffsetGround::new(ground.clone(), radius);
        let layer = |place: Place| offset.seen_by(offset.touching(Touched::default(), place));
        let place = |s: f64| match offset.ground().locate(0, s) {
            Some(Spot::Piece { index, parameter }) => Place::Piece { index, parameter },
            _ => panic!("inside"),
        };
        // Asked for again, it is not built again.
        assert!(Shared::ptr_eq(&layer(place(1.0)), &layer(place(1.0))));
        // `s` of the second loop begins at 10 + 2π.
        let loop_start = 10.0 + 2.0 * PI;
        let near = |s: f64, x: f64, y: f64| {
            let layer = layer(place(s));
            let found = layer.ground().closest(Vector2::new(x, y));
            layer.ground().shown_parameter(found.piece, found.parameter)
        };
        let eps = 1e-6;
        // A little above the line behind the crossing: on the way in the loop is there, on the way out the line.
        assert!((near(loop_start - 1.0, 5.0 + 0.05, eps) - loop_start - 0.05).abs() < 0.01);
        assert!((near(loop_start + 2.0 * PI + 1.0, 5.0 + 0.05, eps) - loop_start - 2.0 * PI - 0.05).abs() < 0.01);
        assert!((near(loop_start - 1.0, 5.0 - 0.05, eps) - loop_start + 0.05).abs() < 0.01);
        assert!((near(loop_start + 2.0 * PI + 1.0, 5.0 - 0.05, eps) - loop_start - 2.0 * PI + 0.05).abs() < 0.01);
        // The top, and the next loop, are there always.
        for s in [1.0, loop_start - 1.0, loop_start + 2.0, loop_start + 5.0, loop_start + 8.0] {
            assert!((near(s, 5.0, 1.9) - loop_start - PI).abs() < 1e-9);
        }
        // On each strand there is no second contact at the crossing.
        for s in [loop_start - eps, loop_start + eps, loop_start + 2.0 * PI - eps, loop_start + 2.0 * PI + eps] {
            let layer = layer(place(s));
            assert!(layer.second_contact(place(s), 0.01, -Vector2::x()).is_none(), "{radius} {s}");
        }
        assert_eq!(
            [1.0, loop_start - 1.0, loop_start + 4.0].map(|s| offset.gates_before(place(s))),
            [Some(0), Some(1), Some(2)]
        );
    }
    Ok(())
}

/// A gate is put between the passages, a reach is positive.
#[test]
fn gates() -> Result<(), GroundError> {
    let moved = row(1)?.with_gate(0, Some(6.0), Some(0.3)).expect("inside");
    assert_eq!(moved.crossings()[0].gate, (1, 1.0));
    assert!(row(1)?.with_gate(0, Some(4.0), None).is_none() && row(1)?.with_gate(0, Some(12.0), None).is_none());
    assert!(row(1)?.with_gate(1, None, None).is_none() && row(1)?.with_gate(0, None, Some(0.0)).is_none());
    Ok(())
}
