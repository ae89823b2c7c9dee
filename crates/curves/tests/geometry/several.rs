//! Several curves in one ground: what a flight meets first is the first of what it meets of each curve alone.

use std::f64::consts::PI;
use std::sync::Arc as Shared;

use crate::random::Rng;
use curves::spline::{SplineEnds, knots, spline};
use curves::{Arc, Graph, Ground, GroundError, JointKind, Line, Motion, OffsetGround, Path, Piece, Place, SearchCount};
use nalgebra::Vector2;
use numbers::{Expression, Interval};

/// A circle with its free side outside, a line, or a spline through four points.
fn curve(rng: &mut Rng) -> Result<Ground, GroundError> {
    let (at, kind) = (rng.point(5.0), rng.between(0.0, 3.0));
    let pieces = if kind < 1.0 {
        let (arc, length) = Arc::new(at, rng.between(0.05, 0.8), PI, -PI).expect("a circle");
        vec![Piece::of(arc, Interval::new(0.0, length))]
    } else if kind < 2.0 {
        let (line, length) = Line::new(at, at + rng.point(1.0)).expect("a line");
        vec![Piece::of(line, Interval::new(0.0, length))]
    } else {
        let x = rng.between(0.2, 0.6);
        let point = |i: usize, rng: &mut Rng| at + Vector2::new(x * i as f64, rng.between(-0.3, 0.3));
        let points: Vec<_> = (0..4).map(|i| point(i, rng)).collect();
        spline(&knots(&points).expect("apart"), &points, SplineEnds::Natural)
    };
    Ground::by_arc_length(pieces)
}

fn motion(position: Vector2<f64>, velocity: Vector2<f64>) -> Motion {
    Motion { position, velocity, acceleration: Vector2::new(0.0, -9.81) }
}

/// 10⁴ flights over 150 scenes of 2 to 200 curves: none missed, none invented, the same curve and the same time.
#[test]
fn first_of_all_curves() -> Result<(), GroundError> {
    let (mut flights, mut hits) = (0, 0);
    for seed in 0..150 {
        let mut rng = Rng(seed);
        let count = 10f64.powf(rng.between(0.302, 2.302)) as usize;
        let radius = if seed % 3 == 0 { 0.0 } else { rng.between(0.01, 0.1) };
        let state = rng.0;
        let mut grounds = Vec::new();
        for _ in 0..count {
            grounds.push(curve(&mut rng)?);
        }
        // The same curves, once more.
        let mut again = Rng(state);
        let alone: Vec<OffsetGround> = (0..count)
            .map(|_| Ok(OffsetGround::new(Shared::new(curve(&mut again)?), radius)))
            .collect::<Result<_, GroundError>>()?;
        let all = Ground::of_curves(grounds).expect("curves");
        assert_eq!(all.curves(), count);
        let all = OffsetGround::new(Shared::new(all), radius);
        for _ in 0..150 {
            let start = rng.point(6.0);
            if alone.iter().any(|one| {
                let gap = one.ground().closest(start).distance;
                gap.abs() <= radius || one.ground().is_closed() && gap < 0.0
            }) {
                continue;
            }
            let path = Path::parabola(motion(start, rng.point(5.0)), rng.between(0.1, 1.5));
            let mut count = SearchCount::default();
            let found = all.first_contact(&path, None, &mut count).expect("decided");
            let mut first: Option<(f64, usize)> = None;
            for (number, one) in alone.iter().enumerate() {
                let contact = one.first_contact(&path, None, &mut count).expect("decided");
                if let Some(contact) = contact.filter(|contact| first.is_none_or(|(time, _)| contact.time < time)) {
                    first = Some((contact.time, number));
                }
            }
            let found = found.map(|contact| (contact.time, all.curve_of(contact.place)));
            let close = match (found, first) {
                (Some((a, one)), Some((b, other))) => (a - b).abs() <= 1e-13 && one == other,
                (None, None) => true,
                _ => false,
            };
            assert!(close, "scene {seed}: {found:?} of all, {first:?} of each alone");
            flights += 1;
            hits += usize::from(found.is_some());
        }
    }
    assert!(flights >= 10_000 && hits > 3000, "{flights} flights, {hits} contacts");
    Ok(())
}

