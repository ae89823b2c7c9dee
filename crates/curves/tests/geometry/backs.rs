//! Curves with two ends are solid from both sides.

use std::f64::consts::PI;
use std::sync::Arc as Shared;

use crate::random::Rng;
use curves::spline::{SplineEnds, knots, spline};
use curves::{Arc, FirstContact, Ground, GroundError, Motion, OffsetGround, Path, Piece, Place, SearchCount};
use nalgebra::Vector2;
use numbers::Interval;

/// A polyline that does not turn back, in any direction.
fn polyline(rng: &mut Rng) -> Vec<Vector2<f64>> {
    let (sine, cosine) = rng.between(-PI, PI).sin_cos();
    let count = rng.between(2.0, 7.0) as usize;
    let step = rng.between(0.1, 0.8);
    let middle = 0.5 * step * (count - 1) as f64;
    let points = (0..count).map(|i| Vector2::new(step * i as f64 - middle, rng.between(-0.4, 0.4)));
    points.map(|p| Vector2::new(cosine * p.x - sine * p.y, sine * p.x + cosine * p.y)).collect()
}

/// A polyline, a spline through such points, or an arc that is not a circle.
fn pieces(rng: &mut Rng) -> Vec<Piece> {
    let (kind, points) = (rng.between(0.0, 3.0), polyline(rng));
    if kind < 1.0 {
        Piece::polyline(&points).expect("apart")
    } else if kind < 2.0 {
        spline(&knots(&points).expect("apart"), &points, SplineEnds::Natural)
    } else {
        let from = rng.between(-PI, PI);
        let to = from + rng.between(0.3, 6.0) * rng.between(-1.0, 1.0).signum();
        let (arc, length) = Arc::new(rng.point(0.3), rng.between(0.2, 1.2), from, to).expect("an arc");
        vec![Piece::of(arc, Interval::new(0.0, length))]
    }
}

fn ground(pieces: Vec<Piece>, radius: f64) -> Result<OffsetGround, GroundError> {
    Ok(OffsetGround::new(Shared::new(Ground::by_arc_length(pieces)?), radius))
}

fn reversed(pieces: &[Piece]) -> Vec<Piece> {
    pieces.iter().rev().map(Piece::reversed).collect()
}

fn path(position: Vector2<f64>, velocity: Vector2<f64>, duration: f64) -> Path {
    Path::parabola(Motion { position, velocity, acceleration: Vector2::new(0.0, -9.81) }, duration)
}

fn first(ground: &OffsetGround, path: &Path, left: Option<Place>) -> Option<FirstContact> {
    let departure = left.map(|place| ground.departure(place));
    ground.first_contact(path, departure.as_ref(), &mut SearchCount::default()).expect("decided")
}

/// The same contacts whichever way the curve is drawn; they are where the ball touches, and none is before them.
#[test]
fn either_way() -> Result<(), GroundError> {
    let (mut flights, mut hits, mut backs) = (0, 0, 0);
    for seed in 0..1500 {
        let mut rng = Rng(seed);
        let pieces = pieces(&mut rng);
        let radius = if seed % 3 == 0 { 0.0 } else { rng.between(0.01, 0.5) };
        let one = ground(pieces.clone(), radius)?;
        let other = ground(reversed(&pieces), radius)?;
        for _ in 0..12 {
            let start = rng.point(2.0);
            if one.gap(start) <= 0.0 {
                continue;
            }
            let path = path(start, rng.point(6.0), rng.between(0.1, 1.5));
            let [a, b] = [&one, &other].map(|ground| first(ground, &path, None));
            let told = format!("seed {seed}, R = {radius}, from {start:?}: {a:?} and {b:?}");
            flights += 1;
            let until = a.map_or(path.duration(), |contact| contact.time);
            match (a, b) {
                (Some(a), Some(b)) => {
                    let off = (a.frame.position - b.frame.position).norm();
                    assert!((a.time - b.time).abs() <= 1e-12 && off <= 1e-12, "{told}");
                    assert!((a.frame.normal - b.frame.normal).norm() <= 1e-7, "{told}");
                    let at = path.at(a.time);
                    assert!(at.velocity.dot(&a.frame.normal) <= 1e-9, "{told}");
                    let foot = one.ground_point(a.place);
                    assert!(((at.position - foot).norm() - radius).abs() <= 1e-12, "{told}");
                    assert!((a.frame.position - one.frame(a.place).position).norm() <= 1e-12, "{told}");
                    hits += 1;
                    backs += usize::from(
                        matches!(a.place, Place::Piece { index, .. } if index >= one.ground().pieces().len()),
                    );
                }
                (None, None) => {}
                _ => panic!("{told}"),
            }
            for i in 0..200 {
                let t = until * f64::from(i) / 200.0;
                let gap = one.gap(path.at(t).position);
                assert!(gap >= -1e-9, "{told}: {gap:e} at {t}");
            }
        }
    }
    println!("{flights} flights, {hits} contacts, {backs} of the back");
    assert!(flights > 10_000 && hits > 2000 && backs > 800, "{flights}, {hits}, {backs}");
    Ok(())
}

