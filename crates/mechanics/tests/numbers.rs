//! Whether contact presses, and powers summed up.

use mechanics::{Power, Press};
use numbers::Interval;

/// A sign of a number, of a number blurred by rounding, and of a range.
#[test]
fn presses() {
    assert_eq!(Press::of(1.0, 0.0), Some(Press::Presses));
    assert_eq!(Press::of(-0.0, 0.0), Some(Press::Touches));
    assert_eq!(Press::of(-1e-16, 0.0), Some(Press::Leaves));
    assert_eq!(Press::of(-1e-16, 1e-15), Some(Press::Touches));
    assert_eq!(Press::of(f64::NAN, 0.0), None);
    assert_eq!(Press::of(Interval::new(0.5, 1.0), 0.0), Some(Press::Presses));
    assert_eq!(Press::of(Interval::new(-1.0, -0.5), 0.0), Some(Press::Leaves));
    assert_eq!(Press::of(Interval::new(-1.0, 1.0), 0.0), None);
}

/// A rule of n points integrates degree 2n - 1 to rounding, and 2n not.
#[test]
fn order_of_powers() {
    for (path, order) in [(2, 4), (3, 4), (4, 6), (5, 8), (6, 10), (7, 12), (8, 14), (9, 14)] {
        for degree in 0..=order {
            let power = |t: f64| Power { dissipated: t.powi(degree), work: 1.0 };
            let [dissipated, work] = Power::over(path, 0.5, power);
            let miss = (dissipated * f64::from(degree + 1) / 0.5f64.powi(degree + 1) - 1.0).abs();
            assert!((miss < 1e-14) == (degree < order) && (work - 0.5).abs() < 1e-15, "{path} {degree}: {miss:e}");
        }
    }
}
