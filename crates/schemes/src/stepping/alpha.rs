//! Parameters of generalized-α, and the updates of position and velocity common to both of its schemes.

use moreau::Motion;
use moreau::nalgebra::DVector;

/// Parameters of generalized-α, by the spectral radius ρ_∞ (Arnold & Brüls 2007).
#[derive(Clone, Copy, Debug)]
pub(super) struct Weights {
    /// α_m.
    mass: f64,
    /// α_f.
    force: f64,
    gamma: f64,
    beta: f64,
}

impl Weights {
    pub fn new(radius: f64) -> Self {
        let (mass, force) = ((2.0 * radius - 1.0) / (radius + 1.0), radius / (radius + 1.0));
        let gamma = 0.5 + force - mass;
        Weights { mass, force, gamma, beta: 0.25 * (0.5 + gamma) * (0.5 + gamma) }
    }

    /// Auxiliary mean at the end of a step: `x̄₁ = (α_f x₀ + (1−α_f)x₁ − α_m x̄₀)/(1−α_m)`
    pub fn mean(&self, x0: &DVector<f64>, x1: &DVector<f64>, bar0: &DVector<f64>) -> DVector<f64> {
        (self.force * x0 + (1.0 - self.force) * x1 - self.mass * bar0) / (1.0 - self.mass)
    }

    /// Contributions of accelerations ā₀ and ā₁ to position and velocity at the end of a step:
    /// `h²((½−β)ā₀ + βā₁)` and `h((1−γ)ā₀ + γā₁)`.
    pub fn contributions(&self, bar0: &DVector<f64>, bar1: &DVector<f64>, h: f64) -> [DVector<f64>; 2] {
        let Weights { gamma, beta, .. } = *self;
        [h * h * ((0.5 - beta) * bar0 + beta * bar1), h * ((1.0 - gamma) * bar0 + gamma * bar1)]
    }

    /// Position and velocity at the end of a step with accelerations ā₀ and ā₁.
    pub fn moved(&self, start: &Motion, bar0: &DVector<f64>, bar1: &DVector<f64>, h: f64) -> [DVector<f64>; 2] {
        let [displacement, velocity] = self.contributions(bar0, bar1, h);
        [&start.position + h * &start.velocity + displacement, &start.velocity + velocity]
    }

    /// Share in the step of a contact force (normal and tangential), from λ₀ and λ̄₀ at its start and λ₁ at its end.
    pub fn share_of(&self, [force0, bar0]: [[f64; 2]; 2], force1: [f64; 2], h: f64) -> ForceShare {
        let of = |x: [f64; 2]| DVector::from_column_slice(&x);
        let bar1 = self.mean(&of(force0), &of(force1), &of(bar0));
        let [position, velocity] = self.contributions(&of(bar0), &bar1, h);
        let [bar, position, velocity] = [bar1, position, velocity].map(|x| [x[0], x[1]]);
        ForceShare { bar, position, velocity }
    }
}

/// Share of a contact force in a step, normal and tangential.
pub(super) struct ForceShare {
    /// Auxiliary mean λ̄ at the end, N.
    pub bar: [f64; 2],
    /// Contribution to the position, N s².
    pub position: [f64; 2],
    /// Contribution to the velocity, N s.
    pub velocity: [f64; 2],
}
