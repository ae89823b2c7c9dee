//! Where is the ball between the ends of a contact step?

use curves::{Motion, Path};
use mechanics::Power;
use nalgebra::Vector2;

use crate::{ContactState, ContactStep, ContactSystem, TERMS};

/// Dense output of a step along the curve, so that the gap stays zero: the series of the step if there is one, else
/// Hermite's polynomial of parameter and angle, with two derivatives at the ends, and in the middle if known.
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
        let path = by_velocities(start, middle, end, h, rounding).unwrap_or_else(|| match middle {
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

    /// Place, velocity and spin `t` seconds after the start; at the end exactly those of the step. Forces and
    /// acceleration may be left as they are at the start.
    pub fn moving(&self, system: &ContactSystem, t: f64) -> ContactState {
        if let Some(series) = self.step.series() {
            return series.moving(system, &self.step.start, t);
        }
        let ContactStep { start, end, .. } = &self.step;
        if t == self.step.duration() {
            return *end;
        }
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

/// Change of velocity, times the duration, in the octic through places, velocities and accelerations of three nodes if
/// one place changes by 1: at most 4.1 by an end, 4.4 by the middle.
const BY_PLACE: f64 = 4.0;

/// Path through velocities and accelerations of the nodes, if it misses their places by at most [`BY_PLACE`] times
/// `rounding`. The octic meets the places, but their rounding changes its velocity, times the duration, by as much.
fn by_velocities(
    start: Motion,
    middle: Option<Motion>,
    end: Motion,
    duration: f64,
    rounding: Vector2<f64>,
) -> Option<Path> {
    let h = duration;
    let [v, a] = [h * start.velocity, h * h * start.acceleration];
    let [dv, b] = [h * end.velocity - v, h * h * end.acceleration];
    // Hermite's cubic of the velocity in τ = t/h, to which the middle adds (α + βτ) τ²(τ − 1)².
    let [square, cube] = [3.0 * dv - 2.0 * a - b, a + b - 2.0 * dv];
    let [alpha, beta] = middle.map_or([Vector2::zeros(); 2], |middle| {
        let beta = 16.0 * (h * h * middle.acceleration - a - square - 0.75 * cube);
        let seen = v + 0.5 * a + 0.25 * square + 0.125 * cube;
        [16.0 * (h * middle.velocity - seen) - 0.5 * beta, beta]
    });
    let path = Path::polynomial(
        &[
            start.position,
            v,
            0.5 * a,
            (square + alpha) / 3.0,
            0.25 * (cube - 2.0 * alpha + beta),
            0.2 * (alpha - 2.0 * beta),
            beta / 6.0,
        ],
        h,
    );
    let meets = |t: f64, node: Motion| {
        let off = path.at(t).position - node.position;
        (0..2).all(|i| off[i].abs() <= BY_PLACE * rounding[i])
    };
    (meets(h, end) && middle.is_none_or(|middle| meets(0.5 * h, middle))).then_some(path)
}
