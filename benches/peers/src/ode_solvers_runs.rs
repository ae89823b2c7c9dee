//! ode_solvers: its `Dopri5` with the continuous output model (which its `Dop853` has not), and events by hand.

use ode_solvers::continuous_output_model::ContinuousOutputModel;
use ode_solvers::dop_shared::OutputType;
use ode_solvers::{Dopri5, System, Vector4};

use crate::Ready;
use crate::ball::{Run, STUCK};
use crate::throw::Throw;

struct Ball(Throw);

impl System<f64, Vector4<f64>> for Ball {
    fn system(&self, _time: f64, y: &Vector4<f64>, dy: &mut Vector4<f64>) {
        self.0.motion(y.as_slice(), dy.as_mut_slice());
    }
    /// Stops below the ground.
    fn solout(&mut self, _time: f64, y: &Vector4<f64>, _dy: &Vector4<f64>) -> bool {
        y[1] < 0.0
    }
}

pub fn ready(throw: Throw, tolerance: f64, seconds: f64) -> Ready {
    Box::new(move || bounce(throw, tolerance, seconds))
}

/// With the defaults of `Dopri5::new` but for the continuous output and, if it is not 0, the first step.
fn stepper(
    throw: Throw,
    [time, end]: [f64; 2],
    y: Vector4<f64>,
    tolerance: f64,
    step: f64,
) -> Dopri5<f64, Vector4<f64>, Ball> {
    let (largest, output) = (end - time, OutputType::Continuous);
    Dopri5::from_param(
        Ball(throw), time, end, 0.0, y, tolerance, tolerance, 0.9, 0.04, 0.2, 10.0, largest, step, 100_000, 1000, output,
    )
}

fn bounce(throw: Throw, tolerance: f64, seconds: f64) -> Run {
    let mut run = Run::default();
    let (mut time, mut y) = (0.0, Vector4::from(throw.start));
    // 0: the solver finds a first step by itself. After a bounce the last step is one.
    let mut step = 0.0;
    while run.bounces.len() < STUCK {
        let mut stepper = stepper(throw, [time, seconds], y, tolerance, step);
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
        if last[1] >= 0.0 {
            (time, y) = (end, last);
            break;
        }
        step = end - if times.len() > 1 { times[times.len() - 2] } else { time };
        // The height falls here and is concave: Newton's method comes from above.
        let (mut root, mut at) = (end, last);
        for _ in 0..20 {
            let next = (root - at[1] / at[3]).max(time).min(end);
            at = dense.evaluate(next).expect("a time in this arc");
            let change = (next - root).abs();
            root = next;
            if change <= 4.0 * f64::EPSILON * root {
                break;
            }
        }
        run.bounces.push(root);
        (time, y) = (root, Vector4::from(throw.bounce(at.as_slice())));
    }
    run.time = time;
    run.end = y.into();
    run
}
