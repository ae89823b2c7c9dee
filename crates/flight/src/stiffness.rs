//! When is a force too stiff for an explicit method? When stability, not accuracy, has chosen many steps in a row.

use crate::FlightError;

/// Number of steps in a row chosen by stability at which a run ends and reports the force as stiff.
const STIFF: u32 = 10_000;

/// Counts the steps in a row of an explicit method that stability chose.
#[derive(Clone, Copy, Debug, Default, serde::Serialize, serde::Deserialize)]
pub(crate) struct StiffSteps(u32);

impl StiffSteps {
    /// Notes `count` steps of `step` s. They count as chosen by stability if `step` times `rate`, at which velocities
    /// decay (1/s), is beyond `stable`; else the count begins anew.
    pub fn note(&mut self, count: u32, time: f64, step: f64, rate: f64, stable: f64) -> Result<(), FlightError> {
        self.0 = if step * rate > stable { self.0 + count } else { 0 };
        if self.0 < STIFF { Ok(()) } else { Err(FlightError::Stiff { time, step, rate, steps: STIFF }) }
    }
}
