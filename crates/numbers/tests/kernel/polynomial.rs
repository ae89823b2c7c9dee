//! Bounds of polynomials.

use numbers::polynomial::cubic_positive_for;

/// A cubic that rises from zero, one that dips, and one that falls in the end.
#[test]
fn cubics() {
    assert_eq!(cubic_positive_for([1e-16, 0.0, -1e-15, 2.0], 0.5), 0.5);
    assert_eq!(cubic_positive_for([1e-16, -1e-17, 0.0, 2.0], 0.5), 0.5);
    let dips = cubic_positive_for([1e-16, -1.0, 0.0, 2.0], 0.5);
    assert!(dips > 0.0 && dips <= 1.1e-16);
    let falls = cubic_positive_for([1.0, 0.0, 1.0, -30.0], 1.0);
    assert!(falls > 0.3 && 1.0 + 0.5 * falls * falls - 5.0 * falls.powi(3) >= 0.0, "{falls}");
    assert_eq!(cubic_positive_for([1.0, 0.0, 0.0, f64::NAN], 1.0), 0.0);
}
