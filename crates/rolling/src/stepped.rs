//! A contact method from one's own one-step scheme.

use newmark::{Control, Pace, SchemeError, Tolerance, Tried, longer};
use numbers::elementary;

use crate::method::{Between, FIRST_STEP, shortest_step, stuck};
use crate::{ContactCount, ContactMethod, ContactState, ContactStep, ContactSystem, RollingError};

/// Coordinates of a ball on the ground: parameter of the ground, `v·τ` (m/s), angle (rad), spin (rad/s).
pub type Coordinates = [f64; 4];

/// A one-step scheme for motion on the ground. [`Stepped`] adds what a contact method needs: step control.
///
/// ```
/// use newmark::SchemeError;
/// use rolling::{ContactScheme, ContactState, ContactSystem};
///
/// /// Euler's method.
/// #[derive(Clone)]
/// struct Euler;
///
/// impl ContactScheme for Euler {
///     fn order(&self) -> u32 {
///         1
///     }
///     fn step(&mut self, system: &ContactSystem, start: &ContactState, h: f64) -> Result<ContactState, SchemeError> {
///         let (y, rates) = (system.coordinates(start), system.rates(start));
///         Ok(system.at(start, start.time + h, [0, 1, 2, 3].map(|i| y[i] + h * rates[i])))
///     }
/// }
/// ```
pub trait ContactScheme {
    /// p: halving the step makes the error after a given time 2ᵖ times smaller.
    fn order(&self) -> u32;

    /// The contact method of this scheme, in fixed steps or by a tolerance.
    fn stepped(self, control: Control) -> Stepped<Self>
    where
        Self: Sized,
    {
        Stepped::new(self, control)
    }

    /// The ball `h` seconds after `start`. Its ledger is not looked at.
    fn step(&mut self, system: &ContactSystem, start: &ContactState, h: f64) -> Result<ContactState, SchemeError>;
}

/// The contact method of a [`ContactScheme`]: in fixed steps, or in steps of which two halves and the whole differ by a tolerance at
/// most (the halves are kept).
#[derive(Clone, Debug)]
pub struct Stepped<S> {
    scheme: S,
    pace: Pace,
    count: ContactCount,
}

impl<S: ContactScheme> Stepped<S> {
    /// `extrapolate` of a fixed step is not looked at: the scheme has its order without it.
    pub fn new(scheme: S, control: Control) -> Self {
        Stepped { scheme, pace: Pace::new(control, FIRST_STEP), count: ContactCount::default() }
    }

    fn advance(&mut self, system: &ContactSystem, start: &ContactState, h: f64) -> Result<ContactState, RollingError> {
        let made = self.scheme.step(system, start, h);
        let end = made.map_err(|error| RollingError::Scheme { time: start.time, step: h, error })?;
        self.count.frames += 1;
        if !(end.place.parameter().is_finite() && end.speed.is_finite() && end.spin.is_finite()) {
            return Err(RollingError::NotFinite { time: start.time });
        }
        Ok(ContactState { time: start.time + h, ..end })
    }

    /// The difference of two results over what is allowed.
    fn ratio(&self, tolerance: Tolerance, system: &ContactSystem, whole: &ContactState, halves: &ContactState) -> f64 {
        let rim = |state: &ContactState| state.spin * system.ball.radius();
        let smaller = elementary::exp2(f64::from(self.scheme.order())) - 1.0;
        let place = (whole.frame.position - halves.frame.position).norm() / smaller;
        let velocity = (whole.velocity() - halves.velocity()).norm() / smaller;
        let turning = (rim(whole) - rim(halves)) / smaller;
        let position = halves.frame.position.norm();
        tolerance.ratio([[place, position, 0.0], [velocity, halves.speed, 0.0], [turning, rim(halves), 0.0]])
    }
}

impl<S: ContactScheme> ContactMethod for Stepped<S> {
    fn step(&mut self, system: &ContactSystem, step: &mut ContactStep, until: f64) -> Result<(), RollingError> {
        let start = step.start;
        let mut pace = self.pace;
        let tolerance = pace.tolerance();
        step.between = Between::Nothing;
        let found = pace.step(
            start.time,
            until - start.time,
            || shortest_step(system, &start),
            |h| {
                let whole = self.advance(system, &start, h)?;
                let Some(tolerance) = tolerance else {
                    step.end = whole;
                    return Ok(Tried { error: 0.0, longer: 1.0, value: () });
                };
                let middle = self.advance(system, &start, 0.5 * h)?;
                step.end = self.advance(system, &middle, 0.5 * h)?;
                (step.end.time, step.between) = (start.time + h, Between::Middle(middle));
                let error = self.ratio(tolerance, system, &whole, &step.end);
                Ok(Tried { error, longer: longer(error, f64::from(self.scheme.order()) + 1.0), value: () })
            },
        );
        self.pace = pace;
        self.count.steps += u64::from(found.is_ok());
        found.map(|_| ()).map_err(|error| stuck(system, step, tolerance, error))
    }

    fn tolerance(&self) -> Option<Tolerance> {
        self.pace.tolerance()
    }

    fn count(&self) -> ContactCount {
        ContactCount { rejected: self.pace.rejected(), ..self.count }
    }
}

impl ContactSystem<'_> {
    /// Coordinates of a state.
    pub fn coordinates(&self, state: &ContactState) -> Coordinates {
        [state.place.parameter(), state.speed, state.angle, state.spin]
    }

    /// Rates of the coordinates, by the equations of motion of the mode.
    pub fn rates(&self, state: &ContactState) -> Coordinates {
        let law = self.law(state);
        [state.speed / state.frame.speed, law.acceleration, state.spin, self.spin_acceleration(&law)]
    }

    /// The state of these coordinates at a time (s), on the piece of the ground that `start` is on.
    pub fn at(&self, start: &ContactState, time: f64, [parameter, speed, angle, spin]: Coordinates) -> ContactState {
        let place = start.place.at(parameter);
        let mut state = ContactState {
            time,
            place,
            frame: self.ground.frame(place),
            speed,
            angle,
            spin,
            normal_speed: 0.0,
            ..*start
        };
        self.relabel(&mut state);
        state
    }
}

/// A contact method behind a pointer, which can be copied.
pub trait AnyContact: ContactMethod + Send {
    /// Copies it as it is.
    fn copied(&self) -> Box<dyn AnyContact>;
}

impl<M: ContactMethod + Clone + Send + 'static> AnyContact for M {
    fn copied(&self) -> Box<dyn AnyContact> {
        Box::new(self.clone())
    }
}

impl Clone for Box<dyn AnyContact> {
    fn clone(&self) -> Self {
        (**self).copied()
    }
}
