//! Interface of a contact method: its trait, its steps, the counters of its work, and its errors.

use newmark::{SchemeError, StepTooSmall, Stuck, Tolerance};

use crate::{ContactState, ContactSystem, Dense, StepSeries};

/// Length of the very first step tried, s.
pub(crate) const FIRST_STEP: f64 = 0.02;

/// Method that integrates motion on the ground, one step at a time; as with flight, a step is a value.
pub trait ContactMethod {
    /// Computes a step from `step.start` that ends at `until` (s) or before. It may end beyond the piece or corner that
    /// it began on: then the formulas of that go on, and the caller finds the time of leaving. The caller fills in the
    /// ledger by [`ContactStep::account`]. After an error the rest of `step` is meaningless.
    fn step(&mut self, system: &ContactSystem, step: &mut ContactStep, until: f64) -> Result<(), RollingError>;

    /// Tolerance that each step is held to; `None`: fixed steps, whose error is unknown.
    fn tolerance(&self) -> Option<Tolerance> {
        None
    }

    /// Work done so far.
    fn count(&self) -> ContactCount;

    /// Whether the method integrates an acceleration of its own, and so has a λ of its own.
    fn carries(&self) -> bool {
        false
    }
}

/// A step of contact: its states at both ends, and what its method knows in between; [`Dense`] interpolates it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactStep {
    /// State at the start.
    pub start: ContactState,
    /// State at the end.
    pub end: ContactState,
    /// Motion in between, as far as its method knows it.
    pub between: Between,
}

/// Knowledge that a method has of the motion between the ends of a step.
#[allow(clippy::large_enum_variant, reason = "a step is written in place, and allocates nothing")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Between {
    /// Nothing: both ends alone are known.
    Nothing,
    /// The method's own acceleration, linear from end to end, and its forces.
    Carried,
    /// The state halfway.
    Middle(ContactState),
    /// Polynomials of time.
    Series(StepSeries),
}

impl ContactStep {
    /// An empty step, which ends at its start.
    pub fn begin(start: &ContactState) -> Self {
        ContactStep { start: *start, end: *start, between: Between::Nothing }
    }
    /// Ends the step at `until` (s) with the motion of the start, for a change that is below rounding.
    pub fn stand(&mut self, until: f64) {
        *self = ContactStep::begin(&self.start);
        self.end.time = until;
    }
    /// Duration, s.
    pub fn duration(&self) -> f64 {
        self.end.time - self.start.time
    }
    /// State halfway, if the method has it.
    pub fn middle(&self) -> Option<&ContactState> {
        if let Between::Middle(middle) = &self.between { Some(middle) } else { None }
    }
    /// Polynomials of time, if the method has them.
    #[inline(always)]
    pub fn series(&self) -> Option<&StepSeries> {
        if let Between::Series(series) = &self.between { Some(series) } else { None }
    }
    /// Whether the motion between the ends is as accurate as at the ends.
    pub fn is_known_between(&self) -> bool {
        matches!(self.between, Between::Middle(_) | Between::Series(_))
    }
    /// Whether the method has its own acceleration and forces.
    #[inline(always)]
    pub fn is_carried(&self) -> bool {
        matches!(self.between, Between::Carried)
    }
    /// `[λ, f]` (N) of a method with an acceleration of its own, `t` s after the start: interpolated between the ends.
    pub fn multiplier(&self, system: &ContactSystem, t: f64) -> Option<[f64; 2]> {
        self.is_carried().then(|| {
            let [first, last] = [&self.start, &self.end].map(|state| system.multiplier(state));
            [0, 1].map(|i| first[i] + t / self.duration() * (last[i] - first[i]))
        })
    }
    /// Dense output of the step.
    pub fn dense(&self, system: &ContactSystem) -> Dense {
        Dense::new(self, system)
    }
    /// Puts the energies of the ledger into the end state, which methods leave alone.
    pub fn account(&mut self, system: &ContactSystem) {
        if !system.is_lossless(self.start.spin) {
            (self.end.dissipated, self.end.work) = self.dense(system).ledger(system, self.duration());
        }
    }
}

