//! Many contacts: Gauss–Seidel on sparse 2 × 2 blocks, accelerated.

use super::{Block, check_friction, check_length, check_pairs, larger, limit, natural, one, reachable};
use crate::{Failure, Solved};

/// Contacts with a sparse Delassus operator: row i has the blocks `starts[i]..starts[i + 1]`, among them one `(i, i)`.
#[derive(Clone, Copy, Debug)]
pub struct Sparse<'a> {
    /// n + 1 places in `columns` and `blocks`, from 0 and not falling.
    pub starts: &'a [usize],
    /// Column of each block, in any order within a row.
    pub columns: &'a [usize],
    /// The blocks, 1/kg.
    pub blocks: &'a [Block],
    /// `q`, m/s.
    pub velocity: &'a [[f64; 2]],
    /// μ of each contact; may be infinite.
    pub friction: &'a [f64],
}

impl Sparse<'_> {
    /// Sizes and structure fit and every number makes sense.
    pub fn check(&self, impulses: usize) -> Result<(), Failure> {
        let n = self.velocity.len();
        check_length("starts", self.starts.len(), n + 1)?;
        check_length("friction", self.friction.len(), n)?;
        check_length("impulse", impulses, n)?;
        check_length("columns", self.columns.len(), self.blocks.len())?;
        check_pairs("velocity", self.velocity)?;
        check_friction(self.friction, true)?;
        for row in 0..=n {
            let value = self.starts[row];
            let structure = |rule| Err(Failure::Structure { row, entry: row, value, rule });
            if row == 0 && value != 0 {
                return structure("starts begins with 0");
            }
            if row > 0 && value < self.starts[row - 1] {
                return structure("starts must not fall");
            }
            if row == n && value != self.blocks.len() {
                return structure("starts ends with the number of blocks");
            }
        }
        for row in 0..n {
            let mut own = 0;
            for entry in self.starts[row]..self.starts[row + 1] {
                let value = self.columns[entry];
                if value >= n {
                    return Err(Failure::Structure { row, entry, value, rule: "columns must be contacts" });
                }
                own += usize::from(value == row);
                let block = &self.blocks[entry];
                for (k, value) in block.iter().flatten().copied().enumerate() {
                    if !value.is_finite() {
                        let (row, column) = (2 * row + k / 2, 2 * self.columns[entry] + k % 2);
                        return Err(Failure::NotFinite { name: "blocks", row, column, value });
                    }
                }
                if self.columns[entry] == row && !(block[0][0] > 0.0) {
                    return Err(Failure::Diagonal { index: 2 * row, value: block[0][0] });
                }
            }
            if own != 1 {
                let entry = self.starts[row];
                return Err(Failure::Structure { row, entry, value: own, rule: "a row has one diagonal block" });
            }
        }
        Ok(())
    }

    /// `u = W p + q` of a contact.
    #[inline]
    pub fn velocity_after(&self, contact: usize, impulse: &[[f64; 2]]) -> [f64; 2] {
        let [mut normal, mut tangential] = self.velocity[contact];
        let range = self.starts[contact]..self.starts[contact + 1];
        for (block, column) in self.blocks[range.clone()].iter().zip(&self.columns[range]) {
            let p = impulse[*column];
            normal += block[0][0] * p[0] + block[0][1] * p[1];
            tangential += block[1][0] * p[0] + block[1][1] * p[1];
        }
        [normal, tangential]
    }

    /// Where the diagonal block of a row stands.
    fn diagonal(&self, row: usize) -> usize {
        let start = self.starts[row];
        let found = self.columns[start..self.starts[row + 1]].iter().position(|column| *column == row);
        start + found.unwrap_or(0)
    }
}

/// Steps that are kept for the acceleration.
const DEPTH: usize = 10;
/// Most pairs of sweeps without extrapolation after one that failed.
const LONGEST_PAUSE: usize = 1024;
/// Pairs of sweeps without progress after which what is kept is of no use.
const STALE: usize = 20;

