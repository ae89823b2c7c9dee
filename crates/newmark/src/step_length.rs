//! How long is the next step, for all methods: fixed, or as long as a tolerance allows?

use numbers::elementary;

use crate::Control;

/// Least and largest ratio of a step to the one before.
const CHANGE: (f64, f64) = (0.2, 5.0);
/// Factor on the length of a step that could not be computed, for the next try.
const FAILED: f64 = 0.25;
/// Largest first step of an arc, in parts of the length of the arc before.
const BEYOND: f64 = 1.1;

/// Relative and absolute tolerance of one step, per component: `|error| ≤ absolute + relative·|value|`.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Tolerance {
    /// Relative part; it or the absolute part is positive.
    pub relative: f64,
    /// Absolute part, in the unit of the component.
    pub absolute: f64,
}

impl Tolerance {
    /// Error allowed in a component of size `value`.
    #[inline(always)]
    pub fn allows(&self, value: f64) -> f64 {
        self.absolute + self.relative * value.abs()
    }

    /// Largest `error/(allowed + rounding)` over components `[error, size, rounding]`; infinite where one is NaN.
    #[inline]
    pub fn ratio(&self, components: impl IntoIterator<Item = [f64; 3]>) -> f64 {
        components.into_iter().fold(0.0, |largest: f64, [error, size, rounding]| {
            let part = error.abs() / (self.allows(size) + rounding);
            if part.is_nan() { f64::INFINITY } else { largest.max(part) }
        })
    }
}

/// Error for a tolerance that needs steps below rounding.
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

/// Reason why a scheme of the caller can't make a step, and a number that tells more. With a tolerance a shorter step
/// is tried; otherwise, or if that does not help, the run stops with this reason.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("{reason}: {value:?}")]
pub struct SchemeError {
    /// Reason, and what the number is, with its unit: `"Newton's last change, in m"`.
    pub reason: &'static str,
    /// Number beside it.
    pub value: f64,
}

/// Factor from a step to the next one, 1/5 to 5. `error` is that of the step over what is allowed, and goes with the
/// power `order` of its length (Hairer, Nørsett, Wanner, *Solving ODEs I*, 2nd ed., §II.4, eq. (4.13)).
pub fn longer(error: f64, order: f64) -> f64 {
    let factor = 0.9 * elementary::powf(error, -1.0 / order);
    if factor.is_nan() { CHANGE.0 } else { factor.clamp(CHANGE.0, CHANGE.1) }
}

/// Longest step (s) at which none of the last terms of a series exceeds what is allowed: `min (allowed/|cₖ|)^(1/k)` over
/// `rows` of what is allowed and the coefficients cₖ of these `powers` k (Jorba & Zou 2005, §3). 0: there is none.
#[inline]
pub fn longest<const N: usize>(powers: [usize; N], rows: impl IntoIterator<Item = (f64, [f64; N])>) -> f64 {
    let mut ratios = [f64::INFINITY; N];
    for (allowed, coefficients) in rows {
        for (ratio, coefficient) in ratios.iter_mut().zip(coefficients) {
            let part = allowed / coefficient.abs();
            *ratio = if part.is_nan() { 0.0 } else { ratio.min(part) };
        }
    }
    let steps = powers.into_iter().zip(ratios).map(|(k, ratio)| elementary::powf(ratio, 1.0 / k as f64));
    steps.fold(f64::INFINITY, f64::min)
}

/// Length of a step of `h` s with `left` s to the end: a rest of less than 1e-9 of it is taken as well.
#[inline(always)]
pub fn with_rest(h: f64, left: f64) -> f64 {
    if left < h * (1.0 + 1e-9) { left } else { h }
}

/// Outcome of a step that was tried.
#[derive(Clone, Copy, Debug)]
pub struct Tried<T> {
    /// Error over what is allowed; 0 for a fixed step.
    pub error: f64,
    /// Ratio of the next step, or try, to this one.
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
        /// Error over what is allowed; infinite or NaN if the result was.
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
    /// Length (s) that the first step of the last arc proposed for the next one; it suits the start of similar arcs.
    first: f64,
    /// Whether the next step begins an arc: the motion between two interruptions, such as impacts.
    fresh: bool,
    /// Time at which this arc began, s.
    begin: f64,
    rejected: u64,
}

impl Pace {
    /// Creates the control. By a tolerance the first step is `first` s long, and later ones follow from the errors.
    pub fn new(control: Control, first: f64) -> Self {
        Pace { control, proposal: first, first, fresh: true, begin: f64::NEG_INFINITY, rejected: 0 }
    }

    /// Tolerance of a step; `None`: steps are fixed.
    pub fn tolerance(&self) -> Option<Tolerance> {
        self.control.tolerance()
    }

    /// Sets another tolerance, in place of one or of fixed steps.
    pub fn hold_to(&mut self, tolerance: Tolerance) {
        self.control = Control::Tolerance(tolerance);
    }

    /// Length of the next step with `left` s to the end, [rest](with_rest) included.
    pub fn next(&self, left: f64) -> f64 {
        let h = match self.control {
            Control::Step { step, .. } => step,
            // No factor would make an infinite step shorter.
            Control::Tolerance(_) => self.proposal.min(f64::MAX),
        };
        with_rest(h, left)
    }

    /// Sets the length (s) that the next step tries first, whether or not it begins an arc.
    pub fn propose(&mut self, h: f64) {
        (self.proposal, self.fresh) = (h, false);
    }

    /// Number of tries that were too inaccurate, or failed.
    pub fn rejected(&self) -> u64 {
        self.rejected
    }

    /// Notes an interruption of the motion: the next step begins an arc.
    pub fn restart(&mut self) {
        self.fresh = true;
    }

    /// Notes that a step begins at `time` (s), and returns whether it begins an arc. Then the length proposed is that
    /// of the start of the last arc, but at most 1.1 times the whole of that: bounces get shorter, and a contact is
    /// searched for fastest on a path that ends soon after it.
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
        // A step shorter than proposed, as one to the end of the run, says little about longer ones.
        self.proposal = if h < self.proposal { self.proposal.max(h * factor) } else { h * factor };
    }

    /// Notes that a step of `h` s was not good enough; the next is `factor` times as long, and shorter in any case.
    pub fn reject(&mut self, h: f64, factor: f64) {
        self.rejected += 1;
        self.proposal = h * factor.min(0.9);
    }

    /// Makes the first good step from `time` with `left` s to the end: its length, and its result. `attempt` tries a
    /// length (s); with a tolerance a bad try is repeated shorter, down to `least` s, which is only then evaluated.
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
