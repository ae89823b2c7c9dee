//! Are steps fixed or as long as a tolerance allows, and which order have Taylor series then?

use crate::Tolerance;

/// Choice of the length of steps.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum Control {
    /// Steps of one length.
    Step {
        /// Length h, s (> 0).
        step: f64,
        /// Whether each step is extrapolated once, from a whole step and two halves: order 4 for symmetric schemes.
        extrapolate: bool,
    },
    /// Steps as long as a tolerance allows; its absolute part holds for places in m and for velocities in m/s.
    Tolerance(Tolerance),
}

/// Steps and tolerances that no method can use.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum ControlError {
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
}

/// Least tolerances at which series of order 8, and of order 12, take the fewest operations per second of motion.
const SERIES: [f64; 2] = [1e-5, 1e-8];

impl Control {
    /// Least tolerance: smaller ones are below the rounding of a step's sums.
    pub const LEAST: f64 = 1e-15;

    /// Returns the control if its step is positive and finite, or its tolerances are at least `least` and below 1.
    pub fn check(self, least: f64) -> Result<Self, ControlError> {
        match self {
            Control::Step { step, .. } if !(step > 0.0 && step.is_finite()) => Err(ControlError::Step { value: step }),
            Control::Step { .. } => Ok(self),
            Control::Tolerance(Tolerance { relative, absolute }) => {
                let parts = [("relative", relative), ("absolute", absolute)];
                match parts.into_iter().find(|(_, value)| !(least..1.0).contains(value)) {
                    Some((part, value)) => Err(ControlError::Tolerance { part, value, least }),
                    None => Ok(self),
                }
            }
        }
    }

    /// Tolerance that each step is held to; `None`: steps are fixed.
    pub fn tolerance(&self) -> Option<Tolerance> {
        match self {
            Control::Tolerance(tolerance) => Some(*tolerance),
            Control::Step { .. } => None,
        }
    }

    /// Order of Taylor series, their highest power: 8 with fixed steps; 8, 12 or 16 with a tolerance.
    pub fn series_order(&self) -> u32 {
        match self {
            Control::Step { .. } => 8,
            Control::Tolerance(tolerance) => match tolerance.relative.min(tolerance.absolute) {
                least if least >= SERIES[0] => 8,
                least if least >= SERIES[1] => 12,
                _ => 16,
            },
        }
    }

    /// Returns the control with fixed steps extrapolated; a tolerance stays as it is.
    pub fn extrapolated(self) -> Self {
        match self {
            Control::Step { step, .. } => Control::Step { step, extrapolate: true },
            tolerance => tolerance,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Steps of 0 s were accepted by Newmark's methods: each kind of method had a check of its own, or none.
    #[test]
    fn refuses_steps_and_tolerances() {
        for step in [0.0, -1.0, f64::INFINITY, f64::NAN] {
            let refused = Control::Step { step, extrapolate: true }.check(Control::LEAST);
            assert!(matches!(refused, Err(ControlError::Step { .. })), "{step}");
        }
        for (relative, absolute) in [(0.0, 0.1), (0.1, 1.0), (f64::NAN, 0.1), (0.1, 1e-16)] {
            let refused = Control::Tolerance(Tolerance { relative, absolute }).check(Control::LEAST);
            assert!(matches!(refused, Err(ControlError::Tolerance { .. })), "{relative} {absolute}");
        }
    }
}
