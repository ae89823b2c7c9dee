//! diffsol as in its book: [bouncing ball](https://martinjrobins.github.io/diffsol/primer/bouncing_ball.html), with closures
//! in place of DiffSL, dense `nalgebra`, and after an event y, t and dy set anew.

use diffsol::{
    MatrixCommon, NalgebraLU, NalgebraMat, OdeBuilder, OdeEquationsImplicit, OdeSolverMethod, OdeSolverProblem,
    OdeSolverStopReason,
};

use crate::Ready;
use crate::ball::{Run, STUCK};
use crate::tasks::{GRAVITY, Kind, Throw};

type M = NalgebraMat<f64>;
type V = <M as MatrixCommon>::V;
type C = <M as MatrixCommon>::C;
type LS = NalgebraLU<f64>;

type Problem<E> = OdeSolverProblem<E>;

/// Makes ready what `method` and `kind` name.
pub fn ready(method: &str, kind: Kind, tolerance: f64, seconds: f64) -> Ready {
    match kind {
        Kind::Throw(throw) => {
            let problem = thrown(throw, tolerance);
            match method {
                "bdf" => Box::new(move || bounce(problem.bdf::<LS>().expect("a solver"), throw, seconds)),
                "esdirk34" => Box::new(move || bounce(problem.esdirk34::<LS>().expect("a solver"), throw, seconds)),
                _ => Box::new(move || bounce(problem.tsit45().expect("a solver"), throw, seconds)),
            }
        }
        Kind::Bowl { factor, release } => {
            let problem = bowl(GRAVITY / (1.0 + factor), release, tolerance);
            match method {
                "bdf" => Box::new(move || swing(problem.bdf::<LS>().expect("a solver"), seconds)),
                "esdirk34" => Box::new(move || swing(problem.esdirk34::<LS>().expect("a solver"), seconds)),
                _ => Box::new(move || swing(problem.tsit45().expect("a solver"), seconds)),
            }
        }
        Kind::Crest { speed } => {
            let (top, flight) = (crest(speed, tolerance), tolerance);
            Box::new(move || leave(top.tsit45().expect("a solver"), flight, seconds))
        }
    }
}

/// A throw with nothing under it: no root.
fn free(throw: Throw, tolerance: f64) -> Problem<impl OdeEquationsImplicit<M = M, V = V, T = f64, C = C>> {
    OdeBuilder::<M>::new()
        .rtol(tolerance)
        .atol([tolerance])
        .rhs_implicit(move |y, _p, _t, dy| throw.motion(y, dy), move |y, _p, _t, v, jv| throw.derivative(y, v, jv))
        .init(move |_p, _t, y| y.copy_from_slice(&throw.start), 4)
        .build()
        .expect("a problem")
}

fn thrown(throw: Throw, tolerance: f64) -> Problem<impl OdeEquationsImplicit<M = M, V = V, T = f64, C = C>> {
    OdeBuilder::<M>::new()
        .rtol(tolerance)
        .atol([tolerance])
        .rhs_implicit(move |y, _p, _t, dy| throw.motion(y, dy), move |y, _p, _t, v, jv| throw.derivative(y, v, jv))
        .root(move |y, _p, _t, gap| gap[0] = throw.gap(y), 1)
        .init(move |_p, _t, y| y.copy_from_slice(&throw.start), 4)
        .build()
        .expect("a problem")
}

/// The pendulum: angle and rate.
fn bowl(rate: f64, release: f64, tolerance: f64) -> Problem<impl OdeEquationsImplicit<M = M, V = V, T = f64, C = C>> {
    OdeBuilder::<M>::new()
        .rtol(tolerance)
        .atol([tolerance])
        .rhs_implicit(
            move |y, _p, _t, dy| (dy[0], dy[1]) = (y[1], -rate * y[0].sin()),
            move |y, _p, _t, v, jv| (jv[0], jv[1]) = (v[1], -rate * y[0].cos() * v[0]),
        )
        .init(move |_p, _t, y| (y[0], y[1]) = (release, 0.0), 2)
        .build()
        .expect("a problem")
}

/// Angle from the top and rate, and λ as the root.
fn crest(speed: f64, tolerance: f64) -> Problem<impl OdeEquationsImplicit<M = M, V = V, T = f64, C = C>> {
    OdeBuilder::<M>::new()
        .rtol(tolerance)
        .atol([tolerance])
        .rhs_implicit(
            |y, _p, _t, dy| (dy[0], dy[1]) = (y[1], GRAVITY * y[0].sin()),
            |y, _p, _t, v, jv| (jv[0], jv[1]) = (v[1], GRAVITY * y[0].cos() * v[0]),
        )
        .root(|y, _p, _t, force| force[0] = GRAVITY * y[0].cos() - y[1] * y[1], 1)
        .init(move |_p, _t, y| (y[0], y[1]) = (0.0, speed), 2)
        .build()
        .expect("a problem")
}

