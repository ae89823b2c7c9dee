//! P-matrices: one solution for every q.

use lcp::{Lemke, Problem};
use nalgebra::DMatrix;

use crate::others::{by_supports, by_sweeps};
use crate::random::Random;
use crate::{apart, complementarity};

const FAMILIES: [&str; 6] = ["SPD", "H", "SPD + skew", "rows scaled", "triangular", "Delassus"];

/// A P-matrix of a family.
fn matrix(random: &mut Random, family: usize, n: usize) -> DMatrix<f64> {
    let spd = |random: &mut Random| {
        let b = random.matrix(n, n);
        &b * b.transpose() * (1.0 / n as f64) + DMatrix::<f64>::identity(n, n) * 0.05
    };
    match family {
        0 => spd(random),
        1 => {
            // Diagonally dominant after its columns are scaled.
            let mut m = random.matrix(n, n);
            for i in 0..n {
                let sum: f64 = (0..n).filter(|j| *j != i).map(|j| m[(i, j)].abs()).sum();
                m[(i, i)] = sum * random.between(1.01, 1.5) + 0.01;
            }
            let scale: Vec<f64> = (0..n).map(|_| 10.0_f64.powf(random.between(-1.0, 1.0))).collect();
            DMatrix::from_fn(n, n, |i, j| m[(i, j)] * scale[j] / n as f64)
        }
        2 => {
            let s = random.matrix(n, n);
            spd(random) + &s - s.transpose()
        }
        3 => {
            // Not positive definite any more.
            let (s, m) = (random.matrix(n, n), spd(random));
            let m = m + (&s - s.transpose()) * 0.5;
            let scale: Vec<f64> = (0..2 * n).map(|_| 10.0_f64.powf(random.between(-1.0, 1.0))).collect();
            DMatrix::from_fn(n, n, |i, j| scale[i] * m[(i, j)] * scale[n + j])
        }
        4 => DMatrix::from_fn(n, n, |i, j| match i.cmp(&j) {
            std::cmp::Ordering::Less => 0.0,
            std::cmp::Ordering::Equal => random.between(0.5, 2.0),
            std::cmp::Ordering::Greater => 0.5 * random.signed(),
        }),
        _ => {
            // Contacts between neighbours of a chain in the plane, and masses of two decades.
            let dofs = n + 2;
            let h = DMatrix::from_fn(dofs, n, |i, j| if i.abs_diff(j) < 3 { random.signed() } else { 0.0 });
            let w: Vec<f64> = (0..dofs).map(|_| 10.0_f64.powf(random.between(-1.0, 1.0))).collect();
            DMatrix::from_fn(n, n, |i, j| {
                (0..dofs).map(|k| h[(k, i)] * w[k] * h[(k, j)]).sum::<f64>() + if i == j { 1e-3 } else { 0.0 }
            })
        }
    }
}

/// 10⁴ P-matrices: complementarity to 1e-10.
#[test]
fn complementary() {
    let mut random = Random::new(1);
    let (mut lemke, mut worst, mut pivots) = (Lemke::default(), [0.0_f64; 6], 0);
    for k in 0..10_000 {
        let (family, n) = (k % 6, 1 + random.below(60));
        let m = matrix(&mut random, family, n);
        let q = random.vector(n);
        let problem = Problem { matrix: m.as_view(), vector: &q };
        let mut z = vec![0.0; n];
        let solved = lemke.solve(problem, &mut z).unwrap_or_else(|error| panic!("{k} {n} {family}: {error}"));
        pivots += solved.iterations;
        worst[family] = worst[family].max(complementarity(problem, &z));
    }
    FAMILIES.iter().zip(worst).for_each(|(name, worst)| println!("{name}: {worst:.1e}"));
    println!("{pivots} pivots");
    assert!(worst.iter().all(|worst| *worst < 1e-10), "{worst:?}");
}

/// The one solution of a P-matrix is found by every support in turn and by sweeps, too.
#[test]
fn small_ones_by_supports_and_sweeps() {
    let mut random = Random::new(2);
    let (mut lemke, mut supports, mut sweeps) = (Lemke::default(), 0.0_f64, 0.0_f64);
    for k in 0..1_200 {
        let (family, n) = (k % 6, 1 + random.below(8));
        let m = matrix(&mut random, family, n);
        let q = random.vector(n);
        let problem = Problem { matrix: m.as_view(), vector: &q };
        let mut z = vec![0.0; n];
        lemke.solve(problem, &mut z).expect("a P-matrix");
        let size = z.iter().fold(1e-300_f64, |x, z| x.max(*z));
        let all = by_supports(problem);
        assert_eq!(all.len(), 1, "{k}: a P-matrix has one solution");
        supports = supports.max(apart(&z, &all[0]) / size);
        if family < 2 {
            let other = by_sweeps(problem, 100_000).expect("converges for SPD and H");
            sweeps = sweeps.max(apart(&z, &other) / size);
        }
    }
    println!("apart: supports {supports:.1e}, sweeps {sweeps:.1e}");
    assert!(supports < 1e-12 && sweeps < 1e-9);
}

/// Units don't matter: neither those of impulses and velocities, by 1e9, nor those of each contact.
#[test]
fn units() {
    let mut random = Random::new(3);
    let (mut lemke, mut worst) = (Lemke::default(), [0.0_f64; 2]);
    for _ in 0..200 {
        let n = 2 + random.below(20);
        let m = matrix(&mut random, 0, n);
        let q = random.vector(n);
        let mut z = vec![0.0; n];
        lemke.solve(Problem { matrix: m.as_view(), vector: &q }, &mut z).expect("SPD");
        let size = z.iter().fold(1e-300_f64, |x, z| x.max(*z));
        let each: Vec<f64> = (0..n).map(|_| 10.0_f64.powf(random.between(-6.0, 6.0))).collect();
        let all = vec![10.0_f64.powf(random.between(-9.0, 9.0)); n];
        for (worst, scale) in worst.iter_mut().zip([all, each]) {
            let scaled = DMatrix::from_fn(n, n, |i, j| scale[i] * m[(i, j)] * scale[j] * 1e-9);
            let vector: Vec<f64> = q.iter().zip(&scale).map(|(q, s)| q * s * 1e-9).collect();
            let mut other = vec![0.0; n];
            lemke.solve(Problem { matrix: scaled.as_view(), vector: &vector }, &mut other).expect("in other units");
            let back: Vec<f64> = other.iter().zip(&scale).map(|(z, s)| z * s).collect();
            *worst = worst.max(apart(&z, &back) / size);
        }
    }
    println!("apart {worst:?}");
    assert!(worst.iter().all(|worst| *worst < 1e-10), "{worst:?}");
}
