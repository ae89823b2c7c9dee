//! Random problems, by seed.

use lcp::friction::{Bodies, Frictional, Lever};
use nalgebra::{DMatrix, Matrix2x3, Matrix3, Vector3};

/// SplitMix64.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// In [−1, 1).
    pub fn signed(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    /// In [low, high).
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * 0.5 * (self.signed() + 1.0)
    }

    /// In 0..n.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub fn matrix(&mut self, rows: usize, columns: usize) -> DMatrix<f64> {
        DMatrix::from_fn(rows, columns, |_, _| self.signed())
    }

    pub fn vector(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.signed()).collect()
    }
}

/// Contacts of a pile of discs, by levers.
pub struct Pile {
    pub inverse_masses: Vec<Matrix3<f64>>,
    pub levers: Vec<[Option<Lever>; 2]>,
    pub velocity: Vec<[f64; 2]>,
    pub friction: Vec<f64>,
}

impl Pile {
    /// Discs of radius 1 in `rows` rows of `width`, as bricks lie, on a floor and between two walls, with masses in
    /// [1, `ratio`]; about a tenth of the contacts is missing. Each falls by one step of gravity and moves at random.
    pub fn new(random: &mut Random, width: usize, rows: usize, friction: f64, ratio: f64, noise: f64) -> Pile {
        let centre = |row: usize, column: usize| {
            [2.0 * column as f64 + if row % 2 == 1 { 1.0 } else { 0.0 }, 3.0_f64.sqrt() * row as f64]
        };
        let balls = width * rows;
        let disc = |inverse: f64| Matrix3::from_diagonal(&Vector3::new(inverse, inverse, 2.0 * inverse));
        let inverse_masses = (0..balls).map(|_| disc(1.0 / ratio.powf(random.between(0.0, 1.0)))).collect();
        let motion: Vec<[f64; 3]> = (0..balls)
            .map(|_| [noise * random.signed(), noise * random.signed() - 9.81e-3, noise * random.signed()])
            .collect();
        let mut levers: Vec<[Option<Lever>; 2]> = Vec::new();
        // A unit normal from the other body to this ball; the tangent is the normal turned by −90°.
        let lever = |body: usize, [x, y]: [f64; 2], sign: f64| {
            Some(Lever { body, rows: Matrix2x3::new(sign * x, sign * y, 0.0, sign * y, -sign * x, 1.0) })
        };
        for row in 0..rows {
            for column in 0..width {
                let ball = row * width + column;
                let here = centre(row, column);
                if row == 0 {
                    levers.push([lever(ball, [0.0, 1.0], 1.0), None]);
                }
                if column == 0 && row % 2 == 0 {
                    levers.push([lever(ball, [1.0, 0.0], 1.0), None]);
                }
                if column + 1 == width && row % 2 == 1 {
                    levers.push([lever(ball, [-1.0, 0.0], 1.0), None]);
                }
                for other in 0..ball {
                    let there = centre(other / width, other % width);
                    let [dx, dy] = [here[0] - there[0], here[1] - there[1]];
                    if dx * dx + dy * dy < 4.01 && random.between(0.0, 1.0) < 0.9 {
                        let normal = [0.5 * dx, 0.5 * dy];
                        levers.push([lever(ball, normal, 1.0), lever(other, normal, -1.0)]);
                    }
                }
            }
        }
        let along = |of: &[Option<Lever>; 2], k: usize| -> f64 {
            of.iter().flatten().map(|l| (0..3).map(|i| l.rows[(k, i)] * motion[l.body][i]).sum::<f64>()).sum()
        };
        let velocity = levers.iter().map(|of| [along(of, 0), along(of, 1)]).collect();
        let friction = vec![friction; levers.len()];
        Pile { inverse_masses, levers, velocity, friction }
    }

    pub fn bodies(&self) -> Bodies<'_> {
        let Pile { inverse_masses, levers, velocity, friction } = self;
        Bodies { inverse_masses, levers, velocity, friction }
    }

    pub fn matrix(&self) -> DMatrix<f64> {
        let mut matrix = Vec::new();
        self.bodies().delassus(&mut matrix);
        DMatrix::from_vec(2 * self.levers.len(), 2 * self.levers.len(), matrix)
    }

    pub fn dense<'a>(&'a self, matrix: &'a DMatrix<f64>) -> Frictional<'a> {
        Frictional { matrix: matrix.as_view(), velocity: &self.velocity, friction: &self.friction }
    }
}
