//! Ends of Bézier curves whose handle lies on them.

use curves::{Cubic, Curve, RoundedEnd};
use nalgebra::Vector2;

/// The new end stays within the bound of the curve, which is used to more than half; it bends as told, most at the
/// end; tangents go through the joint, and the rest is the same curve.
#[test]
fn a_retracted_handle_is_rounded_within_its_bound() {
    let v = |x: f64, y: f64| Vector2::new(x, y);
    let shapes = [
        [v(0.0, 0.0), v(0.0, 0.0), v(1.0, 0.0), v(2.0, 1.0)],
        [v(0.0, 0.0), v(0.0, 0.0), v(1.0, 2.0), v(3.0, -1.0)],
        [v(3.0, 1.0), v(3.0, 1.0), v(3.1, 1.0), v(7.0, -4.0)],
        [v(-1.0, 5.0), v(-1.0, 5.0), v(4.0, 5.0), v(1.0, 2.0)],
    ];
    for [a, b, c, d] in shapes {
        for tolerance in [1e-9, 1e-6, 1e-3, 1.0] {
            let rounded = RoundedEnd::new([a, b, c, d], tolerance).unwrap();
            let whole = Cubic::bezier([a, b, c, d]);
            let (end, rest) = (Cubic::quadratic(rounded.end), Cubic::bezier(rounded.rest));
            assert!(rounded.first && rounded.deviation <= tolerance * (1.0 + 1e-12));
            let size = (d - a).norm();
            let away = |p: Vector2<f64>| {
                // The abscissa along the tangent grows with t on this part.
                let u = (c - a).normalize();
                let (mut lo, mut hi) = (0.0, 0.5);
                for _ in 0..60 {
                    let t = 0.5 * (lo + hi);
                    if (whole.point_at(t) - p).dot(&u) < 0.0 { lo = t } else { hi = t }
                }
                (whole.point_at(hi) - p).norm()
            };
            let samples = (0..=1000).map(|i| away(end.point_at(f64::from(i) * 1e-3)));
            let furthest = samples.fold(0.0, f64::max);
            let rounding = 1e-14 * size;
            assert!(furthest <= rounded.deviation + rounding, "{furthest:e} m, told {:e} m", rounded.deviation);
            assert!(furthest >= 0.5 * rounded.deviation - rounding, "{furthest:e} of {:e}", rounded.deviation);
            let curvature = end.jet(0.0).curvature().abs();
            assert!((curvature * rounded.radius - 1.0).abs() < 1e-6, "{curvature} and {}", rounded.radius);
            assert!((0..=100).all(|i| end.jet(0.01 * f64::from(i)).curvature().abs() <= curvature * (1.0 + 1e-9)));
            let (before, after) = (end.jet(1.0), rest.jet(0.0));
            assert!((before.point - after.point).norm() <= rounding);
            assert!((before.tangent() - after.tangent()).norm() < 1e-9);
            let cut = 1.0 - (rest.jet(1.0).speed() / whole.jet(1.0).speed());
            for i in 0..=10 {
                let t = 0.1 * f64::from(i);
                assert!((rest.point_at(t) - whole.point_at(cut + t * (1.0 - cut))).norm() < 1e-13 * size);
            }
            let back = RoundedEnd::new([d, c, b, a], tolerance).unwrap();
            assert!(!back.first && back.deviation == rounded.deviation);
            assert!(back.end == [rounded.end[2], rounded.end[1], rounded.end[0]] && back.rest[0] == rounded.rest[3]);
        }
    }
    let plain = [v(0.0, 0.0), v(1e-6, 1e-6), v(1.0, 0.0), v(2.0, 1.0)];
    assert!(RoundedEnd::new(plain, 1e-6).is_none());
    let straight = [v(0.0, 0.0), v(0.0, 0.0), v(1.0, 1.0), v(1.0, 1.0)];
    assert!(RoundedEnd::new(straight, 1e-6).is_none());
}
