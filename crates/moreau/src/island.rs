//! Islands: contacts that share balls, directly or through others. Which solver solves one, and what if it fails?

use std::fmt::Debug;

use lcp::friction::{Bodies, DenseFriction, Frictional, Heap, Lever};
use lcp::{Failure, Solved};
use nalgebra::{DMatrixView, Matrix2x3, Matrix3, Vector3};

use crate::body::Particle;
use crate::contact_impulses::Site;
use crate::energy::unseen;
use crate::energy_bound::Quadratic;
use crate::settings::{BallSettings, ContactSolver, ImpactLaw};
use crate::theta::Closed;

/// Largest number of contacts passed to pivoting where the other solver fails: its work grows with the cube.
const PIVOTED: usize = 32;
/// Rounds of [`Heap`], fewer than by default, for a problem with restitution, which may have no solution.
const TRIED: usize = 3;

/// Contacts that share balls, directly or through others, and these balls: an independent problem in a step. Its result
/// does not depend on the thread that solves it, nor on when.
#[derive(Debug, Default)]
pub struct Island {
    /// Indices of its contacts in the list of the step, in order.
    pub(crate) contacts: Vec<usize>,
    inverse_masses: Vec<Matrix3<f64>>,
    levers: Vec<[Option<Lever>; 2]>,
    friction: Vec<f64>,
    /// Free velocities of the contacts with restitution, and without, m/s.
    velocity: Vec<[f64; 2]>,
    free: Vec<[f64; 2]>,
    /// Impulses at the solver's start, and its solution, N s.
    start: Vec<[f64; 2]>,
    pub(crate) impulse: Vec<[f64; 2]>,
    pub(crate) found: IslandSolution,
    pub(crate) failure: Option<Failure>,
    solver: ContactSolver,
    heap: Heap,
    exact: DenseFriction,
    matrix: Vec<f64>,
    spare: Vec<[f64; 2]>,
    law: ImpactLaw,
    tolerance: f64,
    change: Vec<Vector3<f64>>,
}

/// Result of solving contacts that share balls.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct IslandSolution {
    /// Iterations made.
    pub iterations: usize,
    /// The largest residual, m/s.
    pub residual: f64,
    /// Whether the residual is above the tolerance.
    pub missed: bool,
    /// Contacts of infinite friction that slid.
    pub slipped: usize,
    /// Whether these are impulses without restitution, although it was asked for.
    pub left_out: bool,
    /// Part of restitution withheld by the energy bound, 0 … 1.
    pub withheld: f64,
}

impl IslandSolution {
    /// Combines with the result of another island.
    pub fn add(&mut self, other: IslandSolution) {
        self.iterations += other.iterations;
        self.residual = self.residual.max(other.residual);
        self.missed |= other.missed;
        self.slipped += other.slipped;
        self.left_out |= other.left_out;
        self.withheld = self.withheld.max(other.withheld);
    }
}

impl Island {
    /// Number of contacts.
    pub fn len(&self) -> usize {
        self.contacts.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.contacts.is_empty()
    }

    /// The problem, and the solver's start.
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

    /// Adds a ball; returns its number in the island.
    pub(crate) fn add_ball(&mut self, particle: &Particle) -> usize {
        // A ball that does not turn has no lever arm, so that any number is right.
        let turn = if particle.spin_mobility > 0.0 { particle.spin_mobility } else { 1.0 };
        let mut inverse = Matrix3::from_diagonal_element(turn);
        inverse.fixed_view_mut::<2, 2>(0, 0).copy_from(&particle.mobility);
        self.inverse_masses.push(inverse);
        self.inverse_masses.len() - 1
    }

    /// Adds a contact between balls, given by their numbers in the island and whether they turn.
    pub(crate) fn add_contact(
        &mut self,
        index: usize,
        site: &Site,
        balls: [Option<(usize, bool)>; 2],
        closed: &Closed,
    ) {
        let lever = |(body, turns): (usize, bool), sign: f64| {
            let (n, t) = (site.normal * sign, site.tangent() * sign);
            Lever { body, rows: Matrix2x3::new(n.x, n.y, 0.0, t.x, t.y, if turns { 1.0 } else { 0.0 }) }
        };
        self.contacts.push(index);
        self.levers.push([balls[0].map(|ball| lever(ball, 1.0)), balls[1].map(|ball| lever(ball, -1.0))]);
        self.friction.push(closed.law.sticking_coefficient());
        self.velocity.push(closed.asked());
        self.free.push(closed.free);
        self.start.push(closed.impulse);
    }

