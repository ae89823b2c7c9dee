//! Bad input is an error that names it, and nothing panics.

use lcp::friction::{self, Block, Bodies, DenseFriction, Frictional, Heap, Lever};
use lcp::{Failure, Lemke, Problem};
use nalgebra::{DMatrix, Matrix2x3, Matrix3, Vector3};
use proptest::prelude::*;

/// What a failure says of bad input.
fn said(result: Result<impl std::fmt::Debug, Failure>) -> String {
    result.expect_err("bad input").to_string()
}

#[test]
fn matrices() {
    let good = DMatrix::from_row_slice(2, 2, &[1.0, 0.0, 0.0, 1.0]);
    let bad = DMatrix::from_row_slice(2, 2, &[1.0, f64::NAN, 0.0, 1.0]);
    let wide = DMatrix::from_row_slice(2, 3, &[1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    let say = |m: &DMatrix<f64>, q: &[f64], z: &mut [f64]| {
        said(Lemke::default().solve(Problem { matrix: m.as_view(), vector: q }, z))
    };
    assert_eq!(say(&bad, &[1.0; 2], &mut [0.0; 2]), "matrix[0, 1] is NaN: it must be finite");
    assert_eq!(say(&good, &[1.0, f64::INFINITY], &mut [0.0; 2]), "vector[1, 0] is inf: it must be finite");
    assert_eq!(say(&wide, &[1.0; 2], &mut [0.0; 2]), "matrix is 2 × 3, but should be 2 × 2");
    assert_eq!(say(&good, &[1.0; 2], &mut [0.0; 3]), "solution is 3 × 1, but should be 2 × 1");
    let problem = Problem { matrix: good.as_view(), vector: &[-1.0; 2] };
    assert_eq!(said(Lemke::new(f64::NAN).solve(problem, &mut [0.0; 2])), "tolerance is NaN: it must be finite and ≥ 0");
    // An infinite number hides no error of another row.
    let problem = Problem { matrix: good.as_view(), vector: &[f64::INFINITY, -1.0] };
    assert!(problem.residual(&[0.0, 0.0]).is_nan());
}

#[test]
fn contacts() {
    let block: Block = [[1.0, 0.0], [0.0, 3.0]];
    assert_eq!(said(friction::one(block, [-1.0, 0.0], -0.1)), "friction[0, 0] is -0.1: it must be ≥ 0");
    assert_eq!(said(friction::one(block, [-1.0, 0.0], f64::NAN)), "friction[0, 0] is NaN: it must be ≥ 0");
    assert_eq!(
        said(friction::one([[1.0, 0.0], [f64::NAN, 1.0]], [-1.0, 0.0], 0.1)),
        "matrix[1, 0] is NaN: it must be finite"
    );
    let matrix = DMatrix::from_row_slice(2, 2, &[1.0, 0.0, 0.0, 3.0]);
    let dense = |velocity: [f64; 2], friction: f64| {
        let problem = Frictional { matrix: matrix.as_view(), velocity: &[velocity], friction: &[friction] };
        said(DenseFriction::default().solve(problem, &mut [[0.0; 2]]))
    };
    assert_eq!(dense([0.0, f64::NAN], 0.1), "velocity[0, 1] is NaN: it must be finite");
    assert_eq!(dense([0.0, 0.0], -0.5), "friction[0, 0] is -0.5: it must be ≥ 0");
    let unit = Matrix3::from_diagonal(&Vector3::new(1.0, 1.0, 2.0));
    let lever = Matrix2x3::new(0.0, 1.0, 0.0, 1.0, 0.0, 1.0);
    let bodies = |mass: Matrix3<f64>, rows: Matrix2x3<f64>, on: [usize; 2], friction: &[f64]| {
        let levers = [on.map(|body| Some(Lever { body, rows }))];
        let problem = Bodies { inverse_masses: &[mass; 2], levers: &levers, velocity: &[[-1.0, 0.0]], friction };
        said(Heap::default().solve(problem, &mut [[0.0; 2]]))
    };
    assert_eq!(bodies(unit, lever, [0, 1], &[]), "friction is 0 × 1, but should be 1 × 1");
    assert_eq!(bodies(unit, lever, [0, 1], &[-1.0]), "friction[0, 0] is -1: it must be ≥ 0");
    assert!(bodies(unit, lever, [0, 7], &[0.1]).contains("levers[0, 1] is 7: it must be the index of a body"));
    assert!(bodies(unit, lever, [1, 1], &[0.1]).contains("levers[0, 1] is 1: it must be another body"));
    assert!(bodies(unit, Matrix2x3::zeros(), [0, 1], &[0.1]).contains("W[0, 0] is 0: it must be positive"));
    assert!(bodies(Matrix3::zeros(), lever, [0, 1], &[0.1]).contains("regular block"));
    assert!(bodies(unit, Matrix2x3::repeat(f64::NAN), [0, 1], &[0.1]).contains("it must be finite"));
}

/// Numbers of every kind.
fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        6 => -2.0..2.0,
        3 => prop::sample::select(vec![0.0, -0.0, 1.0, -1.0, 1e-300, 5e-324, 1e300, -1e300, 1e-17, 1e8]),
        1 => prop::sample::select(vec![f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::MIN]),
    ]
}

