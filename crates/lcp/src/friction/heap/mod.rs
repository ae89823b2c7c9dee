//! Many contacts between bodies: sweeps, interior points, Newton on regimes, and paths.

use super::bodies::{Bodies, dot, push};
use super::elimination::{Cube, Elimination, ZERO, apply, inverse};
use super::{Block, check_pairs, limit, one, reachable};
use crate::Failure;

mod interior;
mod path;

/// What a contact does, as far as the linear system goes.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Cell {
    /// `p = 0`
    Open,
    /// `u = 0`
    Sticks,
    /// `u_n = 0`, `p_t = ratio p_n`
    Slides(f64),
}

/// Regularisation ε, relative to the diagonal of W: at first, at least, and by what it shrinks.
const FIRST: f64 = 1e-4;
const LEAST: [f64; 3] = [1e-7, 1e-8, 1e-6];
const SHRINK: f64 = 0.1;
/// Linear systems of one round on regimes.
const SYSTEMS: usize = 80;
/// Newton's steps before a path.
const STEPS: usize = 8;
/// Where the interior-point method starts, as parts of the velocities, in turn.
const STARTS: [f64; 4] = [0.1, 1.0, 0.01, 10.0];
/// The round from which on paths are followed, and how many may lead nowhere.
const PATHS: usize = 7;
const PATIENCE: usize = 6;

/// An answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settled {
    /// Sweeps, Newton's steps and those along paths.
    pub iterations: usize,
    /// What was reached, m/s.
    pub residual: f64,
    /// Contacts with infinite μ that slide: see [`Heap::infinite`].
    pub slipped: usize,
}

/// Solves heaps, where contacts are more than degrees of freedom: W is singular, impulses are not unique, and sweeps
/// alone hardly settle them. In rounds, each from the best impulses so far:
///
/// 1. Sweeps ([`one`](super::one()), each contact in turn), twice as many in each round. They lead from one basin into another, and
///    are a thirtieth of the work of a linear system.
/// 2. An interior-point method on all contacts at once, Newton's on `z y = τ` with τ to 0 (Mehrotra's predictor and corrector), from
///    another start in each round. Where regimes differ from those of a convex problem, its path may turn back, and it ends near.
/// 3. Newton's method on regimes: those read off `z = p − u/Λ` (Λ the diagonal of W) make a linear system, with `W + εΛ`
///    about the last impulses (proximal point), ε from 1e-4 down to about 1e-7. What only drifts (self-stress) goes on to the next border of a
///    regime at once.
/// 4. From the seventh round on, where regimes do not stay in 8 steps: the path `G(z) = λ G(z₀)` of the piecewise linear equations
///    `G(z) = 0` from λ = 1 to 0, one regime at a time, turning back where it must.
///
/// Each linear system is eliminated to the bodies, 3 × 3 blocks of `M + H D Hᵀ` by sparse LU.
///
/// With finite μ and `q = Hᵀ v` for any v (no restitution, or one and the same normal and tangential e) there is a solution: the LCP is
/// copositive, and `q·p = v·Hp = 0` for each self-stress p (Cottle, Pang & Stone 2009, thm. 3.8.6). Nothing proves that it is
/// found; what has not converged is an error, and leaves the impulses of the least residual that was seen. How many steps of heaps are
/// solved, and how fast beside other methods: `benches/README.md`. The residual is that of [`friction`](super), in m/s.
///
/// What depends on the pattern alone is kept; a changed pattern allocates.
///
/// Rockafellar, *SIAM J. Control Optim.* 14 (1976) 877 (proximal point); Cottle, Pang & Stone (2009), ch. 4 (paths); Dirkse
/// & Ferris, *Optim. Methods Softw.* 5 (1995) 123 (Newton with paths); Mehrotra, *SIAM J. Optim.* 2 (1992) 575 (interior points);
/// Jourdan, Alart & Jean, *Comput. Methods Appl. Mech. Eng.* 155 (1998) 31 (sweeps).
#[derive(Clone, Debug)]
pub struct Heap {
    /// Largest residual, m/s; 1e-10.
    pub tolerance: f64,
    /// Pairs of sweeps in the first round; 10.
    pub sweeps: usize,
    /// Rounds before it fails; 11, which are some 41 000 sweeps.
    pub rounds: usize,
    /// Sweeps and linear solves before no other round begins; no limit.
    pub limit: usize,
    /// What an infinite μ counts as; 100. With μ = ∞ itself contacts that share bodies need have no solution: sticking may ask
    /// for a normal impulse below 0, opening for a normal velocity below 0. With any finite μ there is one. Where it slides even at 100
    /// that is counted.
    pub infinite: f64,
    iterations: usize,
    elimination: Elimination,
    masses: Vec<Cube>,
    blocks: Vec<Block>,
    weights: Vec<[f64; 2]>,
    /// μ, finite.
    friction: Vec<f64>,
    change: Vec<[f64; 3]>,
    right: Vec<[f64; 3]>,
    cells: Vec<Cell>,
    /// `p − û/Λ`
    z: Vec<[f64; 2]>,
    centre: Vec<[f64; 2]>,
    missing: Vec<[f64; 2]>,
    best: Vec<[f64; 2]>,
    /// The impulses of the least residual, and that.
    least: Vec<[f64; 2]>,
    reached: f64,
    /// What the residual is to reach.
    goal: f64,
    path: path::Path,
    inner: interior::Interior,
}