    /// Finds the impulses, by the chosen solver or else the other one. Where neither finds a solution with restitution,
    /// restitution is left out: Newton's law may ask a wedged ball to leave both sides at once, which friction forbids.
    /// If all miss the tolerance, the best is taken. [`ImpactLaw::EnergyBound`] may reduce restitution.
    pub fn solve(&mut self) {
        self.failure = self.try_all().err();
    }

    fn try_all(&mut self) -> Result<(), Failure> {
        let restitutes = self.velocity != self.free;
        self.heap.rounds = if restitutes { TRIED } else { Heap::default().rounds };
        self.found = self.by_either()?;
        let bounded = restitutes && self.law == ImpactLaw::EnergyBound;
        let added = if bounded { self.added() } else { 0.0 };
        if !(restitutes && (self.found.missed || added > 0.0)) {
            return Ok(());
        }
        // Solved again without restitution: to take its place, or to be the other end of the energy bound.
        let with = self.found;
        self.heap.rounds = Heap::default().rounds;
        self.spare.clone_from(&self.impulse);
        std::mem::swap(&mut self.velocity, &mut self.free);
        let without = self.by_either()?;
        let iterations = with.iterations + without.iterations;
        if with.missed && (!without.missed || without.residual < with.residual) {
            self.found = IslandSolution { iterations, left_out: true, ..without };
            return Ok(());
        }
        std::mem::swap(&mut self.velocity, &mut self.free);
        std::mem::swap(&mut self.impulse, &mut self.spare);
        self.found.iterations = iterations;
        if added > 0.0 {
            self.found.withheld = 1.0 - self.bound(added);
            self.found.residual = with.residual.max(without.residual);
            self.found.missed |= without.missed;
        }
        Ok(())
    }

    /// Energy that the impulses with restitution add, J; 0 where rounding and the tolerance explain it.
    fn added(&mut self) -> f64 {
        let Island { inverse_masses, levers, velocity, friction, impulse, free, change, .. } = self;
        let problem = Bodies { inverse_masses, levers, velocity, friction };
        change.resize(inverse_masses.len(), Vector3::zeros());
        problem.move_by(impulse, change);
        let (mut work, mut size, mut fastest) = (0.0, 0.0, 0.0_f64);
        for (contact, (p, free)) in impulse.iter().zip(free).enumerate() {
            let moved = moved(&problem, contact, change);
            let mass = 1.0 / problem.block(contact)[0][0];
            for k in 0..2 {
                work += p[k] * (free[k] + 0.5 * moved[k]);
                size += p[k].abs() + mass * (free[k] + moved[k]).abs();
                fastest = fastest.max(free[k].abs());
            }
        }
        if work > unseen(self.tolerance, size, fastest) { work } else { 0.0 }
    }

    /// Replaces the impulses with restitution, which add `added` J, by the combination with those without (in `spare`)
    /// that adds no energy; returns the part of restitution used.
    fn bound(&mut self, added: f64) -> f64 {
        let Island { inverse_masses, levers, velocity, friction, impulse, spare, free, change, .. } = self;
        let problem = Bodies { inverse_masses, levers, velocity, friction };
        problem.move_by(spare, change);
        let (mut constant, mut linear) = (0.0, 0.0);
        for (contact, ((with, without), free)) in impulse.iter().zip(&*spare).zip(free).enumerate() {
            let moved = moved(&problem, contact, change);
            for k in 0..2 {
                constant += without[k] * (free[k] + 0.5 * moved[k]);
                linear += (with[k] - without[k]) * (free[k] + moved[k]);
            }
        }
        let part = Quadratic { square: added - constant - linear, linear, constant }.largest_part();
        for (with, without) in impulse.iter_mut().zip(spare) {
            *with = [0, 1].map(|k| without[k] + part * (with[k] - without[k]));
        }
        part
    }

