//! Random problems, by seed.

use faer::Mat;
use lcp::friction::{Block, Frictional, Sparse};

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

    pub fn matrix(&mut self, rows: usize, columns: usize) -> Mat<f64> {
        Mat::from_fn(rows, columns, |_, _| self.signed())
    }

    pub fn vector(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.signed()).collect()
    }
}

/// Contacts of a pile, with blocks and with their dense matrix.
pub struct Pile {
    pub starts: Vec<usize>,
    pub columns: Vec<usize>,
    pub blocks: Vec<Block>,
    pub velocity: Vec<[f64; 2]>,
    pub friction: Vec<f64>,
}

/// One side of a contact: ball, and what `(p_n, p_t)` does to its `(v_x, v_y, ω)`.
struct Side {
    ball: usize,
    normal: [f64; 3],
    tangential: [f64; 3],
}

impl Pile {
    /// Discs of radius 1 in `rows` rows of `width`, as bricks lie, on a floor and between two walls, with masses in
    /// [1, `ratio`]; about a tenth of the contacts is missing. Each falls by one step of gravity and moves at random.
    pub fn new(random: &mut Random, width: usize, rows: usize, friction: f64, ratio: f64, noise: f64) -> Pile {
        let centre = |row: usize, column: usize| {
            [2.0 * column as f64 + if row % 2 == 1 { 1.0 } else { 0.0 }, 3.0_f64.sqrt() * row as f64]
        };
        let balls = width * rows;
        let mass: Vec<f64> = (0..balls).map(|_| ratio.powf(random.between(0.0, 1.0))).collect();
        let motion: Vec<[f64; 3]> = (0..balls)
            .map(|_| [noise * random.signed(), noise * random.signed() - 9.81e-3, noise * random.signed()])
            .collect();
        let mut contacts: Vec<Vec<Side>> = Vec::new();
        // A unit normal from the other body to this ball; the tangent is the normal turned by −90°.
        let side = |ball: usize, [x, y]: [f64; 2], sign: f64| Side {
            ball,
            normal: [sign * x, sign * y, 0.0],
            tangential: [sign * y, -sign * x, 1.0],
        };
        for row in 0..rows {
            for column in 0..width {
                let ball = row * width + column;
                let here = centre(row, column);
                if row == 0 {
                    contacts.push(vec![side(ball, [0.0, 1.0], 1.0)]);
                }
                if column == 0 && row % 2 == 0 {
                    contacts.push(vec![side(ball, [1.0, 0.0], 1.0)]);
                }
                if column + 1 == width && row % 2 == 1 {
                    contacts.push(vec![side(ball, [-1.0, 0.0], 1.0)]);
                }
                for other in 0..ball {
                    let there = centre(other / width, other % width);
                    let [dx, dy] = [here[0] - there[0], here[1] - there[1]];
                    if dx * dx + dy * dy < 4.01 && random.between(0.0, 1.0) < 0.9 {
                        let normal = [0.5 * dx, 0.5 * dy];
                        contacts.push(vec![side(ball, normal, 1.0), side(other, normal, -1.0)]);
                    }
                }
            }
        }
        let mut touching: Vec<Vec<usize>> = vec![Vec::new(); balls];
        for (i, sides) in contacts.iter().enumerate() {
            sides.iter().for_each(|side| touching[side.ball].push(i));
        }
        let mut pile = Pile {
            starts: vec![0],
            columns: Vec::new(),
            blocks: Vec::new(),
            velocity: Vec::new(),
            friction: vec![friction; contacts.len()],
        };
        for sides in &contacts {
            let mut others: Vec<usize> = sides.iter().flat_map(|side| touching[side.ball].clone()).collect();
            others.sort_unstable();
            others.dedup();
            let mut velocity = [0.0; 2];
            for side in sides {
                for k in 0..3 {
                    velocity[0] += side.normal[k] * motion[side.ball][k];
                    velocity[1] += side.tangential[k] * motion[side.ball][k];
                }
            }
            pile.velocity.push(velocity);
            for other in others {
                let mut block = [[0.0; 2]; 2];
                for a in sides {
                    for b in contacts[other].iter().filter(|b| b.ball == a.ball) {
                        let inverse = [1.0, 1.0, 2.0].map(|x| x / mass[a.ball]); // discs
                        for (row, left) in [&a.normal, &a.tangential].into_iter().enumerate() {
                            for (column, right) in [&b.normal, &b.tangential].into_iter().enumerate() {
                                block[row][column] += (0..3).map(|k| left[k] * inverse[k] * right[k]).sum::<f64>();
                            }
                        }
                    }
                }
                pile.columns.push(other);
                pile.blocks.push(block);
            }
            pile.starts.push(pile.columns.len());
        }
        pile
    }

    pub fn sparse(&self) -> Sparse<'_> {
        Sparse {
            starts: &self.starts,
            columns: &self.columns,
            blocks: &self.blocks,
            velocity: &self.velocity,
            friction: &self.friction,
        }
    }

    pub fn matrix(&self) -> Mat<f64> {
        let n = self.velocity.len();
        let mut matrix = Mat::zeros(2 * n, 2 * n);
        for row in 0..n {
            for entry in self.starts[row]..self.starts[row + 1] {
                for k in 0..2 {
                    for l in 0..2 {
                        matrix[(2 * row + k, 2 * self.columns[entry] + l)] += self.blocks[entry][k][l];
                    }
                }
            }
        }
        matrix
    }

    pub fn dense<'a>(&'a self, matrix: &'a Mat<f64>) -> Frictional<'a> {
        Frictional { matrix: matrix.as_ref(), velocity: &self.velocity, friction: &self.friction }
    }
}
