//! When a force is told to be too stiff for an explicit method.

use crate::FlightError;

/// Steps in a row that stability chose, from which on the force is told to be stiff.
const STIFF: u32 = 10_000;

/// Counts the steps in a row of an explicit method that stability chose.
#[derive(Clone, Copy, Debug, Default, serde::Serialize, serde::Deserialize)]
pub(crate) struct StiffSteps(u32);

impl StiffSteps {
    /// Notes `count` steps of `step` s, of which stability chose those longer than `stable` over the rate (1/s) at
    /// which velocities decay.
    pub fn note(&mut self, count: u32, time: f64, step: f64, rate: f64, stable: f64) -> Result<(), FlightError> {
        self.0 = if step * rate > stable { self.0 + count } else { 0 };
        if self.0 < STIFF { Ok(()) } else { Err(FlightError::Stiff { time, step, rate, steps: STIFF }) }
    }
}