/// Nonlinear block Gauss–Seidel: each contact in turn gets the exact answer for the impulses of the others
/// ([`friction::one`](super::one)), forwards and backwards, from the given start; every pair of sweeps is extrapolated
/// by Anderson's method.
///
/// Without acceleration the work grows with the square of the height of a stack; with it, about as the height. An
/// extrapolation that makes things worse is dropped: the method goes on from the best impulses it had, for a while with
/// Nesterov's momentum instead. Nothing proves convergence with friction: piles at rest converge in some hundred sweeps,
/// but of dense piles of 50 to 500 discs all of which move at random, with μ up to 1, one in seven did not in 10 000.
///
/// The residual is that of [`friction`](super), in m/s.
#[derive(Clone, Debug)]
pub struct GaussSeidel {
    /// Largest residual, m/s; 1e-10.
    pub tolerance: f64,
    /// Most sweeps; 20 000.
    pub sweeps: usize,
    /// Whether sweeps are extrapolated; true.
    pub accelerate: bool,
    diagonal: Vec<usize>,
    /// Impulses before the pair of sweeps, after it, and the best after.
    before: Vec<[f64; 2]>,
    best: Vec<[f64; 2]>,
    /// Changes by the pair of sweeps, as velocities.
    change: Vec<[f64; 2]>,
    last_change: Vec<[f64; 2]>,
    last_after: Vec<[f64; 2]>,
    /// Differences of changes and of results, newest at `newest`.
    changes: Vec<[f64; 2]>,
    results: Vec<[f64; 2]>,
    /// Scalar products of `changes`.
    products: [[f64; DEPTH]; DEPTH],
}

impl Default for GaussSeidel {
    fn default() -> Self {
        GaussSeidel {
            tolerance: 1e-10,
            sweeps: 20_000,
            accelerate: true,
            diagonal: Vec::new(),
            before: Vec::new(),
            best: Vec::new(),
            change: Vec::new(),
            last_change: Vec::new(),
            last_after: Vec::new(),
            changes: Vec::new(),
            results: Vec::new(),
            products: [[0.0; DEPTH]; DEPTH],
        }
    }
}

/// Into the friction cones.
pub(super) fn project(friction: &[f64], impulse: &mut [[f64; 2]]) {
    for (p, friction) in impulse.iter_mut().zip(friction) {
        p[0] = p[0].max(0.0);
        let limit = limit(*friction, p[0]);
        p[1] = p[1].max(-limit).min(limit);
    }
}

fn dot(a: &[[f64; 2]], b: &[[f64; 2]]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a[0] * b[0] + a[1] * b[1]).sum()
}

impl GaussSeidel {
    /// Largest natural map.
    fn residual(&self, problem: &Sparse<'_>, impulse: &[[f64; 2]]) -> f64 {
        (0..impulse.len()).fold(0.0, |worst, i| {
            let block = &problem.blocks[self.diagonal[i]];
            larger(worst, natural(block, problem.friction[i], impulse[i], problem.velocity_after(i, impulse)))
        })
    }

    /// One contact, given the others.
    #[inline]
    fn relax(&self, problem: &Sparse<'_>, i: usize, impulse: &mut [[f64; 2]]) {
        let block = &problem.blocks[self.diagonal[i]];
        let p = impulse[i];
        let u = problem.velocity_after(i, impulse);
        let free = [u[0] - block[0][0] * p[0] - block[0][1] * p[1], u[1] - block[1][0] * p[0] - block[1][1] * p[1]];
        let friction = problem.friction[i];
        impulse[i] = one::solve(block, free, friction).unwrap_or_else(|| {
            // No regime holds (Painlevé, singular block): one after the other.
            let normal = (p[0] - u[0] / block[0][0]).max(0.0);
            let limit = limit(friction, normal);
            let weight = if block[1][1] > 0.0 { block[1][1] } else { block[0][0] };
            [normal, (p[1] - u[1] / weight).max(-limit).min(limit)]
        });
    }

    fn sweep(&self, problem: &Sparse<'_>, impulse: &mut [[f64; 2]]) {
        for i in 0..impulse.len() {
            self.relax(problem, i, impulse);
        }
        for i in (0..impulse.len()).rev() {
            self.relax(problem, i, impulse);
        }
    }

