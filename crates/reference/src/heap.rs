//! Balls above a vessel: starts of heaps and pours, as plain numbers from a seed.
//!
//! Their end is known: the vessel's walls carry the weight by their impulses, upwards, and nothing moves.

/// Balls that don't touch yet, and the vessel below them.
#[derive(Clone, Debug, PartialEq)]
pub struct HeapStart {
    /// Radii, m.
    pub radii: Vec<f64>,
    /// Positions of the centres, m.
    pub places: Vec<[f64; 2]>,
    /// Velocities, m/s.
    pub velocities: Vec<[f64; 2]>,
    /// Corners of the vessel from left to right, m; the free side is above.
    pub vessel: Vec<[f64; 2]>,
    /// μ of all contacts.
    pub friction: f64,
    /// e of all contacts.
    pub restitution: f64,
    /// Step h, s.
    pub step: f64,
}

/// Shape of the vessel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vessel {
    /// Level floor and upright walls.
    Box,
    /// Two slopes of 45° that meet.
    Valley,
    /// A level floor between two slopes.
    Trough,
}

/// Numbers from a seed (SplitMix64).
#[derive(Clone, Copy, Debug)]
pub struct Random(pub u64);

impl Random {
    /// A number between `low` and `high`.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        low + (high - low) * (((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64)
    }
    /// One of `0..n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.between(0.0, n as f64) as usize).min(n - 1)
    }
}

impl HeapStart {
    /// Makes `count` balls in about √count columns. Their radii are 10 mm less a random part, up to `spread`. Cells are
    /// wider than 2 radii by `slack` radii, and velocities are up to `stir` m/s each way. μ = 0.3, e = 0, h = 1 ms.
    pub fn new(count: usize, vessel: Vessel, spread: f64, slack: f64, stir: f64, seed: u64) -> HeapStart {
        const RADIUS: f64 = 0.01;
        let mut random = Random(seed);
        let columns = (count as f64).sqrt().ceil().max(1.0) as usize;
        let pitch = RADIUS * (2.001 + slack);
        let half = 0.5 * pitch * columns as f64;
        let (mut radii, mut places, mut velocities) = (Vec::new(), Vec::new(), Vec::new());
        for ball in 0..count {
            let radius = RADIUS * (1.0 - random.between(0.0, spread));
            let free = 0.5 * pitch - radius;
            let (column, row) = ((ball % columns) as f64, (ball / columns) as f64);
            let middle = (column + 0.5) * pitch - half;
            // Each column has its own floor, so that its cells are clear of slopes.
            let floor = match vessel {
                Vessel::Box => 0.0,
                Vessel::Valley => middle.abs() + pitch,
                Vessel::Trough => (middle.abs() - 0.5 * half).max(0.0) + pitch,
            };
            radii.push(radius);
            places.push([
                middle + random.between(-free, free),
                floor + (row + 0.5) * pitch + random.between(-free, free),
            ]);
            velocities.push([random.between(-stir, stir), random.between(-stir, stir)]);
        }
        let high = 4.0 * half + 4.0 * pitch;
        let vessel = match vessel {
            Vessel::Box => vec![[-half, high], [-half, 0.0], [half, 0.0], [half, high]],
            Vessel::Valley => vec![[-high, high], [0.0, 0.0], [high, high]],
            Vessel::Trough => {
                vec![[-high - 0.5 * half, high], [-0.5 * half, 0.0], [0.5 * half, 0.0], [high + 0.5 * half, high]]
            }
        };
        HeapStart { radii, places, velocities, vessel, friction: 0.3, restitution: 0.0, step: 1e-3 }
    }

    /// Draws a start by the seed: `least` to `most` balls, μ from 0 to 1, e from 0 to 0.9, h from 1e-4 to 1e-2 s;
    /// vessel, sizes, gaps and speeds each from three kinds.
    pub fn random(seed: u64, least: usize, most: usize) -> HeapStart {
        let mut random = Random(seed.wrapping_mul(0x2545_f491_4f6c_dd1d));
        let count = least + random.below(most - least + 1);
        let vessel = [Vessel::Box, Vessel::Valley, Vessel::Trough][random.below(3)];
        let spread = [0.0, 0.15, 0.6][random.below(3)];
        let slack = [0.0, 0.1, 1.0][random.below(3)];
        let stir = [0.0, 0.1, 0.5][random.below(3)];
        let friction = [0.0, 1.0, random.between(0.0, 1.0), random.between(0.0, 0.3)][random.below(4)];
        let restitution = [0.0, 0.0, 0.9, random.between(0.0, 0.9)][random.below(4)];
        let step = 10f64.powf(random.between(-4.0, -2.0));
        let heap = HeapStart::new(count, vessel, spread, slack, stir, seed);
        HeapStart { friction, restitution, step, ..heap }
    }
}
