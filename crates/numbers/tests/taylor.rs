//! Taylor series against nested ones.

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
