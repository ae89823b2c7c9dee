//! Contacts that share balls, as one problem.

use faer::MatRef;
use lcp::friction::{Bodies, Dense, Frictional, Heap, Lever, Settled};

use crate::contact::BallContact;
use crate::particle::Particle;
use crate::settings::ContactSolver;

/// Contacts that are handed to the other solver where the one chosen fails: the work of pivoting grows with their cube.
const PIVOTED: usize = 32;

/// Contacts that share balls.
#[derive(Debug, Default)]
pub(crate) struct Group {
    /// Indices into the list.
    pub members: Vec<usize>,
    pub velocity: Vec<[f64; 2]>,
    pub friction: Vec<f64>,
    pub impulse: Vec<[f64; 2]>,
    /// The one chosen.
    pub solver: ContactSolver,
    heap: Heap,
    inverse_masses: Vec<[[f64; 3]; 3]>,
    levers: Vec<[Option<Lever>; 2]>,
    exact: Dense,
    matrix: Vec<f64>,
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
}

impl Found {
    /// Of others as well.
    pub fn add(&mut self, other: Found) {
        self.iterations += other.iterations;
        self.residual = self.residual.max(other.residual);
        self.missed |= other.missed;
        self.slipped += other.slipped;
    }
}

impl Group {
    pub fn set_solver(&mut self, solver: ContactSolver, tolerance: f64, sweeps: usize) {
        self.solver = solver;
        (self.heap.tolerance, self.heap.limit) = (tolerance, sweeps);
        self.exact.tolerance = tolerance;
    }

    /// Impulses by a solver. Where the sweeps miss the tolerance, the best found is what they leave.
    pub fn solve(
        &mut self,
        list: &[BallContact],
        particles: &[Particle],
        solver: ContactSolver,
    ) -> Result<Found, lcp::Failure> {
        self.inverse_masses.clear();
        self.inverse_masses.extend(particles.iter().map(|particle| {
            let m = &particle.mobility;
            // A ball that does not turn has no arm; then any number does.
            let turn = if particle.spin_mobility > 0.0 { particle.spin_mobility } else { 1.0 };
            [[m[(0, 0)], m[(0, 1)], 0.0], [m[(1, 0)], m[(1, 1)], 0.0], [0.0, 0.0, turn]]
        }));
        self.levers.clear();
        self.levers.extend(self.members.iter().map(|index| {
            let contact = &list[*index];
            let lever = |ball: usize, sign: f64| {
                let (n, t) = (contact.normal * sign, contact.tangent() * sign);
                let turn = if particles[ball].spin_mobility > 0.0 { 1.0 } else { 0.0 };
                Lever { body: ball, rows: [[n.x, n.y, 0.0], [t.x, t.y, turn]] }
            };
            [Some(lever(contact.ball, 1.0)), contact.other.map(|other| lever(other, -1.0))]
        }));
        let problem = Bodies {
            inverse_masses: &self.inverse_masses,
            levers: &self.levers,
            velocity: &self.velocity,
            friction: &self.friction,
        };
        if solver == ContactSolver::GaussSeidel {
            return match self.heap.solve(problem, &mut self.impulse) {
                Ok(Settled { iterations, residual, slipped }) => {
                    Ok(Found { iterations, residual, missed: false, slipped })
                }
                Err(lcp::Failure::NotReached { iterations, residual, .. }) if residual.is_finite() => {
                    Ok(Found { iterations, residual, missed: true, slipped: 0 })
                }
                Err(failure) => Err(failure),
            };
        }
        problem.delassus(&mut self.matrix);
        let size = 2 * self.members.len();
        let matrix = MatRef::from_column_major_slice(&self.matrix, size, size);
        let problem = Frictional { matrix, velocity: &self.velocity, friction: &self.friction };
        let lcp::Solved { iterations, residual } = self.exact.solve(problem, &mut self.impulse)?;
        Ok(Found { iterations, residual, missed: false, slipped: 0 })
    }

    /// What else may solve these contacts; pivoting knows no infinite friction.
    pub fn other(&self) -> Option<ContactSolver> {
        let pivoted = self.members.len() <= PIVOTED && self.friction.iter().all(|mu| mu.is_finite());
        match self.solver {
            ContactSolver::Lemke => Some(ContactSolver::GaussSeidel),
            ContactSolver::GaussSeidel => pivoted.then_some(ContactSolver::Lemke),
        }
    }
}
