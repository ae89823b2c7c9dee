//! How is a central path followed around its turning points? [`Heap`] says when: from the second round on.
//!
//! ```text
//! z y = τ product        y = M z + q + εΛ(z − centre) + τ shift        τ from 1 to 0
//! ```
//!
//! z and y are the [`Pairs`] of all contacts; the matrix M and the vector q of the LCP, which holds the free
//! velocities, define y. Λ is the diagonal of the Delassus operator. The regularisation ε leaves out the fourth pair.
//! `product` and `shift` put the start on the path, at τ = 1. The end, at τ = 0, is a solution but for the pull of ε,
//! which [`draw`] keeps small.

use numbers::elementary;

use super::super::delassus_of_bodies::Bodies;
use super::super::{Block, unknowns};
use super::interior::Pairs;
use super::{Heap, assemble};
use crate::refill;

/// Step lengths, as the largest change of ln z, ln y or ln τ: first, longest, and shortest before the path is given up.
const FIRST: f64 = 0.5;
const LONGEST: f64 = 2.0;
const SHORTEST: f64 = 1e-7;
/// Ratio of the regularisation's pull to the residual from which its centre is moved to the current point.
const DRAWN: f64 = 0.3;
/// First Newton correction, relative, from which a step has left the path; correction below which it is back on it.
const LOST: f64 = 0.5;
const BACK: f64 = 0.2;
/// Cosine between the directions before and after a step that must be exceeded: a path turns, it does not jump.
const STRAIGHT: f64 = 0.5;
/// τ from which a path is given up: it will not come back.
const AWAY: f64 = 1e6;

/// Data of one contact on the path: coefficients of its equations, the point and the direction.
#[derive(Clone, Copy, Debug, Default)]
struct PathNode {
    product: [f64; 4],
    shift: [f64; 4],
    centre: [f64; 4],
    /// Pairs at the end of the last step, and the rates of ln z and ln y there.
    kept: Pairs,
    rates: [[f64; 2]; 4],
    /// Rates at the present point, and Newton's correction of ln z and ln y.
    next: [[f64; 2]; 4],
    fix: [[f64; 2]; 4],
}

/// The path, which starts at τ = 1 towards smaller τ; rates are derivatives with respect to −ln τ.
#[derive(Clone, Debug, Default)]
pub(super) struct RegimePath {
    nodes: Vec<PathNode>,
    pub all: Vec<Pairs>,
    tau: f64,
    /// Whether the determinant is negative at the start of the path, where τ falls.
    negative: bool,
}

/// Padé's approximation of eˣ of degrees 2 and 2: positive, and `1/grown(−x)`.
fn grown(x: f64) -> f64 {
    let even = 1.0 + x * x / 12.0;
    (even + 0.5 * x) / (even - 0.5 * x)
}

/// The two positive numbers with difference ζ and product δ² (Chen & Harker 1993).
fn apart(zeta: f64, delta: f64) -> [f64; 2] {
    let root = elementary::hypot(zeta, 2.0 * delta);
    let large = 0.5 * (root + zeta.abs());
    let small = delta * (delta / large);
    if zeta > 0.0 { [large, small] } else { [small, large] }
}

impl PathNode {
    /// Terms of the regularisation in each y.
    fn pull(&self, pairs: &Pairs) -> [f64; 4] {
        let [normal, tangential] = pairs.ease;
        let ease = [normal, tangential, tangential, 0.0];
        [0, 1, 2, 3].map(|k| ease[k] * (pairs.z[k] - self.centre[k]))
    }
}

/// Relative changes `dz/z, dy/y` of a step: of ln z and ln y to first order.
fn relative(pairs: &Pairs) -> [[f64; 2]; 4] {
    [0, 1, 2, 3].map(|k| [pairs.dz[k] / pairs.z[k], pairs.dy[k] / pairs.y[k]])
}

impl RegimePath {
    /// The largest rate of an unknown or of ln τ (which is 1), by which a step length is divided.
    fn fastest(&self, friction: &[f64]) -> f64 {
        let each = self.nodes.iter().zip(friction).flat_map(|(node, mu)| node.rates[..unknowns(*mu)].iter().flatten());
        each.fold(1.0, |fastest, rate| fastest.max(rate.abs()))
    }

