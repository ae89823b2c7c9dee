//! Steps of many balls: which work, residuals and side effects are counted?

use crate::energy::Added;

/// Work and quality of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BallStep {
    /// Closed contacts.
    pub contacts: usize,
    /// Sweeps and linear systems, or pivots, for contacts that share balls; 0 if all have a closed form.
    pub sweeps: usize,
    /// Linearisations of the projection.
    pub projections: usize,
    /// The largest [residual](lcp::friction) of contacts that share balls, m/s; 0 if all have a closed form.
    pub residual: f64,
    /// Whether that is above the tolerance: the best impulses found are used.
    pub missed: bool,
}

/// Accuracy of contacts that share balls since the start: [residuals](lcp::friction) of steps, m/s.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Residuals {
    /// Steps with such contacts.
    pub steps: u64,
    /// Steps whose residual is above the tolerance.
    pub missed: u64,
    /// The largest residual.
    pub worst: f64,
    /// Start of the step with the largest residual, s.
    pub time: f64,
    sum: f64,
}

impl Residuals {
    pub(crate) fn add(&mut self, time: f64, residual: f64, missed: bool) {
        self.steps += 1;
        self.missed += u64::from(missed);
        self.sum += residual;
        if residual > self.worst {
            (self.worst, self.time) = (residual, time);
        }
    }
    /// Mean residual of all steps with such contacts, m/s; 0 without one.
    pub fn mean(&self) -> f64 {
        self.sum / self.steps.max(1) as f64
    }
}

/// Gains of energy by contacts, against the intent of their laws, since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Anomalies {
    /// Steps in which restitution added energy: Newton's with friction may do that (Kane's paradox), where contacts of
    /// different e and μ share a ball.
    pub gains: u64,
    /// Energy that restitution added, J.
    pub gained: f64,
    /// Steps in which contacts added energy because their normals turn within the step: over a crest, or one ball over
    /// another.
    pub turns: u64,
    /// Energy that turning normals added, J; in proportion to h.
    pub turned: f64,
    /// Steps in which contacts added energy because they were opening at its start, and forces stopped them.
    pub openings: u64,
    /// Energy that stopped openings added, J; each no more than m(hg)²/8.
    pub opened: f64,
    /// Steps that missed the solver's tolerance and in which contacts added energy.
    pub misses: u64,
    /// Energy added in these steps, J, besides that of turning normals and stopped openings.
    pub by_misses: f64,
    /// Steps in which no impulses with restitution meet the tolerance (wedged contacts may have none), so that e = e_t
    /// = 0 was used.
    pub without_restitution: u64,
    /// Steps in which [`ImpactLaw::EnergyBound`](crate::ImpactLaw) reduced restitution that would have added energy.
    pub bounded: u64,
    /// The largest part of restitution withheld, 0 … 1.
    pub withheld: f64,
}

impl Anomalies {
    /// Counts the energy that contacts of a step added, over all islands. In a step that `missed` the tolerance that of
    /// restitution can't be told from errors of the solver.
    pub(crate) fn add(&mut self, added: &Added, missed: bool) {
        let count = |energy: f64, steps: &mut u64, sum: &mut f64| {
            *steps += u64::from(energy > 0.0);
            *sum += energy;
        };
        if missed {
            count(added.restitution, &mut self.misses, &mut self.by_misses);
        } else {
            count(added.restitution, &mut self.gains, &mut self.gained);
        }
        count(added.turning, &mut self.turns, &mut self.turned);
        count(added.opening, &mut self.openings, &mut self.opened);
    }
}

/// Sums over all steps so far, besides the motion itself.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Audit {
    /// Accuracy of contacts that share balls.
    pub residuals: Residuals,
    /// Energy added by contacts, and restitution left out.
    pub anomalies: Anomalies,
    /// Displacements by the projection.
    pub projected: Projected,
    /// Steps, without projection, to which contacts were added that the prediction had left open and that would have
    /// ended too deep.
    pub late: u64,
    /// Contacts of infinite friction that slid, where sticking has no solution: see [`Heap`](lcp::friction::Heap).
    pub slipped: u64,
}

/// Evaluations made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Evaluations {
    /// Evaluations of forces, without derivatives and those for the energy ledger; a constant force takes none.
    pub forces: u64,
    /// Evaluations of points and jets of the ground, without enclosures.
    pub ground: u64,
}

/// Displacements by the projection since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Projected {
    /// Steps in which it moved a ball.
    pub steps: u64,
    /// Linearisations.
    pub iterations: u64,
    /// Largest displacement of a ball in one step, m.
    pub largest: f64,
    /// Sum of all displacements, m.
    pub total: f64,
    /// Potential energy added, J.
    pub energy: f64,
    /// Steps left with a gap below minus the tolerance.
    pub unclosed: u64,
    /// The deepest penetration left in such a step, m.
    pub left: f64,
}
