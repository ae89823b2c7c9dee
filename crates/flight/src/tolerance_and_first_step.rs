//! Step sizes and tolerances allowed in flight, the search for the first good step, and the size of an error.

use mechanics::{Forces, State};
use nalgebra::Vector2;
use newmark::{Control, Pace, StepTooSmall, Stuck, Tolerance, Tried};

use crate::FlightError;
use crate::flight_trait_and_errors::{rounding, shortest_step};

/// Least tolerance: smaller ones are below the rounding of a step's sums.
pub(crate) const LEAST: f64 = 1e-15;
/// Length of the very first step tried, s.
pub(crate) const FIRST_STEP: f64 = 0.1;

/// Settings that a method can't use.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum MethodError {
    /// A tolerance that is zero, negative, not finite, or below rounding.
    #[error("the {part} tolerance {value:?} is not allowed: it must be at least {least:e} (rounding) and below 1")]
    Tolerance {
        /// `relative` or `absolute`.
        part: &'static str,
        /// Tolerance that was refused.
        value: f64,
        /// The least that is allowed.
        least: f64,
    },
    /// A step that is not positive and finite.
    #[error("the step {value:?} s is not allowed: it must be positive and finite")]
    Step {
        /// Step that was refused, s.
        value: f64,
    },
    /// Extrapolation of a method other than Newmark.
    #[error("extrapolation is for Newmark's scheme; this method has its order without it")]
    Extrapolation,
    /// Extrapolation of a scheme that is not symmetric, so that its error has odd powers of the step.
    #[error(
        "γ = {gamma:?} is not symmetric, and steps by a tolerance are extrapolated, too: give γ = 1/2, or fixed steps without extrapolation"
    )]
    Unsymmetric {
        /// γ that was refused.
        gamma: f64,
    },
    /// An order for which BDF is not stable.
    #[error("a BDF of order {order} is not allowed: 1 to 5 (above 6 they are unstable, and 6 nearly so)")]
    Order {
        /// Order that was refused.
        order: usize,
    },
}

/// Checks the settings of a method other than Newmark, and makes its step control.
pub(crate) fn pace(control: Control) -> Result<Pace, MethodError> {
    match control {
        Control::Step { extrapolate: true, .. } => return Err(MethodError::Extrapolation),
        Control::Step { step, .. } if !(step > 0.0 && step.is_finite()) => {
            return Err(MethodError::Step { value: step });
        }
        Control::Step { .. } => {}
        Control::Tolerance(tolerance) => allowed(tolerance, LEAST)?,
    }
    Ok(Pace::new(control, FIRST_STEP))
}

/// Implements the rest of [`FlightMethod`](crate::FlightMethod) for a method with a `pace`, given the field of its
/// counters and, if it remembers the step before, an optional field of that.
macro_rules! by_pace {
    ($($count:ident).+ $(, $before:ident)?) => {
        fn restart(&mut self) {
            self.pace.restart();
            $(self.$before = None;)?
        }

        fn tolerance(&self) -> Option<newmark::Tolerance> {
            self.pace.tolerance()
        }

        fn count(&self) -> crate::FlightCount {
            crate::FlightCount { rejected: self.pace.rejected(), ..self.$($count).+ }
        }
    };
}
pub(crate) use by_pace;

/// Checks that both parts of a tolerance are at least `least` and below 1.
pub fn allowed(tolerance: Tolerance, least: f64) -> Result<(), MethodError> {
    for (part, value) in [("relative", tolerance.relative), ("absolute", tolerance.absolute)] {
        if !(least..1.0).contains(&value) {
            return Err(MethodError::Tolerance { part, value, least });
        }
    }
    Ok(())
}

/// Makes the first good step from a state with this acceleration (m/s²), up to the time `until` (s) at most: its
/// length, s, and its result.
#[inline]
pub(crate) fn paced<T>(
    pace: &mut Pace,
    start: &State,
    acceleration: Vector2<f64>,
    until: f64,
    attempt: impl FnMut(f64) -> Result<Tried<T>, FlightError>,
) -> Result<(f64, T), FlightError> {
    let found = pace.step(start.time, until - start.time, || shortest_step(start, acceleration), attempt);
    found.map_err(|stuck| match (stuck, pace.tolerance()) {
        (Stuck::Failed(error), _) => error,
        (Stuck::Short { error, step }, Some(tolerance)) if error.is_finite() => {
            let rounding = rounding(start, Vector2::zeros()).length;
            let tolerance = tolerance.allows(start.position.norm());
            FlightError::StepTooSmall(StepTooSmall { time: start.time, step, tolerance, rounding })
        }
        (Stuck::Short { .. }, _) => FlightError::NotFinite { time: start.time },
    })
}

/// Largest of the errors of place and velocity over what is allowed at a place q and a velocity v.
#[inline(always)]
pub(crate) fn ratio(tolerance: Tolerance, errors: [Vector2<f64>; 2], [q, v]: [Vector2<f64>; 2]) -> f64 {
    let [place, velocity] = errors;
    tolerance.ratio([[place.x, q.x, 0.0], [place.y, q.y, 0.0], [velocity.x, v.x, 0.0], [velocity.y, v.y, 0.0]])
}

/// Acceleration, m/s².
#[inline(always)]
pub(crate) fn acceleration(forces: &Forces, time: f64, q: Vector2<f64>, v: Vector2<f64>, spin: f64) -> Vector2<f64> {
    forces.force(time, q, v, spin) / forces.mass()
}

pub(crate) fn is_finite(v: Vector2<f64>) -> bool {
    v.x.is_finite() && v.y.is_finite()
}
