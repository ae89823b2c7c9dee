//! The energy ledger along a path.

use crate::Power;

/// Nodes and weights on [0, 1] of Gauss and Legendre's rules of two to seven points (Abramowitz & Stegun, table 25.4).
const GAUSS: [&[(f64, f64)]; 6] = [
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
    &[
        (0.033_765_242_898_423_99, 0.085_662_246_189_585_18),
        (0.169_395_306_766_867_73, 0.180_380_786_524_069_3),
        (0.380_690_406_958_401_56, 0.233_956_967_286_345_52),
        (0.619_309_593_041_598_5, 0.233_956_967_286_345_52),
        (0.830_604_693_233_132_2, 0.180_380_786_524_069_3),
        (0.966_234_757_101_576, 0.085_662_246_189_585_18),
    ],
    &[
        (0.025_446_043_828_620_736, 0.064_742_483_084_434_85),
        (0.129_234_407_200_302_77, 0.139_852_695_744_638_32),
        (0.297_077_424_311_301_4, 0.190_915_025_252_559_46),
        (0.5, 0.208_979_591_836_734_7),
        (0.702_922_575_688_698_5, 0.190_915_025_252_559_46),
        (0.870_765_592_799_697_2, 0.139_852_695_744_638_32),
        (0.974_553_956_171_379_3, 0.064_742_483_084_434_85),
    ],
];

impl Power {
    /// Integrates the power along a path of degree d to `[dissipated, work]` (J); `power` is asked for so many seconds after the start
    /// of `duration` s. If the path is the motion itself, its force is of degree d − 2 and its power of degree 2d − 3: d − 1 points
    /// are exact.
    #[inline]
    pub fn over(degree: usize, duration: f64, mut power: impl FnMut(f64) -> Power) -> [f64; 2] {
        let rule = GAUSS[degree.saturating_sub(3).min(GAUSS.len() - 1)];
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
        for (path, order) in [(2, 4), (3, 4), (4, 6), (5, 8), (6, 10), (7, 12), (8, 14), (9, 14)] {
            for degree in 0..=order {
                let power = |t: f64| Power { dissipated: t.powi(degree), work: 1.0 };
                let [dissipated, work] = Power::over(path, 0.5, power);
                let miss = (dissipated * f64::from(degree + 1) / 0.5f64.powi(degree + 1) - 1.0).abs();
                assert!((miss < 1e-14) == (degree < order) && (work - 0.5).abs() < 1e-15, "{path} {degree}: {miss:e}");
            }
        }
    }
}
