//! Series of formulas written down as lists of nodes.

use numbers::polynomial::{first_root, horner};
use numbers::{Expression, Interval, Number, Series, Tape, Taylor, Traced};

const TERMS: usize = 17;

/// The series of a formula along `x(t)`, given by its first coefficients.
fn series<N: Number>(formula: impl FnOnce(Traced) -> Traced, x: &[N]) -> [N; TERMS] {
    let tape = Tape::record::<1, 1>(|[x]| [formula(x)]);
    let mut series = Series::<N, TERMS>::new(&tape);
    series.put(0, x);
    for k in 0..TERMS {
        series.extend(&tape, k);
    }
    *series.of(tape.output(0))
}

/// A motion that has every power.
const X: [f64; 6] = [0.37, 0.6, -0.25, 0.3, 0.1, -0.2];

/// Every function: its value along the motion, the coefficients that the series of order 4 has, and the same over intervals.
#[test]
fn every_node() {
    fn check<F: Fn(f64) -> f64, G: Fn(Taylor<f64, 5>) -> Taylor<f64, 5>, H: Fn(Traced) -> Traced>(
        name: &str,
        value: F,
        known: G,
        traced: H,
    ) {
        let found = series(&traced, &X);
        // At its own time a series of order 16 is the function to rounding, where it converges that fast.
        for t in [0.01, 0.05] {
            let (a, b) = (horner(&found, t), value(horner(&X, t)));
            assert!((a - b).abs() <= 1e-14 * (1.0 + b.abs()), "{name} at {t}: {a:?}, {b:?}");
        }
        let Taylor(expected) = known(Taylor(std::array::from_fn(|k| X[k])));
        for k in 0..5 {
            let error = (found[k] - expected[k]).abs();
            assert!(error <= 1e-13 * (1.0 + expected[k].abs()), "{name}, {k}: {:?}, {:?}", found[k], expected[k]);
        }
        let over = series(&traced, &X.map(Interval::point));
        for k in 0..TERMS {
            let slack = 1e-13 * (1.0 + found[k].abs()) * 2_f64.powi(k as i32);
            assert!(over[k].lo <= found[k] && found[k] <= over[k].hi, "{name}, {k}: {:?}, {:?}", over[k], found[k]);
            assert!(over[k].width() < slack, "{name}, {k}: {:?}", over[k]);
        }
    }
    macro_rules! check {
        ($a:ident: $($f:expr),* $(,)?) => { $({
            fn f<N: Number>($a: N) -> N {
                $f
            }
            check(stringify!($f), f::<f64>, f::<Taylor<f64, 5>>, f::<Traced>);
        })* };
    }
    check!(a:
        a + N::constant(2.0),
        N::constant(2.0) - a,
        a * a + a,
        a - a * a * a,
        N::scale(a, -3.0) * a,
        a / (a * a + N::constant(1.0)),
        N::constant(1.5) / (a + N::constant(2.0)),
        N::square(a) * N::sqrt(a),
        -N::sin(a),
        N::cos(a) + N::sin(a),
        N::tan(a),
        N::asin(a),
        N::acos(a),
        N::atan(a),
        N::atan2(a, N::cos(a)),
        N::atan2(N::constant(1.0), a),
        N::sinh(a),
        N::cosh(a),
        N::tanh(a),
        N::exp(a),
        N::ln(a),
        N::powi(a, 0),
        N::powi(a, 7),
        N::powi(a, -3),
        N::powf(a, 2.6),
        N::powf(a, -0.5),
        N::abs(a - N::constant(1.0)),
        N::min(a, a * a),
        N::max(a, a * a),
    );
}

/// Powers of a base that is zero at the start have all their terms.
#[test]
fn powers_of_zero() {
    let found = series(|a| a.powi(5), &[0.0, 2.0]);
    assert_eq!(found, std::array::from_fn(|k| if k == 5 { 32.0 } else { 0.0 }));
}

/// Where both sides are equal at the start, the first coefficients that differ say which formula holds.
#[test]
fn switches_that_begin_equal() {
    let falls = [0.0, 0.0, -3.0, 1.0];
    assert_eq!(series(|a| a.abs(), &falls)[..4], [0.0, 0.0, 3.0, -1.0]);
    assert_eq!(series(|a| a.min(a.square()), &[0.0, 1.0])[..3], [0.0, 0.0, 1.0]);
    assert_eq!(series(|a| a.max(a.square()), &[0.0, 1.0])[..3], [0.0, 1.0, 0.0]);
}

