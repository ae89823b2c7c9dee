//! Settings of steps of balls: scheme, law of impact, solver, projection.

use mechanics::{ParameterError, Range};

use crate::theta::Stride;

/// Solver of contacts that share balls. Where it finds no solution the other one is tried, pivoting on up to 32
/// contacts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ContactSolver {
    /// Sweeps over the contacts; where these do not converge, Newton's method on regimes and central paths
    /// ([`Heap`](lcp::friction::Heap)).
    #[default]
    GaussSeidel,
    /// All contacts as one LCP, by pivoting: cubic in their number; infinite friction counts as 100.
    Lemke,
}

/// Law of restitution for contacts that share balls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ImpactLaw {
    /// Newton's law at each contact, after Moreau: `0 ≤ ẏ₁ + eẏ₀ ⟂ P_n ≥ 0`. With friction at several contacts it may
    /// add energy, which is counted ([`Anomalies`](crate::Anomalies)).
    #[default]
    Moreau,
    /// Newton's law; where the impulses of an island would add energy, only the part of restitution with which they add
    /// none: impulses are interpolated between those without and those with restitution.
    EnergyBound,
}

/// Parameters of the projection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Projection {
    /// Depth that is corrected, m (> 0).
    pub tolerance: f64,
    /// Largest number of linearisations in a step (≥ 1); gaps left open are counted
    /// ([`Projected::unclosed`](crate::Projected::unclosed)).
    pub iterations: usize,
}

impl Default for Projection {
    /// Projects to 1e-9 m in at most 50 linearisations.
    fn default() -> Self {
        Projection { tolerance: 1e-9, iterations: 50 }
    }
}

/// Settings of steps of balls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BallSettings {
    /// h in s (> 0).
    pub step: f64,
    /// θ, 1/2 … 1. More than 1/2 damps the smooth motion. But an impact of speed w then adds `m g h w (1+e)(θ − 1/2)`
    /// (J, on level ground), which for e = 1 is what flight loses until the next impact.
    pub theta: f64,
    /// Part p (0 … 1) of the prediction `g(q₀ + p h v₀) ≤ 0` that closes contacts. 1/2 is Moreau's; with 1 balls that
    /// meet stop short of each other (by up to h times their speed) and hardly penetrate.
    pub prediction: f64,
    /// Law of restitution.
    pub impact_law: ImpactLaw,
    /// Solver of contacts that share balls.
    pub solver: ContactSolver,
    /// Allowed [residual](lcp::friction) of these contacts, m/s (> 0). A step that misses it uses the best impulses
    /// found, and is counted ([`Residuals`](crate::Residuals)).
    pub tolerance: f64,
    /// Sweeps and linear systems after which the solver stops (≥ 1); the step then uses the best impulses found.
    pub sweeps: usize,
    /// Whether a step that misses the tolerance is an error.
    pub strict: bool,
    /// Whether positions are projected onto g ≥ 0, and how.
    pub projection: Option<Projection>,
}

impl BallSettings {
    /// θ = 1/2, prediction h/2, no projection, contacts to 1e-10 m/s in some 50 000 sweeps and linear systems.
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
