//! Many contacts between bodies: sweeps, then Newton on regimes, then a path.

use super::bodies::{Bodies, dot, push};
use super::elimination::{Cube, Elimination, ZERO, apply, inverse};
use super::{Block, check_pairs, limit, natural, one};
use crate::Failure;

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

/// An answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settled {
    /// Sweeps, Newton's steps and those along paths.
    pub iterations: usize,
    /// What was reached.
    pub residual: f64,
    /// Contacts with infinite μ that slide: see [`Heap::infinite`].
    pub slipped: usize,
}

/// See the module.
#[derive(Clone, Debug)]
pub struct Heap {
    /// Largest residual; 1e-10.
    pub tolerance: f64,
    /// Pairs of sweeps first.
    pub sweeps: usize,
    /// Sweeps and linear solves before it fails; 20 000.
    pub limit: usize,
    /// What an infinite μ counts as; 1000.
    pub infinite: f64,
    iterations: usize,
    /// debug
    pub rounds: usize,
    /// debug
    pub steps: usize,
    /// debug
    pub shrink: f64,
    /// debug
    pub least: f64,
    /// debug
    pub epsilon: f64,
    /// counters: newton steps, paths, path steps, rounds
    pub counts: [usize; 8],
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
    path: path::Path,
}

impl Default for Heap {
    fn default() -> Self {
        Heap {
            tolerance: 1e-10,
            sweeps: 10,
            limit: 20_000,
            infinite: 1e3,
            iterations: 0,
            epsilon: 1e-4,
            rounds: 120,
            steps: 8,
            shrink: 0.1,
            least: 1e-7,
            counts: [0; 8],
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
            path: path::Path::default(),
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

impl Heap {
    /// Matrix for the cells, factorised.
    fn factorise(&mut self, problem: &Bodies<'_>, epsilon: f64) -> bool {
        self.counts[5] += 1;
        self.iterations += 1;
        self.elimination.start(&self.masses);
        for (i, levers) in problem.levers.iter().enumerate() {
            if self.cells[i] == Cell::Open {
                continue;
            }
            let d = self.cells[i].compliance(epsilon, self.weights[i]);
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
                self.elimination.add_own(lever.body, &product(&lever.rows, &lever.rows));
            }
            if let [Some(a), Some(b)] = levers {
                self.elimination.add_between(i, &product(&a.rows, &b.rows), &product(&b.rows, &a.rows));
            }
        }
        self.elimination.factorise()
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

    fn residual(&mut self, problem: &Bodies<'_>, impulse: &[[f64; 2]]) -> f64 {
        problem.move_by(impulse, &mut self.change);
        Bodies { friction: &self.friction, ..*problem }.residual(&self.blocks, impulse, &self.change)
    }

    /// Writes the impulses; on entry they are the start (zeros are a valid one).
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
        for buffer in [&mut self.z, &mut self.centre, &mut self.missing, &mut self.best] {
            buffer.clear();
            buffer.resize(n, [0.0; 2]);
        }
        self.cells.clear();
        self.cells.resize(n, Cell::Open);
        super::sparse::project(&self.friction, impulse);
        self.iterations = 0;
        let mut residual = self.residual(&problem, impulse);
        if !(residual <= self.tolerance) {
            for _ in 0..self.sweeps {
                self.sweep(&problem, impulse);
            }
            residual = self.residual(&problem, impulse);
        }
        if !(residual <= self.tolerance) {
            let pairs = problem.levers.iter().map(|levers| match levers {
                [Some(a), Some(b)] => [a.body, b.body],
                [Some(a), None] | [None, Some(a)] => [a.body; 2],
                [None, None] => [0; 2],
            });
            if self.elimination.prepare(bodies, pairs) {
                residual = self.settle(&problem, impulse);
            }
        }
        if !(residual <= self.tolerance) {
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
        for step in 0..self.steps {
            self.counts[0] += 1;
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

    fn settle(&mut self, problem: &Bodies<'_>, impulse: &mut [[f64; 2]]) -> f64 {
        let n = impulse.len();
        let trace = std::env::var("HEAP_TRACE").is_ok();
        let (mut residual, mut before) = (f64::INFINITY, f64::INFINITY);
        self.enter(problem, impulse);
        let (mut epsilon, least) = (self.epsilon, self.least);
        let mut failures = 0;
        for round in 0..self.rounds {
            if self.iterations > self.limit {
                return residual;
            }
            self.turn(impulse);
            self.centre.copy_from_slice(impulse);
            self.best.copy_from_slice(&self.z);
            let newton = self.newton(problem, epsilon, impulse);
            let mut settled = newton.is_some();
            if !settled {
                self.z.copy_from_slice(&self.best);
                self.turn(impulse);
                settled = self.follow(problem, epsilon, impulse, if failures < 6 { n / 2 + 50 } else { 4 * n + 100 });
                if trace {
                    println!("  path {settled} {:?}", self.counts);
                }
                if !settled {
                    failures += 1;
                    if failures <= 6 {
                        self.z.copy_from_slice(&self.best);
                        self.turn(impulse);
                        if failures % 2 == 1 && epsilon < self.epsilon {
                            epsilon = (epsilon / self.shrink).min(self.epsilon);
                        } else {
                            for _ in 0..self.sweeps << (failures / 2) {
                                self.sweep(problem, impulse);
                            }
                            self.enter(problem, impulse);
                            epsilon = self.epsilon;
                        }
                        before = f64::INFINITY;
                        continue;
                    }
                    settled = failures <= 9 && self.lemke(problem, epsilon, impulse);
                }
                if settled {
                    self.aim(problem, epsilon, impulse);
                    self.turn(impulse);
                }
            }
            residual = self.residual(problem, impulse);
            if trace {
                println!("  round {round} epsilon {epsilon:e} newton {newton:?} settled {settled} residual {residual:e}");
            }
            if residual <= self.tolerance || residual.is_nan() || !settled {
                return residual;
            }
            let ratio = residual / before;
            before = residual;
            if (ratio > 0.1 || round == 0) && epsilon > least {
                epsilon = (epsilon * self.shrink).max(least);
            } else if ratio > 0.5 && newton == Some(0) {
                let found = self.drift(if ratio < 0.9999 { ratio / (1.0 - ratio) } else { f64::INFINITY });
                before = f64::INFINITY;
                if trace {
                    println!("  drift {found} {ratio}");
                }
                if !found {
                    return residual;
                }
            }
        }
        residual
    }
}