    /// `p ← p − Σ γ_k ΔG_k` with the γ that makes `‖f − Σ γ_k ΔF_k‖` least, then into the cones. False if that fails.
    fn extrapolate(&self, problem: &Sparse<'_>, depth: usize, impulse: &mut [[f64; 2]]) -> bool {
        let n = impulse.len();
        let mut matrix = self.products;
        let mut right = [0.0_f64; DEPTH];
        for i in 0..depth {
            right[i] = dot(&self.changes[i * n..(i + 1) * n], &self.change);
        }
        // Cholesky of the matrix scaled to a unit diagonal, a little regularised.
        let mut size = [0.0_f64; DEPTH];
        for i in 0..depth {
            size[i] = matrix[i][i].sqrt();
            if !(size[i] > 0.0 && size[i].is_finite()) {
                return false;
            }
        }
        for i in 0..depth {
            right[i] /= size[i];
            for j in 0..=i {
                matrix[i][j] /= size[i] * size[j];
            }
            matrix[i][i] += 1e-14;
        }
        for i in 0..depth {
            for j in 0..=i {
                let taken: f64 = (0..j).map(|k| matrix[i][k] * matrix[j][k]).sum();
                let value = matrix[i][j] - taken;
                if i == j {
                    if !(value > 1e-15) {
                        return false;
                    }
                    matrix[i][i] = value.sqrt();
                } else {
                    matrix[i][j] = value / matrix[j][j];
                }
            }
        }
        for i in 0..depth {
            let taken: f64 = (0..i).map(|k| matrix[i][k] * right[k]).sum();
            right[i] = (right[i] - taken) / matrix[i][i];
        }
        for i in (0..depth).rev() {
            let taken: f64 = (i + 1..depth).map(|k| matrix[k][i] * right[k]).sum();
            right[i] = (right[i] - taken) / matrix[i][i];
        }
        for k in 0..depth {
            let gamma = right[k] / size[k];
            if !gamma.is_finite() {
                return false;
            }
            for (p, d) in impulse.iter_mut().zip(&self.results[k * n..(k + 1) * n]) {
                p[0] -= gamma * d[0];
                p[1] -= gamma * d[1];
            }
        }
        project(problem.friction, impulse);
        impulse.iter().flatten().all(|p| p.is_finite())
    }

    /// Nesterov's step `p ← p + k/(k+3) (p − p_last)`, with k from 0 again where it turns back; the next k.
    fn push(&mut self, problem: &Sparse<'_>, k: usize, cap: f64, impulse: &mut [[f64; 2]]) -> usize {
        let moved = impulse.iter().zip(&self.last_after).map(|(p, last)| [p[0] - last[0], p[1] - last[1]]);
        let along: f64 = moved.zip(&self.change).map(|(d, f)| d[0] * f[0] + d[1] * f[1]).sum();
        let k = if along > 0.0 { k } else { 0 };
        let factor = (k as f64 / (k as f64 + 3.0)).min(cap);
        for (p, last) in impulse.iter_mut().zip(&mut self.last_after) {
            let now = *p;
            p[0] += factor * (now[0] - last[0]);
            p[1] += factor * (now[1] - last[1]);
            *last = now;
        }
        project(problem.friction, impulse);
        k + 1
    }

    /// Keeps the differences of the last two pairs of sweeps in place `to`.
    fn remember(&mut self, to: usize, impulse: &[[f64; 2]]) {
        let n = impulse.len();
        for i in 0..n {
            for k in 0..2 {
                self.changes[to * n + i][k] = self.change[i][k] - self.last_change[i][k];
                self.results[to * n + i][k] = impulse[i][k] - self.last_after[i][k];
            }
        }
        let new = &self.changes[to * n..(to + 1) * n];
        for k in 0..DEPTH {
            let product = dot(&self.changes[k * n..(k + 1) * n], new);
            self.products[to][k] = product;
            self.products[k][to] = product;
        }
    }