    /// Sets the pairs to those of a step from the kept point along its rates; `step` is the change of −ln τ.
    fn leave(&mut self, friction: &[f64], step: f64) {
        for ((node, pairs), mu) in self.nodes.iter().zip(&mut self.all).zip(friction) {
            *pairs = node.kept;
            for k in 0..unknowns(*mu) {
                pairs.z[k] *= grown(step * node.rates[k][0]);
                pairs.y[k] *= grown(step * node.rates[k][1]);
            }
        }
    }

    /// Cosine between the old and the new direction in ln z, ln y, ln τ; part of Newton's correction along the new one.
    fn compare(&self, friction: &[f64]) -> (f64, f64) {
        let (mut old, mut new, mut both, mut along) = (1.0, 1.0, 1.0, 0.0);
        for (node, mu) in self.nodes.iter().zip(friction) {
            for k in 0..unknowns(*mu) {
                for l in 0..2 {
                    let (a, b) = (node.rates[k][l], node.next[k][l]);
                    old += a * a;
                    new += b * b;
                    both += a * b;
                    along += b * node.fix[k][l];
                }
            }
        }
        (both / (old.sqrt() * new.sqrt()), along / new)
    }

    /// Makes the part of Newton's correction that is at right angles to the path: without `along` times the direction,
    /// which changes τ as well. Returns the largest change of ln z and ln y; `None`, and no correction, if that is not
    /// below `most`. z and y are multiplied by 1 + change, not by an exponential as in steps: the definition of y,
    /// which is linear in both, then holds again, but for the second order of `along` in τ.
    fn correct(&mut self, friction: &[f64], along: f64, most: f64) -> Option<f64> {
        let mut largest = 0.0_f64;
        for (node, mu) in self.nodes.iter_mut().zip(friction) {
            for k in 0..unknowns(*mu) {
                for l in 0..2 {
                    node.fix[k][l] -= along * node.next[k][l];
                    largest = largest.max(node.fix[k][l].abs());
                }
            }
        }
        if !(largest < most) {
            return None;
        }
        self.tau *= grown(along);
        for ((node, pairs), mu) in self.nodes.iter().zip(&mut self.all).zip(friction) {
            for k in 0..unknowns(*mu) {
                pairs.z[k] *= 1.0 + node.fix[k][0];
                pairs.y[k] *= 1.0 + node.fix[k][1];
            }
        }
        Some(largest)
    }
}

impl Heap {
    /// Follows a central path, in τ down or up as it turns, with the regularisation `ease`. It begins near the
    /// impulses, with δ = `part` times the largest `|q_i|`. Leaves those with the least residual, and returns that.
    pub(super) fn follow(
        &mut self,
        problem: &Bodies<'_>,
        [part, ease]: [f64; 2],
        systems: usize,
        impulse: &mut [[f64; 2]],
    ) -> f64 {
        let mut path = std::mem::take(&mut self.path);
        let speed = problem.velocity.iter().flatten().fold(0.0_f64, |x, q| x.max(q.abs()));
        self.begin(problem, [part * speed, ease], impulse, &mut path);
        self.walk(problem, systems, impulse, &mut path);
        impulse.copy_from_slice(&self.least);
        self.path = path;
        self.reached
    }

