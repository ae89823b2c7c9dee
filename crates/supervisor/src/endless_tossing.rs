//! Whether parts of the ground that move toss the ball to and fro without end.

use mechanics::{LEAST_HOP, State};
use numbers::Rounding;

/// Detects endless impacts of a ball squeezed between parts: one state returns while no time passes. Brent's algorithm
/// (BIT 20 (1980) 176) keeps one state, and replaces it after 1, 2, 4, … further impacts.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct Round {
    /// Part that is met, and state of the ball then.
    number: usize,
    arrival: State,
    /// Impacts until the state is replaced; `length`: for how many it is kept in all.
    left: u32,
    length: u32,
}

impl Round {
    /// Counts an impact on part `number`, and tells whether it repeats the kept one: the same part, velocity and rim
    /// speed, to 256 roundings ([`LEAST_HOP`]) and to what `acceleration` (m/s²) changes meanwhile. The impact must be
    /// real: its speed `rise` (m/s) exceeds 256 times that change. No time may pass: at this speed, the way since then
    /// is at most 256 roundings.
    pub fn recurs(
        kept: &mut Option<Round>,
        number: usize,
        arrival: &State,
        [radius, rise, acceleration]: [f64; 3],
        unit: Rounding,
    ) -> bool {
        let Some(round) = kept else {
            *kept = Some(Round { number, arrival: *arrival, left: 1, length: 1 });
            return false;
        };
        let (then, since) = (round.arrival, arrival.time - round.arrival.time);
        let change = LEAST_HOP * unit.velocity + acceleration * since;
        let recurs = number == round.number
            && rise > LEAST_HOP * change
            && rise * since <= LEAST_HOP * unit.length
            && (arrival.velocity - then.velocity).norm() <= change
            && radius * (arrival.spin - then.spin).abs() <= change;
        round.left -= 1;
        if round.left == 0 {
            let length = round.length.saturating_mul(2);
            *round = Round { number, arrival: *arrival, left: length, length };
        }
        recurs
    }
}
