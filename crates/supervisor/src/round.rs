//! Whether parts of the ground that move toss the ball to and fro without end.

use mechanics::State;
use numbers::Rounding;

/// Hops so many roundings high have come to their end.
pub(crate) const LOW: f64 = 256.0;

/// Impacts that pass from part to part while both touch the ball. If they bring back the same state in no time they would do so without
/// end: the parts press the ball together, and no motion is left. Found by Brent's algorithm (BIT 20 (1980) 176): one state is kept,
/// and a later one in its stead after 1, 2, 4, … impacts.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct Round {
    /// The part that is met, and the ball as it meets it.
    number: usize,
    arrival: State,
    left: u32,
    length: u32,
}

impl Round {
    /// Whether the ball of this radius (m) meets a part as it did in the state that is kept: to rounding, and to what its acceleration
    /// (m/s²) does in between, where hops so slow (m/s) have come to their end.
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
        let change = LOW * unit.velocity + acceleration * since;
        let recurs = number == round.number
            && rise > LOW * change
            && rise * since <= LOW * unit.length
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
