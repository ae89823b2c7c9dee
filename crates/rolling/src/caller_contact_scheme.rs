//! How does a one-step scheme of the caller become a contact method? [`Stepped`] adds step control.

use curves::Place;
use mechanics::Mode;
use newmark::{Control, Pace, SchemeError, Tolerance, Tried, longer};
use numbers::elementary;

use crate::contact_trait_and_errors::{Between, FIRST_STEP, shortest_step, stuck};
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
    /// Order p: halving the step makes the error after a given time 2ᵖ times smaller.
    fn order(&self) -> u32;

    /// Makes a contact method of the scheme, with fixed steps or a tolerance.
    fn stepped(self, control: Control) -> Stepped<Self>
    where
        Self: Clone,
    {
        Stepped::new(self, control)
    }

    /// Forgets earlier steps, if the scheme keeps any: called where the motion begins anew, as after events.
    fn restart(&mut self) {}

    /// Whether the acceleration of its states, and so λ, is the scheme's own instead of that of §2.
    fn carries(&self) -> bool {
        false
    }

    /// Work of all steps since the last call, which comes after each step; by default one evaluation of the ground.
    fn worked(&mut self) -> ContactCount {
        ContactCount { frames: 1, ..ContactCount::default() }
    }

    /// State `h` seconds after `start`; its ledger is ignored.
    fn step(&mut self, system: &ContactSystem, start: &ContactState, h: f64) -> Result<ContactState, SchemeError>;
}

/// The contact method of a [`ContactScheme`]: with fixed steps, or steps whose two halves differ from the whole by at
/// most a tolerance (the halves are kept). Each try begins with the scheme's fields as they were at the start of the
/// step.
#[derive(Clone, Debug)]
pub struct Stepped<S> {
    /// The scheme after the last try, with its memory.
    scheme: S,
    /// The scheme before the last try.
    before: S,
    /// Start and end of the last try.
    tried: Option<[Known; 2]>,
    pace: Pace,
    count: ContactCount,
}

/// Numbers by which a state is known again; its ledger is not among them, as the caller may change it.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Known(Mode, Place, [f64; 6]);

impl Known {
    fn of(system: &ContactSystem, state: &ContactState) -> Self {
        let ContactState { time, speed, normal_speed, spin, acceleration: a, .. } = *state;
        Known(system.mode, state.place, [time, speed, normal_speed, spin, a.x, a.y])
    }
}

impl<S: ContactScheme + Clone> Stepped<S> {
    /// Creates the method. `extrapolate` of fixed steps is ignored: the scheme has its order without it.
    pub fn new(scheme: S, control: Control) -> Self {
        let (before, pace) = (scheme.clone(), Pace::new(control, FIRST_STEP));
        Stepped { scheme, before, tried: None, pace, count: ContactCount::default() }
    }

    /// Sets `before` to the scheme with its memory at this start, where the last try began or ended; else without any.
    fn recall(&mut self, system: &ContactSystem, start: &ContactState) {
        let start = Known::of(system, start);
        match self.tried {
            Some([begin, _]) if begin == start => {}
            Some([_, end]) if end == start => self.before.clone_from(&self.scheme),
            _ => self.before.restart(),
        }
        self.tried = None;
    }

    /// Makes one step of the scheme of `h` s, counts its work, and refuses a state that is not finite.
    fn advance(&mut self, system: &ContactSystem, start: &ContactState, h: f64) -> Result<ContactState, RollingError> {
        let made = self.scheme.step(system, start, h);
        let ContactCount { frames, projections, largest_projection, .. } = self.scheme.worked();
        self.count.frames += frames;
        self.count.projections += projections;
        self.count.largest_projection = self.count.largest_projection.max(largest_projection);
        let end = made.map_err(|error| RollingError::Scheme { time: start.time, step: h, error })?;
        if !(end.place.parameter().is_finite() && end.speed.is_finite() && end.spin.is_finite()) {
            return Err(RollingError::NotFinite { time: start.time });
        }
        Ok(ContactState { time: start.time + h, ..end })
    }

    /// Error of a step over what is allowed: a scheme of order p is off by 1/(2ᵖ − 1) of the difference between one
    /// `whole` step and two `halves`, in place, velocity and speed of the rim.
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

impl<S: ContactScheme + Clone> ContactMethod for Stepped<S> {
    fn step(&mut self, system: &ContactSystem, step: &mut ContactStep, until: f64) -> Result<(), RollingError> {
        let start = step.start;
        self.recall(system, &start);
        let mut pace = self.pace;
        let tolerance = pace.tolerance();
        let carries = self.scheme.carries();
        step.between = if carries { Between::Carried } else { Between::Nothing };
        let found = pace.step(
            start.time,
            until - start.time,
            || shortest_step(system, &start),
            |h| {
                self.scheme.clone_from(&self.before);
                let whole = self.advance(system, &start, h)?;
                let Some(tolerance) = tolerance else {
                    step.end = whole;
                    return Ok(Tried { error: 0.0, longer: 1.0, value: () });
                };
                self.scheme.clone_from(&self.before);
                let middle = self.advance(system, &start, 0.5 * h)?;
                step.end = ContactState { time: start.time + h, ..self.advance(system, &middle, 0.5 * h)? };
                if !carries {
                    step.between = Between::Middle(middle);
                }
                let error = self.ratio(tolerance, system, &whole, &step.end);
                Ok(Tried { error, longer: longer(error, f64::from(self.scheme.order()) + 1.0), value: () })
            },
        );
        self.pace = pace;
        self.tried = found.is_ok().then(|| [&start, &step.end].map(|state| Known::of(system, state)));
        self.count.steps += u64::from(found.is_ok());
        found.map(|_| ()).map_err(|error| stuck(system, step, tolerance, error))
    }

    fn carries(&self) -> bool {
        self.scheme.carries()
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

    /// State at a time (s) from its coordinates, on the piece that `start` is on.
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

/// Contact method behind a pointer, which can be copied.
pub trait AnyContact: ContactMethod + Send {
    /// Copies it, memory included.
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