/// The time of the next switch, and none where it is behind.
#[test]
fn the_next_switch() {
    let tape = Tape::record::<1, 1>(|[x]| [x.abs() + x.min(Traced::constant(3.0))]);
    let at = |x: &[f64], until: f64| {
        let mut series = Series::<f64, 9>::new(&tape);
        series.put(0, x);
        (0..9).for_each(|k| series.extend(&tape, k));
        series.first_switch(&tape, 9, until)
    };
    assert_eq!(at(&[-1.0, 2.0], 0.4), None);
    assert!((at(&[-1.0, 2.0], 3.0).unwrap() - 0.5).abs() < 1e-15);
    assert!((at(&[0.0, 2.0], 3.0).unwrap() - 1.5).abs() < 1e-15);
}

#[test]
fn first_roots() {
    // (t − 1)(t − 2), and with a double root.
    let found = first_root(&[2.0, -3.0, 1.0], 5.0).unwrap();
    assert!((found - 1.0).abs() < 1e-15);
    assert_eq!(first_root(&[2.0, -3.0, 1.0], 0.9), None);
    assert_eq!(first_root(&[1.0, 0.1, 0.0], 5.0), None);
    // Within the sum of the coefficients, and yet none: (t − 1)² + 1e-6.
    assert_eq!(first_root(&[1.0 + 1e-6, -2.0, 1.0], 3.0), None);
    let near = first_root(&[1.0 - 1e-10, -2.0, 1.0], 3.0).unwrap();
    assert!((near - (1.0 - 1e-5)).abs() < 1e-10);
}

/// Formulas made by chance: the series is the formula along the motion, and what the number of order 4 says.
#[test]
fn random_formulas() {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut random = move |n: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 33) as usize % n
    };
    fn grow(random: &mut impl FnMut(usize) -> usize, depth: usize) -> String {
        if depth == 0 || random(6) == 0 {
            return ["x", "x", "1.3", "0.7", "x^2"][random(5)].to_owned();
        }
        let a = grow(random, depth - 1);
        match random(9) {
            0 => format!("({a})*({})", grow(random, depth - 1)),
            1 => format!("({a})+({})", grow(random, depth - 1)),
            2 => format!("({a})-({})", grow(random, depth - 1)),
            3 => format!("({a})/(2+sin({}))", grow(random, depth - 1)),
            4 => format!("sqrt(1+({a})^2)"),
            5 => format!("exp(-({a})^2)"),
            6 => format!("{}({a})", ["sin", "cos", "tanh", "atan"][random(4)]),
            7 => format!("ln(2+cos({a}))"),
            _ => format!("(1.5+sin({a}))^1.7"),
        }
    }
    let mut compared = 0;
    for _ in 0..400 {
        let text = grow(&mut random, 4);
        let formula = Expression::parse(&text, &["x"], &[]).unwrap();
        let found = series(|x| formula.eval(&[x]), &X);
        let Taylor(expected) = formula.eval(&[Taylor::<f64, 5>(std::array::from_fn(|k| X[k]))]);
        for k in 0..5 {
            let error = (found[k] - expected[k]).abs();
            assert!(error <= 1e-11 * (1.0 + expected[k].abs()), "{text}, {k}: {:?}, {:?}", found[k], expected[k]);
        }
        // Where the last terms say that it converges.
        let t = 0.02_f64;
        if found[TERMS - 1].abs() * t.powi(TERMS as i32 - 1) < 1e-16 {
            let (a, b) = (horner(&found, t), formula.eval::<f64>(&[horner(&X, t)]));
            assert!((a - b).abs() <= 1e-13 * (1.0 + b.abs()), "{text}: {a:?}, {b:?}");
            compared += 1;
        }
    }
    assert!(compared > 350, "{compared}");
}

/// A number that was kept from another list stands for nothing.
#[test]
fn a_number_of_another_list() {
    let mut kept = Traced::constant(0.0);
    Tape::record::<1, 1>(|[x]| {
        kept = (0..9).fold(x, |sum, _| (sum + x).sin());
        [kept]
    });
    let found = series(|_| kept, &X);
    assert!(found[0].is_nan());
}
