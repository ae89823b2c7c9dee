//! diffsol as in its book: [bouncing ball](https://martinjrobins.github.io/diffsol/primer/bouncing_ball.html), with closures
//! in place of DiffSL, dense `nalgebra`, and after an event y, t and dy set anew.

use diffsol::{
    MatrixCommon, NalgebraLU, NalgebraMat, OdeBuilder, OdeEquationsImplicit, OdeSolverMethod, OdeSolverProblem,
    OdeSolverStopReason,
};

use crate::Ready;
use crate::ball::{RESTITUTION, Run, START, STUCK, derivative, motion};

type M = NalgebraMat<f64>;
type V = <M as MatrixCommon>::V;
type C = <M as MatrixCommon>::C;
type LS = NalgebraLU<f64>;

fn problem(tolerance: f64) -> OdeSolverProblem<impl OdeEquationsImplicit<M = M, V = V, T = f64, C = C>> {
    OdeBuilder::<M>::new()
        .rtol(tolerance)
        .atol([tolerance])
        .rhs_implicit(|y, _p, _t, dy| motion(y, dy), |y, _p, _t, v, jv| derivative(y, v, jv))
        .root(|y, _p, _t, gap| gap[0] = y[1], 1)
        .init(|_p, _t, y| y.copy_from_slice(&START), 4)
        .build()
        .expect("a problem")
}

pub fn bdf(tolerance: f64, seconds: f64) -> Ready {
    let problem = problem(tolerance);
    Box::new(move || bounce(problem.bdf::<LS>().expect("a solver"), seconds))
}

pub fn esdirk34(tolerance: f64, seconds: f64) -> Ready {
    let problem = problem(tolerance);
    Box::new(move || bounce(problem.esdirk34::<LS>().expect("a solver"), seconds))
}

pub fn tsit45(tolerance: f64, seconds: f64) -> Ready {
    let problem = problem(tolerance);
    Box::new(move || bounce(problem.tsit45().expect("a solver"), seconds))
}

fn bounce<'a, E, S>(mut solver: S, seconds: f64) -> Run
where
    E: OdeEquationsImplicit<M = M, V = V, T = f64, C = C> + 'a,
    S: OdeSolverMethod<'a, E>,
{
    let mut run = Run::default();
    solver.set_stop_time(seconds).expect("a time to come");
    while run.bounces.len() < STUCK {
        match solver.step() {
            Ok(OdeSolverStopReason::InternalTimestep) => {}
            Ok(OdeSolverStopReason::RootFound(time, _)) => {
                let y = solver.interpolate(time).expect("a time in this step");
                run.bounces.push(time);
                let state = solver.state_mut();
                for i in 0..4 {
                    state.y[i] = y[i];
                }
                // Above the ground, as the book has it.
                state.y[1] = y[1].max(f64::EPSILON);
                state.y[3] = -RESTITUTION * y[3];
                let (mut now, mut slope) = ([0.0; 4], [0.0; 4]);
                for i in 0..4 {
                    now[i] = state.y[i];
                }
                motion(&now, &mut slope);
                for i in 0..4 {
                    state.dy[i] = slope[i];
                }
                *state.t = time;
            }
            Ok(OdeSolverStopReason::TstopReached) => break,
            Err(error) => {
                run.failure = Some(error.to_string());
                break;
            }
        }
    }
    let state = solver.state();
    run.time = state.t;
    for i in 0..4 {
        run.end[i] = state.y[i];
    }
    let count = solver.get_statistics();
    run.steps = count.number_of_steps as u64;
    run.rejected = (count.number_of_error_test_failures + count.number_of_nonlinear_solver_fails) as u64;
    run
}
