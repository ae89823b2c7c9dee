//! Weights β and γ of Newmark's scheme: their ranges, and how they enter it.

/// Newmark's scheme by β and γ, for accelerations a₀ and a₁ at the ends of a step of h s:
///
/// ```text
/// v₁ = v₀ + h((1−γ) a₀ + γ a₁)
/// x₁ = x₀ + h v₀ + h²/2 ((1−2β) a₀ + 2β a₁)
/// ```
///
/// N. M. Newmark, *A method of computation for structural dynamics*, J. Eng. Mech. Div. ASCE 85 (1959) 67, eqs. 1, 2.
/// Order 2 for γ = 1/2, else order 1; stable for every h on a linear system if `2β ≥ γ ≥ 1/2`.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Scheme {
    beta: f64,
    gamma: f64,
}

/// Error for a β or γ outside its range.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("{name} = {value} is not allowed: it must be between 0 and 1")]
pub struct WeightError {
    /// `beta` or `gamma`.
    pub name: &'static str,
    /// Value that was given.
    pub value: f64,
}

impl Default for Scheme {
    fn default() -> Self {
        Scheme::AVERAGE
    }
}

impl Scheme {
    /// β = 1/4, γ = 1/2: constant average acceleration, the trapezoidal rule. Time-symmetric.
    pub const AVERAGE: Scheme = Scheme { beta: 0.25, gamma: 0.5 };

    /// Makes a scheme of β and γ, each in 0 … 1. Below γ = 1/2 the scheme adds energy; below `2β = γ` it is stable
    /// only for small h.
    pub fn new(beta: f64, gamma: f64) -> Result<Self, WeightError> {
        for (name, value) in [("beta", beta), ("gamma", gamma)] {
            if !(0.0..=1.0).contains(&value) {
                return Err(WeightError { name, value });
            }
        }
        Ok(Scheme { beta, gamma })
    }
    /// Parameter β of the scheme.
    pub fn beta(&self) -> f64 {
        self.beta
    }
    /// Parameter γ of the scheme.
    pub fn gamma(&self) -> f64 {
        self.gamma
    }
}