/// Each curve keeps its own parameter, ends and length, wherever the tree puts it.
#[test]
fn curves_keep_their_numbers() -> Result<(), GroundError> {
    let line = |x: f64| {
        let points = [Vector2::new(x, 0.0), Vector2::new(x + 1.0, 0.0), Vector2::new(x + 1.0, 2.0)];
        Ground::by_arc_length(Piece::polyline(&points)?)
    };
    // Far apart, and not in the order of space.
    let places = [40.0, -7.0, 13.0, 2.0, -30.0];
    let grounds = places.iter().map(|x| line(*x)).collect::<Result<Vec<_>, _>>()?;
    let all = Ground::of_curves(grounds).expect("curves");
    for (number, x) in places.iter().enumerate() {
        assert_eq!(all.length_of(number), 3.0);
        assert_eq!(all.pieces_of(number).len(), 2);
        let spot = all.locate(number, 1.5).expect("on the curve");
        assert_eq!(all.point(spot), Vector2::new(x + 1.0, 0.5));
        assert_eq!((all.curve_at(spot), all.shown_spot(spot)), (number, 1.5));
        let near = all.closest(Vector2::new(x + 0.25, 0.5));
        assert_eq!((all.curve_of(near.piece), near.parameter, near.distance), (number, 0.25, 0.5));
        let up = all.above(x + 0.5);
        assert!(matches!(up[..], [one] if all.curve_at(one.from) == number));
    }
    assert!(all.locate(5, 0.0).is_none() && all.pieces_of(5).is_empty());
    Ok(())
}

/// A closed curve among others is one upright at its seam.
#[test]
fn seams() -> Result<(), GroundError> {
    let circle = |x: f64| {
        let (arc, length) = Arc::new(Vector2::new(x, 0.0), 1.0, PI, -PI).expect("a circle");
        Ground::by_arc_length(vec![Piece::of(arc, Interval::new(0.0, length))])
    };
    let all = Ground::of_curves(vec![circle(0.0)?, circle(10.0)?, circle(20.0)?]).expect("curves");
    assert_eq!(all.above(9.0).len(), 1);
    assert_eq!(all.above(10.0).len(), 2);
    Ok(())
}

/// `above` named another joint than the one on the line. It took the index of a piece for that of the joint where the
/// piece begins, which differ where a curve with ends was put in before.
#[test]
fn joint_on_a_line() -> Result<(), GroundError> {
    let arc = |from: f64, to: f64| {
        let (arc, length) = Arc::new(Vector2::zeros(), 1.0, from, to).expect("an arc");
        Piece::of(arc, Interval::new(0.0, length))
    };
    let line = Piece::polyline(&[Vector2::new(-9.0, 0.0), Vector2::new(-8.0, 0.0)])?;
    let arcs = vec![arc(-1.0, 0.0), arc(0.0, 1.0)];
    let all = Ground::of_curves(vec![Ground::new(line)?, Ground::new(arcs)?]).expect("curves");
    let spots: Vec<_> = all.above(1.0).iter().map(|upright| all.point(upright.from)).collect();
    assert_eq!(spots, [Vector2::new(1.0, 0.0)]);
    Ok(())
}

/// A point and a ball that go along one curve come to another that crosses it.
#[test]
fn crossing_curves() -> Result<(), GroundError> {
    let line = |a: [f64; 2], b: [f64; 2]| {
        let (line, length) = Line::new(a.into(), b.into()).expect("a line");
        Ground::by_arc_length(vec![Piece::of(line, Interval::new(0.0, length))])
    };
    let all = Ground::of_curves(vec![line([0.0, 0.0], [2.0, 0.0])?, line([1.0, -1.0], [1.0, 1.0])?]).expect("curves");
    let all = Shared::new(all);
    for radius in [0.0, 0.1] {
        let offset = OffsetGround::new(all.clone(), radius);
        let piece = all.pieces_of(0).start;
        let at = |parameter: f64| Place::Piece { index: piece, parameter };
        assert!(!offset.touches_once());
        let room = offset.clearance(at(0.25));
        assert!((room.distance - (0.75 - radius)).abs() < 1e-12, "{radius}: {room:?}");
        assert_eq!(room.place.map(|place| offset.curve_of(place)), Some(1));
        assert!(offset.second_contact(at(1.0 - radius), 1e-12, -Vector2::x()).is_some());
        assert!(offset.second_contact(at(0.5), 1e-3, -Vector2::x()).is_none());
    }
    Ok(())
}

