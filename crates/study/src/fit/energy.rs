//! Balance of energy of a ball on the ground, which tells units and which way is up: the speed that it gains it pays for in height.
//!
//! It does not fall as gravity says, since the ground bears it, but its energy does:
//!
//! ```text
//! (1 + k) v · a = −g ẏ − losses        k = I/(m R²); 0 where it slides or flies
//! ```
//!
//! g of the table over g of the scenario is the unit of lengths over that of times squared, whatever the ground's shape. It is negative
//! if y counts downwards. Losses and k leave a factor of two unknown; level ground tells nothing.

use identify::Trace;
use scenario::unknowns::Unknowns;
use supervisor::Phase;

use super::data::Data;
use super::units::{KNOWN, ROWS, bend};

/// Steps of a run that is made to see whether it rolls.
const LIMIT: u64 = 10_000;

/// Whether the ball of the scenario as written is on the ground for more than half of the film's times.
pub(super) fn is_on_ground(unknowns: &Unknowns, data: &Data) -> bool {
    let options = supervisor::Options { duration: data.end(), limit: Some(LIMIT), ..unknowns.written().options() };
    let Ok(model) = unknowns.model(&unknowns.start()) else { return false };
    let Ok(trace) = Trace::of(&model, options, 1e-6) else { return false };
    let (mut on_ground, mut from) = (0.0, 0.0);
    let mut until = |time: f64, phase: Phase| {
        on_ground += if phase == Phase::Flight { 0.0 } else { time - from };
        from = time;
    };
    trace.events().for_each(|event| until(event.before.time, event.phase_before));
    trace.last.into_iter().for_each(|phase| until(trace.end, phase));
    on_ground > 0.5 * data.end()
}

/// g by the balance of energy, and its standard error, in the unit of `places` (across and along gravity, upwards) over s². By the
/// shortest arcs of which it is known well; `None`: of none.
pub(super) fn gravity(places: &[(f64, [f64; 2])], k: f64) -> Option<(f64, f64)> {
    ROWS.into_iter().find_map(|rows| {
        // Arcs that overlap by two thirds hang together.
        let step = rows.div_ceil(3);
        let (mut products, mut squares, mut powers) = (0.0, 0.0, Vec::new());
        for arc in places.windows(rows).step_by(step) {
            let along = |axis: usize| arc.iter().map(|(t, place)| (*t, place[axis])).collect::<Vec<_>>();
            let [x, y] = [bend(&along(0))?, bend(&along(1))?];
            let power = (1.0 + k) * (x.velocity * x.acceleration + y.velocity * y.acceleration);
            products += power * y.velocity;
            squares += y.velocity * y.velocity;
            powers.push((power, y.velocity));
        }
        let found = -products / squares;
        let off: f64 = powers.iter().map(|(power, velocity)| (power + found * velocity).powi(2)).sum();
        let free = powers.len().checked_sub(1).filter(|free| *free > 0)? as f64;
        let error = (3.0 * off / free / squares).sqrt();
        (KNOWN * error < found.abs()).then_some((found, error))
    })
}
