//! Taylor series against nested ones.

use std::f64::consts::PI;

use numbers::{Number, Taylor};

/// The fifth term of every function: that of the second derivative's series, two orders down.
#[test]
fn fifth_terms_are_fourth_derivatives() {
    type Series = Taylor<f64, 5>;
    type Inner = Taylor<Taylor<f64, 4>, 2>;
    let x = 0.37;
    let check = |name: &str, five: Series, nested: Inner| {
        // d/dη of the series in ε, whose fourth term is c₄·4.
        let expected = nested.0[1].0[3] / 4.0;
        assert!((five.0[4] - expected).abs() < 1e-13 * (1.0 + expected.abs()), "{name}: {:?}, {expected}", five.0[4]);
    };
    // x + x² + ε, and the same as a series in η with coefficients in ε.
    let five = Series::variable(x);
    let nested = Taylor([Taylor::variable(x), Taylor::constant(1.0)]);
    macro_rules! check {
        ($($f:expr),*) => {
            $(
                let f = $f;
                check(stringify!($f), f(five + five * five), {
                    let f = $f;
                    f(nested + nested * nested)
                });
            )*
        };
    }
    check!(
        |a| Number::sin(a),
        |a| Number::cos(a),
        |a| Number::tan(a),
        |a| Number::asin(a),
        |a| Number::acos(a),
        |a| Number::atan(a),
        |a| Number::atan2(a, Number::cos(a)),
        |a| Number::sinh(a),
        |a| Number::cosh(a),
        |a| Number::tanh(a),
        |a| Number::exp(a),
        |a| Number::ln(a),
        |a| Number::sqrt(a),
        |a| Number::powi(a, 3),
        |a| Number::powi(a, -2),
        |a| Number::powi(a, 7),
        |a| Number::square(a),
        |a| Number::powf(a, 2.6)
    );
}

/// A step `b/(c + k eᵘ)` has its slopes also where eᵘ overflows.
#[test]
fn a_quotient_by_an_exponential_does_not_overflow() {
    use numbers::{Expression, Interval};
    for (text, high) in [("0.3/(1+exp(-(x-0.5)/1e-4))", 0.3), ("(2+1)/(5+5*exp((0.5-x)/1e-4))", 0.6)] {
        let formula = Expression::parse(text, &["x"], &[]).expect("a formula");
        for u in [-1e8, -800.0, -30.0, -2.0, 0.0, 0.7, 30.0, 800.0, 1e8] {
            let x = 0.5 + 1e-4 * u;
            let (u, part) = ((x - 0.5) / 1e-4, Interval::new(x, x));
            let falls = 1.0 / (1.0 + (-u).exp());
            let slope = if falls == 0.0 { 0.0 } else { high * falls * (1.0 - falls) / 1e-4 };
            let Taylor([value, rate]) = formula.eval(&[Taylor::<f64, 2>::variable(x)]);
            assert!(
                (value - high * falls).abs() <= 1e-15 && (rate - slope).abs() <= 1e-11,
                "{text} at {u}: {value} {rate}"
            );
            let Taylor([value, rate]) = formula.eval(&[Taylor::<Interval, 2>::variable(part)]);
            assert!(value.width() < 1e-14 && rate.width() < 1e-10, "{text} at {u}: {value:?} {rate:?}");
        }
    }
}

/// Bounds of the slopes of `u/√(1 + u²)` far away are those of the function, and no rounding of numbers that cancel; its values stay.
#[test]
fn a_quotient_by_a_root_keeps_its_digits() {
    use numbers::{Expression, Interval};
    let root = |u: f64| 1.0 / (1.0 + u * u).sqrt();
    let texts = ["-0.8*((x-1.5)/1e-9)/sqrt(1+((x-1.5)/1e-9)^2)", "-0.8*(x-1.5)/sqrt((x-1.5)^2+1e-9^2)"];
    for text in texts {
        let formula = Expression::parse(text, &["x"], &[]).expect("a formula");
        let part = Interval::new(1.25, 1.251);
        let Taylor([value, slope, bend]) = formula.eval(&[Taylor::<Interval, 3>::variable(part)]);
        assert!((value - Interval::point(0.8)).magnitude() < 1e-14, "{value:?}");
        // −0.8 w²/(x − a)³ is 5e-17, where the quotient's bounds are 6e-3 wide.
        assert!(slope.magnitude() < 1e-14 && bend.magnitude() < 1e-12, "{slope:?} {bend:?}");
        for u in [-1e3, -1.0, -1e-3, 0.0, 0.5, 40.0, 1e7] {
            let x = 1.5 + u * 1e-9;
            let u = (x - 1.5) / 1e-9;
            let value: f64 = formula.eval(&[x]);
            assert!((value + 0.8 * u * root(u)).abs() <= 4.0 * f64::EPSILON, "{text} at {u}: {value}");
        }
    }
    // Other quotients stay.
    for text in ["x/sqrt(x^2-1)", "x/sqrt(1+(x+1)^2)", "x/sqrt(2+x)", "2/sqrt(1+x^2)"] {
        let formula = Expression::parse(text, &["x"], &[]).expect("a formula");
        let plain = [3.0 / 8f64.sqrt(), 3.0 / 17f64.sqrt(), 3.0 / 5f64.sqrt(), 2.0 / 10f64.sqrt()];
        assert!(plain.contains(&formula.eval(&[3.0])), "{text}");
    }
}

/// asin and acos were undefined just beyond ±1, where rounding may carry a point: only one bound was moved into [−1, 1].
#[test]
fn arguments_beyond_one_by_rounding() {
    use numbers::Interval;
    let x = Interval::point(1.0 + 4.0 * f64::EPSILON);
    for (angle, expected) in [(x.acos(), 0.0), (x.asin(), 0.5 * PI), ((-x).acos(), PI), ((-x).asin(), -0.5 * PI)] {
        assert!(angle.contains(expected) && angle.width() < 1e-14, "{angle:?}");
    }
}
