//! The generalized-α method for index 3.

use nalgebra::Vector3;
use newmark::SchemeError;
use rolling::{DaeScheme, DaeState, DaeSystem};

use super::{begin, iterate};

/// Generalized-α with auxiliary accelerations a; A are those by the equations of motion:
///
/// ```text
/// q₁ = q₀ + h v₀ + h²((½−β) a₀ + β a₁)                        g(q₁) = 0
/// v₁ = v₀ + h((1−γ) a₀ + γ a₁)
/// (1−α_m) a₁ + α_m a₀ = (1−α_f) A₁ + α_f A₀,   M A = F + w λ
/// ```
///
/// M. Arnold, O. Brüls, Multibody Syst. Dyn. 18 (2007) 185. a approximates q̈ at `t + Δh`, Δ = α_m − α_f, and starts
/// from that value, by the jerk over the first step. n·v has the error `h²(1/6 − β − Δ/2) n·q⃛` of index 3, and starts
/// from it as well: otherwise λ has order 1 at first (M. Arnold, O. Brüls, A. Cardona, Numer. Math. 129 (2015) 149). A
/// change of the step size restarts the method; the papers have constant steps.
#[derive(Clone, Copy, Debug)]
pub struct GeneralizedAlpha {
    alpha_m: f64,
    alpha_f: f64,
    /// Length of the last step (s), and the auxiliary a at its end.
    carried: Option<(f64, Vector3<f64>)>,
}

impl GeneralizedAlpha {
    /// The method by the spectral radius `rho` at infinite frequency, 0 … 1: α_m = (2ρ − 1)/(ρ + 1), α_f = ρ/(ρ + 1).
    pub fn new(rho: f64) -> Self {
        GeneralizedAlpha { alpha_m: (2.0 * rho - 1.0) / (rho + 1.0), alpha_f: rho / (rho + 1.0), carried: None }
    }

    /// Hilber, Hughes and Taylor's method for index 3, α_m = 0 and α_f = `alpha` in 0 … 1/3 (D. Negrut, R. Rampalli, G.
    /// Ottarsson, A. Sajdak, J. Comput. Nonlinear Dyn. 2 (2007) 73, as −α). 0 is Newmark's trapezoidal rule.
    pub fn hht(alpha: f64) -> Self {
        GeneralizedAlpha { alpha_m: 0.0, alpha_f: alpha, carried: None }
    }
}

impl DaeScheme for GeneralizedAlpha {
    fn order(&self) -> u32 {
        2
    }

    fn restart(&mut self) {
        self.carried = None;
    }

    fn step(&mut self, dae: &DaeSystem, start: &DaeState, h: f64) -> Result<DaeState, SchemeError> {
        let (mass, time, ahead) = (dae.mass(), start.time + h, self.alpha_m - self.alpha_f);
        let gamma = 0.5 - ahead;
        let beta = 0.25 * (gamma + 0.5) * (gamma + 0.5);
        let here = dae.at(start.time, start.q, start.v)?;
        let true_a0 = dae.acceleration(&here, start.multiplier);
        // The first step, or one of another size, starts from n·v and a with the errors of the method (see above).
        let known = self.carried.filter(|(last, _)| (h - last).abs() <= 1e-6 * h.abs());
        let (v0, a0) = if let Some((_, a0)) = known {
            (start.v, a0)
        } else {
            let [_, jerk] = begin(dae, start, h)?;
            let across = h * h * (1.0 / 6.0 - beta - 0.5 * ahead) * jerk - start.v;
            (start.v + across.dot(&here.normal) * here.normal, true_a0 + ahead * h * jerk)
        };
        // a₁ = rest + share A₁
        let share = (1.0 - self.alpha_f) / (1.0 - self.alpha_m);
        let rest = (self.alpha_f * true_a0 - self.alpha_m * a0) / (1.0 - self.alpha_m);
        let q = start.q + h * v0 + h * h * ((0.5 - beta) * a0 + beta * rest);
        let v = v0 + h * ((1.0 - gamma) * a0 + gamma * rest);
        let by_a = beta * h * h * share;
        let (mut a, mut multiplier) = (true_a0, start.multiplier);
        iterate(dae, || {
            let there = dae.at(time, q + by_a * a, v + gamma * h * share * a)?;
            multiplier -= there.gap * mass / by_a;
            let before = std::mem::replace(&mut a, dae.acceleration(&there, multiplier));
            Ok(by_a * dae.size(&(a - before)))
        })?;
        self.carried = Some((h, rest + share * a));
        Ok(DaeState { time, q: q + by_a * a, v: v + gamma * h * share * a, multiplier })
    }
}