    /// Writes the impulses; on entry they are the start (zeros are a valid one).
    pub fn solve(&mut self, problem: Sparse<'_>, impulse: &mut [[f64; 2]]) -> Result<Solved, Failure> {
        crate::problem::tolerance(self.tolerance)?;
        problem.check(impulse.len())?;
        check_pairs("impulse", impulse)?;
        let n = impulse.len();
        self.diagonal.clear();
        self.diagonal.extend((0..n).map(|i| problem.diagonal(i)));
        for buffer in [&mut self.before, &mut self.best, &mut self.change, &mut self.last_change, &mut self.last_after]
        {
            buffer.clear();
            buffer.resize(n, [0.0; 2]);
        }
        for buffer in [&mut self.changes, &mut self.results] {
            buffer.clear();
            buffer.resize(DEPTH * n, [0.0; 2]);
        }
        let tolerance = reachable(self.tolerance, problem.velocity);
        project(problem.friction, impulse);
        let mut residual = self.residual(&problem, impulse);
        let (mut sweeps, mut pairs, mut kept, mut newest) = (0, 0_usize, 0_usize, 0_usize);
        let (mut least, mut milestone, mut decade) = (f64::INFINITY, f64::INFINITY, f64::INFINITY);
        let mut stale = 0_usize;
        let (mut momentum, mut cap, mut began) = (0_usize, 1.0_f64, f64::INFINITY);
        let (mut extrapolated, mut plain, mut pause) = (false, 0_usize, 32_usize);
        while !(residual <= tolerance) {
            if residual.is_nan() || sweeps >= self.sweeps {
                return Err(Failure::NotReached { residual, tolerance: self.tolerance, iterations: sweeps });
            }
            self.before.copy_from_slice(impulse);
            self.sweep(&problem, impulse);
            sweeps += 2;
            for i in 0..n {
                let weight = problem.blocks[self.diagonal[i]][0][0];
                self.change[i] =
                    [weight * (impulse[i][0] - self.before[i][0]), weight * (impulse[i][1] - self.before[i][1])];
            }
            let size = dot(&self.change, &self.change).sqrt();
            // What a pair of sweeps still moves is about the residual, if not less: look closer.
            let near = size <= 4.0 * tolerance;
            if near || pairs % 16 == 15 || sweeps >= self.sweeps {
                residual = self.residual(&problem, impulse);
            }
            pairs += 1;
            if !self.accelerate || residual <= tolerance {
                continue;
            }
            if extrapolated && (size > 10.0 * least || stale > STALE) {
                // Worse: back to the best, forget the rest, and sweep plainly for a while.
                impulse.copy_from_slice(&self.best);
                (kept, newest, stale, extrapolated) = (0, 0, 0, false);
                (plain, pause) = (pause, (2 * pause).min(LONGEST_PAUSE));
                least = f64::INFINITY;
                continue;
            }
            stale += 1;
            if size < least {
                if size < 0.9 * milestone {
                    milestone = size;
                    stale = 0;
                }
                least = size;
                self.best.copy_from_slice(impulse);
            }
            if size < 0.1 * decade {
                decade = size;
                pause = (pause / 2).max(32);
            }
            if pairs > 1 {
                self.remember(newest, impulse);
                newest = (newest + 1) % DEPTH;
                kept = (kept + 1).min(DEPTH);
            }
            self.last_change.copy_from_slice(&self.change);
            extrapolated = false;
            if plain > 0 {
                plain -= 1;
                if momentum == 0 {
                    began = size;
                } else if plain == 0 && size > 2.0 * began {
                    // Friction can make momentum spin: less of it next time.
                    cap *= 0.9;
                }
                momentum = self.push(&problem, momentum, cap, impulse);
                continue;
            }
            momentum = 0;
            self.last_after.copy_from_slice(impulse);
            if kept > 0 {
                extrapolated = self.extrapolate(&problem, kept, impulse);
                if !extrapolated {
                    impulse.copy_from_slice(&self.last_after);
                    (kept, newest) = (0, 0);
                }
            }
        }
        Ok(Solved { iterations: sweeps, residual })
    }
}