impl Default for Heap {
    fn default() -> Self {
        Heap {
            tolerance: 1e-10,
            sweeps: 10,
            rounds: 11,
            limit: usize::MAX,
            infinite: 100.0,
            iterations: 0,
            elimination: Elimination::default(),
            masses: Vec::new(),
            blocks: Vec::new(),
            weights: Vec::new(),
            friction: Vec::new(),
            change: Vec::new(),
            right: Vec::new(),
            cells: Vec::new(),
            z: Vec::new(),
            centre: Vec::new(),
            missing: Vec::new(),
            best: Vec::new(),
            least: Vec::new(),
            reached: f64::INFINITY,
            goal: 0.0,
            path: path::Path::default(),
            inner: interior::Interior::default(),
        }
    }
}

fn cell(friction: f64, z: [f64; 2]) -> Cell {
    if !(z[0] > 0.0) {
        Cell::Open
    } else if friction == 0.0 {
        Cell::Slides(0.0)
    } else if z[1].abs() <= friction * z[0] {
        Cell::Sticks
    } else {
        Cell::Slides(friction.copysign(z[1]))
    }
}

/// `P(z)` in its cell.
fn part(cell: Cell, z: [f64; 2]) -> [f64; 2] {
    match cell {
        Cell::Open => [0.0; 2],
        Cell::Sticks => z,
        Cell::Slides(ratio) => [z[0], ratio * z[0]],
    }
}

impl Cell {
    /// `p = −D u` with regularisation ε.
    fn compliance(self, epsilon: f64, weights: [f64; 2]) -> Block {
        let [n, t] = weights.map(|w| 1.0 / (epsilon * w));
        match self {
            Cell::Open => [[0.0; 2]; 2],
            Cell::Sticks => [[n, 0.0], [0.0, t]],
            Cell::Slides(ratio) => [[n, 0.0], [ratio * n, 0.0]],
        }
    }
}

fn act(block: &Block, x: [f64; 2]) -> [f64; 2] {
    [block[0][0] * x[0] + block[0][1] * x[1], block[1][0] * x[0] + block[1][1] * x[1]]
}

/// `M + H D Hᵀ` with D of each contact (`None`: zero), factorised; false where it is singular.
fn assemble(
    elimination: &mut Elimination,
    masses: &[Cube],
    problem: &Bodies<'_>,
    compliance: impl Fn(usize) -> Option<Block>,
) -> bool {
    elimination.start(masses);
    for (i, levers) in problem.levers.iter().enumerate() {
        let Some(d) = compliance(i) else { continue };
        let product = |a: &[[f64; 3]; 2], b: &[[f64; 3]; 2]| {
            let mut block = ZERO;
            for l in 0..3 {
                let column = act(&d, [b[0][l], b[1][l]]);
                for k in 0..3 {
                    block[k][l] = a[0][k] * column[0] + a[1][k] * column[1];
                }
            }
            block
        };
        for lever in levers.iter().flatten() {
            elimination.add_own(lever.body, &product(&lever.rows, &lever.rows));
        }
        if let [Some(a), Some(b)] = levers {
            elimination.add_between(i, &product(&a.rows, &b.rows), &product(&b.rows, &a.rows));
        }
    }
    elimination.factorise()
}

impl Heap {
    /// Matrix for the cells, factorised.
    fn factorise(&mut self, problem: &Bodies<'_>, epsilon: f64) -> bool {
        self.iterations += 1;
        let (cells, weights) = (&self.cells, &self.weights);
        let compliance = |i: usize| (cells[i] != Cell::Open).then(|| cells[i].compliance(epsilon, weights[i]));
        assemble(&mut self.elimination, &self.masses, problem, compliance)
    }

