//! Ties, redundant contacts, cycling, and problems without a solution.

use lcp::{Failure, Lemke, Problem};
use nalgebra::DMatrix;

use crate::others::{by_supports, by_sweeps};
use crate::random::Random;
use crate::{apart, complementarity, slack};

/// A third of the contacts neither presses nor opens: `w_i = z_i = 0`.
#[test]
fn zeros_in_both() {
    let mut random = Random::new(11);
    let (mut lemke, mut worst) = (Lemke::default(), 0.0_f64);
    for _ in 0..2_000 {
        let n = 1 + random.below(40);
        // Numbers with few digits, so that ties are exact.
        let b = DMatrix::from_fn(n, n, |_, _| random.below(5) as f64 - 2.0);
        let m = &b * b.transpose() + DMatrix::<f64>::identity(n, n);
        let wanted: Vec<f64> = (0..n).map(|_| [0.0, 0.0, 1.0, 2.0][random.below(4)]).collect();
        let open = |z: f64, random: &mut Random| if z == 0.0 { random.below(2) as f64 } else { 0.0 };
        let q: Vec<f64> =
            (0..n).map(|i| open(wanted[i], &mut random) - (0..n).map(|j| m[(i, j)] * wanted[j]).sum::<f64>()).collect();
        let problem = Problem { matrix: m.as_view(), vector: &q };
        let mut z = vec![0.0; n];
        lemke.solve(problem, &mut z).expect("SPD");
        worst = worst.max(apart(&z, &wanted));
    }
    println!("from the known solution: {worst:.1e}");
    assert!(worst < 1e-10);
}

/// More contacts than degrees of freedom, some of them twice: w is unique, z is not.
#[test]
fn redundant_contacts() {
    let mut random = Random::new(12);
    let mut lemke = Lemke::default();
    let (mut swept, mut worst, mut differ, mut most) = (0, 0.0_f64, 0.0_f64, 0.0_f64);
    for _ in 0..1_000 {
        let dofs = 1 + random.below(8);
        let n = dofs + 1 + random.below(2 * dofs);
        let mut h = random.matrix(dofs, n);
        for j in 1..n {
            if random.below(3) == 0 {
                let from = random.below(j);
                (0..dofs).for_each(|i| h[(i, j)] = h[(i, from)]);
            }
        }
        let free = random.vector(dofs);
        let m = h.transpose() * &h;
        let q: Vec<f64> = (0..n).map(|j| (0..dofs).map(|i| h[(i, j)] * free[i]).sum()).collect();
        let problem = Problem { matrix: m.as_view(), vector: &q };
        let mut z = vec![0.0; n];
        lemke.solve(problem, &mut z).unwrap_or_else(|error| panic!("{dofs} × {n}: {error}"));
        worst = worst.max(complementarity(problem, &z));
        if let Some(other) = by_sweeps(problem, 10_000) {
            swept += 1;
            differ = differ.max(apart(&slack(problem, &z), &slack(problem, &other)));
            most = most.max(apart(&z, &other));
        }
    }
    println!("Lemke {worst:.1e}, w apart {differ:.1e}, z apart {most:.1e}; {swept} of 1000 by sweeps");
    assert!(worst < 1e-10 && differ < 1e-8 && most > 1e-3);
    assert!(swept > 900, "{swept}");
}

/// Kostreva's example, on which least-index principal pivoting cycles.
#[test]
fn no_cycle() {
    let m = DMatrix::from_row_slice(3, 3, &[1.0, 2.0, 0.0, 0.0, 1.0, 2.0, 2.0, 0.0, 1.0]);
    let problem = Problem { matrix: m.as_view(), vector: &[-1.0; 3] };
    let mut z = [0.0; 3];
    Lemke::default().solve(problem, &mut z).expect("a P-matrix");
    assert!(apart(&z, &[1.0 / 3.0; 3]) < 1e-14, "{z:?}");
}