/// Where a circle touches a line from below, a point on the line may go on by a part of its way to that place; and never farther than to
/// where a circle crosses it.
#[test]
fn ways_past_what_touches_from_below() -> Result<(), GroundError> {
    let scene = |centre: f64| -> Result<OffsetGround, GroundError> {
        let (line, length) = Line::new([-2.0, 0.0].into(), [2.0, 0.0].into()).expect("a line");
        let line = Ground::by_arc_length(vec![Piece::of(line, Interval::new(0.0, length))])?;
        let (arc, length) = Arc::new(Vector2::new(0.0, centre), 0.5, PI, -PI).expect("a circle");
        let circle = Ground::by_arc_length(vec![Piece::of(arc, Interval::new(0.0, length))])?;
        Ok(OffsetGround::new(Shared::new(Ground::of_curves(vec![line, circle]).expect("curves")), 0.0))
    };
    for above in [-1e-3, -1e-9, 0.0, 1e-12, 1e-6, 1e-3, 0.1, 0.9, 0.999_999, 1.0] {
        let offset = scene(-0.5 + above)?;
        let piece = offset.ground().pieces_of(0).start;
        let crossing = (above * (1.0 - above)).max(0.0).sqrt();
        for k in 0..24 {
            let x = 0.5f64.powi(k);
            let place = Place::Piece { index: piece, parameter: 2.0 - crossing - x };
            let (_, way) = offset.free_way(place, &mut None);
            let open = !(above > 0.0 && above < 1.0);
            assert!(open || way <= x, "{above}: {way:e} of {x:e}");
            let touches = [0.0, 1.0].contains(&above);
            assert!(way >= x / if touches { 8.0 } else { 64.0 }, "{above}: {way:e} of {x:e}");
        }
    }
    // What touches where its normal is the line's own is no second contact; what comes down on it is.
    for (above, second) in [(0.0, false), (1.0, true)] {
        let offset = scene(-0.5 + above)?;
        let at = Place::Piece { index: offset.ground().pieces_of(0).start, parameter: 2.0 };
        assert_eq!(offset.second_contact(at, 1e-12, -Vector2::x()).is_some(), second, "{above}");
    }
    Ok(())
}

