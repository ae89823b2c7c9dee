//! Corners of formulas.

use numbers::{Expression, Interval, smooth_parts};

fn cuts(formula: &str) -> Vec<f64> {
    let formula = Expression::parse(formula, &["x"], &[]).unwrap();
    let parts = smooth_parts(&[formula], Interval::REAL).unwrap();
    parts[1..].iter().map(|(part, _)| part.lo).collect()
}

#[test]
fn branches_that_are_alike_far_out() {
    for (formula, expected) in [
        ("min(abs(x-0.5),abs(x+0.5))", &[-0.5, 0.0, 0.5][..]),
        ("min((x-0.5)^2,(x+0.6)^2)", &[-0.05]),
        ("max(abs(x-1),abs(x+1))", &[-1.0, 0.0, 1.0]),
        ("max(x+0.1,x)", &[]),
        ("min(x^2,x^2+1)", &[]),
        ("min(x^3,x^3+x)", &[0.0]),
    ] {
        let cuts = cuts(formula);
        let is_near = cuts.len() == expected.len() && cuts.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-15);
        assert!(is_near, "{formula}: {cuts:?}");
    }
}

#[test]
fn branches_that_are_alike_around_a_corner() {
    for formula in ["min(1 + (x - 5)^21, 1)", "max(1, 1 + (x - 5)^21)"] {
        let cuts = cuts(formula);
        assert!((1..4).contains(&cuts.len()) && cuts.iter().all(|cut| (cut - 5.0).abs() < 0.3), "{formula}: {cuts:?}");
    }
}

#[test]
fn corners_without_end() {
    let waves = Expression::parse("min(sin(x), cos(x))", &["x"], &[]).unwrap();
    assert!(smooth_parts(&[waves], Interval::REAL).is_err());
}
