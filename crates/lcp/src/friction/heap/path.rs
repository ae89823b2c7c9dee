//! From a problem with known answer to the given one, regime by regime.

use super::super::bodies::{Bodies, dot, push};
use super::{Cell, Heap, act, part};

#[derive(Clone, Debug, Default)]
pub(super) struct Path {
    /// What the start misses, and dz/dλ.
    missing: Vec<[f64; 2]>,
    direction: Vec<[f64; 2]>,
}

/// Positive inside the cell, 0 at the border that is crossed.
fn inside(cell: Cell, friction: f64, z: [f64; 2], border: Border) -> f64 {
    match (border, cell) {
        (Border::Normal, Cell::Open) => -z[0],
        (Border::Normal, _) => z[0],
        (Border::Cone(sign), Cell::Sticks) => friction * z[0] - sign * z[1],
        (Border::Cone(sign), _) => sign * z[1] - friction * z[0],
    }
}

#[derive(Clone, Copy, Debug)]
enum Border {
    Normal,
    Cone(f64),
}

impl Heap {
    /// Follows `G(z) = λ G(z₀)` from λ = 1 to 0. Impulses are `P(z)` before and after.
    pub(super) fn follow(&mut self, problem: &Bodies<'_>, epsilon: f64, impulse: &mut [[f64; 2]], most: usize) -> bool {
        let n = impulse.len();
        let mut path = std::mem::take(&mut self.path);
        path.missing.clear();
        path.direction.clear();
        path.direction.resize(n, [0.0; 2]);
        problem.move_by(impulse, &mut self.change);
        for i in 0..n {
            let u = problem.velocity_after(i, &self.change);
            let (p, c, w, z) = (impulse[i], self.centre[i], self.weights[i], self.z[i]);
            path.missing.push([0, 1].map(|k| u[k] + w[k] * (epsilon * (p[k] - c[k]) - (p[k] - z[k]))));
        }
        let done = self.walk(problem, epsilon, &mut path, most);
        for i in 0..n {
            impulse[i] = part(self.cells[i], self.z[i]);
        }
        self.path = path;
        done
    }

    fn walk(&mut self, problem: &Bodies<'_>, epsilon: f64, path: &mut Path, most: usize) -> bool {
        let (mut lambda, mut sign) = (1.0_f64, 1.0_f64);
        let mut crossed: Option<(usize, Border)> = None;
        for _ in 0..most {
            if !self.factorise(problem, epsilon) {
                return false;
            }
            self.direct(problem, epsilon, path);
            if let Some((i, border)) = crossed {
                let moved = path.direction[i].map(|d| -sign * d);
                if inside(self.cells[i], self.friction[i], moved, border) < 0.0 {
                    sign = -sign;
                }
            }
            let most = if sign > 0.0 { lambda } else { f64::INFINITY };
            let (step, next) = self.reach(&path.direction, -sign, most);
            if !step.is_finite() {
                return false;
            }
            for (z, d) in self.z.iter_mut().zip(&path.direction) {
                z[0] -= sign * step * d[0];
                z[1] -= sign * step * d[1];
            }
            lambda -= sign * step;
            let Some((i, border)) = next else { return true };
            if lambda > 1e4 {
                return false;
            }
            let mu = self.friction[i];
            self.cells[i] = match (border, self.cells[i]) {
                (Border::Normal, Cell::Open) => Cell::Slides(if mu == 0.0 { 0.0 } else { mu.copysign(self.z[i][1]) }),
                (Border::Normal, _) => Cell::Open,
                (Border::Cone(sign), Cell::Sticks) => Cell::Slides(sign * mu),
                (Border::Cone(_), _) => Cell::Sticks,
            };
            crossed = next;
        }
        false
    }

    /// How far z can go along `sign·direction` in its cells, and the border there.
    fn reach(&self, direction: &[[f64; 2]], sign: f64, most: f64) -> (f64, Option<(usize, Border)>) {
        let (mut step, mut next) = (most, None);
        for i in 0..self.z.len() {
            let (z, d) = (self.z[i], direction[i].map(|d| sign * d));
            let mut look = |border: Border| {
                let rate = inside(self.cells[i], self.friction[i], d, border);
                if rate < 0.0 {
                    let at = inside(self.cells[i], self.friction[i], z, border).max(0.0) / -rate;
                    if at < step {
                        step = at;
                        next = Some((i, border));
                    }
                }
            };
            match self.cells[i] {
                Cell::Open => look(Border::Normal),
                Cell::Sticks => {
                    look(Border::Cone(1.0));
                    look(Border::Cone(-1.0));
                }
                Cell::Slides(ratio) => {
                    look(Border::Normal);
                    if ratio != 0.0 {
                        look(Border::Cone(ratio.signum()));
                    }
                }
            }
        }
        (step, next)
    }

    /// Goes on from `best` through z by at most so much of the difference, and no further than just over the next border.
    pub(super) fn drift(&mut self, most: f64) -> bool {
        let mut path = std::mem::take(&mut self.path);
        path.direction.clear();
        path.direction.extend(self.z.iter().zip(&self.best).map(|(z, b)| [z[0] - b[0], z[1] - b[1]]));
        let (step, _) = self.reach(&path.direction, 1.0, most);
        if step.is_finite() {
            let step = step * (1.0 + 1e-9);
            for (z, d) in self.z.iter_mut().zip(&path.direction) {
                z[0] += step * d[0];
                z[1] += step * d[1];
            }
        }
        self.path = path;
        step.is_finite()
    }

    /// dz/dλ
    fn direct(&mut self, problem: &Bodies<'_>, epsilon: f64, path: &mut Path) {
        let n = self.z.len();
        self.right.fill([0.0; 3]);
        for i in 0..n {
            let d = self.cells[i].compliance(epsilon, self.weights[i]);
            let kick = act(&d, path.missing[i]);
            for lever in problem.levers[i].iter().flatten() {
                push(lever, kick, &mut self.right[lever.body]);
            }
        }
        self.elimination.solve(&mut self.right);
        for i in 0..n {
            let mut missing = path.missing[i];
            for lever in problem.levers[i].iter().flatten() {
                for k in 0..2 {
                    missing[k] -= dot(&lever.rows[k], &self.right[lever.body]);
                }
            }
            let w = self.weights[i];
            let d = self.cells[i].compliance(epsilon, w);
            let dp = act(&d, missing);
            path.direction[i] = match self.cells[i] {
                Cell::Open => [missing[0] / w[0], missing[1] / w[1]],
                Cell::Sticks => dp,
                Cell::Slides(_) => [dp[0], dp[1] + missing[1] / w[1] - epsilon * dp[1]],
            };
        }
    }
}
