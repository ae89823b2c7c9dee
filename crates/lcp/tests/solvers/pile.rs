//! Piles of discs by sweeps and interior points, and by pivoting.

use lcp::friction::{Bodies, DenseFriction, Heap, Lever};
use nalgebra::{Matrix2x3, Matrix3, Vector3};

use crate::random::{Pile, Random};

/// Velocities after are unique without friction; with it, where both agree on them is counted.
#[test]
fn heap_and_lemke() {
    let mut random = Random::new(31);
    let (mut dense, mut heap) = (DenseFriction::default(), Heap::default());
    let (mut worst, mut apart, mut same, mut with_friction, mut most) = ([0.0_f64; 2], 0.0_f64, 0, 0, 0);
    for k in 0..150 {
        let friction = [0.0, 0.1, 0.3, 0.6, 1.0][k % 5];
        let (width, rows) = (1 + random.below(4), 1 + random.below(3));
        let noise = [0.0, 1e-3, 1.0][k % 3];
        let pile = Pile::new(&mut random, width, rows, friction, 4.0, noise);
        let matrix = pile.matrix();
        let problem = pile.dense(&matrix);
        let n = pile.velocity.len();
        let (mut exact, mut impulse) = (vec![[0.0; 2]; n], vec![[0.0; 2]; n]);
        let scale = pile.velocity.iter().flatten().fold(0.0_f64, |x, q| x.max(q.abs()));
        let pivoted = dense.solve(problem, &mut exact).unwrap_or_else(|e| panic!("Lemke {k}, {n}: {e}"));
        let settled = heap.solve(pile.bodies(), &mut impulse).unwrap_or_else(|e| panic!("heap {k}, {n}: {e}"));
        // Each result under the other's residual.
        worst[0] = worst[0].max(problem.residual(&impulse));
        worst[1] = worst[1].max(pivoted.residual);
        most = most.max(settled.iterations);
        let difference = (0..n)
            .flat_map(|i| {
                let (a, b) = (problem.velocity_after(i, &exact), problem.velocity_after(i, &impulse));
                [(a[0] - b[0]).abs(), if friction > 0.0 { (a[1] - b[1]).abs() } else { 0.0 }]
            })
            .fold(0.0, f64::max);
        if friction == 0.0 {
            apart = apart.max(difference / scale);
        } else {
            with_friction += 1;
            same += usize::from(difference < 1e-7 * scale);
        }
    }
    println!("residuals: heap {:.1e}, Lemke {:.1e}; u apart without friction {apart:.1e}", worst[0], worst[1]);
    println!("with friction {same} of {with_friction} have the same u; at most {most} sweeps and systems");
    assert!(worst.iter().all(|x| *x <= 1.01e-10) && apart < 1e-7);
    assert!(same * 10 > with_friction * 7, "{same} of {with_friction}");
}

/// A column of 200 discs, the bottom one on the floor: exact impulses are the weights.
#[test]
fn column() {
    let n = 200;
    let lever = |body: usize, sign: f64| Lever { body, rows: Matrix2x3::new(0.0, sign, 0.0, sign, 0.0, 1.0) };
    let levers: Vec<_> =
        (0..n).map(|i| [Some(lever(i, 1.0)), i.checked_sub(1).map(|below| lever(below, -1.0))]).collect();
    let inverse_masses = vec![Matrix3::from_diagonal(&Vector3::new(1.0, 1.0, 2.0)); n];
    let mut velocity = vec![[0.0; 2]; n];
    velocity[0][0] = -0.01;
    let problem =
        Bodies { inverse_masses: &inverse_masses, levers: &levers, velocity: &velocity, friction: &vec![0.5; n] };
    let mut impulse = vec![[0.0; 2]; n];
    let settled = Heap::default().solve(problem, &mut impulse).expect("it stands");
    let worst = (0..n).map(|i| (impulse[i][0] - 0.01 * (n - i) as f64).abs()).fold(0.0, f64::max);
    println!("{} sweeps and systems, impulses to {worst:.1e} of 2", settled.iterations);
    assert!(worst < 1e-7);
}

/// Too little work is an error with the residual.
#[test]
fn not_reached() {
    let pile = Pile::new(&mut Random::new(33), 10, 10, 0.3, 1.0, 1.0);
    let mut heap = Heap::default();
    (heap.sweeps, heap.rounds) = (2, 0);
    let mut impulse = vec![[0.0; 2]; pile.velocity.len()];
    let failure = heap.solve(pile.bodies(), &mut impulse).expect_err("far away");
    println!("{failure}");
    assert!(matches!(failure, lcp::Failure::NotReached { residual, .. } if residual > 1e-6));
}
