//! Parameters of the scheme.

use mechanics::{ParameterError, Range};

use crate::theta::Stride;

/// Solver of contacts that share balls. Where it finds no solution the other one is tried, pivoting on up to 32 of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ContactSolver {
    /// Sweeps over the contacts; where these don't get there, regimes by Newton's method and along paths
    /// ([`Heap`](lcp::friction::Heap)).
    #[default]
    GaussSeidel,
    /// All of them as one LCP, by pivoting: the cube of their number, and finite friction only.
    Lemke,
}

/// Law of restitution where contacts share balls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ImpactLaw {
    /// Newton's law in each contact, as Moreau has it: `0 ≤ ẏ₁ + eẏ₀ ⟂ P_n ≥ 0`. With friction in several contacts it may add energy,
    /// which is counted ([`Anomalies`](crate::Anomalies)).
    #[default]
    Moreau,
    /// Newton's law, but where the impulses of an island would add energy only the part of restitution with which they add none: its
    /// impulses go from those without restitution as far towards those with it.
    EnergyBound,
}

/// Parameters of the projection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Projection {
    /// Gaps below minus this are put right, m (> 0).
    pub tolerance: f64,
    /// Linearisations of a step (≥ 1); what is then left open is counted ([`Projected::unclosed`](crate::Projected::unclosed)).
    pub iterations: usize,
}

impl Default for Projection {
    /// Projects to 1e-9 m in at most 50 linearisations.
    fn default() -> Self {
        Projection { tolerance: 1e-9, iterations: 50 }
    }
}

/// Parameters of the scheme.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BallSettings {
    /// h in s (> 0).
    pub step: f64,
    /// θ, 1/2 … 1. More than 1/2 damps the smooth motion. But an impact of speed w then adds `m g h w (1+e)(θ − 1/2)` (J, on level
    /// ground), which for e = 1 is what flight loses till the next one.
    pub theta: f64,
    /// Contacts are closed by `g(q₀ + p h v₀) ≤ 0`, p from 0 … 1. 1/2 is Moreau's; with 1 balls that meet stop short of each
    /// other (by up to h times their speed) and hardly sink in.
    pub prediction: f64,
    /// Law of restitution.
    pub impact_law: ImpactLaw,
    /// Solver of contacts that share balls.
    pub solver: ContactSolver,
    /// [Residual](lcp::friction) of these contacts that is allowed, m/s (> 0). A step that misses it takes the best found and is counted
    /// ([`Residuals`](crate::Residuals)).
    pub tolerance: f64,
    /// Sweeps over them and linear solves after which a solver begins no other round; then a step takes the best found (≥ 1).
    pub sweeps: usize,
    /// Whether a step that misses the tolerance fails instead.
    pub strict: bool,
    /// Whether positions are projected onto g ≥ 0, and how.
    pub projection: Option<Projection>,
}

impl BallSettings {
    /// θ = 1/2, prediction h/2, no projection, contacts to 1e-10 m/s in some 50 000 sweeps.
    pub fn new(step: f64) -> Self {
        BallSettings {
            step,
            theta: 0.5,
            prediction: 0.5,
            impact_law: ImpactLaw::Moreau,
            solver: ContactSolver::GaussSeidel,
            tolerance: 1e-10,
            sweeps: 50_000,
            strict: false,
            projection: None,
        }
    }
    /// Sets θ.
    pub fn with_theta(mut self, theta: f64) -> Self {
        self.theta = theta;
        self
    }
    /// Sets the projection.
    pub fn with_projection(mut self, projection: Projection) -> Self {
        self.projection = Some(projection);
        self
    }

    pub(crate) fn check(&self) -> Result<(), ParameterError> {
        Stride::check(self.step, self.theta)?;
        let positive = |name| Range::positive(name, "positive and finite");
        let at_least_one = |name| Range::new(name, 1.0, f64::MAX, "at least 1");
        Range::new("prediction", 0.0, 1.0, "between 0 and 1").check(self.prediction)?;
        positive("tolerance").check(self.tolerance)?;
        at_least_one("sweeps").check(self.sweeps as f64)?;
        if let Some(projection) = self.projection {
            positive("projection tolerance").check(projection.tolerance)?;
            at_least_one("projection iterations").check(projection.iterations as f64)?;
        }
        Ok(())
    }
}
