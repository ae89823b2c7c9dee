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

/// Least tolerances at which series of order 8, and of order 12, take the fewest operations per second of motion.
const SERIES: [f64; 2] = [1e-5, 1e-8];

impl Control {
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
