//! Whether parts of the ground that move toss the ball to and fro without end.

use mechanics::{LEAST_HOP, State};
use numbers::Rounding;

/// Detection of endless impacts that pass between parts which both touch the ball: the same state returns in no time,
/// since the parts press the ball together and no motion is left. By Brent's algorithm (BIT 20 (1980) 176): one state
/// is kept, and replaced by the current one after 1, 2, 4, … impacts.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct Round {
    /// Part that is met, and state of the ball then.
    number: usize,
    arrival: State,
    left: u32,
    length: u32,
}

impl Round {
    /// Whether a ball of this radius (m) meets a part in the kept state: to rounding, and to the change by its
    /// acceleration (m/s²) in between, where hops of this speed (m/s) have ended.
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
