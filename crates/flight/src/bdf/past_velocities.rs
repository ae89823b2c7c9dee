//! How does a BDF keep its past? As velocities, with Newton's interpolation through them. Times are parts of the
//! current step: 0 at its start, 1 at its end, negative before.

use nalgebra::Vector2;

/// Largest order.
pub(super) const MAX_ORDER: usize = 5;
/// Number of values kept: order 5 needs 5, the prediction one more, the error estimate of the next order one more.
const KEPT: usize = MAX_ORDER + 2;

/// Integrals `1/(i + 1)` of the powers `sⁱ` over the step.
const PER: [f64; KEPT + 1] = [1.0, 1.0 / 2.0, 1.0 / 3.0, 1.0 / 4.0, 1.0 / 5.0, 1.0 / 6.0, 1.0 / 7.0, 1.0 / 8.0];

/// Velocities at past nodes, the newest first.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub(super) struct Nodes {
    pub(super) len: usize,
    /// Times of the nodes, s, from the newest.
    times: [f64; KEPT],
    pub(super) velocities: [Vector2<f64>; KEPT],
}

impl Nodes {
    /// Five nodes `h` s apart, newest first.
    pub(super) fn spread(h: f64, velocities: [Vector2<f64>; 5]) -> Self {
        let mut nodes = Nodes { len: 5, ..Nodes::default() };
        for i in 0..5 {
            nodes.times[i] = -h * i as f64;
            nodes.velocities[i] = velocities[i];
        }
        nodes
    }

    /// Adds a node `h` s after the newest, and drops the oldest if there are too many.
    pub(super) fn push(&mut self, h: f64, velocity: Vector2<f64>) {
        self.len = (self.len + 1).min(KEPT);
        for i in (1..self.len).rev() {
            self.times[i] = self.times[i - 1] - h;
            self.velocities[i] = self.velocities[i - 1];
        }
        (self.times[0], self.velocities[0]) = (0.0, velocity);
    }

    /// Time of node i in parts of a step of `h` s. Beyond the oldest node a virtual one is placed one step before it,
    /// so that the error of a BDF of order 5 is estimated from its first step on.
    pub(super) fn part(&self, i: usize, h: f64) -> f64 {
        if i < self.len { self.times[i] / h } else { self.times[self.len - 1] / h - (i + 1 - self.len) as f64 }
    }

    /// Divided differences over the newest 1, 2, …, `most` nodes, for a step of `h` s.
    pub(super) fn differences(&self, h: f64, most: usize) -> Differences {
        let len = self.len.min(most).min(KEPT);
        let mut past = Differences { len, ..Differences::default() };
        let per_step = 1.0 / h;
        for i in 0..KEPT {
            past.parts[i] = if i < self.len { self.times[i] * per_step } else { self.part(i, h) };
        }
        past.velocities[..len].copy_from_slice(&self.velocities[..len]);
        // Loops have a fixed length, which is faster; entries beyond the last difference are set to zero after them.
        for order in 1..KEPT {
            for i in (order..KEPT).rev() {
                let width = 1.0 / (past.parts[i - order] - past.parts[i]);
                past.velocities[i] = (past.velocities[i - 1] - past.velocities[i]) * width;
            }
        }
        past.velocities[len..].fill(Vector2::zeros());
        past
    }
}

/// Divided differences: entry i is over the newest i + 1 nodes; zero beyond the last.
#[derive(Clone, Debug, Default)]
pub(super) struct Differences {
    pub(super) len: usize,
    parts: [f64; KEPT],
    pub(super) velocities: [Vector2<f64>; KEPT],
}

impl Differences {
    /// Polynomial of degree k − 1 through the newest k nodes.
    pub(super) fn polynomial(&self, basis: &Basis, k: usize) -> Polynomial {
        let mut velocity = Polynomial::default();
        for i in 0..k {
            velocity.add(basis, i, self.velocities[i]);
        }
        velocity
    }

    /// Divided differences over the end of the step, with the velocity `end`, and the newest 0, 1, 2 … nodes.
    pub(super) fn with(&self, end: Vector2<f64>) -> [Vector2<f64>; KEPT + 1] {
        let mut differences = [Vector2::zeros(); KEPT + 1];
        differences[0] = end;
        for i in 0..(self.len + 1).min(KEPT) {
            differences[i + 1] = (differences[i] - self.velocities[i]) / (1.0 - self.parts[i]);
        }
        differences
    }
}

/// Polynomial of the part of the step, lowest power first.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Polynomial(pub(super) [Vector2<f64>; MAX_ORDER + 1]);

impl Polynomial {
    /// Adds `weight` times the basis polynomial `πᵢ`.
    #[inline(always)]
    pub(super) fn add(&mut self, basis: &Basis, i: usize, weight: Vector2<f64>) {
        // The loop has a fixed length: coefficients beyond the degree are zero.
        for (sum, c) in self.0.iter_mut().zip(&basis.coefficients[i]) {
            *sum += weight * *c;
        }
    }
    pub(super) fn at_end(&self) -> Vector2<f64> {
        self.0[0] + self.0[1] + self.0[2] + self.0[3] + self.0[4] + self.0[5]
    }
    pub(super) fn slope_at_end(&self) -> Vector2<f64> {
        self.0[1] + 2.0 * self.0[2] + 3.0 * self.0[3] + 4.0 * self.0[4] + 5.0 * self.0[5]
    }
    /// Integral over the step, in parts of its length.
    pub(super) fn area(&self) -> Vector2<f64> {
        self.0.iter().zip(PER).map(|(c, per)| c * per).sum()
    }
}

/// Value and slope of a basis polynomial at the end of the step, and its integral.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct AtEnd {
    pub(super) value: f64,
    pub(super) slope: f64,
    /// Integral over the step.
    pub(super) area: f64,
}

/// Newton's basis `πᵢ(s) = Π (s − sⱼ)`, `j < i`, over the times sⱼ of nodes, by coefficients of powers, lowest first.
#[derive(Clone, Debug)]
pub(super) struct Basis {
    coefficients: [[f64; KEPT]; KEPT],
    pub(super) ends: [AtEnd; KEPT],
}

impl Basis {
    /// Builds the basis over the nodes of `past`, up to the largest index kept.
    pub(super) fn of(past: &Differences) -> Self {
        let mut basis = Basis { coefficients: [[0.0; KEPT]; KEPT], ends: [AtEnd::default(); KEPT] };
        basis.coefficients[0][0] = 1.0;
        basis.ends[0] = AtEnd { value: 1.0, slope: 0.0, area: 1.0 };
        for i in 1..KEPT {
            let part = past.parts[i - 1];
            let mut row = [0.0; KEPT];
            for j in 0..KEPT {
                let c = basis.coefficients[i - 1][j];
                row[j] -= part * c;
                if j + 1 < KEPT {
                    row[j + 1] += c;
                }
            }
            let area = row.iter().zip(PER).fold(0.0, |sum, (c, per)| sum + c * per);
            let AtEnd { value, slope, .. } = basis.ends[i - 1];
            let to_end = 1.0 - part;
            basis.coefficients[i] = row;
            basis.ends[i] = AtEnd { value: value * to_end, slope: slope * to_end + value, area };
        }
        basis
    }
}
