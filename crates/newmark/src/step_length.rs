//! The step controller of all methods.

use numbers::elementary;

use crate::Control;

/// Bounds of the ratio of a step to the last one.
const CHANGE: (f64, f64) = (0.2, 5.0);
/// Factor on a step that could not be computed.
const FAILED: f64 = 0.25;
/// Factor on the length of the last arc: a new arc is first tried in one step of that length.
const BEYOND: f64 = 1.1;

/// Relative and absolute tolerance of one step, per component: `|error| ≤ absolute + relative·|value|`.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Tolerance {
    /// Relative part (> 0 or the absolute one is).
    pub relative: f64,
    /// Absolute part, in the unit of the component.
    pub absolute: f64,
}

impl Tolerance {
    /// The error allowed in a component of size `value`.
    #[inline(always)]
    pub fn allows(&self, value: f64) -> f64 {
        self.absolute + self.relative * value.abs()
    }

    /// The largest `error/(allowed + rounding)` over components `[error, size, rounding]`; infinite where one is NaN.
    #[inline]
    pub fn ratio(&self, components: impl IntoIterator<Item = [f64; 3]>) -> f64 {
        components.into_iter().fold(0.0, |largest: f64, [error, size, rounding]| {
            let part = error.abs() / (self.allows(size) + rounding);
            if part.is_nan() { f64::INFINITY } else { largest.max(part) }
        })
    }
}

/// A tolerance that needs steps below rounding.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error(
    "to keep places to {tolerance:e} m at t = {time:?} s, where they are known to {rounding:e} m, steps below {step:e} s would be needed: \
     forces or ground change there within less than that; take a larger tolerance or a fixed step, or look at what they are there"
)]
pub struct StepTooSmall {
    /// Start of the step, s.
    pub time: f64,
    /// The shortest step that motion and clock resolve, s.
    pub step: f64,
    /// Tolerance of a place there, m.
    pub tolerance: f64,
    /// Rounding of a place there, m.
    pub rounding: f64,
}

/// Reason why a scheme of the caller can't make a step, and a number with it. With a tolerance the step is tried again
/// shorter; otherwise the run stops with this reason.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("{reason}: {value:?}")]
pub struct SchemeError {
    /// Reason, and what the number is, with its unit: `"Newton's last change, in m"`.
    pub reason: &'static str,
    /// Number beside it.
    pub value: f64,
}

/// Factor from a step to the next one; `error` is over what is allowed and goes with the power `order` of the length
/// (Hairer, Nørsett, Wanner, *Solving ODEs I*, 2nd ed., §II.4, eq. (4.13)).
pub fn longer(error: f64, order: f64) -> f64 {
    let factor = 0.9 * elementary::powf(error, -1.0 / order);
    if factor.is_nan() { CHANGE.0 } else { factor.clamp(CHANGE.0, CHANGE.1) }
}

/// A step that was tried.
#[derive(Clone, Copy, Debug)]
pub struct Tried<T> {
    /// Error over what is allowed; 0 for a fixed step.
    pub error: f64,
    /// Ratio of the next step to this one.
    pub longer: f64,
    /// Result of the attempt.
    pub value: T,
}

/// Reason why no step was made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stuck<E> {
    /// The step could not be computed.
    Failed(E),
    /// The shortest step that motion and clock resolve is too inaccurate.
    Short {
        /// Error over what is allowed; infinity or NaN: not finite.
        error: f64,
        /// Length of that step, s.
        step: f64,
    },
}

/// Step length over a run: fixed, or as long as a tolerance allows.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub struct Pace {
    control: Control,
    /// Length to be tried next, s.
    proposal: f64,
    /// Best length at the start of the last arc, s; the next arc will be similar.
    first: f64,
    /// Whether the next step begins an arc.
    fresh: bool,
    /// Time at which this arc began, s.
    begin: f64,
    rejected: u64,
}

impl Pace {
    /// Begins with a step of `first` s; later ones follow from the errors.
    pub fn new(control: Control, first: f64) -> Self {
        Pace { control, proposal: first, first, fresh: true, begin: f64::NEG_INFINITY, rejected: 0 }
    }

    /// Tolerance of a step; `None`: steps are fixed.
    pub fn tolerance(&self) -> Option<Tolerance> {
        self.control.tolerance()
    }

    /// Replaces the tolerance.
    pub fn hold_to(&mut self, tolerance: Tolerance) {
        self.control = Control::Tolerance(tolerance);
    }

    /// Length of the next step with `left` s to the end. A last step that would leave a rounding error is made a little
    /// longer instead.
    pub fn next(&self, left: f64) -> f64 {
        let h = match self.control {
            Control::Step { step, .. } => step,
            // An infinite step would not become shorter by any factor.
            Control::Tolerance(_) => self.proposal.min(f64::MAX),
        };
        if left < h * (1.0 + 1e-9) { left } else { h }
    }

    /// Sets the length tried next, s.
    pub fn propose(&mut self, h: f64) {
        (self.proposal, self.fresh) = (h, false);
    }

    /// Steps tried and found too inaccurate.
    pub fn rejected(&self) -> u64 {
        self.rejected
    }

    /// Notes an interruption of the motion: the next step begins an arc.
    pub fn restart(&mut self) {
        self.fresh = true;
    }

    /// Notes that a step begins at `time` (s); whether it begins an arc. Then the proposal is the first step of the
    /// last arc, and at most slightly longer than that arc: bounces get shorter, and a path that ends with the arc is
    /// searched fastest.
    pub fn begin(&mut self, time: f64) -> bool {
        let fresh = std::mem::take(&mut self.fresh);
        if fresh {
            let arc = BEYOND * (time - self.begin);
            self.proposal = if arc > 0.0 { self.first.min(arc) } else { self.first };
            self.begin = time;
        }
        fresh
    }

    /// Notes that a step of `h` s was good, and that `factor` times as long may be better.
    pub fn accept(&mut self, h: f64, factor: f64) {
        // A step cut short by the caller says little about longer ones.
        self.proposal = if h < self.proposal { self.proposal.max(h * factor) } else { h * factor };
    }

    /// Notes that a step of `h` s was not good enough; the next is `factor` times as long, and shorter in any case.
    pub fn reject(&mut self, h: f64, factor: f64) {
        self.rejected += 1;
        self.proposal = h * factor.min(0.9);
    }

    /// The first good step from `time` with `left` s to the end: its length, and its result. A bad one is tried again
    /// shorter, down to `least` s (evaluated only with a tolerance).
    #[inline]
    pub fn step<T, E>(
        &mut self,
        time: f64,
        left: f64,
        least: impl FnOnce() -> f64,
        mut attempt: impl FnMut(f64) -> Result<Tried<T>, E>,
    ) -> Result<(f64, T), Stuck<E>> {
        let fresh = self.begin(time);
        let fixed = self.tolerance().is_none();
        let least = if fixed { left } else { least() };
        let mut h = if fixed { self.next(left) } else { self.next(left).max(least).min(left) };
        loop {
            let tried = attempt(h);
            let factor = match tried {
                Ok(Tried { error, longer, value }) if error <= 1.0 => {
                    self.accept(h, longer);
                    if fresh {
                        self.first = self.proposal;
                    }
                    return Ok((h, value));
                }
                Ok(Tried { longer, .. }) => longer,
                Err(_) => FAILED,
            };
            self.reject(h, factor);
            if fixed || h <= least {
                return Err(match tried {
                    Ok(Tried { error, .. }) => Stuck::Short { error, step: h },
                    Err(error) => Stuck::Failed(error),
                });
            }
            h = self.proposal.max(least);
        }
    }
}
