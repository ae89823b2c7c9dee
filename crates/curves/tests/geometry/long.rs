//! Queries on long chains: their work grows no faster than the depth of the hierarchy.

use std::sync::Arc as Shared;
use std::sync::atomic::{AtomicU64, Ordering};

use curves::{Ground, Motion, OffsetGround, Path, Piece, Profile, SearchCount};
use nalgebra::Vector2;
use numbers::{Interval, Number};

/// Evaluations of [`Waves`] at points and over intervals.
static EVALUATIONS: AtomicU64 = AtomicU64::new(0);

/// A wave of 1 m that counts how often it is evaluated.
#[derive(Debug)]
struct Waves;

impl Profile for Waves {
    fn point<N: Number>(&self, s: N) -> [N; 2] {
        EVALUATIONS.fetch_add(1, Ordering::Relaxed);
        [s, s.scale(6.3).sin().scale(0.1)]
    }
}

/// Evaluations done by something.
fn evaluations(run: impl FnOnce()) -> u64 {
    let before = EVALUATIONS.load(Ordering::Relaxed);
    run();
    EVALUATIONS.load(Ordering::Relaxed) - before
}

/// From ten pieces to 10⁵, evaluations of 200 closest points, first contacts and clearances spread over the chain, and
/// those that checking it takes for each piece.
#[test]
fn work_of_a_query_does_not_grow_with_the_chain() {
    let work = |n: usize| {
        let piece = |i: usize| Piece::new(Waves, Interval::new(0.1 * i as f64, 0.1 * (i + 1) as f64));
        let mut ground = None;
        let build = evaluations(|| ground = Ground::new((0..n).map(piece).collect()).ok());
        let Some(ground) = ground else { panic!("{n} pieces make no ground") };
        let offset = OffsetGround::new(Shared::new(ground), 0.05);
        let at = |i: u32| 0.1 * n as f64 * ((f64::from(i) + 0.5) * 0.618_033_988_749_894_9).fract();
        let points: Vec<_> = (0..200).map(|i| Vector2::new(at(i), 0.4)).collect();
        let places: Vec<_> = points.iter().map(|q| offset.place_below(*q)).collect();
        let closest = evaluations(|| {
            for q in &points {
                assert!(offset.ground().closest(*q).distance > 0.2);
            }
        });
        let contact = evaluations(|| {
            for q in &points {
                let start =
                    Motion { position: *q, velocity: Vector2::new(0.5, 0.0), acceleration: Vector2::new(0.0, -9.81) };
                let found = offset.first_contact(&Path::parabola(start, 0.4), None, &mut SearchCount::default());
                assert!(found.is_ok());
            }
        });
        let clearance = evaluations(|| {
            for place in &places {
                assert!(offset.clearance(*place).distance >= 0.0);
            }
        });
        println!("{n} pieces: {build} to build; 200 closest {closest}, contacts {contact}, clearances {clearance}");
        (build as f64 / n as f64, [closest, contact, clearance])
    };
    let (per_piece, few) = work(100);
    work(10);
    for n in [1_000, 10_000, 100_000] {
        let (each, many) = work(n);
        assert!(each < 1.2 * per_piece, "{each} evaluations to check each of {n} pieces, {per_piece} of 100");
        for (few, many) in few.into_iter().zip(many) {
            assert!((many as f64) < 1.2 * few as f64, "{many} evaluations on {n} pieces, {few} on 100");
        }
    }
}
