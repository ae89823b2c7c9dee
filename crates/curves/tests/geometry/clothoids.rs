//! Clothoids against Fresnel integrals, and as loops.

use std::f64::consts::PI;

use curves::{Clothoid, Piece};
use nalgebra::Vector2;
use numbers::Interval;

/// ∫₀¹ cos(t²/2) dt and ∫₀¹ sin(t²/2) dt by their power series.
fn fresnel() -> Vector2<f64> {
    let (mut term, mut sum) = (1.0, Vector2::zeros());
    // (i t²/2)ⁿ/n! integrated is (i/2)ⁿ/(n! (2n + 1)).
    for n in 0..20 {
        let value = term / f64::from(2 * n + 1);
        match n % 4 {
            0 => sum.x += value,
            1 => sum.y += value,
            2 => sum.x -= value,
            _ => sum.y -= value,
        }
        term *= 0.5 / f64::from(n + 1);
    }
    sum
}

#[test]
fn fresnel_integrals() {
    let clothoid = Clothoid::new(Vector2::zeros(), 0.0, [0.0, 1.0], 1.0).expect("finite");
    let piece = Piece::of(clothoid, Interval::new(0.0, 1.0));
    let off = piece.curve().point_at(1.0) - fresnel();
    assert!(off.norm() < 3e-16, "{off:?}");
}

/// Parts that turn by the most allowed keep their length, direction and curvature to rounding.
#[test]
fn by_arc_length() {
    for (first, last) in [(1.0, 1.0), (0.0, 2.0), (2.0, 0.0), (-1.0, 1.0), (3.0, -3.0)] {
        let (start, direction) = (Vector2::new(0.3, -0.2), 0.7);
        let most = f64::max(f64::abs(first), f64::abs(last));
        let length = Clothoid::MOST / most;
        let clothoid = Clothoid::new(start, direction, [first, last], length).expect("finite");
        let piece = Piece::of(clothoid, Interval::new(0.0, length));
        for i in 0..=10 {
            let s = length * f64::from(i) / 10.0;
            let jet = piece.jet(s);
            let angle = direction + s * (first + 0.5 * (last - first) * s / length);
            let tangent = Vector2::new(angle.cos(), angle.sin());
            assert!((jet.first - tangent).norm() < 4e-15, "{first} {last} {s}: {:e}", (jet.first - tangent).norm());
            let curvature = first + (last - first) * s / length;
            assert!((jet.curvature() - curvature).abs() < 4e-14 * most, "{first} {last} {s}: {}", jet.curvature());
            let enclosure = piece.enclosure(Interval::new(s, s));
            assert!(enclosure.point[0].lo <= jet.point.x && jet.point.x <= enclosure.point[0].hi);
        }
    }
    // A whole turn of constant curvature in seven parts is a circle.
    let part = 2.0 * PI / 7.0;
    let mut now = Vector2::zeros();
    for i in 0..7 {
        let clothoid = Clothoid::new(now, part * f64::from(i), [1.0, 1.0], part).expect("finite");
        now = Piece::of(clothoid, Interval::new(0.0, part)).curve().point_at(part);
    }
    assert!(now.norm() < 2e-15, "{now:?}");
}
