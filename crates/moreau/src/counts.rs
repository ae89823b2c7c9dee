//! Work of steps of many balls, and their side effects.

use crate::energy::Added;

/// Work of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BallStep {
    /// Contacts predicted to be closed.
    pub contacts: usize,
    /// Sweeps over those that share balls and linear solves for them; 0 where all have their closed form.
    pub sweeps: usize,
    /// Linearisations of the projection.
    pub projections: usize,
    /// The largest [residual](lcp::friction) of contacts that share balls, m/s; 0 where all have their closed form.
    pub residual: f64,
    /// Whether that is above the tolerance: the best that was found is taken.
    pub missed: bool,
}

/// How well contacts that share balls were solved, since the start: [residuals](lcp::friction) of steps, m/s.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Residuals {
    /// Steps with such contacts.
    pub steps: u64,
    /// Steps among these with a residual above the tolerance.
    pub missed: u64,
    /// The largest.
    pub worst: f64,
    /// Start of the step with that, s.
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
    /// Mean of all steps with such contacts; 0 without one.
    pub fn mean(&self) -> f64 {
        self.sum / self.steps.max(1) as f64
    }
}

/// Gains of energy that the laws of contact do not mean, since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Anomalies {
    /// Steps in which restitution added energy: Newton's with friction may do that (Kane's paradox), where contacts of
    /// different e and μ share a ball.
    pub gains: u64,
    /// Energy that restitution added, J.
    pub gained: f64,
    /// Steps in which contacts added energy because their normals turn within it: over a crest, or one ball over another.
    pub turns: u64,
    /// Energy that turning normals added, J; in proportion to h.
    pub turned: f64,
    /// Steps in which contacts added energy because they were opening when it began and its forces pressed on them.
    pub openings: u64,
    /// Energy that stopped openings added, J; each no more than m(hg)²/8.
    pub opened: f64,
    /// Steps that missed the solver's tolerance and in which contacts added energy.
    pub misses: u64,
    /// Energy that they added, J, but for what turning normals and stopped openings explain.
    pub by_misses: f64,
    /// Steps in which no impulses with restitution were found that meet the tolerance (wedged contacts may have none), and that were solved
    /// without (e = e_t = 0).
    pub without_restitution: u64,
    /// Steps in which restitution would have added energy and [`ImpactLaw::EnergyBound`](crate::ImpactLaw) let it act in part only.
    pub bounded: u64,
    /// The largest part of it that was withheld, 0 … 1.
    pub withheld: f64,
}

impl Anomalies {
    /// Counts what the contacts of a step added, all islands together. Restitution can't be told from what the solver missed.
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

/// Sums over all steps so far, but for the motion.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Audit {
    /// How well contacts that share balls were solved.
    pub residuals: Residuals,
    /// Energy that contacts added, and restitution left out.
    pub anomalies: Anomalies,
    /// Displacements by the projection.
    pub projected: Projected,
    /// Steps to which contacts were added, without projection, that the prediction had left open and that would have ended too deep.
    pub late: u64,
    /// How often a contact of infinite friction slid all the same, where sticking has no solution: see
    /// [`Heap`](lcp::friction::Heap).
    pub slipped: u64,
}

/// Work done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Evaluations {
    /// Evaluations of forces, without their derivatives and what the energy ledger asks for; a constant force takes none.
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
    /// Potential energy it added, J.
    pub energy: f64,
    /// Steps that it left with a gap below minus the tolerance.
    pub unclosed: u64,
    /// The deepest penetration it left in such a step, m.
    pub left: f64,
}
