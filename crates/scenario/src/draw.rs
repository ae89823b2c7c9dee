//! Numbers drawn from a seed: the same on every machine.

/// SplitMix64 (Steele, Lea, Flood: OOPSLA 2014, 453), and what is made of it.
#[derive(Clone, Debug)]
pub(crate) struct Draw(u64);

impl Draw {
    pub fn new(seed: u64) -> Self {
        Draw(seed)
    }

    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from 0 to below 1, uniformly distributed.
    pub fn uniform(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A number from `low` to `high`, uniformly distributed.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.uniform()
    }

    /// A unit vector of any direction, by rejection (no sine that differs between machines).
    pub fn direction(&mut self) -> [f64; 2] {
        loop {
            let [x, y] = [self.between(-1.0, 1.0), self.between(-1.0, 1.0)];
            let square = x * x + y * y;
            if square > 1e-6 && square <= 1.0 {
                let length = square.sqrt();
                return [x / length, y / length];
            }
        }
    }

    /// Normal with mean 0 and deviation 1, by Marsaglia's polar method.
    pub fn normal(&mut self) -> f64 {
        loop {
            let [x, y] = [self.between(-1.0, 1.0), self.between(-1.0, 1.0)];
            let square = x * x + y * y;
            if square > 0.0 && square < 1.0 {
                return x * (-2.0 * square.ln() / square).sqrt();
            }
        }
    }
}
