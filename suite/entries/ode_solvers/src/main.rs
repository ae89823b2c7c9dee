//! ode_solvers: `Dopri5` with its continuous output; it finds no events, so a run is stopped below the ground, the impact found on the
//! continuous output by halving, and the run begun again.

#[path = "../../flight.rs"]
mod flight;

use flight::{Arc, Flight, Program, serve};
use ode_solvers::continuous_output_model::ContinuousOutputModel;
use ode_solvers::dop_shared::OutputType;
use ode_solvers::{Dopri5, SVector, System, Vector2, Vector4};

struct Ball(Flight);

impl System<f64, Vector4<f64>> for Ball {
    fn system(&self, t: f64, y: &Vector4<f64>, dy: &mut Vector4<f64>) {
        self.0.rates(t, y.as_slice(), dy.as_mut_slice());
    }
    fn solout(&mut self, t: f64, y: &Vector4<f64>, _dy: &Vector4<f64>) -> bool {
        self.0.gap(t, y.as_slice()) < 0.0
    }
}

struct Pendulum(f64);

impl System<f64, Vector2<f64>> for Pendulum {
    fn system(&self, _t: f64, y: &Vector2<f64>, dy: &mut Vector2<f64>) {
        (dy[0], dy[1]) = (y[1], -self.0 * y[0].sin());
    }
}

/// With the defaults of `Dopri5::new` but for the continuous output.
fn stepper<const N: usize, S: System<f64, SVector<f64, N>>>(system: S, t: f64, end: f64, y: SVector<f64, N>, tolerance: f64) -> Dopri5<f64, SVector<f64, N>, S> {
    Dopri5::from_param(system, t, end, 0.0, y, tolerance, tolerance, 0.9, 0.04, 0.2, 10.0, end - t, 0.0, 100_000, 1000, OutputType::Continuous)
}

struct OdeSolvers;

impl Program for OdeSolvers {
    fn arcs(flight: &Flight, tolerance: f64) -> impl FnMut(f64, [f64; 4], &[f64]) -> Arc {
        move |t, z, wanted| {
            let mut stepper = stepper(Ball(flight.clone()), t, flight.end, Vector4::from(z), tolerance);
            let mut dense = ContinuousOutputModel::default();
            let Ok(count) = stepper.integrate_with_continuous_output_model(&mut dense) else {
                return Arc { time: t, state: z, hit: false, found: vec![], evaluations: 0 };
            };
            let (times, states) = stepper.results().get();
            let (end, last) = (times[times.len() - 1], states[states.len() - 1]);
            let at = |s: f64| -> [f64; 4] { dense.evaluate(s).unwrap_or(last).into() };
            let hit = flight.gap(end, last.as_slice()) < 0.0;
            let mut time = end;
            if hit {
                // The first of some places below the ground, and the one before it.
                let place = |i: i32| t + (end - t) * f64::from(i) / 50.0;
                let below = (1..50).find(|i| flight.gap(place(*i), &at(place(*i))) < 0.0);
                let (mut low, mut high) = below.map_or((place(49), end), |i| (place(i - 1), place(i)));
                while high - low > 2.0 * f64::EPSILON * high {
                    let middle = 0.5 * (low + high);
                    if flight.gap(middle, &at(middle)) > 0.0 { low = middle } else { high = middle }
                }
                // The side above the ground, where it begins again.
                time = low;
            }
            let found = wanted.iter().copied().filter(|s| *s <= time).map(|s| (s, at(s))).collect();
            Arc { time, state: at(time), hit, found, evaluations: count.num_eval.into() }
        }
    }

    fn swing(rate: f64, start: f64, times: &[f64], tolerance: f64) -> Vec<[f64; 2]> {
        let end = times.iter().copied().fold(0.0, f64::max);
        let mut stepper = stepper(Pendulum(rate), 0.0, end, Vector2::new(start, 0.0), tolerance);
        let mut dense = ContinuousOutputModel::default();
        if stepper.integrate_with_continuous_output_model(&mut dense).is_err() {
            return vec![];
        }
        times.iter().filter_map(|t| dense.evaluate(*t)).map(Into::into).collect()
    }
}

fn main() {
    serve::<OdeSolvers>();
}
