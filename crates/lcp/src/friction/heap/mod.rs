//! Many contacts between bodies: sweeps, interior points, Newton on regimes, and paths.

use super::bodies::Bodies;
use super::elimination::{Cube, Elimination, ZERO, inverse};
use super::{Block, check_pairs, reachable};
use crate::Failure;

mod interior;
mod path;
mod regimes;
mod sweeps;

use numbers::elementary;
use regimes::RegimeCell;

/// Start of the interior-point method, as a part of the largest velocity.
const START: f64 = 0.1;
/// Starts of paths, in turn; linear systems of the first path, and the factor by which later ones have more.
const PARTS: [f64; 6] = [0.3, 1.0, 0.1, 3.0, 0.03, 10.0];
const PATH: f64 = 400.0;
const MORE: f64 = 1.5;
/// Regularisations of paths, in turn, relative to the diagonal of W. With the first, linear systems of nearly square lattices lose their
/// digits (at the end of a path velocities and impulses come apart by 1e-6 m/s); with the second some paths are too long.
const EASES: [f64; 2] = [1e-8, 1e-6];

/// Work and quality of an answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settled {
    /// Sweeps, Newton's steps and those along paths.
    pub iterations: usize,
    /// Residual, m/s.
    pub residual: f64,
    /// Contacts with infinite μ that slide: see [`Heap::infinite`].
    pub slipped: usize,
}

/// Solves heaps, where contacts are more than degrees of freedom: W is singular, impulses are not unique, and sweeps
/// alone hardly settle them. In rounds, each from the best impulses so far:
///
/// 1. Sweeps ([`one`](super::one()), each contact in turn). In the first round they go on while their rate promises the goal
///    within the work of two linear systems, each of which is that of thirty pairs; then twice as many in each round.
/// 2. In the first round an interior-point method on all contacts at once, Newton's on `z y = τ` with τ to 0 (Mehrotra's predictor and
///    corrector). Where regimes differ from those of a convex problem, its path may turn back, and it ends near.
/// 3. Newton's method on regimes: those read off `z = p − u/Λ` (Λ the diagonal of W) make a linear system, with `W + εΛ`
///    about the last impulses (proximal point), ε from 1e-4 down to about 1e-7. What only drifts (self-stress) goes on to the next border of a
///    regime at once.
/// 4. From the second round on the same central path, followed around its turning points, from another start, and with another regularisation, in each round. Steps are
///    along its tangent in logarithms, Newton's corrections at right angles to it; the sign of the determinant tells whether τ grows or
///    falls along it, and that a step has come upon another path.
///
/// Each linear system is eliminated to the bodies, 3 × 3 blocks of `M + H D Hᵀ` by sparse LU.
///
/// With finite μ and `q = Hᵀ v` for any v (no restitution, or one and the same normal and tangential e) there is a solution: the LCP is
/// copositive, and `q·p = v·Hp = 0` for each self-stress p (Cottle, Pang & Stone 2009, thm. 3.8.6). The path finds one, but for loops and
/// rounding: with `y = M z + q + τ r`, `r > 0`, only one path comes from τ = ∞, since `ζᵀMζ + r·ζ = 0` has no other solution than ζ = 0 where M
/// is copositive; and for τ > 0 all are bounded. So a path that is entered where τ falls ends at τ = 0, in a solution. What takes more
/// than its share of linear systems is an error, and leaves the impulses of the least residual that was seen. How many steps of heaps are
/// solved, and how fast beside other methods: `benches/README.md`. The residual is that of [`friction`](super), in m/s.
///
/// What depends on the pattern alone is kept; a changed pattern allocates.
///
/// Rockafellar, *SIAM J. Control Optim.* 14 (1976) 877 (proximal point); Mehrotra, *SIAM J. Optim.* 2 (1992) 575 (interior points);
/// Kojima, Megiddo & Noma, *Math. Oper. Res.* 16 (1991) 754 (paths to solutions); Allgower & Georg, *Introduction to Numerical Continuation
/// Methods* (2003), ch. 2 and 6 (turning points, and the sign of the determinant);
/// Jourdan, Alart & Jean, *Comput. Methods Appl. Mech. Eng.* 155 (1998) 31 (sweeps).
#[derive(Clone, Debug)]
pub struct Heap {
    /// Largest residual, m/s; 1e-10.
    pub tolerance: f64,
    /// Pairs of sweeps in the first round, at least; 10.
    pub sweeps: usize,
    /// Rounds before it fails; 8, which are some 5000 sweeps and 13 000 linear systems.
    pub rounds: usize,
    /// Sweeps and linear solves before no other round begins; no limit.
    pub limit: usize,
    /// Finite μ in place of an infinite one; 100. With μ = ∞ itself contacts that share bodies need have no solution: sticking may ask
    /// for a normal impulse below 0, opening for a normal velocity below 0. With any finite μ there is one. Where it slides even at 100
    /// that is counted.
    pub infinite: f64,
    iterations: usize,
    elimination: Elimination,
    masses: Vec<Cube>,
    turns: Vec<sweeps::Turn>,
    blocks: Vec<Block>,
    weights: Vec<[f64; 2]>,
    /// μ, finite.
    friction: Vec<f64>,
    change: Vec<[f64; 3]>,
    right: Vec<[f64; 3]>,
    left: Vec<[f64; 3]>,
    cells: Vec<RegimeCell>,
    /// `p − û/Λ`
    z: Vec<[f64; 2]>,
    centre: Vec<[f64; 2]>,
    missing: Vec<[f64; 2]>,
    best: Vec<[f64; 2]>,
    /// The impulses of the least residual, and that.
    least: Vec<[f64; 2]>,
    reached: f64,
    /// Residual to be reached, m/s.
    goal: f64,
    path: path::RegimePath,
}

