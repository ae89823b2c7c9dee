//! P-matrices: one solution for every q.

use faer::Mat;
use lcp::{Enumeration, Lemke, Problem, ProjectedGaussSeidel, SemismoothNewton, Solver};

use crate::random::Random;
use crate::{apart, complementarity};

const FAMILIES: [&str; 6] = ["SPD", "H", "SPD + skew", "rows scaled", "triangular", "Delassus"];

/// A P-matrix of a family.
fn matrix(random: &mut Random, family: usize, n: usize) -> Mat<f64> {
    let spd = |random: &mut Random| {
        let b = random.matrix(n, n);
        &b * b.transpose() * (1.0 / n as f64) + Mat::<f64>::identity(n, n) * 0.05
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
            Mat::from_fn(n, n, |i, j| m[(i, j)] * scale[j] / n as f64)
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
            Mat::from_fn(n, n, |i, j| scale[i] * m[(i, j)] * scale[n + j])
        }
        4 => Mat::from_fn(n, n, |i, j| match i.cmp(&j) {
            std::cmp::Ordering::Less => 0.0,
            std::cmp::Ordering::Equal => random.between(0.5, 2.0),
            std::cmp::Ordering::Greater => 0.5 * random.signed(),
        }),
        _ => {
            // Contacts between neighbours of a chain in the plane, and masses of two decades.
            let dofs = n + 2;
            let h = Mat::from_fn(dofs, n, |i, j| if i.abs_diff(j) < 3 { random.signed() } else { 0.0 });
            let w: Vec<f64> = (0..dofs).map(|_| 10.0_f64.powf(random.between(-1.0, 1.0))).collect();
            Mat::from_fn(n, n, |i, j| {
                (0..dofs).map(|k| h[(k, i)] * w[k] * h[(k, j)]).sum::<f64>() + if i == j { 1e-3 } else { 0.0 }
            })
        }
    }
}

/// 10⁴ P-matrices: complementarity to 1e-10, and Lemke and Newton agree.
#[test]
fn lemke_and_newton() {
    let mut random = Random::new(1);
    let (mut lemke, mut newton) = (Lemke::default(), SemismoothNewton::default());
    let mut worst = [[0.0_f64; 3]; 6];
    let (mut pivots, mut steps) = (0, 0);
    for k in 0..10_000 {
        let (family, n) = (k % 6, 1 + random.below(60));
        let m = matrix(&mut random, family, n);
        let q = random.vector(n);
        let problem = Problem { matrix: m.as_ref(), vector: &q };
        let (mut z, mut other) = (vec![0.0; n], vec![0.0; n]);
        let by_lemke = lemke.solve(problem, &mut z).unwrap_or_else(|error| panic!("{k} {n} {family}: {error}"));
        let by_newton = newton.solve(problem, &mut other).unwrap_or_else(|error| panic!("{k} {n} {family}: {error}"));
        pivots += by_lemke.iterations;
        steps += by_newton.iterations;
        let size = z.iter().fold(1e-300_f64, |x, z| x.max(*z));
        let row = &mut worst[family];
        row[0] = row[0].max(complementarity(problem, &z));
        row[1] = row[1].max(complementarity(problem, &other));
        row[2] = row[2].max(apart(&z, &other) / size);
    }
    for (name, worst) in FAMILIES.iter().zip(&worst) {
        println!("{name}: Lemke {:.1e}, Newton {:.1e}, apart {:.1e}", worst[0], worst[1], worst[2]);
    }
    println!("{pivots} pivots, {steps} Newton steps");
    assert!(worst.iter().all(|[a, b, apart]| *a < 1e-10 && *b < 1e-10 && *apart < 1e-9), "{worst:?}");
}

/// The two above end with the same solution of one support: enumeration and Gauss–Seidel find theirs otherwise.
#[test]
fn small_ones_by_enumeration_and_sweeps() {
    let mut random = Random::new(2);
    let (mut lemke, mut enumeration) = (Lemke::default(), Enumeration::default());
    let mut sweeps = ProjectedGaussSeidel { tolerance: 1e-12, ..Default::default() };
    let (mut by_supports, mut by_sweeps) = (0.0_f64, 0.0_f64);
    for k in 0..1_200 {
        let (family, n) = (k % 6, 1 + random.below(8));
        let m = matrix(&mut random, family, n);
        let q = random.vector(n);
        let problem = Problem { matrix: m.as_ref(), vector: &q };
        let (mut z, mut other) = (vec![0.0; n], vec![0.0; n]);
        lemke.solve(problem, &mut z).expect("a P-matrix");
        let size = z.iter().fold(1e-300_f64, |x, z| x.max(*z));
        let mut found = 0;
        enumeration
            .all(problem, |y, _| {
                found += 1;
                by_supports = by_supports.max(apart(&z, y) / size);
                true
            })
            .expect("small");
        assert_eq!(found, 1, "{k}: a P-matrix has one solution");
        if family < 2 {
            sweeps.solve(problem, &mut other).expect("converges for SPD and H");
            by_sweeps = by_sweeps.max(apart(&z, &other) / size);
        }
    }
    println!("apart: enumeration {by_supports:.1e}, Gauss–Seidel {by_sweeps:.1e}");
    assert!(by_supports < 1e-12 && by_sweeps < 1e-9);
}

/// Units don't matter: impulses and velocities in others by 1e9; for Lemke not even those of each contact.
#[test]
fn units() {
    let mut random = Random::new(3);
    let (mut lemke, mut newton) = (Lemke::default(), SemismoothNewton::default());
    let mut worst = [0.0_f64; 3];
    for _ in 0..200 {
        let n = 2 + random.below(20);
        let m = matrix(&mut random, 0, n);
        let q = random.vector(n);
        let mut z = vec![0.0; n];
        lemke.solve(Problem { matrix: m.as_ref(), vector: &q }, &mut z).expect("SPD");
        let size = z.iter().fold(1e-300_f64, |x, z| x.max(*z));
        let each: Vec<f64> = (0..n).map(|_| 10.0_f64.powf(random.between(-6.0, 6.0))).collect();
        let all = vec![10.0_f64.powf(random.between(-9.0, 9.0)); n];
        let cases: [(&mut dyn Solver, &[f64]); 3] =
            [(&mut newton, &all), (&mut lemke.clone(), &all), (&mut lemke, &each)];
        for (worst, (solver, scale)) in worst.iter_mut().zip(cases) {
            let scaled = Mat::from_fn(n, n, |i, j| scale[i] * m[(i, j)] * scale[j] * 1e-9);
            let vector: Vec<f64> = q.iter().zip(scale).map(|(q, s)| q * s * 1e-9).collect();
            let mut other = vec![0.0; n];
            solver.solve(Problem { matrix: scaled.as_ref(), vector: &vector }, &mut other).expect("in other units");
            let back: Vec<f64> = other.iter().zip(scale).map(|(z, s)| z * s).collect();
            *worst = worst.max(apart(&z, &back) / size);
        }
    }
    println!("apart {worst:?}");
    assert!(worst.iter().all(|worst| *worst < 1e-10), "{worst:?}");
}
