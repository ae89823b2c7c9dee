//! Straight ground without ends, whose contacts have a closed form, against the search over the same line with far ends.

use std::sync::Arc;

use curves::{Graph, Ground, Motion, OffsetGround, Path, Piece, SearchCount};
use nalgebra::Vector2;
use numbers::{Expression, Interval};

/// Forty bounces with restitution 1, downhill and uphill, of a point and of a ball.
#[test]
fn a_line_without_ends_is_met_where_a_long_one_is() {
    let mut met = 0;
    for (slope, radius) in [("0", 0.0), ("0", 0.2), ("0.3*x", 0.1), ("-0.8*x", 0.0), ("-0.8*x", 0.3)] {
        let ground = |ends: Interval| {
            let y = Expression::parse(slope, &["x"], &[]).expect("a formula");
            let ground = Ground::new(vec![Piece::of(Graph { y }, ends)]).expect("a ground");
            OffsetGround::new(Arc::new(ground), radius)
        };
        let [endless, long] = [Interval::REAL, Interval::new(-1e9, 1e9)].map(ground);
        assert!(endless.straight().is_some() && long.straight().is_none(), "{slope}");
        let (mut position, mut velocity) = (Vector2::new(0.1, 2.0), Vector2::new(0.7, 0.4));
        let (mut left, mut count) = ([None; 2], [SearchCount::default(); 2]);
        for _ in 0..40 {
            let acceleration = Vector2::new(0.3, -9.81);
            let path = Path::parabola(Motion { position, velocity, acceleration }, 50.0);
            let [a, b] = [(&endless, 0), (&long, 1)].map(|(ground, i)| {
                let found = ground.first_contact(&path, left[i].as_ref(), &mut count[i]).expect("a decision");
                let found = found.expect("a contact");
                left[i] = found.departure;
                found
            });
            let size = position.norm() + velocity.norm() * a.time + acceleration.norm() * a.time * a.time;
            assert!((a.time - b.time).abs() <= 1e-14 * (1.0 + a.time), "{slope} {radius}: {} {}", a.time, b.time);
            let apart = (a.frame.position - b.frame.position).norm();
            assert!(apart <= 1e-13 * (1.0 + size), "{slope} {radius}: {apart:e} m apart");
            let Motion { velocity: falling, .. } = path.at(a.time);
            (position, velocity) = (a.frame.position, falling - 2.0 * falling.dot(&a.frame.normal) * a.frame.normal);
            met += 1;
        }
        // The search evaluates no ground beyond the first fall.
        assert!(count[0].evaluations <= 8 && count[0].searches == 40, "{:?}", count[0]);
    }
    assert_eq!(met, 200);
}
