//! Polynomial paths.

use curves::Path;
use nalgebra::Vector2;
use numbers::Interval;

/// Coefficients in, the same motion out, and an enclosure of its acceleration; zeros at the end are left out.
#[test]
fn polynomial() {
    let v = |x: f64, y: f64| Vector2::new(x, y);
    let unit = [v(1.0, 2.0), v(0.5, -1.0), v(0.3, 0.2), v(-0.7, 0.1), v(0.2, 0.4), v(0.1, -0.3), v(0.0, 0.6)];
    let h = 0.25;
    let path = Path::polynomial(&unit, h);
    let [x, y] = path.acceleration_range();
    for i in 0..=100 {
        let s = f64::from(i) / 100.0;
        let seen = path.at(s * h);
        let sum = |f: &dyn Fn(i32) -> f64| -> Vector2<f64> { (0..7).map(|i| unit[i as usize] * f(i)).sum() };
        let power = |i: i32, less: i32| if i < less { 0.0 } else { s.powi(i - less) };
        let q = sum(&|i| power(i, 0));
        let slope = sum(&|i| f64::from(i) * power(i, 1)) / h;
        let bend = sum(&|i| f64::from(i * (i - 1)) * power(i, 2)) / (h * h);
        assert!((seen.position - q).norm() < 1e-14 && (seen.velocity - slope).norm() < 1e-13);
        assert!((seen.acceleration - bend).norm() < 1e-11);
        assert!(x.contains(seen.acceleration.x) && y.contains(seen.acceleration.y), "{s}");
    }
    let short = Path::polynomial(&[unit[0], unit[1], unit[2], v(0.0, 0.0)], h);
    assert!(short.is_parabola());
    assert_eq!(short.acceleration_range(), [Interval::point(9.6), Interval::point(6.4)]);
}
