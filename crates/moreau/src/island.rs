//! Contacts that share balls, directly or through others: islands, each a problem of its own.

use faer::MatRef;
use lcp::friction::{Bodies, Dense, Frictional, Heap, Lever, Settled};

use crate::bound::{self, Quadratic};
use crate::contact::BallContact;
use crate::particle::Particle;
use crate::settings::{BallSettings, ContactSolver, ImpactLaw};

/// Contacts that are handed to the other solver where the one chosen fails: the work of pivoting grows with their cube.
const PIVOTED: usize = 32;
/// Rounds of [`Heap`] for restitution that may have no solution.
const TRIED: usize = 6;

/// Balls and contacts that have to do with no others: a problem of its own in a step. Who solves it when does not matter to the answer.
#[derive(Debug, Default)]
pub struct Island {
    /// Contacts in the list of the step, in its order.
    pub(crate) contacts: Vec<usize>,
    inverse_masses: Vec<[[f64; 3]; 3]>,
    levers: Vec<[Option<Lever>; 2]>,
    friction: Vec<f64>,
    /// With restitution, and without.
    velocity: Vec<[f64; 2]>,
    free: Vec<[f64; 2]>,
    /// Where the solver starts, and what it found.
    start: Vec<[f64; 2]>,
    pub(crate) impulse: Vec<[f64; 2]>,
    pub(crate) found: Found,
    pub(crate) failure: Option<lcp::Failure>,
    solver: ContactSolver,
    heap: Heap,
    exact: Dense,
    matrix: Vec<f64>,
    spare: Vec<[f64; 2]>,
    law: ImpactLaw,
    tolerance: f64,
    change: Vec<[f64; 3]>,
}

/// What the impulses of contacts that share balls came to.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Found {
    /// Iterations made.
    pub iterations: usize,
    /// The largest residual of them, m/s.
    pub residual: f64,
    /// Whether that is above the tolerance.
    pub missed: bool,
    /// Contacts of infinite friction that slid.
    pub slipped: usize,
    /// Whether restitution was left out.
    pub left_out: bool,
    /// The part of restitution that the bound of the energy took, 0 … 1.
    pub withheld: f64,
}

impl Found {
    /// Of others as well.
    pub fn add(&mut self, other: Found) {
        self.iterations += other.iterations;
        self.residual = self.residual.max(other.residual);
        self.missed |= other.missed;
        self.slipped += other.slipped;
        self.left_out |= other.left_out;
        self.withheld = self.withheld.max(other.withheld);
    }
}

impl Island {
    /// Its contacts.
    pub fn len(&self) -> usize {
        self.contacts.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.contacts.is_empty()
    }

    /// The problem, and where its solver starts.
    pub fn problem(&self) -> (Bodies<'_>, &[[f64; 2]]) {
        let Island { inverse_masses, levers, velocity, friction, start, .. } = self;
        (Bodies { inverse_masses, levers, velocity, friction }, start)
    }

    pub(crate) fn clear(&mut self, settings: &BallSettings) {
        (self.solver, self.law, self.tolerance) = (settings.solver, settings.impact_law, settings.tolerance);
        (self.heap.tolerance, self.heap.limit) = (settings.tolerance, settings.sweeps);
        self.exact.tolerance = settings.tolerance;
        self.contacts.clear();
        self.inverse_masses.clear();
        self.levers.clear();
        self.friction.clear();
        self.velocity.clear();
        self.free.clear();
        self.start.clear();
        self.failure = None;
    }

    /// Another ball; its number here.
    pub(crate) fn add_ball(&mut self, particle: &Particle) -> usize {
        let m = &particle.mobility;
        // A ball that does not turn has no arm; then any number does.
        let turn = if particle.spin_mobility > 0.0 { particle.spin_mobility } else { 1.0 };
        self.inverse_masses.push([[m[(0, 0)], m[(0, 1)], 0.0], [m[(1, 0)], m[(1, 1)], 0.0], [0.0, 0.0, turn]]);
        self.inverse_masses.len() - 1
    }