impl Default for Heap {
    fn default() -> Self {
        Heap {
            tolerance: 1e-10,
            sweeps: 10,
            rounds: 8,
            limit: usize::MAX,
            infinite: 100.0,
            iterations: 0,
            elimination: Elimination::default(),
            masses: Vec::new(),
            turns: Vec::new(),
            blocks: Vec::new(),
            weights: Vec::new(),
            friction: Vec::new(),
            change: Vec::new(),
            right: Vec::new(),
            left: Vec::new(),
            cells: Vec::new(),
            z: Vec::new(),
            centre: Vec::new(),
            missing: Vec::new(),
            best: Vec::new(),
            least: Vec::new(),
            reached: f64::INFINITY,
            goal: 0.0,
            path: path::RegimePath::default(),
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
    /// Residual of these impulses, which are kept if none had less.
    fn residual(&mut self, problem: &Bodies<'_>, impulse: &[[f64; 2]]) -> f64 {
        problem.move_by(impulse, &mut self.change);
        let residual = Bodies { friction: &self.friction, ..*problem }.residual(&self.blocks, impulse, &self.change);
        if residual < self.reached {
            self.reached = residual;
            self.least.copy_from_slice(impulse);
        }
        residual
    }

    /// Makes room for a problem, with its blocks and friction.
    fn load(&mut self, problem: &Bodies<'_>) {
        let (n, bodies) = (problem.velocity.len(), problem.inverse_masses.len());
        self.blocks.clear();
        self.blocks.extend((0..n).map(|i| problem.block(i)));
        self.weights.clear();
        self.weights.extend(self.blocks.iter().map(|b| [b[0][0], if b[1][1] > 0.0 { b[1][1] } else { b[0][0] }]));
        self.friction.clear();
        self.friction.extend(problem.friction.iter().map(|mu| mu.min(self.infinite)));
        self.masses.clear();
        for (buffer, length) in [(&mut self.change, bodies + 1), (&mut self.right, bodies), (&mut self.left, bodies)] {
            buffer.clear();
            buffer.resize(length, [0.0; 3]);
        }
        self.turns.clear();
        for buffer in [&mut self.z, &mut self.centre, &mut self.missing, &mut self.best, &mut self.least] {
            buffer.clear();
            buffer.resize(n, [0.0; 2]);
        }
        self.cells.clear();
        self.cells.resize(n, RegimeCell::Open);
        self.iterations = 0;
        self.reached = f64::INFINITY;
        self.goal = reachable(self.tolerance, problem.velocity);
    }

    /// Goes on in rounds of sweeps, of Newton's method and of the central path; the residual that is reached.
    fn go_round(&mut self, problem: &Bodies<'_>, mut residual: f64, impulse: &mut [[f64; 2]]) -> f64 {
        self.masses.extend(problem.inverse_masses.iter().map(|block| inverse(block).unwrap_or(ZERO)));
        let pairs = problem.levers.iter().map(|levers| match levers {
            [Some(a), Some(b)] => [a.body, b.body],
            [Some(a), None] | [None, Some(a)] => [a.body; 2],
            [None, None] => [0; 2],
        });
        let prepared = self.elimination.prepare(problem.inverse_masses.len(), pairs);
        for round in 0..self.rounds {
            if round > 0 {
                residual = self.sweep_times(problem, self.sweeps << round.min(20), impulse);
            } else if prepared && residual > self.goal {
                residual = self.interior(problem, START, impulse);
            }
            if prepared && residual > self.goal {
                residual = self.settle(problem, round, impulse);
            }
            if prepared && round > 0 && residual > self.goal {
                impulse.copy_from_slice(&self.least);
                let path = round - 1;
                let start = [PARTS[path % PARTS.len()], EASES[path % EASES.len()]];
                let systems = PATH * elementary::powi(MORE, path.min(19) as i32);
                residual = self.follow(problem, start, systems as usize, impulse);
                if residual > self.goal {
                    residual = self.settle(problem, round, impulse);
                }
            }
            if residual <= self.goal || residual.is_nan() || self.iterations >= self.limit {
                break;
            }
            impulse.copy_from_slice(&self.least);
        }
        residual
    }

    /// Writes the impulses; on entry they are the start (zeros are a valid one). After [`Failure::NotReached`] they are the best that
    /// were found.
    pub fn solve(&mut self, problem: Bodies<'_>, impulse: &mut [[f64; 2]]) -> Result<Settled, Failure> {
        crate::problem::tolerance(self.tolerance)?;
        problem.check(impulse.len())?;
        check_pairs("impulse", impulse)?;
        self.load(&problem);
        super::project(&self.friction, impulse);
        let mut residual = self.residual(&problem, impulse);
        if !(residual <= self.goal) {
            residual = self.sweep_on(&problem, residual, impulse);
        }
        if !(residual <= self.goal) {
            residual = self.go_round(&problem, residual, impulse);
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
        Ok(Settled { iterations: self.iterations, residual, slipped: (0..impulse.len()).filter(slides).count() })
    }
}
