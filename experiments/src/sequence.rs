//! Numbers in a row: random ones, and how fast errors fall.

/// SplitMix64 (Steele, Lea & Flood, OOPSLA 2014): small, and the same everywhere.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// From a seed.
    pub fn new(seed: u64) -> Self {
        Random(seed)
    }

    /// Uniform between two bounds.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        low + (high - low) * ((z >> 11) as f64 / (1u64 << 53) as f64)
    }

    /// Normal, of mean 0 and standard deviation 1 (Box & Muller, 1958).
    pub fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.between(0.0, 1.0)).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.between(0.0, 1.0)).cos()
    }
}

/// Slope of `ln y` over `ln x` by least squares: the order, if x is the step and y the error.
pub fn slope(points: &[(f64, f64)]) -> f64 {
    let n = points.len() as f64;
    let mean = |f: fn(&(f64, f64)) -> f64| points.iter().map(f).sum::<f64>() / n;
    let (x, y) = (mean(|p| p.0.ln()), mean(|p| p.1.ln()));
    let over: f64 = points.iter().map(|p| (p.0.ln() - x) * (p.1.ln() - y)).sum();
    over / points.iter().map(|p| (p.0.ln() - x).powi(2)).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slope_of_a_power() {
        let points: Vec<_> = [1.0, 0.5, 0.1].iter().map(|x: &f64| (*x, 3.0 * x.powf(2.5))).collect();
        assert!((slope(&points) - 2.5).abs() < 1e-14);
    }

    #[test]
    fn random_numbers_are_those_of_the_seed() {
        let draw = |seed| {
            let mut random = Random::new(seed);
            [random.between(-1.0, 1.0), random.between(-1.0, 1.0)]
        };
        assert_eq!(draw(7), draw(7));
        assert!(draw(7) != draw(8) && draw(7)[0] != draw(7)[1] && draw(7).iter().all(|x| x.abs() <= 1.0));
    }
}
