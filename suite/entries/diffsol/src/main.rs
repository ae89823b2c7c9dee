//! diffsol as in its book's bouncing ball: TSIT45 with its own root finding; after an event y, t and dy are set anew.

#[path = "../../flight.rs"]
mod flight;

use diffsol::{MatrixCommon, NalgebraMat, OdeBuilder, OdeSolverMethod, OdeSolverStopReason};
use flight::{Arc, Flight, Program, serve};

type M = NalgebraMat<f64>;
type V = <M as MatrixCommon>::V;

fn state(y: &V) -> [f64; 4] {
    [y[0], y[1], y[2], y[3]]
}

struct Diffsol;

impl Program for Diffsol {
    fn arcs(flight: &Flight, tolerance: f64) -> impl FnMut(f64, [f64; 4], &[f64]) -> Arc {
        let (a, b, c) = (flight.clone(), flight.clone(), flight.clone());
        let (rates, start) = (flight.clone(), flight.state);
        let problem = OdeBuilder::<M>::new()
            .t0(flight.start)
            .rtol(tolerance)
            .atol([tolerance])
            .rhs_implicit(
                move |y, _p, t, dy| a.rates(t, y, dy),
                move |y, _p, _t, v, jv| b.derivative(y, v, jv),
            )
            .root(move |y, _p, t, gap| gap[0] = c.gap(t, y), 1)
            .init(move |_p, _t, y| y.copy_from_slice(&start), 4)
            .build()
            .expect("a problem");
        // It lives as long as the program: a solver borrows it.
        let mut solver = Box::leak(Box::new(problem)).tsit45().expect("a solver");
        solver.set_stop_time(flight.end).expect("a time to come");
        let mut last = 0;
        move |t, z, wanted| {
            {
                // Above the ground, as its book has it: by more than the rounding of its root.
                let mut z = z;
                let depth = (1e-13 * (1.0 + z[0].abs() + z[1].abs()) - rates.gap(t, &z)).max(0.0);
                z[usize::from(!rates.is_wall())] += if rates.is_wall() { -depth } else { depth };
                let mut slope = [0.0; 4];
                rates.rates(t, &z, &mut slope);
                let now = solver.state_mut();
                for i in 0..4 {
                    (now.y[i], now.dy[i]) = (z[i], slope[i]);
                }
                *now.t = t;
            }
            let (mut found, mut next) = (vec![], 0);
            let mut sample = |solver: &_, until: f64| {
                while next < wanted.len() && wanted[next] <= until {
                    if let Ok(y) = OdeSolverMethod::interpolate(solver, wanted[next]) {
                        found.push((wanted[next], state(&y)));
                    }
                    next += 1;
                }
            };
            let (time, end, hit) = loop {
                match solver.step() {
                    Ok(OdeSolverStopReason::InternalTimestep) => sample(&solver, solver.state().t),
                    Ok(OdeSolverStopReason::RootFound(time, _)) => {
                        sample(&solver, time);
                        let y = solver.interpolate(time).expect("a time in this step");
                        break (time, state(&y), true);
                    }
                    Ok(OdeSolverStopReason::TstopReached) => {
                        sample(&solver, rates.end);
                        break (rates.end, z, false);
                    }
                    Err(_) => break (solver.state().t, z, false),
                }
            };
            let count = solver.get_statistics().number_of_steps as u64;
            let evaluations = 6 * (count - last);
            last = count;
            Arc { time, state: end, hit, found, evaluations }
        }
    }

    fn swing(rate: f64, start: f64, times: &[f64], tolerance: f64) -> Vec<[f64; 2]> {
        let problem = OdeBuilder::<M>::new()
            .rtol(tolerance)
            .atol([tolerance])
            .rhs_implicit(
                move |y, _p, _t, dy| (dy[0], dy[1]) = (y[1], -rate * y[0].sin()),
                move |y, _p, _t, v, jv| (jv[0], jv[1]) = (v[1], -rate * y[0].cos() * v[0]),
            )
            .init(move |_p, _t, y| (y[0], y[1]) = (start, 0.0), 2)
            .build()
            .expect("a problem");
        let mut solver = problem.tsit45().expect("a solver");
        let rows = solver.solve_dense(times).expect("a run").0;
        (0..times.len()).map(|i| [rows[(0, i)], rows[(1, i)]]).collect()
    }
}

fn main() {
    serve::<Diffsol>();
}
