//! The choice between fixed steps and a tolerance, and the order of series that follows.

use crate::Tolerance;

/// Choice of the length of steps.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum Control {
    /// Steps of one length.
    Step {
        /// h in s (> 0).
        step: f64,
        /// One extrapolation per step, from h and 2 × h/2: order 4 for symmetric schemes.
        extrapolate: bool,
    },
    /// Steps as long as a tolerance allows, by extrapolation of a symmetric scheme up to order 8. The absolute parts
    /// are in m and m/s.
    Tolerance(Tolerance),
}

/// Least tolerances at which series to the power 8, and to 12, take the fewest operations per second of motion.
const SERIES: [f64; 2] = [1e-5, 1e-8];

impl Control {
    /// Tolerance that each step is held to; `None`: steps are fixed.
    pub fn tolerance(&self) -> Option<Tolerance> {
        match self {
            Control::Tolerance(tolerance) => Some(*tolerance),
            Control::Step { .. } => None,
        }
    }

    /// Power of the step that Taylor series go to: 8 with fixed steps, 8, 12 or 16 with a tolerance.
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

    /// The control with fixed steps extrapolated.
    pub fn extrapolated(self) -> Self {
        match self {
            Control::Step { step, .. } => Control::Step { step, extrapolate: true },
            tolerance => tolerance,
        }
    }
}
