//! A flight method from one's own one-step scheme.

use curves::{Motion, Path};
use mechanics::{Forces, State};
use newmark::{Control, Pace, SchemeError, Tried, longer};
use numbers::elementary;

use crate::settings::{FIRST_STEP, acceleration, by_pace, paced, ratio};
use crate::{FlightCount, FlightError, FlightMethod, FlightStep};

/// A one-step scheme for flight. [`Stepped`] adds what a flight method needs: step control and dense output.
///
/// ```
/// use flight::FlightScheme;
/// use mechanics::{Forces, State};
/// use newmark::SchemeError;
///
/// /// Euler's method.
/// #[derive(Clone)]
/// struct Euler;
///
/// impl FlightScheme for Euler {
///     fn order(&self) -> u32 {
///         1
///     }
///     fn step(&mut self, forces: &Forces, start: &State, h: f64) -> Result<State, SchemeError> {
///         let acceleration = forces.force_at(start) / forces.mass();
///         let State { position, velocity, .. } = *start;
///         Ok(State { position: position + h * velocity, velocity: velocity + h * acceleration, ..*start })
///     }
/// }
/// ```
pub trait FlightScheme {
    /// p: halving the step makes the error after a given time 2ᵖ times smaller.
    fn order(&self) -> u32;

    /// The method of it, in fixed steps or by a tolerance. `extrapolate` of a fixed step is not looked at: the scheme has its order without it.
    fn stepped(self, control: Control) -> Stepped<Self>
    where
        Self: Sized,
    {
        Stepped { scheme: self, pace: Pace::new(control, FIRST_STEP), count: FlightCount::default() }
    }

    /// Place and velocity `h` seconds after `start`; time, angle and ledger of the answer are not looked at.
    fn step(&mut self, forces: &Forces, start: &State, h: f64) -> Result<State, SchemeError>;
}

/// The flight method of a [`FlightScheme`]: in fixed steps, or in steps of which two halves and the whole differ by a tolerance at
/// most (the halves are kept). The dense output is the Hermite interpolant of place, velocity and acceleration.
#[derive(Clone, Debug)]
pub struct Stepped<S> {
    scheme: S,
    pace: Pace,
    count: FlightCount,
}

impl<S: FlightScheme> Stepped<S> {
    fn advance(&mut self, forces: &Forces, start: &State, h: f64) -> Result<State, FlightError> {
        let made = self.scheme.step(forces, start, h);
        let State { position, velocity, .. } =
            made.map_err(|error| FlightError::Scheme { time: start.time, step: h, error })?;
        Ok(State { time: start.time + h, position, velocity, ..*start })
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
}

impl<S: FlightScheme> FlightMethod for Stepped<S> {
    fn step(&mut self, forces: &Forces, start: &State, until: f64, step: &mut FlightStep) -> Result<(), FlightError> {
        if step.fall(forces, start, until) {
            self.count.steps += 1;
            return Ok(());
        }
        let from = self.node(forces, start)?;
        let order = self.scheme.order();
        let smaller = elementary::exp2(f64::from(order)) - 1.0;
        let mut pace = self.pace;
        let found = paced(&mut pace, start, from.acceleration, until, |h| {
            let whole = self.advance(forces, start, h)?;
            let Some(tolerance) = self.pace.tolerance() else {
                return Ok(Tried {
                    error: 0.0,
                    longer: 1.0,
                    value: Path::quintic(from, self.node(forces, &whole)?, h),
                });
            };
            let middle = self.advance(forces, start, 0.5 * h)?;
            let end = self.advance(forces, &middle, 0.5 * h)?;
            let errors = [whole.position - end.position, whole.velocity - end.velocity].map(|d| d / smaller);
            let error = ratio(tolerance, errors, [end.position, end.velocity]);
            let path = Path::octic(from, self.node(forces, &middle)?, self.node(forces, &end)?, h);
            Ok(Tried { error, longer: longer(error, f64::from(order) + 1.0), value: path })
        });
        self.pace = pace;
        *step = FlightStep::new(start, found?.1);
        self.count.steps += 1;
        Ok(())
    }

    by_pace!(count);
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

impl Clone for Box<dyn AnyFlight> {
    fn clone(&self) -> Self {
        (**self).copied()
    }
}
