//! No allocation per solve after the largest size has been seen. Alone in its binary, because it counts what the whole
//! process allocates.

#![allow(clippy::expect_used, clippy::panic, reason = "tests fail loudly")]

#[allow(dead_code, reason = "shared with the other tests")]
#[path = "solvers/random.rs"]
mod random;

use allocation_counter::measure;
use faer::Mat;
use lcp::friction::{Dense, GaussSeidel};
use lcp::{Enumeration, Lemke, Problem, ProjectedGaussSeidel, SemismoothNewton, Solver};
use random::{Pile, Random};

#[test]
fn dense_solvers() {
    let mut random = Random::new(51);
    let cases: Vec<(Mat<f64>, Vec<f64>)> = (0..60)
        .map(|k| {
            let n = 1 + (k * 7) % 12;
            let b = random.matrix(n, n);
            (&b * b.transpose() + Mat::<f64>::identity(n, n), random.vector(n))
        })
        .collect();
    let solvers: [(&str, Box<dyn Solver>); 4] = [
        ("Lemke", Box::new(Lemke::default())),
        ("Newton", Box::new(SemismoothNewton::default())),
        ("Gauss–Seidel", Box::new(ProjectedGaussSeidel::default())),
        ("enumeration", Box::new(Enumeration::default())),
    ];
    for (name, mut solver) in solvers {
        // The largest size, with nothing in contact: the workspace must not grow with what happens.
        let mut z = vec![0.0; 12];
        let first = Mat::<f64>::identity(12, 12);
        solver.solve(Problem { matrix: first.as_ref(), vector: &[-1.0; 12] }, &mut z).expect("the identity");
        let info = measure(|| {
            for (m, q) in &cases {
                solver.solve(Problem { matrix: m.as_ref(), vector: q }, &mut z[..q.len()]).expect("SPD");
            }
        });
        assert_eq!(info.count_total, 0, "{name}");
    }
}

#[test]
fn friction() {
    let mut random = Random::new(52);
    let piles: Vec<Pile> = (0..12).map(|_| Pile::new(&mut random, 3, 3, 0.3, 2.0, 1e-3)).collect();
    let matrices: Vec<Mat<f64>> = piles.iter().map(Pile::matrix).collect();
    let most = piles.iter().map(|pile| pile.velocity.len()).max().expect("some");
    let first = piles.iter().position(|pile| pile.velocity.len() == most).expect("the largest");
    let mut impulse = vec![[0.0; 2]; most];
    let (mut dense, mut sweeps) = (Dense::default(), GaussSeidel::default());
    dense.solve(piles[first].dense(&matrices[first]), &mut impulse).expect("a pile");
    sweeps.solve(piles[first].sparse(), &mut impulse).expect("a pile");
    let info = measure(|| {
        for (pile, matrix) in piles.iter().zip(&matrices) {
            let impulse = &mut impulse[..pile.velocity.len()];
            dense.solve(pile.dense(matrix), impulse).expect("a pile");
            sweeps.solve(pile.sparse(), impulse).expect("a pile");
        }
    });
    assert_eq!(info.count_total, 0);
}

/// The counter counts.
#[test]
fn counter() {
    assert!(measure(|| drop(std::hint::black_box(vec![1.0; 10]))).count_total > 0);
}
