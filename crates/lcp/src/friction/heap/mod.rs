//! Heaps: in which order do sweeps, interior points, Newton's method on regimes and central paths solve many contacts?

use std::iter::repeat_n;

use super::delassus_of_bodies::{Bodies, Lever};
use super::elimination::{Elimination, inverse};
use super::{Block, INFINITE, check_pairs, reachable, slipped};
use crate::{Failure, Solved, refill};

mod central_path;
mod interior;
mod regimes;
mod sweeps;

use nalgebra::{Matrix2, Matrix3, Vector3};
use numbers::elementary;
use regimes::RegimeCell;

/// Size of the interior-point method's starting pairs: see [`Heap::interior`].
const START: f64 = 0.1;
/// Sizes of the paths' starting pairs, in parts of the largest `|q_i|`, one after the other.
const PARTS: [f64; 6] = [0.3, 1.0, 0.1, 3.0, 0.03, 10.0];
/// Largest number of linear systems of the first path, and its growth from path to path.
const PATH: f64 = 400.0;
const MORE: f64 = 1.5;
/// Regularisations ε of the paths, alternating, relative to the diagonal of W. With the first one linear systems of
/// nearly square lattices lose digits (velocities and impulses then disagree by 1e-6 m/s at the end of a path); the
/// second makes some paths too long.
const EASES: [f64; 2] = [1e-8, 1e-6];

/// Solves heaps: more contacts than degrees of freedom, so that W is singular, impulses are not unique, and sweeps
/// alone hardly converge. Works in rounds, each from the best impulses so far:
///
/// 1. Sweeps solve one contact after the other in closed form. The first round makes at least [`sweeps`](Self::sweeps)
///    pairs, and more while their rate promises the goal within 60, the cost of two linear systems. Each later round
///    makes twice as many as the one before.
/// 2. In the first round an interior-point method works on all contacts at once: Newton's on `z y = τ` with τ to 0
///    (Mehrotra's predictor and corrector). Where friction makes the problem not monotone, its path may turn back; it
///    then ends near a solution.
/// 3. Newton's method on regimes: `z = p − u/Λ` (Λ the diagonal of W) tells who opens, sticks and slides. Impulses then
///    solve a linear system, with `W + εΛ` around the last ones (proximal point), ε from 1e-4 down to about 1e-7. Where
///    they only drift along a self-stress (`H p = 0`), they go to the next border of a regime at once.
/// 4. From the second round on a central path is followed around its turning points, with another start and another
///    regularisation in each round. Steps go along its tangent in logarithms, Newton corrections at right angles to it.
///    The sign of the determinant tells whether τ grows or falls along it, and shows that a step has left it for
///    another path.
///
/// Each linear system is reduced to the bodies, 3 × 3 blocks of `M + H D Hᵀ`, and solved by sparse LU.
///
/// With finite μ and `q = Hᵀ v` for some v (no restitution, or the same normal and tangential e everywhere) there is a
/// solution: the LCP is copositive, and `q·p = v·Hp = 0` for each self-stress p (Cottle, Pang & Stone 2009, thm.
/// 3.8.6). The path finds one, except for loops and rounding: with `y = M z + q + τ r`, `r > 0`, only one path comes
/// from τ = ∞, since the limit ζ of z/τ obeys `ζᵀMζ + r·ζ = 0`, which only ζ = 0 does where M is copositive; and for
/// τ > 0 all paths are bounded. So a path entered where τ falls ends at τ = 0, in a solution. If all rounds miss the
/// tolerance, that is an error, which leaves the impulses with the least residual seen. Success rates and speed beside
/// other methods: `benches/README.md`. The residual is that of [`friction`](super), in m/s.
///
/// The order of elimination is kept while the same bodies touch; a changed pattern of contacts allocates.
///
/// Rockafellar, *SIAM J. Control Optim.* 14 (1976) 877 (proximal point); Mehrotra, *SIAM J. Optim.* 2 (1992) 575
/// (interior points); Kojima, Megiddo & Noma, *Math. Oper. Res.* 16 (1991) 754 (paths to solutions); Allgower & Georg,
/// *Introduction to Numerical Continuation Methods* (2003), ch. 2 and 6 (turning points, and the sign of the
/// determinant); Jourdan, Alart & Jean, *Comput. Methods Appl. Mech. Eng.* 155 (1998) 31 (sweeps).
#[derive(Clone, Debug)]
pub struct Heap {
    /// Largest residual of a solution, m/s; 1e-10.
    pub tolerance: f64,
    /// Least number of pairs of sweeps in the first round; 10.
    pub sweeps: usize,
    /// Rounds before it fails; 8, which are some 5000 sweeps, and up to 13 000 linear systems along paths.
    pub rounds: usize,
    /// Sweeps and linear systems after which it stops: no further round, path step or doubling of sweeps; no limit.
    pub limit: usize,
    /// Finite μ used for an infinite one; 100. With μ = ∞ contacts that share bodies may have no solution: sticking may
    /// need a negative normal impulse, opening a negative normal velocity. With finite μ there is one, see above. A
    /// contact that slides even at 100 is counted: [`Solved::slipped`].
    pub infinite: f64,
    iterations: usize,
    elimination: Elimination,
    masses: Vec<Matrix3<f64>>,
    turns: Vec<sweeps::Turn>,
    blocks: Vec<Block>,
    /// Λ of each contact, 1/kg: `W_nn` and `W_tt` (`W_nn` where that is 0).
    weights: Vec<[f64; 2]>,
    /// μ of each contact, at most `infinite`.
    friction: Vec<f64>,
    /// Changes of the bodies' velocities by the impulses; a last entry stays 0, for the dummy body of sweeps.
    change: Vec<Vector3<f64>>,
    right: Vec<Vector3<f64>>,
    left: Vec<Vector3<f64>>,
    cells: Vec<RegimeCell>,
    /// `p − û/Λ`, with the regularised velocity `û = u + εΛ(p − centre)`.
    z: Vec<[f64; 2]>,
    centre: Vec<[f64; 2]>,
    missing: Vec<[f64; 2]>,
    /// `z` before the last run of Newton's method.
    best: Vec<[f64; 2]>,
    /// Impulses with the least residual so far, and that residual.
    least: Vec<[f64; 2]>,
    reached: f64,
    /// Residual to be reached, m/s.
    goal: f64,
    path: central_path::RegimePath,
}