    /// Begins a path at pairs near the impulses. With the contact's `w = (Λ_n, Λ_t)` all four products of a z and a y,
    /// as velocities, are δ² (δ in m/s), and the differences are
    ///
    /// ```text
    /// w₀z₀ − y₀ = w₀p_n − max(u_n, 0)                 w₁z₁ − y₁ = w₁ max(p_t, 0) − (|u_t| + u_t)
    /// z₃ − w₁y₃ = |u_t| − w₁ max(μp_n − |p_t|, 0)     w₁z₂ − y₂ = w₁ max(−p_t, 0) − (|u_t| − u_t)
    /// ```
    ///
    /// Then each y is raised until its shift is at least δ, that of y₃, an impulse, at least δ/w₁. For only where all
    /// shifts are positive a single path comes from τ = ∞ (see [`Heap`]).
    fn begin(&mut self, problem: &Bodies<'_>, [delta, ease]: [f64; 2], impulse: &[[f64; 2]], path: &mut RegimePath) {
        problem.move_by(impulse, &mut self.change);
        path.all.clear();
        path.nodes.clear();
        path.tau = 0.0;
        for i in 0..impulse.len() {
            let (mu, p, u) = (self.friction[i], impulse[i], problem.velocity_after(i, &self.change));
            let w = self.weights[i];
            let mut pairs = Pairs { ease: w.map(|w| ease * w), ..Pairs::default() };
            let normal = apart(w[0] * p[0] - u[0].max(0.0), delta);
            (pairs.z[0], pairs.y[0]) = (normal[0] / w[0], normal[1]);
            if unknowns(mu) > 1 {
                let slip = u[1].abs();
                for (k, sign) in [(1, 1.0), (2, -1.0)] {
                    let side = apart(w[1] * (sign * p[1]).max(0.0) - (slip + sign * u[1]), delta);
                    (pairs.z[k], pairs.y[k]) = (side[0] / w[1], side[1]);
                }
                let inside = w[1] * (mu * p[0] - p[1].abs()).max(0.0);
                let border = apart(slip - inside, delta);
                (pairs.z[3], pairs.y[3]) = (border[0], border[1] / w[1]);
            }
            path.all.push(pairs);
            path.nodes.push(PathNode { centre: pairs.z, ..PathNode::default() });
        }
        self.miss(problem, path);
        for ((pairs, node), w) in path.all.iter_mut().zip(&mut path.nodes).zip(&self.weights) {
            for k in 0..4 {
                let least = if k == 3 { delta / w[1] } else { delta };
                pairs.y[k] += (least - pairs.missing[k]).max(0.0);
                node.shift[k] = pairs.missing[k].max(least);
                node.product[k] = pairs.z[k] * pairs.y[k];
            }
        }
        path.tau = 1.0;
    }

    /// Computes the residuals `missing` of the path's definition of y for all contacts.
    fn miss(&mut self, problem: &Bodies<'_>, path: &mut RegimePath) {
        refill(&mut self.missing, path.all.iter().map(Pairs::impulse));
        problem.move_by(&self.missing, &mut self.change);
        for (i, (pairs, node)) in path.all.iter_mut().zip(&path.nodes).enumerate() {
            pairs.miss(self.friction[i], problem.velocity_after(i, &self.change));
            for (k, pull) in node.pull(pairs).into_iter().enumerate() {
                pairs.missing[k] -= pull + path.tau * node.shift[k];
            }
        }
    }

    /// Factorises the matrix of a Newton step from these pairs; false where it is singular.
    pub(super) fn factorise_pairs(&mut self, problem: &Bodies<'_>, all: &[Pairs]) -> bool {
        self.iterations += 1;
        let compliance = |i: usize| -> Option<Block> { Some(all[i].reduce(self.friction[i]).1) };
        assemble(&mut self.elimination, &self.masses, problem, compliance)
    }

    /// Computes the rates of the path into `next`, by the factorised matrix.
    fn direct(&mut self, problem: &Bodies<'_>, path: &mut RegimePath) {
        for (pairs, node) in path.all.iter_mut().zip(&path.nodes) {
            pairs.product = node.product.map(|product| -path.tau * product);
            pairs.missing = node.shift.map(|shift| path.tau * shift);
        }
        self.toward(problem, &mut path.all);
        for (pairs, node) in path.all.iter().zip(&mut path.nodes) {
            node.next = relative(pairs);
        }
    }

    /// 1 where τ falls along the path, as at its start; −1 where it grows: the determinant changes sign at each turn.
    fn sense(&self, path: &RegimePath) -> f64 {
        if self.elimination.negative == path.negative { 1.0 } else { -1.0 }
    }