    /// Another contact, of balls by their numbers here (and whether they turn), with its velocities with and without restitution.
    pub(crate) fn add_contact(
        &mut self,
        index: usize,
        contact: &BallContact,
        balls: [Option<(usize, bool)>; 2],
        friction: f64,
        [velocity, free]: [[f64; 2]; 2],
    ) {
        let lever = |(body, turns): (usize, bool), sign: f64| {
            let (n, t) = (contact.normal * sign, contact.tangent() * sign);
            Lever { body, rows: [[n.x, n.y, 0.0], [t.x, t.y, if turns { 1.0 } else { 0.0 }]] }
        };
        self.contacts.push(index);
        self.levers.push([balls[0].map(|ball| lever(ball, 1.0)), balls[1].map(|ball| lever(ball, -1.0))]);
        self.friction.push(friction);
        self.velocity.push(velocity);
        self.free.push(free);
        self.start.push([contact.normal_impulse, contact.tangential_impulse]);
    }

    /// Finds the impulses: by either solver; without restitution where neither finds a solution with it (a ball that is wedged in:
    /// Newton's law may ask of it to leave both sides at once, which friction does not let it). What misses the tolerance all
    /// the same is the best of these.
    pub fn solve(&mut self) {
        if let Err(failure) = self.try_all() {
            self.failure = Some(failure);
        }
    }

    fn try_all(&mut self) -> Result<(), lcp::Failure> {
        let restitutes = self.velocity != self.free;
        self.heap.rounds = if restitutes { TRIED } else { Heap::default().rounds };
        self.found = self.by_either()?;
        let adds = restitutes && self.law == ImpactLaw::EnergyBound && self.adds();
        if !(restitutes && (self.found.missed || adds)) {
            return Ok(());
        }
        let with = self.found;
        self.heap.rounds = Heap::default().rounds;
        self.spare.clone_from(&self.impulse);
        std::mem::swap(&mut self.velocity, &mut self.free);
        let without = self.by_either()?;
        let iterations = with.iterations + without.iterations;
        if with.missed && (!without.missed || without.residual < with.residual) {
            self.found = Found { iterations, left_out: true, ..without };
            return Ok(());
        }
        std::mem::swap(&mut self.velocity, &mut self.free);
        std::mem::swap(&mut self.impulse, &mut self.spare);
        self.found.iterations = iterations;
        if adds {
            self.found.withheld = 1.0 - self.bound();
            self.found.residual = with.residual.max(without.residual);
            self.found.missed |= without.missed;
        }
        Ok(())
    }

    /// Whether the impulses add energy, by more than what was left unsolved explains.
    fn adds(&mut self) -> bool {
        self.change.resize(self.inverse_masses.len(), [0.0; 3]);
        let Island { inverse_masses, levers, velocity, friction, change, .. } = self;
        let problem = Bodies { inverse_masses, levers, velocity, friction };
        problem.move_by(&self.impulse, change);
        let (mut work, mut size, mut fastest) = (0.0, 0.0, 0.0_f64);
        for (contact, (p, free)) in self.impulse.iter().zip(&self.free).enumerate() {
            let after = problem.velocity_after(contact, change);
            let mass = 1.0 / problem.block(contact)[0][0];
            for k in 0..2 {
                let moved = after[k] - velocity[contact][k];
                work += p[k] * (free[k] + 0.5 * moved);
                size += p[k].abs() + mass * (free[k] + moved).abs();
                fastest = fastest.max(free[k].abs());
            }
        }
        work > bound::unseen(self.tolerance, size, fastest)
    }

    /// `Hᵀ Δv` of a contact, with the last change of velocities.
    fn moved(&self, contact: usize) -> [f64; 2] {
        let Island { inverse_masses, levers, velocity, friction, .. } = self;
        let after = Bodies { inverse_masses, levers, velocity, friction }.velocity_after(contact, &self.change);
        [after[0] - velocity[contact][0], after[1] - velocity[contact][1]]
    }

