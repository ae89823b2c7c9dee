//! How are all contacts solved at once by interior points (Mehrotra's predictor and corrector)? The path-following
//! solver takes its Newton steps from here, too.

use nalgebra::Vector3;
use numbers::elementary;

use super::super::delassus_of_bodies::{Bodies, along, push};
use super::super::{Block, unknowns};
use super::{Heap, act};

/// Largest number of Newton steps, and of consecutive ones that don't take a tenth off the least residual.
const STEPS: usize = 60;
const IDLE: usize = 12;
/// Part of the distance to the boundary that a step goes.
const WAY: f64 = 0.995;
/// Cap of the starting size, in residuals, before the factor `part`: a good start is kept.
const FAR: f64 = 10.0;
/// Least ratio of the mean product that a step aims at to the present one.
const LEAST_CENTRE: f64 = 1e-4;
/// Regularisation of a step relative to the diagonal of W (proximal point). Without it this method alone missed 1e-10
/// m/s in 144 of 220 recorded steps, with 1e-7 in 17; 1e-9 is too small for rounding, 1e-5 slows the last steps.
const EASE: f64 = 1e-7;

/// Unknowns of one contact, `z ≥ 0`, and `y ≥ 0` complementary to them, of Stewart & Trinkle's LCP:
///
/// ```text
/// z   p_n    β₊          β₋          σ
/// y   u_n    σ + u_t     σ − u_t     μ p_n − β₊ − β₋          p_t = β₊ − β₋
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pairs {
    pub z: [f64; 4],
    pub y: [f64; 4],
    pub dz: [f64; 4],
    pub dy: [f64; 4],
    /// Residuals of the definition of y: y less what it should be by z and u.
    pub missing: [f64; 4],
    /// Changes of `z y` that the Newton step aims at.
    pub product: [f64; 4],
    /// `ε Λ`, normal and tangential: regularisation of the step, 1/kg.
    pub ease: [f64; 2],
}

impl Pairs {
    pub fn impulse(&self) -> [f64; 2] {
        [self.z[0], self.z[1] - self.z[2]]
    }

    /// Computes the residuals of y at the contact velocity `u`.
    pub fn miss(&mut self, mu: f64, u: [f64; 2]) {
        let [p, plus, minus, slip] = self.z;
        let defined = [u[0], slip + u[1], slip - u[1], mu * p - plus - minus];
        for k in 0..4 {
            self.missing[k] = self.y[k] - defined[k];
        }
    }

    /// Eliminates the pairs from the Newton step: returns kick and D of `dp = kick − D du`.
    pub fn reduce(&self, mu: f64) -> ([f64; 2], Block) {
        let Pairs { z, y, missing: r, product: q, ease, .. } = self;
        let e = [y[0] + ease[0] * z[0], y[1] + ease[1] * z[1], y[2] + ease[1] * z[2]];
        let dn = z[0] / e[0];
        let kn = (q[0] + z[0] * r[0]) / e[0];
        if mu == 0.0 {
            return ([kn, 0.0], [[dn, 0.0], [0.0, 0.0]]);
        }
        let (bp, bm) = (z[1] / e[1], z[2] / e[2]);
        let (kp, km) = ((q[1] + z[1] * r[1]) / e[1], (q[2] + z[2] * r[2]) / e[2]);
        let (sum, diff) = (bp + bm, bp - bm);
        let below = y[3] + z[3] * sum;
        let ks = (q[3] + z[3] * (kp + km + r[3])) / below;
        let cs = z[3] * mu / below;
        let kt = kp - km - diff * ks + diff * cs * kn;
        // sum − z₃ diff²/below without cancellation: sum² − diff² = 4 bp bm.
        let dtt = (sum * y[3] + z[3] * 4.0 * bp * bm) / below;
        ([kn, kt], [[dn, 0.0], [diff * cs * dn, dtt]])
    }

