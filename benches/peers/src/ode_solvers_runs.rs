//! ode_solvers: its `Dopri5` with the continuous output model (which its `Dop853` has not), and events by hand.

use ode_solvers::continuous_output_model::ContinuousOutputModel;
use ode_solvers::dop_shared::OutputType;
use ode_solvers::{Dopri5, SVector, System, Vector2, Vector4};

use crate::Ready;
use crate::ball::{Run, STUCK};
use crate::tasks::{GRAVITY, Kind, Throw};

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

/// With nothing below.
struct Flight(Throw);

impl System<f64, Vector4<f64>> for Flight {
    fn system(&self, _time: f64, y: &Vector4<f64>, dy: &mut Vector4<f64>) {
        self.0.motion(y.as_slice(), dy.as_mut_slice());
    }
}

/// θ'' = rate · sin θ.
struct Pendulum {
    rate: f64,
    /// Stops where λ is below 0.
    leaves: bool,
}

impl Pendulum {
    fn force(y: &Vector2<f64>) -> f64 {
        GRAVITY * y[0].cos() - y[1] * y[1]
    }
}

impl System<f64, Vector2<f64>> for Pendulum {
    fn system(&self, _time: f64, y: &Vector2<f64>, dy: &mut Vector2<f64>) {
        (dy[0], dy[1]) = (y[1], self.rate * y[0].sin());
    }
    fn solout(&mut self, _time: f64, y: &Vector2<f64>, _dy: &Vector2<f64>) -> bool {
        self.leaves && Self::force(y) < 0.0
    }
}

pub fn ready(kind: Kind, tolerance: f64, seconds: f64) -> Ready {
    match kind {
        Kind::Throw(throw) => Box::new(move || bounce(throw, tolerance, seconds)),
        Kind::Bowl { factor, release } => {
            Box::new(move || swing(-GRAVITY / (1.0 + factor), release, tolerance, seconds))
        }
        Kind::Crest { speed } => Box::new(move || leave(speed, tolerance, seconds)),
    }
}

/// With the defaults of `Dopri5::new` but for the continuous output and, if it is not 0, the first step.
fn stepper<const N: usize, S>(
    system: S,
    [time, end]: [f64; 2],
    y: SVector<f64, N>,
    tolerance: f64,
    step: f64,
) -> Dopri5<f64, SVector<f64, N>, S>
where
    S: System<f64, SVector<f64, N>>,
{
    let (largest, output) = (end - time, OutputType::Continuous);
    Dopri5::from_param(
        system, time, end, 0.0, y, tolerance, tolerance, 0.9, 0.04, 0.2, 10.0, largest, step, 100_000, 1000, output,
    )
}

fn failed(error: &dyn std::error::Error) -> Run {
    Run { failure: Some(error.to_string()), ..Run::default() }
}

fn swing(rate: f64, release: f64, tolerance: f64, seconds: f64) -> Run {
    let system = Pendulum { rate, leaves: false };
    let mut stepper = stepper(system, [0.0, seconds], Vector2::new(release, 0.0), tolerance, 0.0);
    let mut dense = ContinuousOutputModel::default();
    if let Err(error) = stepper.integrate_with_continuous_output_model(&mut dense) {
        return failed(&error);
    }
    let mut run = Run { time: seconds, ..Run::default() };
    sample(&dense, seconds, &mut run.places, |y| [y[0].sin(), -y[0].cos()]);
    run
}

/// Slides until λ vanishes, and flies on.
fn leave(speed: f64, tolerance: f64, seconds: f64) -> Run {
    let system = Pendulum { rate: GRAVITY, leaves: true };
    let mut sliding = stepper(system, [0.0, seconds], Vector2::new(0.0, speed), tolerance, 0.0);
    let mut dense = ContinuousOutputModel::default();
    if let Err(error) = sliding.integrate_with_continuous_output_model(&mut dense) {
        return failed(&error);
    }
    let (mut time, mut y) = match sliding.results().get() {
        (times, states) => (times[times.len() - 1], states[states.len() - 1]),
    };
    for _ in 0..20 {
        // λ' = −3 g θ' sin θ.
        let change = Pendulum::force(&y) / (3.0 * GRAVITY * y[1] * y[0].sin());
        time += change;
        y = dense.evaluate(time).expect("a time in this arc");
        if change.abs() <= 4.0 * f64::EPSILON {
            break;
        }
    }
    let ((sine, cosine), rate) = (y[0].sin_cos(), y[1]);
    let start = Vector4::new(sine, cosine, rate * cosine, -rate * sine);
    let flight = Flight(Throw { drag: 0.0, ..Throw::BENCHMARK });
    let mut flying = stepper(flight, [time, seconds], start, tolerance, 0.0);
    if let Err(error) = flying.integrate_with_continuous_output_model(&mut ContinuousOutputModel::default()) {
        return failed(&error);
    }
    let (_, states) = flying.results().get();
    let end = states[states.len() - 1];
    Run { places: vec![[end[0], end[1]]], time: seconds, ..Run::default() }
}

fn bounce(throw: Throw, tolerance: f64, seconds: f64) -> Run {
    let mut run = Run::default();
    let place = |y: &Vector4<f64>| [y[0], y[1]];
    let (mut time, mut y) = (0.0, Vector4::from(throw.start));
    // 0: the solver finds a first step by itself. After a bounce the last step is one.
    let mut step = 0.0;
    while run.bounces.len() < STUCK {
        let mut stepper = stepper(Ball(throw), [time, seconds], y, tolerance, step);
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
            sample(&dense, seconds, &mut run.places, place);
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
        sample(&dense, root, &mut run.places, place);
        run.bounces.push(root);
        (time, y) = (root, Vector4::from(throw.bounce(at.as_slice())));
    }
    run.time = time;
    run.end = y.into();
    run
}

fn sample<const N: usize>(
    dense: &ContinuousOutputModel<f64, SVector<f64, N>>,
    until: f64,
    places: &mut Vec<[f64; 2]>,
    place: impl Fn(&SVector<f64, N>) -> [f64; 2],
) {
    while (places.len() + 1) as f64 <= until {
        places.push(place(&dense.evaluate((places.len() + 1) as f64).expect("a time in this arc")));
    }
}
