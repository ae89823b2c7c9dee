//! A flight method from one's own one-step scheme.

use curves::{Motion, Path};
use mechanics::{Entry, Forces, Ledger, State};
use newmark::{Control, Tolerance};

use crate::control::{acceleration, larger, ratio};
use crate::method::shortest_step;
use crate::{FlightCount, FlightError, FlightMethod, FlightStep};

/// A one-step scheme for flight. [`Stepped`] adds what a flight method needs: step control, dense output and ledger.
///
/// ```
/// use flight::FlightScheme;
/// use mechanics::{Forces, State};
///
/// /// Euler's method.
/// #[derive(Clone)]
/// struct Euler;
///
/// impl FlightScheme for Euler {
///     fn order(&self) -> u32 {
///         1
///     }
///     fn step(&mut self, forces: &Forces, start: &State, h: f64) -> State {
///         let acceleration = forces.force_at(start) / forces.mass();
///         let State { position, velocity, .. } = *start;
///         State { position: position + h * velocity, velocity: velocity + h * acceleration, ..*start }
///     }
/// }
/// ```
pub trait FlightScheme {
    /// p: halving the step makes the error after a given time 2ᵖ times smaller.
    fn order(&self) -> u32;

    /// The method of it, in fixed steps or by a tolerance.
    fn stepped(self, control: Control) -> Stepped<Self>
    where
        Self: Sized,
    {
        Stepped::new(self, control)
    }

    /// Place and velocity `h` seconds after `start`; time, angle and ledger of the answer are not looked at.
    fn step(&mut self, forces: &Forces, start: &State, h: f64) -> State;
}

/// The flight method of a [`FlightScheme`]: in fixed steps, or in steps of which two halves and the whole differ by a tolerance at
/// most (the halves are kept). The dense output is the Hermite interpolant of place, velocity and acceleration, the ledger a
/// quadrature of the powers along it.
#[derive(Clone, Debug)]
pub struct Stepped<S> {
    scheme: S,
    control: Control,
    /// The step that is tried next, s.
    proposal: f64,
    count: FlightCount,
}

/// The first guess of a controlled step, s.
const FIRST_STEP: f64 = 0.1;
/// Abscissas and weights of Gauss and Legendre on [0, 1].
const GAUSS: [(f64, f64); 3] = [(0.112701665379258, 5.0 / 18.0), (0.5, 8.0 / 18.0), (0.887298334620742, 5.0 / 18.0)];

impl<S: FlightScheme> Stepped<S> {
    /// `extrapolate` of a fixed step is not looked at: the scheme has its order without it.
    pub fn new(scheme: S, control: Control) -> Self {
        Stepped { scheme, control, proposal: FIRST_STEP, count: FlightCount::default() }
    }

    fn advance(&mut self, forces: &Forces, start: &State, h: f64) -> State {
        let State { position, velocity, .. } = self.scheme.step(forces, start, h);
        State { time: start.time + h, position, velocity, ..*start }
    }

    fn node(&mut self, forces: &Forces, state: &State) -> Result<Motion, FlightError> {
        self.count.forces += 1;
        let State { time, position, velocity, spin, .. } = *state;
        let acceleration = acceleration(forces, time, position, velocity, spin);
        let sum = position.sum() + velocity.sum() + acceleration.sum();
        if sum.is_finite() {
            Ok(Motion { position, velocity, acceleration })
        } else {
            Err(FlightError::NotFinite { time })
        }
    }

    /// A step of at most `left` s held to a tolerance: how long it is, its middle and its end.
    fn controlled(
        &mut self,
        tolerance: &Tolerance,
        forces: &Forces,
        start: &State,
        left: f64,
    ) -> Result<(f64, State, State), FlightError> {
        let least = shortest_step(start);
        let mut h = self.proposal.min(left);
        let order = f64::from(self.scheme.order());
        let factor = order.exp2() - 1.0;
        loop {
            let whole = self.advance(forces, start, h);
            let middle = self.advance(forces, start, 0.5 * h);
            let end = self.advance(forces, &middle, 0.5 * h);
            let [places, velocities] =
                [whole.position - end.position, whole.velocity - end.velocity].map(|d| d / factor);
            let error = larger(ratio(tolerance, places, end.position), ratio(tolerance, velocities, end.velocity));
            let factor = (0.9 * error.powf(-1.0 / (order + 1.0))).clamp(0.2, 4.0);
            if error <= 1.0 {
                // A step cut short from outside says little of longer ones.
                self.proposal = if h < self.proposal { self.proposal.max(h * factor) } else { h * factor };
                return Ok((h, middle, end));
            }
            self.count.rejected += 1;
            // NaN clamps to NaN.
            h *= if factor < 1.0 { factor } else { 0.25 };
            self.proposal = h;
            if h <= least {
                let time = start.time;
                let too_small = FlightError::too_small(start, *tolerance, least);
                return Err(if error.is_finite() { too_small } else { FlightError::NotFinite { time } });
            }
        }
    }
}

impl<S: FlightScheme> FlightMethod for Stepped<S> {
    fn step(&mut self, forces: &Forces, start: &State, until: f64, step: &mut FlightStep) -> Result<(), FlightError> {
        if step.fall(forces, start, until) {
            self.count.steps += 1;
            return Ok(());
        }
        let left = until - start.time;
        let (h, middle, end) = match self.control {
            Control::Step { step: h, .. } => {
                // A last step that would leave a rounding error is made a little longer instead.
                let h = if left < h * (1.0 + 1e-9) { left } else { h };
                (h, None, self.advance(forces, start, h))
            }
            Control::Tolerance(tolerance) => {
                let (h, middle, end) = self.controlled(&tolerance, forces, start, left)?;
                (h, Some(middle), end)
            }
        };
        let (from, to) = (self.node(forces, start)?, self.node(forces, &end)?);
        let middle = middle.map(|middle| self.node(forces, &middle)).transpose()?;
        let path = middle.map_or_else(|| Path::quintic(from, to, h), |middle| Path::octic(from, middle, to, h));
        let power = |t: f64| {
            let Motion { position, velocity, .. } = path.at(t);
            forces.power(start.time + t, position, velocity, start.spin)
        };
        let (mut dissipated, mut work) = (start.dissipated, start.work);
        for (part, weight) in GAUSS {
            let there = power(part * h);
            (dissipated, work) = (dissipated + weight * h * there.dissipated, work + weight * h * there.work);
        }
        let entry = |dissipated: f64, work: f64, t: f64| Entry { dissipated, work, power: power(t) };
        let ledger = Ledger::through(entry(start.dissipated, start.work, 0.0), None, entry(dissipated, work, h), h);
        *step = FlightStep::new(start, path, ledger);
        self.count.steps += 1;
        Ok(())
    }

    fn count(&self) -> FlightCount {
        self.count
    }
}

/// A flight method behind a pointer, which can be copied.
pub trait AnyFlight: FlightMethod + Send {
    /// A copy of it as it is.
    fn copied(&self) -> Box<dyn AnyFlight>;
}

impl<M: FlightMethod + Clone + Send + 'static> AnyFlight for M {
    fn copied(&self) -> Box<dyn AnyFlight> {
        Box::new(self.clone())
    }
}