/// Work done by a contact method.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct ContactCount {
    /// Steps taken.
    pub steps: u64,
    /// Steps tried and found too inaccurate.
    pub rejected: u64,
    /// Evaluations of the ground's frame.
    pub frames: u64,
    /// States projected back onto `g = ġ = 0` after extrapolation.
    pub projections: u64,
    /// The largest distance of a projection, m.
    pub largest_projection: f64,
    /// Steps of `symmetric` made by `arc-length`: with rolling resistance, with a large μ, or where rounding of places
    /// would count in the velocity.
    pub by_arc_length: u64,
}

/// Reason why contact could not go on.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum RollingError {
    /// A scheme of the caller can't make the step.
    #[error("the step of {step:?} s on the ground at t = {time:?} s could not be made: {error}")]
    Scheme {
        /// Start of the step, s.
        time: f64,
        /// Length of the step, s.
        step: f64,
        /// Reason, as the scheme gives it.
        error: SchemeError,
    },
    /// A motion that is NaN or infinite.
    #[error(
        "the motion on the ground is not finite at t = {time:?} s: a force, or one of the first three derivatives of the curve, is \
         undefined or infinite there (the last row says where); give a formula that is defined there, or a curve of pieces that \
         meet there"
    )]
    NotFinite {
        /// Start of the step, s.
        time: f64,
    },
    /// Newton's method finds no solution of the implicit equations of a step.
    #[error(
        "the step of {step:?} s on the ground at t = {time:?} s did not converge (last change: {residual:.3e} m/s); of fixed steps, try a smaller one"
    )]
    NoConvergence {
        /// Start of the step, s.
        time: f64,
        /// Length of the step, s.
        step: f64,
        /// Last change of the iteration, m/s.
        residual: f64,
    },
    /// A formulation that can't go with this scheme, or with extrapolation.
    #[error("the formulation {formulation} needs {needs}")]
    Unfit {
        /// The formulation asked for.
        formulation: crate::Formulation,
        /// Settings that it needs, and a formulation that does without.
        needs: &'static str,
    },
    /// A formulation with an acceleration of its own, and a ball with rolling resistance.
    #[error(
        "the formulation {formulation} takes the force of the ground from its multiplier, which rolling resistance is no part \
         of: give another formulation"
    )]
    Resistance {
        /// The formulation asked for.
        formulation: crate::Formulation,
    },
    /// The tolerance asks for steps below rounding.
    #[error("on the ground, {0}")]
    StepTooSmall(StepTooSmall),
}

/// Shortest step from a state that motion and clock resolve, s.
pub(crate) fn shortest_step(system: &ContactSystem, start: &ContactState) -> f64 {
    start.rounding(system, start.time).shortest_step(start.speed.abs())
}

/// Error for a step that could not be made from this start.
pub(crate) fn stuck(
    system: &ContactSystem,
    step: &ContactStep,
    tolerance: Option<Tolerance>,
    stuck: Stuck<RollingError>,
) -> RollingError {
    match (stuck, tolerance) {
        (Stuck::Failed(error), _) => error,
        (Stuck::Short { .. }, None) => RollingError::NotFinite { time: step.start.time },
        (Stuck::Short { step: h, .. }, Some(tolerance)) => RollingError::too_small(system, &step.start, h, tolerance),
    }
}

impl RollingError {
    /// Error for a state from which the shortest step that motion and clock resolve is too long for a tolerance.
    pub fn too_small(system: &ContactSystem, start: &ContactState, step: f64, tolerance: Tolerance) -> Self {
        let ContactState { time, place, frame, .. } = *start;
        RollingError::StepTooSmall(StepTooSmall {
            time,
            step,
            tolerance: tolerance.allows(frame.position.norm()),
            rounding: start.rounding(system, time).length + system.ground.rounding(place),
        })
    }
}