/// Places at the whole seconds that the last step has passed.
fn sample<'a, E, S>(solver: &S, until: f64, places: &mut Vec<[f64; 2]>, place: impl Fn(&V) -> [f64; 2])
where
    E: OdeEquationsImplicit<M = M, V = V, T = f64, C = C> + 'a,
    S: OdeSolverMethod<'a, E>,
{
    while (places.len() + 1) as f64 <= until {
        let y = solver.interpolate((places.len() + 1) as f64).expect("a time in this step");
        places.push(place(&y));
    }
}

fn swing<'a, E, S>(mut solver: S, seconds: f64) -> Run
where
    E: OdeEquationsImplicit<M = M, V = V, T = f64, C = C> + 'a,
    S: OdeSolverMethod<'a, E>,
{
    let mut run = Run::default();
    solver.set_stop_time(seconds).expect("a time to come");
    loop {
        let stop = solver.step();
        sample(&solver, solver.state().t, &mut run.places, |y| [y[0].sin(), -y[0].cos()]);
        match stop {
            Ok(OdeSolverStopReason::TstopReached) => break,
            Ok(_) => {}
            Err(error) => {
                run.failure = Some(error.to_string());
                break;
            }
        }
    }
    run.time = solver.state().t;
    run
}

/// Rolls until λ vanishes, and flies on as a throw without ground.
fn leave<'a, E, S>(mut solver: S, tolerance: f64, seconds: f64) -> Run
where
    E: OdeEquationsImplicit<M = M, V = V, T = f64, C = C> + 'a,
    S: OdeSolverMethod<'a, E>,
{
    loop {
        match solver.step() {
            Ok(OdeSolverStopReason::RootFound(time, _)) => {
                let y = solver.interpolate(time).expect("a time in this step");
                let ((sine, cosine), rate) = (y[0].sin_cos(), y[1]);
                let start = [sine, cosine, rate * cosine, -rate * sine];
                let throw = Throw { drag: 0.0, height: 0.0, start, ..Throw::BENCHMARK };
                // One second: it ends between the seconds of its own clock.
                let problem = free(throw, tolerance);
                let mut flight = problem.tsit45().expect("a solver");
                let span = seconds - time;
                flight.set_stop_time(span).expect("a time to come");
                while !matches!(flight.step(), Ok(OdeSolverStopReason::TstopReached) | Err(_)) {}
                let end = flight.state();
                return Run { places: vec![[end.y[0], end.y[1]]], time: time + end.t, ..Run::default() };
            }
            Ok(_) => {}
            Err(error) => return Run { failure: Some(error.to_string()), ..Run::default() },
        }
    }
}

fn bounce<'a, E, S>(mut solver: S, throw: Throw, seconds: f64) -> Run
where
    E: OdeEquationsImplicit<M = M, V = V, T = f64, C = C> + 'a,
    S: OdeSolverMethod<'a, E>,
{
    let mut run = Run::default();
    let place = |y: &V| [y[0], y[1]];
    solver.set_stop_time(seconds).expect("a time to come");
    while run.bounces.len() < STUCK {
        match solver.step() {
            Ok(OdeSolverStopReason::InternalTimestep) => sample(&solver, solver.state().t, &mut run.places, place),
            Ok(OdeSolverStopReason::RootFound(time, _)) => {
                sample(&solver, time, &mut run.places, place);
                let y = solver.interpolate(time).expect("a time in this step");
                run.bounces.push(time);
                let mut now = throw.bounce(&[y[0], y[1], y[2], y[3]]);
                if throw.height == 0.0 {
                    // Above the ground, as the book has it.
                    now[1] = y[1].max(f64::EPSILON);
                } else {
                    now[1] += f64::EPSILON;
                }
                let mut slope = [0.0; 4];
                throw.motion(&now, &mut slope);
                let state = solver.state_mut();
                for i in 0..4 {
                    (state.y[i], state.dy[i]) = (now[i], slope[i]);
                }
                *state.t = time;
            }
            Ok(OdeSolverStopReason::TstopReached) => {
                sample(&solver, seconds, &mut run.places, place);
                break;
            }
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
