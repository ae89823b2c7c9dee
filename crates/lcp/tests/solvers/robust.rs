//! Bad input is an error that names it, and nothing panics.

use faer::{Mat, mat};
use lcp::friction::{self, Block, Dense, Frictional, GaussSeidel, Sparse};
use lcp::{Enumeration, Failure, Lemke, Problem, ProjectedGaussSeidel, SemismoothNewton, Solver};
use proptest::prelude::*;

fn solvers() -> [Box<dyn Solver>; 4] {
    [
        Box::new(Lemke::default()),
        Box::new(SemismoothNewton::default()),
        Box::new(ProjectedGaussSeidel { sweeps: 200, ..Default::default() }),
        Box::new(Enumeration::default()),
    ]
}

/// What a failure says of bad input.
fn said(result: Result<impl std::fmt::Debug, Failure>) -> String {
    result.expect_err("bad input").to_string()
}

#[test]
fn matrices() {
    let good = mat![[1.0, 0.0], [0.0, 1.0]];
    let bad = mat![[1.0, f64::NAN], [0.0, 1.0]];
    let wide = mat![[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    for solver in solvers().iter_mut() {
        let mut say =
            |m: &Mat<f64>, q: &[f64], z: &mut [f64]| said(solver.solve(Problem { matrix: m.as_ref(), vector: q }, z));
        assert_eq!(say(&bad, &[1.0; 2], &mut [0.0; 2]), "matrix[0, 1] is NaN: every entry must be finite");
        assert_eq!(say(&good, &[1.0, f64::INFINITY], &mut [0.0; 2]), "vector[1, 0] is inf: every entry must be finite");
        assert_eq!(say(&wide, &[1.0; 2], &mut [0.0; 2]), "matrix is 2 × 3, but should be 2 × 2");
        assert_eq!(say(&good, &[1.0; 2], &mut [0.0; 3]), "solution is 3 × 1, but should be 2 × 1");
    }
    let problem = Problem { matrix: good.as_ref(), vector: &[-1.0; 2] };
    assert_eq!(said(Lemke::new(f64::NAN).solve(problem, &mut [0.0; 2])), "tolerance is NaN: it must be finite and ≥ 0");
    let start = said(ProjectedGaussSeidel::default().solve(problem, &mut [0.0, f64::NAN]));
    assert_eq!(start, "solution[1, 0] is NaN: every entry must be finite");
    let large = Mat::<f64>::identity(21, 21);
    let large = Enumeration::default().solve(Problem { matrix: large.as_ref(), vector: &[-1.0; 21] }, &mut [0.0; 21]);
    assert_eq!(said(large), "21 unknowns, but this method takes at most 20: use Lemke");
}

#[test]
fn contacts() {
    let block: Block = [[1.0, 0.0], [0.0, 3.0]];
    assert_eq!(said(friction::one(block, [-1.0, 0.0], -0.1)), "friction[0] is -0.1: it must be ≥ 0");
    assert_eq!(said(friction::one(block, [-1.0, 0.0], f64::NAN)), "friction[0, 0] is NaN: every entry must be finite");
    assert_eq!(
        said(friction::one([[1.0, 0.0], [f64::NAN, 1.0]], [-1.0, 0.0], 0.1)),
        "matrix[1, 0] is NaN: every entry must be finite"
    );
    let matrix = mat![[1.0, 0.0], [0.0, 3.0]];
    let dense = |velocity: [f64; 2], friction: f64| {
        let problem = Frictional { matrix: matrix.as_ref(), velocity: &[velocity], friction: &[friction] };
        said(Dense::default().solve(problem, &mut [[0.0; 2]]))
    };
    assert_eq!(dense([0.0, f64::NAN], 0.1), "velocity[0, 1] is NaN: every entry must be finite");
    assert_eq!(dense([0.0, 0.0], -0.5), "friction[0] is -0.5: it must be ≥ 0");
    let sparse = |starts: &[usize], columns: &[usize], block: Block, friction: &[f64]| {
        let blocks = vec![block; columns.len()];
        let problem = Sparse { starts, columns, blocks: &blocks, velocity: &[[-1.0, 0.0]; 2], friction };
        said(GaussSeidel::default().solve(problem, &mut [[0.0; 2]; 2]))
    };
    assert_eq!(sparse(&[0, 1], &[0], block, &[0.1; 2]), "starts is 2 × 1, but should be 3 × 1");
    assert_eq!(sparse(&[0, 1, 2], &[0, 1], block, &[0.1]), "friction is 1 × 1, but should be 2 × 1");
    assert_eq!(sparse(&[0, 1, 2], &[0, 1], block, &[0.1, -1.0]), "friction[1] is -1: it must be ≥ 0");
    assert_eq!(
        sparse(&[0, 1, 2], &[0, 7], block, &[0.1; 2]),
        "block row 1: columns must be contacts (entry 1 of starts or columns is 7)"
    );
    assert!(sparse(&[0, 1, 2], &[0, 0], block, &[0.1; 2]).contains("one diagonal block"));
    assert!(sparse(&[0, 2, 1], &[0, 1], block, &[0.1; 2]).contains("must not fall"));
    assert!(sparse(&[0, 1, 9], &[0, 1], block, &[0.1; 2]).contains("number of blocks"));
    assert!(sparse(&[0, 1, 2], &[0, 1], [[0.0, 0.0], [0.0, 1.0]], &[0.1; 2]).contains("positive diagonal"));
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
    let matrix = Mat::from_fn(n, n, |i, j| m[i * 6 + j]);
    let problem = Problem { matrix: matrix.as_ref(), vector: q };
    for solver in solvers().iter_mut() {
        let mut solution = z[..n].to_vec();
        if let Ok(solved) = solver.solve(problem, &mut solution) {
            prop_assert!(solved.residual <= 1e-10 && solution.iter().all(|z| z.is_finite() && *z >= 0.0));
            prop_assert!(problem.residual(&solution) <= 1e-10);
        }
    }
    let pairs = n / 2;
    let velocity: Vec<[f64; 2]> = (0..pairs).map(|i| [q[2 * i], q[2 * i + 1]]).collect();
    let small = Mat::from_fn(2 * pairs, 2 * pairs, |i, j| m[i * 6 + j]);
    let mut impulse = vec![[z[0], z[1]]; pairs];
    let friction = &z[..pairs];
    let dense = Frictional { matrix: small.as_ref(), velocity: &velocity, friction };
    if let Ok(solved) = Dense::default().solve(dense, &mut impulse) {
        let rounding = 1e-14 * velocity.iter().flatten().fold(0.0_f64, |x, q| x.max(q.abs()));
        let least = rounding.max(1e-10);
        prop_assert!(solved.residual <= least && dense.residual(&impulse) <= least);
    }
    let starts: Vec<usize> = (0..=pairs).map(|i| i * pairs).collect();
    let columns: Vec<usize> = (0..pairs * pairs).map(|i| i % pairs).collect();
    let entry = |i: usize, j: usize| m[i * 6 + j];
    let blocks: Vec<Block> = (0..pairs * pairs)
        .map(|k| (2 * (k / pairs), 2 * (k % pairs)))
        .map(|(i, j)| [[entry(i, j), entry(i, j + 1)], [entry(i + 1, j), entry(i + 1, j + 1)]])
        .collect();
    let sparse = Sparse { starts: &starts, columns: &columns, blocks: &blocks, velocity: &velocity, friction };
    let mut sweeps = GaussSeidel::default();
    sweeps.sweeps = 200;
    let mut impulse = vec![[z[0], z[1]]; pairs];
    if sweeps.solve(sparse, &mut impulse).is_ok() {
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
    let m = Mat::<f64>::identity(3, 3);
    for n in 0..6 {
        for k in 0..6 {
            let (q, mut z) = (vec![-1.0; n], vec![0.0; k]);
            for solver in solvers().iter_mut() {
                let solved = solver.solve(Problem { matrix: m.as_ref(), vector: &q }, &mut z);
                assert_eq!(solved.is_ok(), n == 3 && k == 3);
            }
            let (velocity, friction, mut impulse) = (vec![[-1.0, 0.0]; n], vec![0.1; k], vec![[0.0; 2]; n]);
            let problem = Frictional { matrix: m.as_ref(), velocity: &velocity, friction: &friction };
            assert!(Dense::default().solve(problem, &mut impulse).is_err());
        }
    }
}
