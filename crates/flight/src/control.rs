//! What BDF, Radau IIA and DOP853 share: the equations, what they are held to, and how the step is chosen.

use mechanics::{Forces, State};
use nalgebra::Vector2;
use newmark::{Control, Tolerance};

use crate::FlightError;
use crate::method::shortest_step;

/// Below this a tolerance is below the rounding of a step's sums: some 45 roundings of a number of size 1 m or 1 m/s.
const LEAST: f64 = 1e-14;
/// The first step of all that is tried, s; control finds its own from there.
const FIRST_STEP: f64 = 0.1;
/// An arc is first tried in one step that is longer than the last arc by this.
const BEYOND: f64 = 1.1;

/// A setting no method can be run with.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum MethodError {
    /// Zero, negative, not finite, or below rounding.
    #[error("the {part} tolerance {value:?} is not allowed: it must be at least 1e-14 (rounding) and below 1")]
    Tolerance {
        /// `relative` or `absolute`.
        part: &'static str,
        /// What was given.
        value: f64,
    },
    /// No step.
    #[error("the step {value:?} s is not allowed: it must be positive and finite")]
    Step {
        /// s
        value: f64,
    },
    /// Extrapolation is of Newmark's scheme.
    #[error("extrapolation is for Newmark's scheme; this method has its order without it")]
    Extrapolation,
    /// No such BDF.
    #[error("a BDF of order {order} is not allowed: 1 to 5 (above 6 they are unstable, and 6 nearly so)")]
    Order {
        /// What was given.
        order: usize,
    },
}

/// Fixed steps, or steps by a tolerance.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    control: Control,
    /// A step is held to this part of the tolerance: errors of steps in a row add up.
    share: f64,
    /// The step that is thought best now, s.
    proposal: f64,
    /// What was best at the start of the last arc: arcs resemble each other.
    first: f64,
    /// Whether an arc begins.
    fresh: bool,
    /// When this arc began, s.
    begin: f64,
    /// No step after a rejected one is longer.
    rejected: bool,
}

impl Pace {
    pub(crate) fn new(control: Control, share: f64) -> Result<Self, MethodError> {
        match control {
            Control::Step { extrapolate: true, .. } => return Err(MethodError::Extrapolation),
            Control::Step { step, .. } if !(step > 0.0 && step.is_finite()) => {
                return Err(MethodError::Step { value: step });
            }
            Control::Step { .. } => {}
            Control::Tolerance(Tolerance { relative, absolute }) => {
                for (part, value) in [("relative", relative), ("absolute", absolute)] {
                    if !(LEAST..1.0).contains(&value) {
                        return Err(MethodError::Tolerance { part, value });
                    }
                }
            }
        }
        let first = FIRST_STEP;
        Ok(Pace { control, share, proposal: first, first, fresh: true, begin: f64::NEG_INFINITY, rejected: false })
    }

    /// What steps are held to; `None`: steps are fixed.
    pub(crate) fn tolerance(&self) -> Option<Tolerance> {
        match self.control {
            Control::Tolerance(Tolerance { relative, absolute }) => {
                // A step is held to nothing below rounding.
                let part = |tolerance: f64| (self.share * tolerance).max(4.0 * f64::EPSILON);
                Some(Tolerance { relative: part(relative), absolute: part(absolute) })
            }
            Control::Step { .. } => None,
        }
    }

    /// The fixed step, s.
    pub(crate) fn fixed(&self) -> Option<f64> {
        match self.control {
            Control::Step { step, .. } => Some(step),
            Control::Tolerance(_) => None,
        }
    }

    pub(crate) fn restart(&mut self) {
        self.fresh = true;
    }

    /// A step begins at `time`; if it is the first of an arc, the proposal becomes that of the last arc's first step, and
    /// little longer than that arc: bounces get shorter, and a path that ends with the arc is searched fastest.
    pub(crate) fn begin(&mut self, time: f64) -> bool {
        let fresh = std::mem::take(&mut self.fresh);
        if fresh {
            let arc = BEYOND * (time - self.begin);
            self.proposal = if arc > 0.0 { self.first.min(arc) } else { self.first };
            self.begin = time;
        }
        self.rejected = false;
        fresh
    }

    /// The next step to try with `left` s to the end, each a product with `steps` of the proposal: no stump is left.
    pub(crate) fn propose(&self, left: f64) -> f64 {
        let h = self.fixed().unwrap_or(self.proposal);
        if left < h * (1.0 + 1e-9) { left } else { h }
    }

    pub(crate) fn set_proposal(&mut self, proposal: f64) {
        self.proposal = proposal;
    }

    /// A step of `h` s was good, and `factor` times as long may be better.
    pub(crate) fn accept(&mut self, h: f64, factor: f64, first: bool) {
        let factor = if self.rejected { factor.min(1.0) } else { factor };
        // A step cut short from outside says little of longer ones.
        let cut = h < self.proposal;
        self.proposal = if cut { (h * factor).max(self.proposal) } else { h * factor };
        if first {
            self.first = self.proposal;
        }
    }

    /// A step of `h` s was not good enough; an error if `factor` times it is too short.
    pub(crate) fn reject(&mut self, h: f64, factor: f64, start: &State, finite: bool) -> Result<(), FlightError> {
        self.rejected = true;
        self.proposal = h * factor;
        let least = shortest_step(start);
        match self.control {
            _ if self.proposal > least => Ok(()),
            Control::Tolerance(tolerance) if finite => Err(FlightError::too_small(start, tolerance, least)),
            _ => Err(FlightError::NotFinite { time: start.time }),
        }
    }
}

/// `|error|` over what is allowed, the larger component.
#[inline(always)]
pub(crate) fn ratio(tolerance: &Tolerance, error: Vector2<f64>, value: Vector2<f64>) -> f64 {
    let (x, y) = (error.x.abs() / tolerance.allows(value.x), error.y.abs() / tolerance.allows(value.y));
    // NaN must not pass.
    if x > y || x.is_nan() { x } else { y }
}

/// The larger of both, and NaN if one is.
#[inline(always)]
pub(crate) fn larger(a: f64, b: f64) -> f64 {
    if a > b || a.is_nan() { a } else { b }
}

/// Acceleration, m/s².
#[inline(always)]
pub(crate) fn acceleration(forces: &Forces, time: f64, q: Vector2<f64>, v: Vector2<f64>, spin: f64) -> Vector2<f64> {
    forces.force(time, q, v, spin) / forces.mass()
}

pub(crate) fn is_finite(v: Vector2<f64>) -> bool {
    v.x.is_finite() && v.y.is_finite()
}
