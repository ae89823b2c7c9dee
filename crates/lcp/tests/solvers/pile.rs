//! Gauss–Seidel on piles of discs.

use lcp::friction::{Dense, GaussSeidel};

use crate::random::{Pile, Random};

/// Against Lemke. Velocities after are unique without friction; with it, where both agree on them is counted.
#[test]
fn against_lemke() {
    let mut random = Random::new(31);
    let (mut dense, mut sweeps) = (Dense::default(), GaussSeidel::default());
    let (mut worst, mut apart, mut same, mut with_friction, mut most) = ([0.0_f64; 2], 0.0_f64, 0, 0, 0);
    for k in 0..150 {
        let friction = [0.0, 0.1, 0.3, 0.6, 1.0][k % 5];
        let (width, rows) = (1 + random.below(4), 1 + random.below(3));
        let noise = [0.0, 1e-3, 1.0][k % 3];
        let pile = Pile::new(&mut random, width, rows, friction, 4.0, noise);
        let matrix = pile.matrix();
        let n = pile.velocity.len();
        let (mut exact, mut impulse) = (vec![[0.0; 2]; n], vec![[0.0; 2]; n]);
        let scale = pile.velocity.iter().flatten().fold(0.0_f64, |x, q| x.max(q.abs()));
        let by_lemke = dense.solve(pile.dense(&matrix), &mut exact).unwrap_or_else(|e| panic!("Lemke {k}, {n}: {e}"));
        let solved = sweeps.solve(pile.sparse(), &mut impulse).unwrap_or_else(|e| panic!("sweeps {k}, {n}: {e}"));
        // Each result under the other's residual.
        worst[0] = worst[0].max(pile.dense(&matrix).residual(&impulse));
        worst[1] = worst[1].max(by_lemke.residual);
        most = most.max(solved.iterations);
        let difference = (0..n)
            .flat_map(|i| {
                let (a, b) = (pile.sparse().velocity_after(i, &exact), pile.sparse().velocity_after(i, &impulse));
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
    println!("residuals: sweeps {:.1e}, Lemke {:.1e}; u apart without friction {apart:.1e}", worst[0], worst[1]);
    println!("with friction {same} of {with_friction} have the same u; at most {most} sweeps");
    assert!(worst.iter().all(|x| *x <= 1e-10) && apart < 1e-7);
    assert!(same * 10 > with_friction * 7, "{same} of {with_friction}");
}

/// 196 discs under gravity: work, and what a warm start saves.
#[test]
fn two_hundred() {
    for friction in [0.0, 0.3, 1.0] {
        let pile = Pile::new(&mut Random::new(32), 14, 14, friction, 1.0, 1e-3);
        let mut sweeps = GaussSeidel::default();
        let mut impulse = vec![[0.0; 2]; pile.velocity.len()];
        let cold = sweeps.solve(pile.sparse(), &mut impulse).expect("at rest");
        for p in impulse.iter_mut().flatten() {
            *p *= 1.001;
        }
        let warm = sweeps.solve(pile.sparse(), &mut impulse).expect("at rest");
        impulse.fill([0.0; 2]);
        sweeps.accelerate = false;
        let plain = sweeps.solve(pile.sparse(), &mut impulse).expect("at rest");
        println!(
            "μ = {friction}, {} contacts: {} sweeps, {} from near, {} without acceleration",
            impulse.len(),
            cold.iterations,
            warm.iterations,
            plain.iterations
        );
        assert!(cold.iterations < 600 && warm.iterations < cold.iterations && plain.iterations > 3 * cold.iterations);
    }
}

/// Dense piles all of whose discs move at random: not all converge, and none that didn't says it did.
#[test]
fn violent() {
    let mut random = Random::new(34);
    let (mut solved, mut all, mut worst) = (0, 0, 0.0_f64);
    let mut sweeps = GaussSeidel::default();
    sweeps.sweeps = 5_000;
    for friction in [0.0, 0.3, 0.6, 1.0] {
        for _ in 0..6 {
            let pile = Pile::new(&mut random, 10, 6, friction, 2.0, 1.0);
            let matrix = pile.matrix();
            let mut impulse = vec![[0.0; 2]; pile.velocity.len()];
            all += 1;
            match sweeps.solve(pile.sparse(), &mut impulse) {
                Ok(_) => {
                    solved += 1;
                    worst = worst.max(pile.dense(&matrix).residual(&impulse));
                }
                Err(failure) => {
                    println!("μ = {friction}: {failure}");
                    assert!(matches!(failure, lcp::Failure::NotReached { residual, .. } if residual > 1e-10));
                }
            }
        }
    }
    println!("{solved} of {all} solved, to {worst:.1e}");
    assert!(worst <= 1.01e-10 && solved >= 18, "{solved} {worst:e}");
}

/// A column of 200 discs, the bottom one on the floor: exact impulses are the weights.
#[test]
fn column() {
    let n = 200;
    let (mut starts, mut columns, mut blocks) = (vec![0], Vec::new(), Vec::new());
    for i in 0..n {
        let off = [[-1.0, 0.0], [0.0, 2.0]];
        if i > 0 {
            columns.push(i - 1);
            blocks.push(off);
        }
        columns.push(i);
        blocks.push(if i == 0 { [[1.0, 0.0], [0.0, 3.0]] } else { [[2.0, 0.0], [0.0, 6.0]] });
        if i + 1 < n {
            columns.push(i + 1);
            blocks.push(off);
        }
        starts.push(columns.len());
    }
    let mut velocity = vec![[0.0; 2]; n];
    velocity[0][0] = -0.01;
    let problem = lcp::friction::Sparse {
        starts: &starts,
        columns: &columns,
        blocks: &blocks,
        velocity: &velocity,
        friction: &vec![0.5; n],
    };
    let mut impulse = vec![[0.0; 2]; n];
    let solved = GaussSeidel::default().solve(problem, &mut impulse).expect("it stands");
    let worst = (0..n).map(|i| (impulse[i][0] - 0.01 * (n - i) as f64).abs()).fold(0.0, f64::max);
    println!("{} sweeps, impulses to {worst:.1e} of 2", solved.iterations);
    assert!(worst < 1e-7);
}

/// Too few sweeps are an error with the residual.
#[test]
fn not_reached() {
    let pile = Pile::new(&mut Random::new(33), 10, 10, 0.3, 1.0, 1.0);
    let mut sweeps = GaussSeidel::default();
    sweeps.sweeps = 4;
    let mut impulse = vec![[0.0; 2]; pile.velocity.len()];
    let failure = sweeps.solve(pile.sparse(), &mut impulse).expect_err("far away");
    println!("{failure}");
    assert!(matches!(failure, lcp::Failure::NotReached { residual, .. } if residual > 1e-6));
}
