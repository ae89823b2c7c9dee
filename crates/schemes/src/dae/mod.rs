//! Methods for the constrained equations, through [`DaeScheme`](rolling::DaeScheme).
//!
//! Each solves its equations by Newton's method for the multipliers, with forces and directions of the last iteration:
//! the error contracts by the factors h κ v (curvature κ, speed v) and h d/m (damping d, mass m).

mod energy_momentum;
mod generalized_alpha;
mod radau_iia;
mod rattle;

use nalgebra::Vector3;
use newmark::SchemeError;
use rolling::{DaeState, DaeSystem};

pub use energy_momentum::EnergyMomentum;
pub use generalized_alpha::GeneralizedAlpha;
pub use radau_iia::RadauIia;
pub use rattle::Rattle;

/// Largest number of rounds of an iteration.
const ROUNDS: usize = 60;

/// Repeats a round, which returns its change (m), until the change is rounding.
fn iterate(dae: &DaeSystem, mut round: impl FnMut() -> Result<f64, SchemeError>) -> Result<(), SchemeError> {
    let mut last = f64::INFINITY;
    for _ in 0..ROUNDS {
        if dae.settles(round()?, &mut last) {
            return Ok(());
        }
    }
    Err(stuck(last))
}

/// Error for an iteration that did not converge; `change` is its last change, m.
fn stuck(change: f64) -> SchemeError {
    SchemeError { reason: "the rounds for the multiplier do not settle; last change of place, in m", value: change }
}

/// Acceleration a at a start, and the mean jerk over a step of `h` s. Its second acceleration is that by the multiplier
/// of index 1 at the end of the parabola with a.
fn begin(dae: &DaeSystem, start: &DaeState, h: f64) -> Result<[Vector3<f64>; 2], SchemeError> {
    let a = dae.acceleration(&dae.at(start.time, start.q, start.v)?, start.multiplier);
    let v = start.v + h * a;
    let there = dae.at(start.time + h, start.q + 0.5 * h * (start.v + v), v)?;
    Ok([a, (dae.acceleration(&there, there.index1(dae.mass(), v)) - a) / h])
}

/// Linear extrapolation of multipliers, without loss of order, from the middles of two steps to the end of the second.
#[derive(Clone, Copy, Debug, Default)]
struct Middles {
    /// Length of the last step (s) and the multiplier in its middle (N).
    last: Option<(f64, f64)>,
}

impl Middles {
    /// The multiplier at the end of a step of `h` s with `middle` in its middle; the first step extrapolates from the
    /// multiplier `start` at its beginning.
    fn end(&mut self, start: f64, h: f64, middle: f64) -> f64 {
        let (before, multiplier) = self.last.unwrap_or((0.0, start));
        self.last = Some((h, middle));
        middle + (middle - multiplier) * h / (h + before)
    }
}
