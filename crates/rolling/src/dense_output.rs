//! Dense output of a contact step.

use curves::{Motion, Path};
use mechanics::Power;
use nalgebra::Vector2;
use numbers::Rounding;

use crate::{ContactState, ContactStep, ContactSystem, TERMS};

/// Interpolates a step along the curve, so that the gap stays zero: the series of the step if there is one, else
/// Hermite's polynomial in parameter and angle, with two derivatives at the ends, and in the middle if known.
#[derive(Clone, Copy, Debug)]
pub struct Dense {
    step: ContactStep,
    /// Path of (parameter, angle) over time.
    path: Path<TERMS>,
}

impl Dense {
    pub(crate) fn new(step: &ContactStep, system: &ContactSystem) -> Self {
        let h = step.duration();
        if let Some(series) = step.series() {
            return Dense { step: *step, path: series.path(h) };
        }
        let node = |state: &ContactState| {
            let law = system.law(state);
            let rate = state.speed / state.frame.speed;
            let bend =
                (law.acceleration - system.ground.frame_and_rate(state.place).1 * rate * rate) / state.frame.speed;
            Motion {
                position: Vector2::new(state.place.parameter(), state.angle),
                velocity: Vector2::new(rate, state.spin),
                acceleration: Vector2::new(bend, system.spin_acceleration(&law)),
            }
        };
        let (start, end) = (node(&step.start), node(&step.end));
        let middle = step.middle().map(node);
        let ContactState { frame, angle, spin, .. } = &step.start;
        let angle = f64::EPSILON * (angle.abs() + h * spin.abs());
        let rounding = Vector2::new(step.start.rounding(system, h).length / frame.speed, angle);
        let short = short(start, middle, end, h, rounding);
        let path = short.unwrap_or_else(|| match middle {
            Some(middle) => Path::octic(start, middle, end, h),
            None => Path::quintic(start, end, h),
        });
        Dense { step: *step, path: path.widened() }
    }

    /// The step.
    pub fn step(&self) -> &ContactStep {
        &self.step
    }

    /// (parameter, angle) as a path over the step.
    pub fn path(&self) -> &Path<TERMS> {
        &self.path
    }

    /// State `t` seconds after the start, without its [ledger](Self::ledger).
    pub fn at(&self, system: &ContactSystem, t: f64) -> ContactState {
        let mut state = self.moving(system, t);
        system.relabel(&mut state);
        state
    }

    /// State halfway, as the method computed it.
    pub fn halfway(&self, system: &ContactSystem) -> ContactState {
        self.step.middle().copied().unwrap_or_else(|| self.at(system, 0.5 * self.step.duration()))
    }

    /// Place, velocity and spin `t` seconds after the start; forces and acceleration are left as they are at the start.
    pub fn moving(&self, system: &ContactSystem, t: f64) -> ContactState {
        if let Some(series) = self.step.series() {
            return series.moving(system, &self.step.start, t);
        }
        let ContactStep { start, end, .. } = &self.step;
        let motion = self.path.at(t);
        let mut state = *start;
        state.time = start.time + t;
        state.place = start.place.at(motion.position.x);
        state.frame = system.ground.frame(state.place);
        state.speed = motion.velocity.x * state.frame.speed;
        state.angle = motion.position.y;
        state.spin = system.spin(state.speed, if system.ball.turns() { motion.velocity.y } else { start.spin });
        if self.step.is_carried() {
            state.normal_speed += t / self.step.duration() * (end.normal_speed - start.normal_speed);
        }
        state
    }

    /// `(dissipated, work)` (J) `t` seconds after the start: the values at the start, and the integrals of the powers
    /// since.
    pub fn ledger(&self, system: &ContactSystem, t: f64) -> (f64, f64) {
        let ContactState { spin, dissipated, work, .. } = self.step.start;
        let [lost, done] = match (self.step.series(), system.is_lossless(spin)) {
            (_, true) => [0.0; 2],
            (Some(series), _) if system.is_pulled_alike(spin) => [series.lost(system, t), 0.0],
            _ => Power::over(self.path.degree(), t, |t| system.power(&self.at(system, t))),
        };
        (dissipated + lost, work + done)
    }
}

/// The path over a step so short that the change of its acceleration changes the velocity by at most a millionth. A
/// polynomial through the places of both ends would have the `rounding` of places, divided by the short time, in its
/// velocities; this quartic takes everything but the place from the end. `None` if the other data of the step differ
/// from it by more than 1e-12 of its length and rounding.
fn short(start: Motion, middle: Option<Motion>, end: Motion, duration: f64, rounding: Vector2<f64>) -> Option<Path> {
    let h = duration;
    let (v, a, b) = (h * start.velocity, h * h * start.acceleration, h * h * end.acceleration);
    let size = v.abs() + h * end.velocity.abs();
    let small = |error: Vector2<f64>, part: f64, rounding: Vector2<f64>| {
        (0..2).all(|i| error[i].abs() <= part * size[i] + Rounding::SUM * rounding[i])
    };
    let none = Vector2::zeros();
    if !small(b - a, 1e-6, none) {
        return None;
    }
    let faster = h * end.velocity - v;
    let cubic = faster - (2.0 * a + b) / 3.0;
    let path = Path::polynomial(&[start.position, v, 0.5 * a, cubic, 0.25 * (a + b) - 0.5 * faster], h);
    let fits = small(path.at(h).position - end.position, 1e-12, rounding)
        && middle.is_none_or(|middle| small(h * (path.at(0.5 * h).velocity - middle.velocity), 1e-12, none));
    fits.then_some(path)
}
