//! diffsol as in its book: [bouncing ball](https://martinjrobins.github.io/diffsol/primer/bouncing_ball.html), with closures
//! in place of DiffSL, dense `nalgebra`, and after an event y, t and dy set anew.

use diffsol::{
    MatrixCommon, NalgebraLU, NalgebraMat, OdeBuilder, OdeEquationsImplicit, OdeSolverMethod, OdeSolverProblem,
    OdeSolverStopReason,
};

use crate::Ready;
use crate::ball::{Run, STUCK};
use crate::throw::Throw;

type M = NalgebraMat<f64>;
type V = <M as MatrixCommon>::V;
type C = <M as MatrixCommon>::C;
type LS = NalgebraLU<f64>;

type Problem<E> = OdeSolverProblem<E>;

/// Makes ready what `method` names.
pub fn ready(method: &str, throw: Throw, tolerance: f64, seconds: f64) -> Ready {
    let problem = thrown(throw, tolerance);
    match method {
        "bdf" => Box::new(move || bounce(problem.bdf::<LS>().expect("a solver"), throw, seconds)),
        "esdirk34" => Box::new(move || bounce(problem.esdirk34::<LS>().expect("a solver"), throw, seconds)),
        _ => Box::new(move || bounce(problem.tsit45().expect("a solver"), throw, seconds)),
    }
}

fn thrown(throw: Throw, tolerance: f64) -> Problem<impl OdeEquationsImplicit<M = M, V = V, T = f64, C = C>> {
    OdeBuilder::<M>::new()
        .rtol(tolerance)
        .atol([tolerance])
        .rhs_implicit(move |y, _p, _t, dy| throw.motion(y, dy), move |y, _p, _t, v, jv| throw.derivative(y, v, jv))
        .root(move |y, _p, _t, gap| gap[0] = y[1], 1)
        .init(move |_p, _t, y| y.copy_from_slice(&throw.start), 4)
        .build()
        .expect("a problem")
}

fn bounce<'a, E, S>(mut solver: S, throw: Throw, seconds: f64) -> Run
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
                let mut now = throw.bounce(&[y[0], y[1], y[2], y[3]]);
                // Above the ground, as the book has it.
                now[1] = y[1].max(f64::EPSILON);
                let mut slope = [0.0; 4];
                throw.motion(&now, &mut slope);
                let state = solver.state_mut();
                for i in 0..4 {
                    (state.y[i], state.dy[i]) = (now[i], slope[i]);
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