    /// Walks along the path until the goal is reached, a step fails, τ is too large or `systems` are spent.
    fn walk(&mut self, problem: &Bodies<'_>, systems: usize, impulse: &mut [[f64; 2]], path: &mut RegimePath) {
        let most = self.limit.min(self.iterations.saturating_add(systems));
        if !self.factorise_pairs(problem, &path.all) {
            return;
        }
        path.negative = self.elimination.negative;
        self.direct(problem, path);
        let (mut sense, mut length) = (1.0, FIRST);
        while self.iterations < most && path.tau < AWAY {
            for (pairs, node) in path.all.iter().zip(&mut path.nodes) {
                (node.kept, node.rates) = (*pairs, node.next);
            }
            let (start, mut fresh) = (path.tau, false);
            sense = loop {
                let step = sense * length / path.fastest(&self.friction);
                path.tau = start * grown(-step);
                path.leave(&self.friction, step);
                if let Some(sense) = self.return_to(problem, sense, &mut length, path) {
                    break sense;
                }
                if !(length > SHORTEST) {
                    return;
                }
                path.tau = start;
                if !fresh {
                    // The rates were computed before Newton's last correction: here are those of the place itself.
                    fresh = true;
                    path.leave(&self.friction, 0.0);
                    if !self.factorise_pairs(problem, &path.all) {
                        return;
                    }
                    self.direct(problem, path);
                    path.nodes.iter_mut().for_each(|node| node.rates = node.next);
                    sense = self.sense(path);
                }
                length *= 0.4;
            };
            for (p, pairs) in impulse.iter_mut().zip(&path.all) {
                *p = pairs.impulse();
            }
            super::super::project(&self.friction, impulse);
            let residual = self.residual(problem, impulse);
            if residual <= self.goal || !residual.is_finite() {
                return;
            }
            draw(path, residual);
        }
    }

    /// Returns to the path after a step, by up to three Newton corrections at right angles to it; returns
    /// [`sense`](Self::sense) there. `None`: the step came upon another path, or too far away.
    fn return_to(&mut self, problem: &Bodies<'_>, sense: f64, length: &mut f64, path: &mut RegimePath) -> Option<f64> {
        let mut before = LOST;
        for turn in 0..3 {
            self.miss(problem, path);
            if !self.factorise_pairs(problem, &path.all) {
                return None;
            }
            for (pairs, node) in path.all.iter_mut().zip(&path.nodes) {
                pairs.product = [0, 1, 2, 3].map(|k| path.tau * node.product[k] - pairs.z[k] * pairs.y[k]);
            }
            self.toward(problem, &mut path.all);
            for (pairs, node) in path.all.iter().zip(&mut path.nodes) {
                node.fix = relative(pairs);
            }
            self.direct(problem, path);
            let (cosine, along) = path.compare(&self.friction);
            let largest = path.correct(&self.friction, along, before)?;
            // Each correction must be a fifth smaller than the last.
            before = 0.8 * largest;
            if largest < BACK {
                let next = self.sense(path);
                if turn == 0 {
                    *length = (1.7 * *length).min(LONGEST);
                }
                // Beyond a turn the rates, which are by −ln τ, and the sense both have the other sign.
                return (cosine * sense * next > STRAIGHT).then_some(next);
            }
        }
        None
    }
}

/// Moves the centre of the regularisation to the current point once its pull exceeds [`DRAWN`] of the residual. The
/// shift takes over what the pull was, so that the point stays on the path.
fn draw(path: &mut RegimePath, residual: f64) {
    let all = &path.all;
    let strongest = |(pairs, node): (&Pairs, &PathNode)| node.pull(pairs).iter().fold(0.0_f64, |x, p| x.max(p.abs()));
    let pulls = all.iter().zip(&path.nodes).map(strongest).fold(0.0, f64::max);
    if pulls > DRAWN * residual {
        for (pairs, node) in all.iter().zip(&mut path.nodes) {
            let pull = node.pull(pairs);
            node.shift = [0, 1, 2, 3].map(|k| node.shift[k] + pull[k] / path.tau);
            node.centre = pairs.z;
        }
    }
}