/// The same without NaN and infinities.
fn finite() -> impl Strategy<Value = f64> {
    number().prop_map(|x| if x.is_finite() { x } else { 0.5 })
}

fn sizes(m: &[f64], q: &[f64], z: &[f64]) -> Result<(), TestCaseError> {
    let n = q.len();
    let matrix = DMatrix::from_fn(n, n, |i, j| m[i * 6 + j]);
    let problem = Problem { matrix: matrix.as_view(), vector: q };
    let mut solution = z[..n].to_vec();
    if let Ok(solved) = Lemke::default().solve(problem, &mut solution) {
        prop_assert!(solved.residual <= 1e-10 && solution.iter().all(|z| z.is_finite() && *z >= 0.0));
        prop_assert!(problem.residual(&solution) <= 1e-10);
    }
    let pairs = n / 2;
    let velocity: Vec<[f64; 2]> = (0..pairs).map(|i| [q[2 * i], q[2 * i + 1]]).collect();
    let small = DMatrix::from_fn(2 * pairs, 2 * pairs, |i, j| m[i * 6 + j]);
    let mut impulse = vec![[z[0], z[1]]; pairs];
    let friction = &z[..pairs];
    let dense = Frictional { matrix: small.as_view(), velocity: &velocity, friction };
    if let Ok(solved) = DenseFriction::default().solve(dense, &mut impulse) {
        let rounding = 1e-14 * velocity.iter().flatten().fold(0.0_f64, |x, q| x.max(q.abs()));
        let least = rounding.max(1e-10);
        prop_assert!(solved.residual <= least && dense.residual(&impulse) <= least);
    }
    let lever = |body: usize, at: usize| {
        Some(Lever { body, rows: Matrix2x3::from_fn(|row, k| m[(at + 3 * row + k) % m.len()]) })
    };
    let levers: Vec<_> = (0..pairs).map(|i| [lever(i % 2, 5 * i), lever(1 - i % 2, 5 * i + 7)]).collect();
    let inverse_masses = [0, 9].map(|at| Matrix3::from_fn(|row, k| m[at + 3 * row + k]));
    let bodies = Bodies { inverse_masses: &inverse_masses, levers: &levers, velocity: &velocity, friction };
    let mut heap = Heap::default();
    heap.rounds = 2;
    let mut impulse = vec![[z[0], z[1]]; pairs];
    if heap.solve(bodies, &mut impulse).is_ok() {
        prop_assert!(impulse.iter().flatten().all(|p| p.is_finite()) && impulse.iter().all(|p| p[0] >= 0.0));
    }
    if let Ok(contact) = friction::one([[m[0], m[1]], [m[2], m[3]]], [z[0], z[1]], z[2]) {
        prop_assert!(contact.impulse.iter().chain(&contact.velocity).all(|x| x.is_finite()));
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, rng_seed: proptest::test_runner::RngSeed::Fixed(41), ..ProptestConfig::default() })]

    #[test]
    fn anything(
        m in prop::collection::vec(number(), 36),
        q in prop::collection::vec(number(), 0..=6),
        z in prop::collection::vec(number(), 6),
    ) {
        sizes(&m, &q, &z)?;
    }

    #[test]
    fn anything_finite(
        m in prop::collection::vec(finite(), 36),
        q in prop::collection::vec(finite(), 0..=6),
        z in prop::collection::vec(finite(), 6),
    ) {
        sizes(&m, &q, &z)?;
        let z: Vec<f64> = z.iter().map(|z| z.abs()).collect();
        sizes(&m, &q, &z)?;
    }
}

/// Wrong sizes of everything at once.
#[test]
fn sizes_that_do_not_fit() {
    let m = DMatrix::<f64>::identity(3, 3);
    for n in 0..6 {
        for k in 0..6 {
            let (q, mut z) = (vec![-1.0; n], vec![0.0; k]);
            let solved = Lemke::default().solve(Problem { matrix: m.as_view(), vector: &q }, &mut z);
            assert_eq!(solved.is_ok(), n == 3 && k == 3);
            let (velocity, friction, mut impulse) = (vec![[-1.0, 0.0]; n], vec![0.1; k], vec![[0.0; 2]; n]);
            let problem = Frictional { matrix: m.as_view(), velocity: &velocity, friction: &friction };
            assert!(DenseFriction::default().solve(problem, &mut impulse).is_err());
        }
    }
}
