//! No allocation per solve after the largest size has been seen. Alone in its binary, because it counts what the whole
//! process allocates.

#![allow(clippy::expect_used, clippy::panic, reason = "tests fail loudly")]

#[allow(dead_code, reason = "shared with the other tests")]
#[path = "solvers/random.rs"]
mod random;

use allocation_counter::measure;
use lcp::friction::{DenseFriction, Heap};
use lcp::{Lemke, Problem};
use nalgebra::DMatrix;
use random::{Pile, Random};

#[test]
fn pivoting() {
    let mut random = Random::new(51);
    let cases: Vec<(DMatrix<f64>, Vec<f64>)> = (0..60)
        .map(|k| {
            let n = 1 + (k * 7) % 12;
            let b = random.matrix(n, n);
            (&b * b.transpose() + DMatrix::<f64>::identity(n, n), random.vector(n))
        })
        .collect();
    let mut lemke = Lemke::default();
    // The largest size, with nothing in contact: the workspace must not grow with what happens.
    let mut z = vec![0.0; 12];
    let first = DMatrix::<f64>::identity(12, 12);
    lemke.solve(Problem { matrix: first.as_view(), vector: &[-1.0; 12] }, &mut z).expect("the identity");
    let info = measure(|| {
        for (m, q) in &cases {
            lemke.solve(Problem { matrix: m.as_view(), vector: q }, &mut z[..q.len()]).expect("SPD");
        }
    });
    assert_eq!(info.count_total, 0);
}

#[test]
fn friction() {
    let mut random = Random::new(52);
    let piles: Vec<Pile> = (0..12).map(|_| Pile::new(&mut random, 3, 3, 0.3, 2.0, 1e-3)).collect();
    let matrices: Vec<DMatrix<f64>> = piles.iter().map(Pile::matrix).collect();
    let most = piles.iter().map(|pile| pile.velocity.len()).max().expect("some");
    let first = piles.iter().position(|pile| pile.velocity.len() == most).expect("the largest");
    let mut impulse = vec![[0.0; 2]; most];
    let (mut dense, mut heap) = (DenseFriction::default(), Heap::default());
    // Interior points from the start, so that all of the workspace is used.
    heap.sweeps = 1;
    dense.solve(piles[first].dense(&matrices[first]), &mut impulse).expect("a pile");
    impulse.fill([0.0; 2]);
    let cold = heap.solve(piles[first].bodies(), &mut impulse).expect("a pile").iterations;
    let info = measure(|| {
        for (pile, matrix) in piles.iter().zip(&matrices) {
            dense.solve(pile.dense(matrix), &mut impulse[..pile.velocity.len()]).expect("a pile");
        }
        // What hangs together changes from pile to pile; this one is known.
        impulse.fill([0.0; 2]);
        assert_eq!(heap.solve(piles[first].bodies(), &mut impulse).expect("a pile").iterations, cold);
    });
    assert_eq!(info.count_total, 0);
}

/// The counter counts.
#[test]
fn counter() {
    assert!(measure(|| drop(std::hint::black_box(vec![1.0; 10]))).count_total > 0);
}