    /// One linear solve for the cells: `p` changes to what they ask for; then z of it.
    fn aim(&mut self, problem: &Bodies<'_>, epsilon: f64, impulse: &mut [[f64; 2]]) {
        let n = impulse.len();
        problem.move_by(impulse, &mut self.change);
        self.right.fill([0.0; 3]);
        for i in 0..n {
            let u = problem.velocity_after(i, &self.change);
            let (p, c) = (impulse[i], self.centre[i]);
            self.missing[i] = [0, 1].map(|k| u[k] + epsilon * self.weights[i][k] * (p[k] - c[k]));
            let d = self.cells[i].compliance(epsilon, self.weights[i]);
            let kick = act(&d, self.missing[i]).map(|x| -x);
            for lever in problem.levers[i].iter().flatten() {
                push(lever, kick, &mut self.right[lever.body]);
            }
        }
        self.elimination.solve(&mut self.right);
        for i in 0..n {
            let mut missing = self.missing[i];
            for lever in problem.levers[i].iter().flatten() {
                for k in 0..2 {
                    missing[k] += dot(&lever.rows[k], &self.right[lever.body]);
                }
            }
            let d = self.cells[i].compliance(epsilon, self.weights[i]);
            let dp = act(&d, missing);
            impulse[i][0] -= dp[0];
            impulse[i][1] -= dp[1];
        }
        self.look(problem, epsilon, impulse);
    }

    /// z of impulses that fit the cells.
    fn look(&mut self, problem: &Bodies<'_>, epsilon: f64, impulse: &[[f64; 2]]) {
        problem.move_by(impulse, &mut self.change);
        for i in 0..impulse.len() {
            let (p, c, w) = (impulse[i], self.centre[i], self.weights[i]);
            let u = problem.velocity_after(i, &self.change);
            let eased = [0, 1].map(|k| u[k] + epsilon * w[k] * (p[k] - c[k]));
            self.z[i] = match self.cells[i] {
                Cell::Open => [-eased[0] / w[0], -eased[1] / w[1]],
                Cell::Sticks => p,
                Cell::Slides(_) => [p[0], p[1] - eased[1] / w[1]],
            };
        }
    }

    /// Into the cells as z has them; how many changed.
    fn turn(&mut self, impulse: &mut [[f64; 2]]) -> usize {
        let mut changed = 0;
        for i in 0..impulse.len() {
            let new = cell(self.friction[i], self.z[i]);
            changed += usize::from(new != self.cells[i]);
            self.cells[i] = new;
            // Where a regime is as it was, the impulse is.
            impulse[i] = part(new, self.z[i]);
        }
        changed
    }

    fn sweep(&mut self, problem: &Bodies<'_>, impulse: &mut [[f64; 2]]) {
        self.iterations += 2;
        problem.move_by(impulse, &mut self.change);
        let n = impulse.len();
        for i in (0..n).chain((0..n).rev()) {
            let block = &self.blocks[i];
            let (p, u) = (impulse[i], problem.velocity_after(i, &self.change));
            let own = act(block, p);
            let free = [u[0] - own[0], u[1] - own[1]];
            let new = one::solve(block, free, self.friction[i]).unwrap_or_else(|| {
                let normal = (p[0] - u[0] / self.weights[i][0]).max(0.0);
                let limit = limit(self.friction[i], normal);
                [normal, (p[1] - u[1] / self.weights[i][1]).max(-limit).min(limit)]
            });
            impulse[i] = new;
            for lever in problem.levers[i].iter().flatten() {
                let mut kick = [0.0; 3];
                push(lever, [new[0] - p[0], new[1] - p[1]], &mut kick);
                let moved = apply(&problem.inverse_masses[lever.body], &kick);
                for k in 0..3 {
                    self.change[lever.body][k] += moved[k];
                }
            }
        }
    }

    /// Of these impulses, which are kept if none had less.
    fn residual(&mut self, problem: &Bodies<'_>, impulse: &[[f64; 2]]) -> f64 {
        problem.move_by(impulse, &mut self.change);
        let residual = Bodies { friction: &self.friction, ..*problem }.residual(&self.blocks, impulse, &self.change);
        if residual < self.reached {
            self.reached = residual;
            self.least.copy_from_slice(impulse);
        }
        residual
    }