    /// Completes the Newton step, once the change of the contact velocity is known.
    fn expand(&mut self, mu: f64, du: [f64; 2]) {
        let Pairs { z, y, missing: r, product: q, ease, .. } = *self;
        let e = [y[0] + ease[0] * z[0], y[1] + ease[1] * z[1], y[2] + ease[1] * z[2]];
        self.dz[0] = (q[0] - z[0] * (du[0] - r[0])) / e[0];
        self.dy[0] = du[0] - r[0] + ease[0] * self.dz[0];
        if mu == 0.0 {
            return;
        }
        let (bp, bm) = (z[1] / e[1], z[2] / e[2]);
        let (kp, km) = ((q[1] + z[1] * r[1]) / e[1], (q[2] + z[2] * r[2]) / e[2]);
        let (sum, diff) = (bp + bm, bp - bm);
        let below = y[3] + z[3] * sum;
        self.dz[3] = (q[3] + z[3] * (kp + km + r[3]) - z[3] * mu * self.dz[0] - z[3] * diff * du[1]) / below;
        self.dy[1] = self.dz[3] + du[1] - r[1];
        self.dy[2] = self.dz[3] - du[1] - r[2];
        self.dz[1] = (q[1] - z[1] * self.dy[1]) / e[1];
        self.dz[2] = (q[2] - z[2] * self.dy[2]) / e[2];
        self.dy[1] += ease[1] * self.dz[1];
        self.dy[2] += ease[1] * self.dz[2];
        self.dy[3] = mu * self.dz[0] - self.dz[1] - self.dz[2] - r[3];
    }
}

/// The longest part of the step, at most 1, that keeps all z and y positive: [`WAY`] of the way to the first zero.
fn longest(all: &[Pairs], friction: &[f64]) -> f64 {
    let mut longest = 1.0_f64;
    for (pairs, mu) in all.iter().zip(friction) {
        for k in 0..unknowns(*mu) {
            for (value, change) in [(pairs.z[k], pairs.dz[k]), (pairs.y[k], pairs.dy[k])] {
                if change < 0.0 {
                    longest = longest.min(-WAY * value / change);
                }
            }
        }
    }
    longest
}

/// Mean of the products `Λ z y`, (m/s)², after `part` of the step.
fn mean_product(all: &[Pairs], friction: &[f64], weights: &[[f64; 2]], part: f64) -> f64 {
    let (mut sum, mut number) = (0.0, 0);
    for ((pairs, mu), w) in all.iter().zip(friction).zip(weights) {
        for k in 0..unknowns(*mu) {
            let product = (pairs.z[k] + part * pairs.dz[k]) * (pairs.y[k] + part * pairs.dy[k]);
            sum += product * w[usize::from(k > 0)];
            number += 1;
        }
    }
    sum / f64::from(number.max(1))
}

impl Heap {
    /// Solves the LCP by Mehrotra's predictor and corrector. Each z and y, as a velocity, starts at least at `part`
    /// times the lesser of the largest `|q_i|` and 10 residuals. The problem is not monotone: where the central path
    /// turns back, residuals stall, and the loop ends. Leaves the impulses with the least residual, and returns that.
    pub(super) fn interior(&mut self, problem: &Bodies<'_>, part: f64, impulse: &mut [[f64; 2]]) -> f64 {
        let mut all = std::mem::take(&mut self.path.all);
        self.centre_pairs(problem, part, impulse, &mut all);
        let (mut best, mut idle) = (f64::INFINITY, 0);
        for _ in 0..STEPS {
            for (p, pairs) in impulse.iter_mut().zip(&all) {
                *p = pairs.impulse();
            }
            // `residual` judges feasible impulses, and keeps the best; the pairs go on unprojected.
            super::super::project(&self.friction, impulse);
            let residual = self.residual(problem, impulse);
            idle = if residual < 0.9 * best { 0 } else { idle + 1 };
            best = best.min(residual);
            for (p, pairs) in impulse.iter_mut().zip(&all) {
                *p = pairs.impulse();
            }
            problem.move_by(impulse, &mut self.change);
            for i in 0..impulse.len() {
                all[i].miss(self.friction[i], problem.velocity_after(i, &self.change));
            }
            let mean = mean_product(&all, &self.friction, &self.weights, 0.0);
            if residual <= self.goal || idle > IDLE || !(mean > 0.0 && self.advance(problem, mean, &mut all)) {
                break;
            }
        }
        impulse.copy_from_slice(&self.least);
        self.path.all = all;
        self.reached
    }

