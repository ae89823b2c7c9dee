//! The scheme RATTLE: velocity Verlet with constraints on positions and velocities.

use newmark::SchemeError;
use rolling::{DaeScheme, DaeState, DaeSystem};

use super::{Middles, ROUNDS, iterate, stuck};

/// RATTLE with constraint forces λ⁻ at the start, by g(q₁) = 0, and λ⁺ at the end of a step, by n₁·v₁ = 0:
///
/// ```text
/// q₁ = q₀ + h v₀ + h²/2 (F₀ + w₀λ⁻)/M                          g(q₁) = 0
/// v₁ = v₀ + h/2 (F₀ + w₀λ⁻ + F₁ + w₁λ⁺)/M                      n₁·v₁ = 0
/// ```
///
/// H. C. Andersen, J. Comput. Phys. 52 (1983) 24; B. Leimkuhler, R. D. Skeel, J. Comput. Phys. 112 (1994) 117. The
/// errors of λ⁻ and λ⁺ are of first order in h, with opposite signs; so λ at the end is extrapolated from their means
/// of the last two steps, which neither paper has.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rattle(Middles);

impl DaeScheme for Rattle {
    fn order(&self) -> u32 {
        2
    }

    fn restart(&mut self) {
        self.0 = Middles::default();
    }

    fn step(&mut self, dae: &DaeSystem, start: &DaeState, h: f64) -> Result<DaeState, SchemeError> {
        let (mass, time) = (dae.mass(), start.time + h);
        let here = dae.at(start.time, start.q, start.v)?;
        // λ⁻, and q₁ on the ground.
        let (mut first_multiplier, mut last_change) = (start.multiplier, f64::INFINITY);
        let mut q = start.q;
        for round in 0.. {
            let a = dae.acceleration(&here, first_multiplier);
            let moved = start.q + h * start.v + 0.5 * h * h * a;
            let change = (moved - q).xy().norm();
            q = moved;
            if dae.settles(change, &mut last_change) {
                break;
            } else if round == ROUNDS {
                return Err(stuck(last_change));
            }
            let there = dae.at(time, q, start.v + h * a)?;
            first_multiplier -= there.gap * mass / (0.5 * h * h) / there.normal.dot(&here.push);
        }
        // λ⁺, and v₁ along the ground.
        let half_step_v = start.v + 0.5 * h * dae.acceleration(&here, first_multiplier);
        let (mut v, mut second_multiplier) = (half_step_v, 0.0);
        iterate(dae, || {
            let there = dae.at(time, q, v)?;
            let unconstrained_v = half_step_v + 0.5 * h * dae.acceleration(&there, 0.0);
            second_multiplier = -unconstrained_v.dot(&there.normal) * mass / (0.5 * h);
            let next_v = half_step_v + 0.5 * h * dae.acceleration(&there, second_multiplier);
            let change = h.abs() * dae.size(&(next_v - v));
            v = next_v;
            Ok(change)
        })?;
        let multiplier = self.0.end(start.multiplier, h, 0.5 * (first_multiplier + second_multiplier));
        Ok(DaeState { time, q, v, multiplier })
    }
}