    /// Writes the impulses; on entry they are the start (zeros are a valid one). After [`Failure::NotReached`] they are the best that
    /// were found.
    pub fn solve(&mut self, problem: Bodies<'_>, impulse: &mut [[f64; 2]]) -> Result<Settled, Failure> {
        crate::problem::tolerance(self.tolerance)?;
        problem.check(impulse.len())?;
        check_pairs("impulse", impulse)?;
        let n = impulse.len();
        let bodies = problem.inverse_masses.len();
        self.blocks.clear();
        self.blocks.extend((0..n).map(|i| problem.block(i)));
        self.weights.clear();
        self.weights.extend(self.blocks.iter().map(|b| [b[0][0], if b[1][1] > 0.0 { b[1][1] } else { b[0][0] }]));
        self.friction.clear();
        self.friction.extend(problem.friction.iter().map(|mu| mu.min(self.infinite)));
        self.masses.clear();
        self.masses.extend(problem.inverse_masses.iter().map(|block| inverse(block).unwrap_or(ZERO)));
        for buffer in [&mut self.change, &mut self.right] {
            buffer.clear();
            buffer.resize(bodies, [0.0; 3]);
        }
        for buffer in [&mut self.z, &mut self.centre, &mut self.missing, &mut self.best, &mut self.least] {
            buffer.clear();
            buffer.resize(n, [0.0; 2]);
        }
        self.cells.clear();
        self.cells.resize(n, Cell::Open);
        super::sparse::project(&self.friction, impulse);
        self.iterations = 0;
        self.reached = f64::INFINITY;
        self.goal = reachable(self.tolerance, problem.velocity);
        let mut residual = self.residual(&problem, impulse);
        if !(residual <= self.goal) {
            let pairs = problem.levers.iter().map(|levers| match levers {
                [Some(a), Some(b)] => [a.body, b.body],
                [Some(a), None] | [None, Some(a)] => [a.body; 2],
                [None, None] => [0; 2],
            });
            let prepared = self.elimination.prepare(bodies, pairs);
            for round in 0..self.rounds {
                for _ in 0..self.sweeps << round.min(20) {
                    self.sweep(&problem, impulse);
                }
                residual = self.residual(&problem, impulse);
                if prepared && residual > self.goal {
                    residual = self.interior(&problem, STARTS[round % STARTS.len()], impulse);
                }
                if prepared && residual > self.goal {
                    residual = self.settle(&problem, round, impulse);
                }
                if residual <= self.goal || residual.is_nan() || self.iterations >= self.limit {
                    break;
                }
                impulse.copy_from_slice(&self.least);
            }
        }
        if !(residual <= self.goal) {
            impulse.copy_from_slice(&self.least);
            let residual = self.reached;
            return Err(Failure::NotReached { residual, tolerance: self.tolerance, iterations: self.iterations });
        }
        let slides = |i: &usize| {
            let p = impulse[*i];
            problem.friction[*i] > self.infinite && p[0] > 0.0 && p[1].abs() >= self.infinite * p[0]
        };
        Ok(Settled { iterations: self.iterations, residual, slipped: (0..n).filter(slides).count() })
    }

    /// Newton on the cells; steps taken if they stay in the end.
    fn newton(&mut self, problem: &Bodies<'_>, epsilon: f64, impulse: &mut [[f64; 2]]) -> Option<usize> {
        for step in 0..STEPS {
            if !self.factorise(problem, epsilon) {
                return None;
            }
            self.aim(problem, epsilon, impulse);
            if self.turn(impulse) == 0 {
                return Some(step);
            }
        }
        None
    }

    /// z from impulses as sweeps leave them.
    fn enter(&mut self, problem: &Bodies<'_>, impulse: &[[f64; 2]]) {
        problem.move_by(impulse, &mut self.change);
        for i in 0..impulse.len() {
            let u = problem.velocity_after(i, &self.change);
            self.z[i] = [0, 1].map(|k| impulse[i][k] - u[k] / self.weights[i][k]);
        }
    }

    /// Regimes for smaller and smaller ε; the residual in the end.
    fn settle(&mut self, problem: &Bodies<'_>, round: usize, impulse: &mut [[f64; 2]]) -> f64 {
        let (most, mut patience) = if round < PATHS { (0, 1) } else { (impulse.len() / 2 + 50, PATIENCE) };
        let least = LEAST[round % LEAST.len()];
        let (mut residual, mut before) = (f64::INFINITY, f64::INFINITY);
        let mut epsilon = FIRST;
        self.enter(problem, impulse);
        for _ in 0..SYSTEMS {
            self.turn(impulse);
            self.centre.copy_from_slice(impulse);
            self.best.copy_from_slice(&self.z);
            let steps = self.newton(problem, epsilon, impulse);
            if steps.is_none() {
                self.z.copy_from_slice(&self.best);
                self.turn(impulse);
                if most == 0 || !self.follow(problem, epsilon, impulse, most) {
                    patience -= 1;
                    if patience == 0 {
                        return self.reached;
                    }
                    self.z.copy_from_slice(&self.best);
                    self.turn(impulse);
                    (before, epsilon) = (f64::INFINITY, (epsilon / SHRINK).min(FIRST));
                    continue;
                }
                self.aim(problem, epsilon, impulse);
                self.turn(impulse);
            }
            residual = self.residual(problem, impulse);
            if residual <= self.goal || residual.is_nan() {
                return residual;
            }
            let ratio = residual / before;
            let first = before.is_infinite();
            before = residual;
            if (ratio > 0.1 || first) && epsilon > least {
                epsilon = (epsilon * SHRINK).max(least);
            } else if ratio > 0.5 && steps == Some(0) {
                before = f64::INFINITY;
                if !self.drift(if ratio < 0.9999 { ratio / (1.0 - ratio) } else { f64::INFINITY }) {
                    return self.reached;
                }
            }
        }
        residual
    }
}