    /// Sets starting pairs around the given impulses.
    fn centre_pairs(&mut self, problem: &Bodies<'_>, part: f64, impulse: &[[f64; 2]], all: &mut Vec<Pairs>) {
        let speed = problem.velocity.iter().flatten().fold(0.0_f64, |x, q| x.max(q.abs()));
        let least = part * speed.min(FAR * self.residual(problem, impulse));
        all.clear();
        for i in 0..impulse.len() {
            let (mu, p, u) = (self.friction[i], impulse[i], problem.velocity_after(i, &self.change));
            let [normal, tangential] = self.weights[i].map(|w| least / w);
            let slip = u[1].abs().max(least);
            let z = [p[0].max(normal), p[1].max(tangential), (-p[1]).max(tangential), slip];
            let inside = (mu * z[0] - z[1] - z[2]).max(tangential);
            let y = [u[0].max(least), (slip + u[1]).max(least), (slip - u[1]).max(least), inside];
            let ease = self.weights[i].map(|w| EASE * w);
            all.push(Pairs { z, y, ease, ..Pairs::default() });
        }
    }

    /// Makes a step from pairs with this mean product; false where the matrix is singular or the step ends at once.
    fn advance(&mut self, problem: &Bodies<'_>, mean: f64, all: &mut [Pairs]) -> bool {
        for pairs in all.iter_mut() {
            (pairs.dz, pairs.dy) = ([0.0; 4], [0.0; 4]);
            pairs.product = [0, 1, 2, 3].map(|k| -pairs.z[k] * pairs.y[k]);
        }
        if !self.factorise_pairs(problem, all) {
            return false;
        }
        // The predictor aims at products of zero; how far it gets says how small the corrector's may be.
        self.toward(problem, all);
        let far = longest(all, &self.friction);
        let after = mean_product(all, &self.friction, &self.weights, far);
        let centre = elementary::powi((after / mean).clamp(0.0, 1.0), 3).max(LEAST_CENTRE);
        for (pairs, w) in all.iter_mut().zip(&self.weights) {
            for k in 0..4 {
                let aim = centre * mean / w[usize::from(k > 0)];
                pairs.product[k] = aim - pairs.z[k] * pairs.y[k] - pairs.dz[k] * pairs.dy[k];
            }
        }
        self.toward(problem, all);
        let part = longest(all, &self.friction);
        for (pairs, mu) in all.iter_mut().zip(&self.friction) {
            for k in 0..unknowns(*mu) {
                pairs.z[k] += part * pairs.dz[k];
                pairs.y[k] += part * pairs.dy[k];
            }
        }
        part > 1e-8
    }

    /// Computes the Newton step that removes, up to the regularisation, `missing` and changes `z y` by `product`, with
    /// the factorised matrix.
    pub(super) fn toward(&mut self, problem: &Bodies<'_>, all: &mut [Pairs]) {
        self.right.fill(Vector3::zeros());
        for ((pairs, mu), levers) in all.iter().zip(&self.friction).zip(problem.levers) {
            push(levers, pairs.reduce(*mu).0, &mut self.right);
        }
        self.elimination.solve(&mut self.right);
        self.refine(problem, all);
        for ((pairs, mu), levers) in all.iter_mut().zip(&self.friction).zip(problem.levers) {
            pairs.expand(*mu, along(levers, [0.0; 2], &self.right));
        }
    }

    /// Refines the bodies' velocities in `right` once, by the momentum balance that rounding of the elimination left.
    fn refine(&mut self, problem: &Bodies<'_>, all: &[Pairs]) {
        for ((left, mass), right) in self.left.iter_mut().zip(&self.masses).zip(&self.right) {
            *left = -(mass * right);
        }
        for ((pairs, mu), levers) in all.iter().zip(&self.friction).zip(problem.levers) {
            let (kick, d) = pairs.reduce(*mu);
            let back = act(&d, along(levers, [0.0; 2], &self.right));
            push(levers, [kick[0] - back[0], kick[1] - back[1]], &mut self.left);
        }
        self.elimination.solve(&mut self.left);
        self.right.iter_mut().zip(&self.left).for_each(|(right, left)| *right += left);
    }
}