/// Murty's matrices, on which principal pivoting takes 2ⁿ pivots; every ratio is a tie.
#[test]
fn murty() {
    for n in [4, 30, 60] {
        let m = DMatrix::from_fn(n, n, |i, j| {
            if i == j {
                1.0
            } else if i < j {
                2.0
            } else {
                0.0
            }
        });
        let q = vec![-1.0; n];
        let mut z = vec![0.0; n];
        let solved = Lemke::default().solve(Problem { matrix: m.as_view(), vector: &q }, &mut z);
        assert_eq!(solved.map(|solved| solved.iterations), Ok(2));
        assert!(z[n - 1] == 1.0 && z[..n - 1].iter().all(|z| *z == 0.0), "{z:?}");
    }
}

/// Nothing to do.
#[test]
fn trivial() {
    let m = DMatrix::from_row_slice(2, 2, &[2.0, 1.0, 1.0, 2.0]);
    for q in [[0.0, 0.0], [1.0, 0.0], [3.0, 4.0]] {
        let problem = Problem { matrix: m.as_view(), vector: &q };
        let mut z = [9.0; 2];
        assert_eq!(Lemke::default().solve(problem, &mut z).map(|solved| solved.iterations), Ok(0));
        assert_eq!(z, [0.0; 2]);
    }
    let empty = DMatrix::<f64>::zeros(0, 0);
    let problem = Problem { matrix: empty.as_view(), vector: &[] };
    assert_eq!(Lemke::default().solve(problem, &mut []).map(|solved| solved.residual), Ok(0.0));
}

/// Matrices with no solution: an error, and from Lemke's ray a proof.
#[test]
fn no_solution() {
    let cases = [
        (DMatrix::from_row_slice(1, 1, &[-1.0]), vec![-1.0]),
        (DMatrix::from_row_slice(1, 1, &[0.0]), vec![-1.0]),
        (DMatrix::from_row_slice(2, 2, &[1.0, -1.0, -1.0, 1.0]), vec![-1.0, -1.0]), // a ball pressed between two walls that close
        (DMatrix::from_row_slice(2, 2, &[0.0, 1.0, -1.0, 0.0]), vec![-1.0, -1.0]),
        (DMatrix::from_row_slice(3, 3, &[1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 2.0]), vec![-1.0, -1e-3, 1.0]),
    ];
    for (m, q) in &cases {
        let problem = Problem { matrix: m.as_view(), vector: q };
        assert_eq!(by_supports(problem), Vec::<Vec<f64>>::new());
        let failure = Lemke::default().solve(problem, &mut vec![0.0; q.len()]);
        assert!(matches!(failure, Err(Failure::NoSolution { proven: true, .. })), "{failure:?}");
    }
    let mut random = Random::new(13);
    let mut proven = 0;
    for _ in 0..500 {
        // vᵀM = 0 for a v > 0, and qᵀv < 0.
        let n = 2 + random.below(20);
        let v: Vec<f64> = (0..n).map(|_| random.between(0.1, 1.0)).collect();
        let size: f64 = v.iter().map(|v| v * v).sum();
        let b = random.matrix(n, n);
        let along: Vec<f64> = (0..n).map(|j| (0..n).map(|i| v[i] * b[(i, j)]).sum::<f64>() / size).collect();
        let b = DMatrix::from_fn(n, n, |i, j| b[(i, j)] - v[i] * along[j]);
        let m = &b * b.transpose();
        let q: Vec<f64> = v.iter().map(|v| 0.3 * random.signed() - v).collect();
        if q.iter().zip(&v).map(|(q, v)| q * v).sum::<f64>() > -0.1 {
            continue;
        }
        match Lemke::default().solve(Problem { matrix: m.as_view(), vector: &q }, &mut vec![0.0; n]) {
            Err(Failure::NoSolution { proven: true, .. }) => proven += 1,
            other => panic!("{n}: {other:?}"),
        }
    }
    println!("{proven} proven");
    assert!(proven > 400);
}