impl Default for Heap {
    fn default() -> Self {
        Heap {
            tolerance: 1e-10,
            sweeps: 10,
            rounds: 8,
            limit: usize::MAX,
            infinite: INFINITE,
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
            path: central_path::RegimePath::default(),
        }
    }
}

fn act(block: &Block, x: [f64; 2]) -> [f64; 2] {
    [block[0][0] * x[0] + block[0][1] * x[1], block[1][0] * x[0] + block[1][1] * x[1]]
}

/// Factorises `M + H D Hᵀ` of contacts with the laws `p = −D u` (`None`: D = 0); false where it is singular.
fn assemble(
    elimination: &mut Elimination,
    masses: &[Matrix3<f64>],
    problem: &Bodies<'_>,
    compliance: impl Fn(usize) -> Option<Block>,
) -> bool {
    elimination.start(masses);
    for (i, levers) in problem.levers.iter().enumerate() {
        let Some(d) = compliance(i).map(|d| Matrix2::from(d).transpose()) else { continue };
        let product = |a: &Lever, b: &Lever| a.rows.transpose() * (d * b.rows);
        for lever in levers.iter().flatten() {
            elimination.add_own(lever.body, &product(lever, lever));
        }
        if let [Some(a), Some(b)] = levers {
            elimination.add_between(i, &product(a, b), &product(b, a));
        }
    }
    elimination.factorise()
}

impl Heap {
    /// Residual of these impulses; the best ones are kept.
    fn residual(&mut self, problem: &Bodies<'_>, impulse: &[[f64; 2]]) -> f64 {
        problem.move_by(impulse, &mut self.change);
        let residual = Bodies { friction: &self.friction, ..*problem }.residual(&self.blocks, impulse, &self.change);
        if residual < self.reached {
            self.reached = residual;
            self.least.copy_from_slice(impulse);
        }
        residual
    }

    /// Loads a problem: sizes buffers, and computes blocks, weights and friction.
    fn load(&mut self, problem: &Bodies<'_>) {
        let (n, bodies) = (problem.velocity.len(), problem.inverse_masses.len());
        refill(&mut self.blocks, (0..n).map(|i| problem.block(i)));
        let weights = |b: &Block| [b[0][0], if b[1][1] > 0.0 { b[1][1] } else { b[0][0] }];
        refill(&mut self.weights, self.blocks.iter().map(weights));
        refill(&mut self.friction, problem.friction.iter().map(|mu| mu.min(self.infinite)));
        self.masses.clear();
        for (buffer, length) in [(&mut self.change, bodies + 1), (&mut self.right, bodies), (&mut self.left, bodies)] {
            refill(buffer, repeat_n(Vector3::zeros(), length));
        }
        self.turns.clear();
        for buffer in [&mut self.z, &mut self.centre, &mut self.missing, &mut self.best, &mut self.least] {
            refill(buffer, repeat_n([0.0; 2], n));
        }
        refill(&mut self.cells, repeat_n(RegimeCell::Open, n));
        self.iterations = 0;
        self.reached = f64::INFINITY;
        self.goal = reachable(self.tolerance, problem.velocity);
    }

    /// Goes through the rounds after the first sweeps, until the goal is reached; returns the residual reached.
    fn go_round(&mut self, problem: &Bodies<'_>, mut residual: f64, impulse: &mut [[f64; 2]]) -> f64 {
        self.masses.extend(problem.inverse_masses.iter().map(|block| inverse(block).unwrap_or_default()));
        let pairs = problem.levers.iter().map(|levers| match levers {
            [Some(a), Some(b)] => [a.body, b.body],
            [Some(a), None] | [None, Some(a)] => [a.body; 2],
            [None, None] => [0; 2],
        });
        let prepared = self.elimination.prepare(problem.inverse_masses.len(), pairs);
        for round in 0..self.rounds {
            if round > 0 {
                residual = self.sweep_times(problem, self.sweeps.saturating_mul(1 << round.min(20)), impulse);
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

    /// Writes the impulses; their values on entry are the start (zeros are valid). After [`Failure::NotReached`] they
    /// are the best found.
    pub fn solve(&mut self, problem: Bodies<'_>, impulse: &mut [[f64; 2]]) -> Result<Solved, Failure> {
        Failure::tolerance(self.tolerance)?;
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
        let slipped = slipped(problem.friction, &self.friction, impulse);
        Ok(Solved { iterations: self.iterations, residual, slipped })
    }
}
