//! The energy ledger along a path.

use crate::Power;

/// Nodes and weights on [0, 1] of Gauss and Legendre's rules of two to five points (Abramowitz & Stegun, table 25.4).
const GAUSS: [&[(f64, f64)]; 4] = [
    &[(0.211_324_865_405_187_12, 0.5), (0.788_675_134_594_812_9, 0.5)],
    &[
        (0.112_701_665_379_258_31, 0.277_777_777_777_777_8),
        (0.5, 0.444_444_444_444_444_44),
        (0.887_298_334_620_741_7, 0.277_777_777_777_777_8),
    ],
    &[
        (0.069_431_844_202_973_71, 0.173_927_422_568_726_93),
        (0.330_009_478_207_571_87, 0.326_072_577_431_273_07),
        (0.669_990_521_792_428_1, 0.326_072_577_431_273_07),
        (0.930_568_155_797_026_3, 0.173_927_422_568_726_93),
    ],
    &[
        (0.046_910_077_030_668_004, 0.118_463_442_528_094_54),
        (0.230_765_344_947_158_45, 0.239_314_335_249_683_23),
        (0.5, 0.284_444_444_444_444_44),
        (0.769_234_655_052_841_55, 0.239_314_335_249_683_23),
        (0.953_089_922_969_332, 0.118_463_442_528_094_54),
    ],
];

impl Power {
    /// `[dissipated, work]` (J) within `duration` s, by the power so many seconds after its beginning, along a path of the given
    /// degree. Such a path misses its end by a power of its length one above the degree, if not by more; the rule is of that order at
    /// least.
    #[inline]
    pub fn over(degree: usize, duration: f64, mut power: impl FnMut(f64) -> Power) -> [f64; 2] {
        let rule = GAUSS[(degree / 2).clamp(1, GAUSS.len()) - 1];
        rule.iter().fold([0.0; 2], |[dissipated, work], (part, weight)| {
            let there = power(part * duration);
            [dissipated + weight * duration * there.dissipated, work + weight * duration * there.work]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A rule of n points integrates degree 2n - 1 to rounding, and 2n not.
    #[test]
    fn order() {
        for (path, order) in [(2, 4), (3, 4), (4, 6), (5, 6), (6, 8), (7, 8), (8, 10)] {
            for degree in 0..=order {
                let power = |t: f64| Power { dissipated: t.powi(degree), work: 1.0 };
                let [dissipated, work] = Power::over(path, 0.5, power);
                let miss = (dissipated * f64::from(degree + 1) / 0.5f64.powi(degree + 1) - 1.0).abs();
                assert!((miss < 1e-14) == (degree < order) && (work - 0.5).abs() < 1e-15, "{path} {degree}: {miss:e}");
            }
        }
    }
}