    /// Solves by the chosen solver, and by the other one if the first misses the tolerance.
    fn by_either(&mut self) -> Result<IslandSolution, Failure> {
        let first = self.by(self.solver)?;
        if let Some(found @ IslandSolution { missed: false, .. }) = first {
            return Ok(found);
        }
        let none = Failure::NoSolution { pivots: 0, artificial: 1.0, proven: false };
        let Some(other) = self.other() else { return first.ok_or(none) };
        let best = std::mem::take(&mut self.impulse);
        let Some(second) = self.by(other)? else {
            self.impulse = best;
            return first.ok_or(none);
        };
        let iterations = second.iterations + first.map_or(0, |first| first.iterations);
        Ok(IslandSolution { iterations, ..second })
    }

    /// Impulses by a solver, from the start; `None`: no usable solution.
    fn by(&mut self, solver: ContactSolver) -> Result<Option<IslandSolution>, Failure> {
        self.impulse.clone_from(&self.start);
        let Island { inverse_masses, levers, velocity, friction, .. } = self;
        let problem = Bodies { inverse_masses, levers, velocity, friction };
        let sweeps = solver == ContactSolver::GaussSeidel;
        let solved = if sweeps {
            self.heap.solve(problem, &mut self.impulse)
        } else {
            problem.delassus(&mut self.matrix);
            let size = 2 * levers.len();
            let matrix = DMatrixView::from_slice(&self.matrix, size, size);
            self.exact.solve(Frictional { matrix, velocity, friction }, &mut self.impulse)
        };
        let found = IslandSolution::default();
        match solved {
            Ok(Solved { iterations, residual, slipped }) => {
                // A heap is content with rounding, which may be above the tolerance.
                let missed = sweeps && residual > self.tolerance;
                Ok(Some(IslandSolution { iterations, residual, slipped, missed, ..found }))
            }
            Err(Failure::NotReached { iterations, residual, .. }) if sweeps && residual.is_finite() => {
                Ok(Some(IslandSolution { iterations, residual, missed: true, ..found }))
            }
            Err(Failure::NotReached { .. } | Failure::NoSolution { .. }) => Ok(None),
            Err(failure) => Err(failure),
        }
    }

    /// The solver to try if the chosen one fails; `None` instead of pivoting on more than [`PIVOTED`] contacts.
    fn other(&self) -> Option<ContactSolver> {
        let pivoted = self.contacts.len() <= PIVOTED;
        match self.solver {
            ContactSolver::Lemke => Some(ContactSolver::GaussSeidel),
            ContactSolver::GaussSeidel => pivoted.then_some(ContactSolver::Lemke),
        }
    }
}

/// Change of a contact's velocity by a change of the bodies' velocities, `Hᵀ Δv`, m/s.
fn moved(problem: &Bodies, contact: usize, change: &[Vector3<f64>]) -> [f64; 2] {
    let after = problem.velocity_after(contact, change);
    [0, 1].map(|k| after[k] - problem.velocity[contact][k])
}

/// Calls [`Island::solve`] once for each island. They are independent: order and threads change no bit of the result.
///
/// ```
/// use moreau::{Executor, Island};
///
/// /// A thread for each half of the contacts.
/// #[derive(Debug)]
/// struct Two;
///
/// impl Executor for Two {
///     fn run(&self, islands: &mut [Island]) {
///         let all: usize = islands.iter().map(Island::len).sum();
///         let (mut half, mut sum) = (0, 0);
///         while half < islands.len() && 2 * sum < all {
///             sum += islands[half].len();
///             half += 1;
///         }
///         let (first, second) = islands.split_at_mut(half);
///         std::thread::scope(|scope| {
///             scope.spawn(|| first.iter_mut().for_each(Island::solve));
///             second.iter_mut().for_each(Island::solve);
///         });
///     }
/// }
/// ```
pub trait Executor: Debug + Send + Sync {
    /// Solves each island once.
    fn run(&self, islands: &mut [Island]);
}

/// Executor that solves islands one after the other.
#[derive(Clone, Copy, Debug, Default)]
pub struct InTurn;

impl Executor for InTurn {
    fn run(&self, islands: &mut [Island]) {
        islands.iter_mut().for_each(Island::solve);
    }
}