/// A point meets the first of the segments that its parabola crosses.
#[test]
fn points_cross_no_segment() -> Result<(), GroundError> {
    let mut hits = 0;
    for seed in 0..9000 {
        let mut rng = Rng(seed);
        let points = polyline(&mut rng);
        let ground = ground(Piece::polyline(&points).expect("apart"), 0.0)?;
        let (start, velocity, duration) = (rng.point(2.0), rng.point(6.0), rng.between(0.1, 1.5));
        let found = first(&ground, &path(start, velocity, duration), None);
        let mut crossed = f64::INFINITY;
        for ends in points.windows(2) {
            let along = ends[1] - ends[0];
            let normal = Vector2::new(-along.y, along.x);
            let (c, b, a) = ((start - ends[0]).dot(&normal), velocity.dot(&normal), -0.5 * 9.81 * normal.y);
            let root = (b * b - 4.0 * a * c).sqrt();
            for t in [(-b - root) / (2.0 * a), (-b + root) / (2.0 * a)] {
                let at = start + velocity * t - Vector2::new(0.0, 0.5 * 9.81 * t * t);
                let part = (at - ends[0]).dot(&along) / along.norm_squared();
                if t > 0.0 && t <= duration && (0.0..=1.0).contains(&part) {
                    crossed = crossed.min(t);
                }
            }
        }
        let time = found.map_or(f64::INFINITY, |contact| contact.time);
        assert!(time == crossed || (time - crossed).abs() <= 1e-11, "seed {seed}: {found:?}, {crossed}");
        hits += usize::from(time.is_finite());
    }
    assert!(hits > 900, "{hits}");
    Ok(())
}

/// A ball that leaves either side does not meet the other: as it bounces, and as it lifts off with no speed.
#[test]
fn leaving_either_side() -> Result<(), GroundError> {
    for seed in 0..2000 {
        let mut rng = Rng(seed);
        let pieces = pieces(&mut rng);
        let radius = if seed % 2 == 0 { 0.0 } else { rng.between(0.01, 0.05) };
        let ground = ground(pieces, radius)?;
        let all = ground.ground().pieces().len();
        let index = (rng.between(0.0, 2.0 * all as f64) as usize).min(2 * all - 1);
        let domain = ground.ground().piece(index).domain();
        let place = Place::Piece { index, parameter: rng.between(domain.lo, domain.hi) };
        let frame = ground.frame(place);
        if ground.gap(frame.position) < -1e-12 {
            continue;
        }
        // Pushed away at once, so that nothing comes back.
        let away = Motion {
            position: frame.position,
            velocity: frame.normal * [0.0, 1e-9, 1e-3][seed as usize % 3] + frame.tangent * rng.between(-0.1, 0.1),
            acceleration: frame.normal * 30.0,
        };
        let found = first(&ground, &Path::parabola(away, 0.02), Some(place));
        assert!(found.is_none_or(|found| found.time > 1e-4), "seed {seed}, {place:?}: {found:?}");
    }
    Ok(())
}