    /// As much of the impulses with restitution, beyond those without (in `spare`), as adds no energy; the part.
    fn bound(&mut self) -> f64 {
        for (with, without) in self.impulse.iter_mut().zip(&self.spare) {
            (with[0], with[1]) = (with[0] - without[0], with[1] - without[1]);
        }
        let mut work = Quadratic::default();
        for more in [false, true] {
            let Island { inverse_masses, levers, velocity, friction, change, .. } = self;
            let impulse = if more { &self.impulse } else { &self.spare };
            Bodies { inverse_masses, levers, velocity, friction }.move_by(impulse, change);
            for contact in 0..self.free.len() {
                let (moved, free) = (self.moved(contact), self.free[contact]);
                let (plain, extra) = (self.spare[contact], self.impulse[contact]);
                for k in 0..2 {
                    if more {
                        work.square += 0.5 * extra[k] * moved[k];
                    } else {
                        work.constant += plain[k] * (free[k] + 0.5 * moved[k]);
                        work.linear += extra[k] * (free[k] + moved[k]);
                    }
                }
            }
        }
        let part = work.largest_part();
        for (extra, without) in self.impulse.iter_mut().zip(&self.spare) {
            (extra[0], extra[1]) = (without[0] + part * extra[0], without[1] + part * extra[1]);
        }
        part
    }

    /// By the solver chosen, or by the other one where that misses the tolerance.
    fn by_either(&mut self) -> Result<Found, lcp::Failure> {
        let first = self.by(self.solver)?;
        if let Some(found @ Found { missed: false, .. }) = first {
            return Ok(found);
        }
        let Some(other) = self.other() else {
            return first.ok_or(lcp::Failure::NoSolution { pivots: 0, artificial: 1.0, proven: false });
        };
        let best = std::mem::take(&mut self.impulse);
        match (first, self.by(other)?) {
            (Some(first), None) => {
                self.impulse = best;
                Ok(first)
            }
            (first, Some(second)) => {
                Ok(Found { iterations: second.iterations + first.map_or(0, |first| first.iterations), ..second })
            }
            (None, None) => Err(lcp::Failure::NoSolution { pivots: 0, artificial: 1.0, proven: false }),
        }
    }

    /// Impulses by a solver, from the start; `None`: it found nothing that is of use.
    fn by(&mut self, solver: ContactSolver) -> Result<Option<Found>, lcp::Failure> {
        self.impulse.clone_from(&self.start);
        let Island { inverse_masses, levers, velocity, friction, .. } = self;
        let problem = Bodies { inverse_masses, levers, velocity, friction };
        let found = match solver {
            ContactSolver::GaussSeidel => match self.heap.solve(problem, &mut self.impulse) {
                Ok(Settled { iterations, residual, slipped }) => {
                    Ok(Found { iterations, residual, slipped, ..Found::default() })
                }
                Err(lcp::Failure::NotReached { iterations, residual, .. }) if residual.is_finite() => {
                    Ok(Found { iterations, residual, missed: true, ..Found::default() })
                }
                Err(failure) => Err(failure),
            },
            ContactSolver::Lemke => {
                problem.delassus(&mut self.matrix);
                let size = 2 * levers.len();
                let matrix = MatRef::from_column_major_slice(&self.matrix, size, size);
                let solved = self.exact.solve(Frictional { matrix, velocity, friction }, &mut self.impulse);
                solved.map(|lcp::Solved { iterations, residual }| Found { iterations, residual, ..Found::default() })
            }
        };
        match found {
            Ok(found) => Ok(Some(found)),
            Err(lcp::Failure::NotReached { .. } | lcp::Failure::NoSolution { .. }) => Ok(None),
            Err(failure) => Err(failure),
        }
    }

    /// What else may solve these contacts; pivoting knows no infinite friction.
    fn other(&self) -> Option<ContactSolver> {
        let pivoted = self.contacts.len() <= PIVOTED && self.friction.iter().all(|mu| mu.is_finite());
        match self.solver {
            ContactSolver::Lemke => Some(ContactSolver::GaussSeidel),
            ContactSolver::GaussSeidel => pivoted.then_some(ContactSolver::Lemke),
        }
    }
}
