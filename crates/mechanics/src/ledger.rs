//! The energy ledger along a path.

use crate::Power;

/// Nodes and weights of Gauss and Legendre's rule of five points on [0, 1] (Abramowitz & Stegun, table 25.4): of order 10, more than
/// any path of a step has.
const GAUSS: [(f64, f64); 5] = [
    (0.046_910_077_030_668_004, 0.118_463_442_528_094_54),
    (0.230_765_344_947_158_45, 0.239_314_335_249_683_23),
    (0.5, 0.284_444_444_444_444_44),
    (0.769_234_655_052_841_55, 0.239_314_335_249_683_23),
    (0.953_089_922_969_332, 0.118_463_442_528_094_54),
];

impl Power {
    /// `[dissipated, work]` (J) within `duration` s, by the power so many seconds after its beginning.
    #[inline]
    pub fn over(duration: f64, mut power: impl FnMut(f64) -> Power) -> [f64; 2] {
        GAUSS.iter().fold([0.0; 2], |[dissipated, work], (part, weight)| {
            let there = power(part * duration);
            [dissipated + weight * duration * there.dissipated, work + weight * duration * there.work]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Degree 9 is integrated to rounding, degree 10 is not.
    #[test]
    fn order_10() {
        for degree in 0..=10 {
            let [dissipated, work] = Power::over(0.5, |t| Power { dissipated: t.powi(degree), work: 1.0 });
            let miss = (dissipated * f64::from(degree + 1) / 0.5f64.powi(degree + 1) - 1.0).abs();
            assert!((miss < 1e-14) == (degree < 10) && (work - 0.5).abs() < 1e-15, "{degree}: {miss:e}");
        }
    }
}
