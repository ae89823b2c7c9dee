//! How does a one-step scheme of the caller become a flight method? [`Stepped`] adds step control and dense output.

use curves::{Motion, Path};
use mechanics::{Forces, State};
use newmark::{Control, Pace, SchemeError, Tried, longer};
use numbers::elementary;

use crate::flight_step::SPIN_TERMS;
use crate::tolerance_and_first_step::{FIRST_STEP, acceleration, by_pace, paced, ratio};
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
    /// Order p: halving the step makes the error after a given time 2ᵖ times smaller.
    fn order(&self) -> u32;

    /// Makes a flight method of the scheme, with fixed steps or a tolerance. `extrapolate` is ignored: the scheme has
    /// its order without it.
    fn stepped(self, control: Control) -> Stepped<Self>
    where
        Self: Clone,
    {
        let (before, pace) = (self.clone(), Pace::new(control, FIRST_STEP));
        Stepped { scheme: self, before, tried: None, pace, count: FlightCount::default() }
    }

    /// Forgets earlier steps, if the scheme keeps any: called where the path begins anew, as after events.
    fn restart(&mut self) {}

    /// Place and velocity `h` seconds after `start`, and the spin if [a torque](Forces::has_torque) changes it; time,
    /// angle and energies of the result are ignored.
    fn step(&mut self, forces: &Forces, start: &State, h: f64) -> Result<State, SchemeError>;
}

/// The flight method of a [`FlightScheme`]: with fixed steps, or steps whose two halves differ from the whole by at
/// most a tolerance (the halves are kept). The dense output is the Hermite interpolant of place, velocity and
/// acceleration. Each try begins with the scheme's fields as they were at the start of the step.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct Stepped<S> {
    /// The scheme after the last try, with its memory.
    scheme: S,
    /// The scheme before the last try.
    before: S,
    /// Times at which the last try began and ended, s.
    tried: Option<[f64; 2]>,
    pace: Pace,
    count: FlightCount,
}

impl<S: FlightScheme + Clone> Stepped<S> {
    /// Makes one step of the scheme of `h` s; takes over its place and velocity, and its spin if there is a torque.
    fn advance(&mut self, forces: &Forces, start: &State, h: f64) -> Result<State, FlightError> {
        let made = self.scheme.step(forces, start, h);
        let State { position, velocity, spin, .. } =
            made.map_err(|error| FlightError::Scheme { time: start.time, step: h, error })?;
        let end = State { time: start.time + h, position, velocity, ..*start };
        if !forces.has_torque() {
            return Ok(end);
        }
        // The scheme does not integrate the spin, which the torque would change by more than rounding.
        if spin == start.spin && start.spin + 0.5 * h * spin_rate(forces, start) != start.spin {
            return Err(FlightError::Torque { time: start.time });
        }
        Ok(State { spin, ..end })
    }

    /// Adds the acceleration to place and velocity of a state; an error if one of them is not finite.
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

/// Angular acceleration in a state, rad/s².
fn spin_rate(forces: &Forces, state: &State) -> f64 {
    forces.spin_rate(state.time, state.position.into(), state.velocity.into(), state.spin)
}

/// Interpolates the spin by a polynomial in the part x of a step of `h` s. It meets the spin and its slope `h ω̇` at
/// the `nodes`: start, middle and end. Where the middle is the end, there are two nodes and a cubic:
///
/// ```text
/// ω = w₀ + s₀x + x² r(x)       r of degree 1, or of degree 3 in y = 2x − 1: r = m + b y + square y² + cube y³
/// ```
fn spin_between(forces: &Forces, nodes: [State; 3], h: f64) -> [f64; SPIN_TERMS] {
    let [[w0, s0], [wm, sm], [w1, s1]] = nodes.map(|node| [node.spin, h * spin_rate(forces, &node)]);
    let mut terms = [0.0; SPIN_TERMS];
    (terms[0], terms[1]) = (w0, s0);
    // Value and slope of r at the end.
    let (end, end_slope) = (w1 - w0 - s0, s1 - s0 - 2.0 * (w1 - w0 - s0));
    if nodes[1].time == nodes[2].time {
        (terms[2], terms[3]) = (end - end_slope, end_slope);
        return terms;
    }
    // Value m of r in the middle, and its slopes b and d by y there and at the end.
    let middle = 4.0 * (wm - w0 - 0.5 * s0);
    let (b, d) = (2.0 * (sm - s0 - middle), 0.5 * end_slope);
    let (square, cube) = (3.0 * (end - middle) - 2.0 * b - d, 2.0 * (middle - end) + b + d);
    terms[2] = middle - b + square - cube;
    terms[3] = 2.0 * b - 4.0 * square + 6.0 * cube;
    terms[4] = 4.0 * square - 12.0 * cube;
    terms[5] = 8.0 * cube;
    terms
}

impl<S: FlightScheme + Clone> FlightMethod for Stepped<S> {
    fn step(&mut self, forces: &Forces, start: &State, until: f64, step: &mut FlightStep) -> Result<(), FlightError> {
        let turns = forces.has_torque();
        if !turns && step.fall(forces, start, until)? {
            self.count.steps += 1;
            return Ok(());
        }
        let from = self.node(forces, start)?;
        // `before` becomes the scheme with its memory at this start, where the last try began or ended; else with none.
        match self.tried.take() {
            Some([begin, _]) if begin == start.time => {}
            Some([_, end]) if end == start.time => self.before.clone_from(&self.scheme),
            _ => self.before.restart(),
        }
        let order = self.scheme.order();
        let smaller = elementary::exp2(f64::from(order)) - 1.0;
        let mut pace = self.pace;
        let found = paced(&mut pace, start, from.acceleration, until, |h| {
            self.scheme.clone_from(&self.before);
            let whole = self.advance(forces, start, h)?;
            let Some(tolerance) = self.pace.tolerance() else {
                let path = Path::quintic(from, self.node(forces, &whole)?, h);
                return Ok(Tried { error: 0.0, longer: 1.0, value: (path, [*start, whole, whole]) });
            };
            self.scheme.clone_from(&self.before);
            let middle = self.advance(forces, start, 0.5 * h)?;
            let end = self.advance(forces, &middle, 0.5 * h)?;
            let errors = [whole.position - end.position, whole.velocity - end.velocity].map(|d| d / smaller);
            let mut error = ratio(tolerance, errors, [end.position, end.velocity]);
            if turns {
                error = error.max(tolerance.ratio([[(whole.spin - end.spin) / smaller, end.spin, 0.0]]));
            }
            let path = Path::octic(from, self.node(forces, &middle)?, self.node(forces, &end)?, h);
            Ok(Tried { error, longer: longer(error, f64::from(order) + 1.0), value: (path, [*start, middle, end]) })
        });
        self.pace = pace;
        let (h, (path, nodes)) = found?;
        *step = match turns {
            false => FlightStep::new(start, path),
            true => FlightStep::turning(start, path, spin_between(forces, nodes, h)),
        };
        self.tried = Some([start.time, start.time + h]);
        self.count.steps += 1;
        Ok(())
    }

    by_pace!(count, tried);
}

/// Flight method behind a pointer, which can be copied.
pub trait AnyFlight: FlightMethod + Send {
    /// Copies it, memory included.
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
