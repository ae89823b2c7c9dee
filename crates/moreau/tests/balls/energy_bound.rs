//! The part of restitution that adds no energy: its source is compiled here as it is.

#[path = "../../src/energy_bound.rs"]
mod source;

use source::Quadratic;

#[test]
fn roots() {
    let part = |square: f64, linear: f64, constant: f64| Quadratic { square, linear, constant }.largest_part();
    assert_eq!(part(1.0, 1.0, -0.75), 0.5);
    assert_eq!(part(4.0, -1.0, -0.5), 0.5);
    assert_eq!(part(0.0, 2.0, -1.0), 0.5);
    assert_eq!((part(1.0, 0.0, -4.0), part(0.0, -1.0, -1.0), part(1.0, 1.0, 0.0)), (1.0, 1.0, 0.0));
}
