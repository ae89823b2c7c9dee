//! RATTLE.

use newmark::SchemeError;
use rolling::{DaeScheme, DaeState, DaeSystem};

use super::{Middles, ROUNDS, stuck};

/// ```text
/// q₁ = q₀ + h v₀ + h²/2 (F₀ + w₀λ⁻)/M                          g(q₁) = 0
/// v₁ = v₀ + h/2 (F₀ + w₀λ⁻ + F₁ + w₁λ⁺)/M                      n₁·v₁ = 0
/// ```
///
/// H. C. Andersen, J. Comput. Phys. 52 (1983) 24; B. Leimkuhler, R. D. Skeel, J. Comput. Phys. 112 (1994) 117. λ⁻ and λ⁺ err to first order
/// in h, with opposite signs; λ at the end is on the line through the last two means of both, which neither paper has.
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
        let (mut before, mut last) = (start.multiplier, f64::INFINITY);
        let mut q = start.q;
        for round in 0.. {
            let a = dae.acceleration(&here, before);
            let moved = start.q + h * start.v + 0.5 * h * h * a;
            let change = (moved - q).xy().norm();
            q = moved;
            if dae.settles(change, &mut last) {
                break;
            } else if round == ROUNDS {
                return Err(stuck(last));
            }
            let there = dae.at(time, q, start.v + h * a)?;
            before -= there.gap * mass / (0.5 * h * h) / there.normal.dot(&here.push);
        }
        let half = start.v + 0.5 * h * dae.acceleration(&here, before);
        let mut v = half;
        last = f64::INFINITY;
        for _ in 0..ROUNDS {
            let there = dae.at(time, q, v)?;
            let free = half + 0.5 * h * dae.acceleration(&there, 0.0);
            let after = -free.dot(&there.normal) * mass / (0.5 * h);
            let faster = half + 0.5 * h * dae.acceleration(&there, after);
            let change = h.abs() * dae.size(&(faster - v));
            v = faster;
            if dae.settles(change, &mut last) {
                return Ok(DaeState {
                    time,
                    q,
                    v,
                    multiplier: self.0.end(start.multiplier, h, 0.5 * (before + after)),
                });
            }
        }
        Err(stuck(last))
    }
}
