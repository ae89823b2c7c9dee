//! A step of flight as a value.

use curves::{Motion, Path};
use mechanics::{Forces, Power, State};
use nalgebra::Vector2;

/// A step of flight: the path of the centre, and the ledger by the powers along it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlightStep {
    start: State,
    path: Path,
    /// Under a constant force nothing enters the ledger.
    falls: bool,
}

impl FlightStep {
    /// Under a constant force: exact, and the ledger stands still.
    #[inline(always)]
    pub fn parabola(start: &State, acceleration: Vector2<f64>, duration: f64) -> Self {
        let motion = Motion { position: start.position, velocity: start.velocity, acceleration };
        FlightStep { start: *start, path: Path::parabola(motion, duration), falls: true }
    }

    /// The same in place.
    #[inline(always)]
    pub fn set_parabola(&mut self, start: &State, acceleration: Vector2<f64>, duration: f64) {
        self.start = *start;
        self.path.set_parabola(Motion { position: start.position, velocity: start.velocity, acceleration }, duration);
        self.falls = true;
    }

    /// To `until` (s) in one exact step, if the force is constant; whether it is.
    #[inline(always)]
    pub(crate) fn fall(&mut self, forces: &Forces, start: &State, until: f64) -> bool {
        let Some(acceleration) = forces.constant_acceleration(start.spin) else { return false };
        self.set_parabola(start, acceleration, until - start.time);
        true
    }

    /// Any path.
    pub fn new(start: &State, path: Path) -> Self {
        FlightStep { start: *start, path, falls: false }
    }

    /// By coefficients of the place in powers of the part of the step, lowest first; in place.
    #[inline]
    pub(crate) fn set_polynomial<const N: usize>(
        &mut self,
        start: &State,
        position: &[Vector2<f64>; N],
        duration: f64,
    ) {
        (self.start, self.falls) = (*start, false);
        self.path.set_polynomial(position, duration);
    }

    /// Where it began.
    pub fn start(&self) -> &State {
        &self.start
    }
    /// The path of the centre.
    #[inline(always)]
    pub fn path(&self) -> &Path {
        &self.path
    }
    /// Seconds it lasts.
    #[inline(always)]
    pub fn duration(&self) -> f64 {
        self.path.duration()
    }
    /// The ball `t` seconds after the start of the step.
    #[inline]
    pub fn at(&self, forces: &Forces, t: f64) -> State {
        let motion = self.path.at(t);
        let start = &self.start;
        let mut state = State {
            time: start.time + t,
            position: motion.position,
            velocity: motion.velocity,
            angle: start.angle + start.spin * t,
            ..*start
        };
        if !self.falls {
            let [dissipated, work] = Power::over(self.path.degree(), t, |t| {
                let Motion { position, velocity, .. } = self.path.at(t);
                forces.power(start.time + t, position, velocity, start.spin)
            });
            (state.dissipated, state.work) = (start.dissipated + dissipated, start.work + work);
        }
        state
    }
}
