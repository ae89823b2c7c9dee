//! The solvers for contacts that share balls, against each other.

use moreau::{BallSettings, Balls, ContactSolver};

use super::pile::random;
use super::world::{at, corners, law, sphere};

/// Two to four balls that fall into a valley between straight walls, with restitution and friction.
fn thrown(mut seed: u64, solver: ContactSolver) -> Option<Balls> {
    let mut draw = |low: f64, high: f64| low + (high - low) * random(&mut seed);
    let count = draw(2.0, 5.0) as usize;
    let walls = [[-draw(1.5, 3.0), draw(1.0, 5.0)], [0.0, 0.0], [draw(1.5, 3.0), draw(1.0, 5.0)]];
    let laws = [0, 1].map(|_| law(draw(0.0, 0.9), draw(0.0, 1.2)));
    let bodies = (0..count).map(|i| {
        let height = 0.4 + 0.3 * i as f64;
        let radius = draw(0.05, 0.1);
        let start = at([draw(-0.1, 0.1), height], [draw(-1.0, 1.0), draw(-1.0, 0.2)], draw(-5.0, 5.0));
        sphere(&corners(&walls, radius), laws[0].clone(), start)
    });
    // To rounding: runs part where there are several solutions, and sooner the looser they are.
    Balls::new(bodies.collect(), laws[1].clone(), BallSettings { solver, tolerance: 1e-15, ..BallSettings::new(1e-2) })
        .ok()
}

/// Steps without restitution, and in all.
fn left_out(seed: u64, solver: ContactSolver) -> Option<[u64; 2]> {
    let mut balls = thrown(seed, solver)?;
    for _ in 0..150 {
        balls.step().unwrap_or_else(|error| unreachable!("{seed}, {solver:?}: {error}"));
    }
    Some([balls.audit().anomalies.without_restitution, balls.index()])
}

/// Symptom: pivoting stopped runs and left restitution out in more than twice as many steps as sweeps. Cause: a residual of its own,
/// bases that were infeasible by 1e-10, covering vectors that were much alike; and neither solver was asked where the other failed.
#[test]
fn either_solver_finds_what_there_is() {
    let [swept, pivoted] = [ContactSolver::GaussSeidel, ContactSolver::Lemke].map(|solver| {
        let counts = (0..150).filter_map(|seed| left_out(seed, solver));
        counts.fold([0; 3], |[left, steps, runs], [more, made]| [left + more, steps + made, runs + 1])
    });
    println!("steps without restitution, steps, runs: sweeps {swept:?}, pivoting {pivoted:?}");
    // Runs part where there are several solutions; then counts differ as those of other draws do, by about their root.
    let [apart, more] = [swept[0].abs_diff(pivoted[0]), swept[0].max(pivoted[0])];
    assert!(apart * apart <= more && swept[2] > 100, "{swept:?} {pivoted:?}");
}
