//! Gonzalez's energy–momentum method.

use newmark::SchemeError;
use rolling::{DaeScheme, DaeState, DaeSystem};

use super::{Middles, begin, iterate};

/// Gonzalez's midpoint rule with a discrete gradient, which keeps the energy under gravity:
///
/// ```text
/// q₁ = q₀ + h v̄,   v̄ = (v₀ + v₁)/2,   M (v₁ − v₀) = h (F̄ + w̄ λ̄)        g(q₁) = 0
/// ```
///
/// with forces at the midpoint, and the discrete gradient `n̄ = n + (Δg − n·Δq) Δq/Δq²` instead of n in w, so that the
/// ground does no work, and gravity the work of its potential. O. Gonzalez, Comput. Methods Appl. Mech. Eng. 174 (1999)
/// 165, §4; J. C. Simo, N. Tarnow, ZAMP 43 (1992) 757. Non-constant forces are evaluated at the midpoint, without a
/// potential. Two additions are not in the papers. λ at the end is extrapolated linearly from the last two λ̄. At the
/// start v is turned, without changing its length, to n·v = `−h²/12 n·q⃛`: otherwise n·v oscillates undamped about that
/// value, and λ̄ has order 1.
#[derive(Clone, Copy, Debug, Default)]
pub struct EnergyMomentum(Middles);

impl DaeScheme for EnergyMomentum {
    fn order(&self) -> u32 {
        2
    }

    fn restart(&mut self) {
        self.0 = Middles::default();
    }

    fn step(&mut self, dae: &DaeSystem, start: &DaeState, h: f64) -> Result<DaeState, SchemeError> {
        let DaeState { q: q0, v: mut v0, .. } = *start;
        let time = start.time + h;
        let here = dae.at(start.time, q0, v0)?;
        let mut a = dae.acceleration(&here, start.multiplier);
        if self.0.last.is_none() {
            let turned = v0.xy() - h * h / 12.0 * begin(dae, start, h)?[1].dot(&here.normal) * here.normal.xy();
            let longer = v0.xy().norm() / turned.norm();
            v0 = if longer.is_finite() { (longer * turned).push(v0.z) } else { v0 };
        }
        let mut multiplier = start.multiplier;
        iterate(dae, || {
            let (way, v) = (h * v0 + 0.5 * h * h * a, v0 + h * a);
            let gap = dae.at(time, q0 + way, v)?.gap;
            let mut middle = dae.at(start.time + 0.5 * h, q0 + 0.5 * way, v0 + 0.5 * h * a)?;
            // n̄ instead of n, by the gap at the end of the step.
            let (along, far) = (way.xy().push(0.0), way.xy().norm_squared());
            if far > 0.0 {
                middle.push += (gap - middle.normal.dot(&along)) / far * along;
            }
            multiplier -= gap * dae.mass() / (0.5 * h * h);
            let before = std::mem::replace(&mut a, dae.acceleration(&middle, multiplier));
            Ok(0.5 * h * h * dae.size(&(a - before)))
        })?;
        let v = v0 + h * a;
        let multiplier = self.0.end(start.multiplier, h, multiplier);
        Ok(DaeState { time, q: q0 + 0.5 * h * (v0 + v), v, multiplier })
    }
}
