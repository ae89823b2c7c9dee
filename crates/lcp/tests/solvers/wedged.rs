//! Impacts with restitution and friction in which balls may be wedged: a solution is found wherever there is one.

use lcp::friction::{Bodies, DenseFriction, Frictional, Lever};
use nalgebra::{DMatrix, DMatrixView, DVector, Matrix2x3, Matrix3, Vector3};

use crate::random::Random;

/// Two discs that touch each other and walls, and move at random; restitution and friction differ from contact to contact.
fn impact(random: &mut Random) -> (Vec<f64>, Vec<[f64; 2]>, Vec<f64>) {
    let masses: Vec<f64> = (0..2).map(|_| random.between(0.5, 2.0)).collect();
    let inverse: Vec<_> =
        masses.iter().map(|m| Matrix3::from_diagonal(&Vector3::new(1.0 / m, 1.0 / m, 2.5 / m))).collect();
    let moving: Vec<[f64; 3]> = (0..2).map(|_| [0; 3].map(|_| random.between(-1.0, 1.0))).collect();
    let lever = |body: usize, angle: f64, sign: f64| {
        let (sine, cosine) = angle.sin_cos();
        Lever { body, rows: Matrix2x3::new(sign * cosine, sign * sine, 0.0, sign * sine, -sign * cosine, 1.0) }
    };
    let walls = 1 + random.below(4);
    let mut levers: Vec<[Option<Lever>; 2]> =
        (0..walls).map(|_| [Some(lever(random.below(2), random.between(0.0, 3.1), 1.0)), None]).collect();
    let between = random.between(0.0, 6.2);
    levers.push([Some(lever(0, between, 1.0)), Some(lever(1, between, -1.0))]);
    let friction: Vec<f64> = levers.iter().map(|_| random.between(0.5, 2.0)).collect();
    let velocity: Vec<[f64; 2]> = levers
        .iter()
        .map(|of| {
            let along = |k: usize| -> f64 {
                of.iter().flatten().map(|l| (0..3).map(|i| l.rows[(k, i)] * moving[l.body][i]).sum::<f64>()).sum()
            };
            [(1.0 + random.between(0.0, 1.0)) * along(0), along(1)]
        })
        .collect();
    let mut matrix = Vec::new();
    let bodies = Bodies { inverse_masses: &inverse, levers: &levers, velocity: &velocity, friction: &friction };
    bodies.delassus(&mut matrix);
    (matrix, velocity, friction)
}

/// The smallest residual of all 4ⁿ combinations of open, sticking, sliding either way.
fn least_residual(problem: Frictional<'_>) -> f64 {
    let n = problem.velocity.len();
    (0..4_usize.pow(n as u32)).fold(f64::INFINITY, |least, code| {
        let (mut matrix, mut right) = (DMatrix::<f64>::identity(2 * n, 2 * n), DVector::<f64>::zeros(2 * n));
        for i in 0..n {
            let mode = code >> (2 * i) & 3;
            let rows = [mode > 0, mode == 1];
            for (k, holds) in rows.into_iter().enumerate() {
                let row = 2 * i + k;
                if holds {
                    (0..2 * n).for_each(|column| matrix[(row, column)] = problem.matrix[(row, column)]);
                    right[row] = -problem.velocity[i][k];
                } else if k == 1 && mode > 0 {
                    matrix[(row, 2 * i)] = if mode == 2 { problem.friction[i] } else { -problem.friction[i] };
                }
            }
        }
        let Some(p) = matrix.lu().solve(&right) else { return least };
        let impulse: Vec<[f64; 2]> = (0..n).map(|i| [p[2 * i], p[2 * i + 1]]).collect();
        least.min(problem.residual(&impulse))
    })
}

/// Symptom: of impacts that have a solution 33 in 5636 were given up (now 3 in 8462). Cause: covering vectors that were much alike, whose
/// paths end in the same ray.
#[test]
fn found_where_there_is_one() {
    let mut random = Random::new(41);
    let mut dense = DenseFriction::default();
    let (mut solvable, mut without, mut missed, mut proven) = (0, 0, 0, 0);
    for _ in 0..1000 {
        let (matrix, velocity, friction) = impact(&mut random);
        let size = 2 * velocity.len();
        let matrix = DMatrixView::from_slice(&matrix, size, size);
        let problem = Frictional { matrix, velocity: &velocity, friction: &friction };
        let exists = least_residual(problem) <= 1e-11;
        let solved = dense.solve(problem, &mut vec![[0.0; 2]; velocity.len()]);
        solvable += usize::from(exists);
        without += usize::from(!exists && solved.is_err());
        missed += usize::from(exists && solved.is_err());
        if let Err(lcp::Failure::NoSolution { proven: true, .. }) = solved {
            proven += 1;
            assert!(!exists);
        }
    }
    println!("{solvable} have a solution, {missed} of them missed; {without} have none, {proven} proven");
    assert!(500 * missed < solvable && solvable > 900 && without > 20);
}
