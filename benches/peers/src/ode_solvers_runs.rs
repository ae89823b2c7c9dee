//! ode_solvers: its `Dopri5` with the continuous output model (which its `Dop853` has not), and events by hand.

use ode_solvers::continuous_output_model::ContinuousOutputModel;
use ode_solvers::dop_shared::OutputType;
use ode_solvers::{Dopri5, System, Vector4};

use crate::Ready;
use crate::ball::{Run, STUCK};
use crate::tasks::{Kind, Throw};

struct Ball(Throw);

impl System<f64, Vector4<f64>> for Ball {
    fn system(&self, _time: f64, y: &Vector4<f64>, dy: &mut Vector4<f64>) {
        self.0.motion(y.as_slice(), dy.as_mut_slice());
    }
    /// Stops below the ground.
    fn solout(&mut self, _time: f64, y: &Vector4<f64>, _dy: &Vector4<f64>) -> bool {
        self.0.gap(y.as_slice()) < 0.0
    }
}

/// `None` where nothing is written for it: bowl and take-off.
pub fn ready(kind: Kind, tolerance: f64, seconds: f64) -> Option<Ready> {
    match kind {
        Kind::Throw(throw) => Some(Box::new(move || bounce(throw, tolerance, seconds))),
        Kind::Bowl { .. } | Kind::Crest { .. } => None,
    }
}

fn bounce(throw: Throw, tolerance: f64, seconds: f64) -> Run {
    let mut run = Run::default();
    let (mut time, mut y) = (0.0, Vector4::from(throw.start));
    // 0: the solver finds a first step by itself. After a bounce the last step is one.
    let mut step = 0.0;
    while run.bounces.len() < STUCK {
        // The defaults of `Dopri5::new` but for the first step.
        let mut stepper = Dopri5::from_param(
            Ball(throw),
            time,
            seconds,
            0.0,
            y,
            tolerance,
            tolerance,
            0.9,
            0.04,
            0.2,
            10.0,
            seconds - time,
            step,
            100_000,
            1000,
            OutputType::Continuous,
        );
        let mut dense = ContinuousOutputModel::default();
        let count = match stepper.integrate_with_continuous_output_model(&mut dense) {
            Ok(count) => count,
            Err(error) => {
                run.failure = Some(error.to_string());
                break;
            }
        };
        run.steps += u64::from(count.accepted_steps);
        run.rejected += u64::from(count.rejected_steps);
        let (times, states) = stepper.results().get();
        let (end, last) = (times[times.len() - 1], states[states.len() - 1]);
        if throw.gap(last.as_slice()) >= 0.0 {
            sample(&dense, seconds, &mut run.places);
            (time, y) = (end, last);
            break;
        }
        step = end - if times.len() > 1 { times[times.len() - 2] } else { time };
        // The gap falls here. Over flat ground it is concave, and Newton's method comes from above.
        let (mut root, mut at) = (end, last);
        for _ in 0..20 {
            let (gap, rate) = (throw.gap(at.as_slice()), throw.gap_rate(at.as_slice()));
            let next = (root - gap / rate).max(time).min(end);
            at = dense.evaluate(next).expect("a time in this arc");
            let change = (next - root).abs();
            root = next;
            if change <= 4.0 * f64::EPSILON * root {
                break;
            }
        }
        sample(&dense, root, &mut run.places);
        run.bounces.push(root);
        (time, y) = (root, Vector4::from(throw.bounce(at.as_slice())));
    }
    run.time = time;
    run.end = y.into();
    run
}

fn sample(dense: &ContinuousOutputModel<f64, Vector4<f64>>, until: f64, places: &mut Vec<[f64; 2]>) {
    while (places.len() + 1) as f64 <= until {
        let y = dense.evaluate((places.len() + 1) as f64).expect("a time in this arc");
        places.push([y[0], y[1]]);
    }
}