/// What two curves are, and how far a point is off both.
type Case = (&'static str, [Ground; 2], fn(Vector2<f64>) -> f64);

/// Curves that lie along each other are found, with a place on both; those that touch, cross or go on into each other are not.
#[test]
fn curves_along_each_other() -> Result<(), GroundError> {
    let line = |a: [f64; 2], b: [f64; 2]| {
        let (line, length) = Line::new(a.into(), b.into()).expect("a line");
        Ground::by_arc_length(vec![Piece::of(line, Interval::new(0.0, length))])
    };
    let circle = |x: f64, radius: f64, from: f64| {
        let (arc, length) = Arc::new(Vector2::new(x, 0.0), radius, from, from - 2.0 * PI).expect("a circle");
        Ground::by_arc_length(vec![Piece::of(arc, Interval::new(0.0, length))])
    };
    let graph = |formula: &str, domain: Interval| {
        let y = Expression::parse(formula, &["x"], &[]).expect("a formula");
        Ground::new(vec![Piece::of(Graph { y }, domain)])
    };
    let near = Interval::new(-3.0, 2.0);
    let along: [Case; 8] = [
        ("equal circles", [circle(0.0, 1.0, PI)?, circle(0.0, 1.0, PI)?], |p| p.norm() - 1.0),
        ("circles that begin elsewhere", [circle(0.0, 0.7, PI)?, circle(0.0, 0.7, 1.0)?], |p| p.norm() - 0.7),
        ("circles equal but for rounding", [circle(0.0, 1.0, PI)?, circle(0.0, 1.0 + 4e-16, 2.0)?], |p| p.norm() - 1.0),
        ("lines that cross at 1e-7 rad", [line([-2.0, 0.0], [2.0, 0.0])?, line([2.0, 2e-7], [-2.0, -2e-7])?], |p| p.y),
        ("slanted lines", [line([-2.0, -1.0], [2.0, 1.0])?, line([-1.0, -0.5], [4.0, 2.0])?], |p| p.y - 0.5 * p.x),
        ("graphs without ends", [graph("0.5*x^2", Interval::REAL)?, graph("x^2/2", Interval::REAL)?], |p| {
            p.y - 0.5 * p.x * p.x
        }),
        ("levels without ends", [graph("0", Interval::REAL)?, graph("0*x", Interval::REAL)?], |p| p.y),
        ("a wave in part", [graph("sin(x)", near)?, graph("sin(x)", Interval::REAL)?], |p| p.y - p.x.sin()),
    ];
    for (what, grounds, off) in along {
        let all = Ground::of_curves(grounds.into()).expect("curves");
        let found = all.lies_along(&[]).expect("few").unwrap_or_else(|| panic!("{what}"));
        assert!(off(found.point).abs() <= 1e-8, "{what}: {found:?}");
        assert_eq!(all.lies_along(&[0, 1]), Ok(None), "{what} of two groups");
    }
    let apart = [
        ("circles that touch", [circle(0.0, 1.0, PI)?, circle(1.5, 0.5, PI)?]),
        ("one inside the other", [circle(0.0, 1.0, PI)?, circle(0.5, 0.5, PI)?]),
        ("a circle on a line", [line([-2.0, -1.0], [2.0, -1.0])?, circle(0.0, 1.0, PI)?]),
        ("lines that cross", [line([-2.0, 0.0], [2.0, 0.0])?, line([-2.0, -1e-5], [2.0, 1e-5])?]),
        ("a line that goes on", [line([-2.0, -1.0], [0.0, 0.0])?, line([0.0, 0.0], [2.0, 1.0])?]),
        ("rails", [line([-2.0, -1.0], [2.0, 1.0])?, line([-2.0, -1.0 + 1e-7], [2.0, 1.0 + 1e-7])?]),
        ("shifted circles", [circle(0.0, 1.0, PI)?, circle(1e-5, 1.0, PI)?]),
        ("a parabola on its tangent", [graph("x^2", Interval::REAL)?, graph("2*x - 1", Interval::REAL)?]),
        ("waves", [graph("sin(x)", Interval::REAL)?, graph("1 + sin(x)*cos(x)", Interval::REAL)?]),
    ];
    for (what, grounds) in apart {
        let all = Ground::of_curves(grounds.into()).expect("curves");
        assert_eq!(all.lies_along(&[]), Ok(None), "{what}");
    }
    Ok(())
}

/// 30 lines through one point, the second halves given after all first ones: each goes on into its own.
#[test]
fn ends_at_one_place_join_by_the_least_turn() -> Result<(), GroundError> {
    let half = |i: usize| {
        let way = PI / 30.0 * (i % 30) as f64;
        let end = Vector2::new(way.cos(), way.sin()) * if i < 30 { 1.0 } else { -1.0 };
        let (line, length) = Line::new(end, Vector2::zeros()).expect("a line");
        Ground::by_arc_length(vec![Piece::of(line, Interval::new(0.0, length))])
    };
    let star = Ground::of_curves((0..60).map(half).collect::<Result<_, _>>()?).expect("curves");
    let joined = star.joints().iter().filter(|joint| joint.kind == JointKind::Smooth).count();
    assert_eq!((joined, star.lies_along(&[])), (30, Ok(None)));
    Ok(())
}

/// Symptom: a point 1 m above `sin(1e9*x)` was below it, by the normal at one of ten thousand places near the closest.
#[test]
fn the_side_of_a_curve_that_oscillates() -> Result<(), GroundError> {
    let y = Expression::parse("sin(1e9*x)", &["x"], &[]).expect("a formula");
    let ground = Ground::new(vec![Piece::of(Graph { y }, Interval::REAL)])?;
    let mut rng = Rng(7);
    for _ in 0..20 {
        let q = rng.point(1.0);
        let above = q.y - (1e9 * q.x).sin();
        assert!(ground.closest(q).distance * above > 0.0, "{q}: {above}");
    }
    assert!(ground.closest(Vector2::new(0.0, 1.0)).distance > 0.0);
    Ok(())
}
