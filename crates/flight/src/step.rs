//! A step of flight as a value.

use curves::{Motion, Path};
use mechanics::{Forces, Ledger, State};
use nalgebra::Vector2;

/// A step of flight: the path of the centre, and the ledger along it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlightStep {
    start: State,
    path: Path,
    ledger: Option<Ledger>,
}

impl FlightStep {
    /// Under a constant force: exact, and the ledger stands still.
    #[inline(always)]
    pub fn parabola(start: &State, acceleration: Vector2<f64>, duration: f64) -> Self {
        let motion = Motion { position: start.position, velocity: start.velocity, acceleration };
        FlightStep { start: *start, path: Path::parabola(motion, duration), ledger: None }
    }

    /// The same in place.
    #[inline(always)]
    pub fn set_parabola(&mut self, start: &State, acceleration: Vector2<f64>, duration: f64) {
        self.start = *start;
        self.path.set_parabola(Motion { position: start.position, velocity: start.velocity, acceleration }, duration);
        self.ledger = None;
    }

    /// To `until` (s) in one exact step, if the force is constant; whether it is.
    #[inline(always)]
    pub(crate) fn fall(&mut self, forces: &Forces, start: &State, until: f64) -> bool {
        let Some(acceleration) = forces.constant_acceleration(start.spin) else { return false };
        self.set_parabola(start, acceleration, until - start.time);
        true
    }

    /// By polynomials of the part of the step, lowest power first: the position, and `(dissipated, work)`; in place.
    #[inline]
    pub(crate) fn set_polynomials<const N: usize>(
        &mut self,
        start: &State,
        position: &[Vector2<f64>; N],
        ledger: [Vector2<f64>; 8],
        duration: f64,
    ) {
        self.start = *start;
        self.path.set_polynomial(position, duration);
        self.ledger = Some(Ledger::polynomial(ledger, duration));
    }

    /// Any path, with its ledger.
    pub fn new(start: &State, path: Path, ledger: Ledger) -> Self {
        FlightStep { start: *start, path, ledger: Some(ledger) }
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
    pub fn at(&self, t: f64) -> State {
        let motion = self.path.at(t);
        let mut state = State {
            time: self.start.time + t,
            position: motion.position,
            velocity: motion.velocity,
            angle: self.start.angle + self.start.spin * t,
            ..self.start
        };
        if let Some(ledger) = &self.ledger {
            (state.dissipated, state.work) = ledger.at(t);
        }
        state
    }
}
