//! Adaptive Gauss–Legendre quadrature.

use crate::Interval;

/// Seven-point Gauss–Legendre nodes in [0, 1) and weights (Abramowitz & Stegun, table 25.4).
const NODES: [(f64, f64); 4] = [
    (0.0, 0.417_959_183_673_469_4),
    (0.405_845_151_377_397_2, 0.381_830_050_505_118_94),
    (0.741_531_185_599_394_4, 0.279_705_391_489_276_7),
    (0.949_107_912_342_758_5, 0.129_484_966_168_869_7),
];

/// Nodes ξ > 0 and weights on [−1, 1] of the rules of 2, 4 … 16 points, each node standing for ±ξ: zeros of the
/// Legendre polynomials and their weights, computed by mpmath to 40 digits.
pub const GAUSS_RULES: [&[(f64, f64)]; 8] = [
    &[(0.577_350_269_189_625_7, 1.0)],
    &[(0.339_981_043_584_856_26, 0.652_145_154_862_546_1), (0.861_136_311_594_052_6, 0.347_854_845_137_453_85)],
    &[
        (0.238_619_186_083_196_9, 0.467_913_934_572_691_04),
        (0.661_209_386_466_264_5, 0.360_761_573_048_138_6),
        (0.932_469_514_203_152, 0.171_324_492_379_170_36),
    ],
    &[
        (0.183_434_642_495_649_8, 0.362_683_783_378_362),
        (0.525_532_409_916_329, 0.313_706_645_877_887_27),
        (0.796_666_477_413_626_7, 0.222_381_034_453_374_48),
        (0.960_289_856_497_536_3, 0.101_228_536_290_376_26),
    ],
    &[
        (0.148_874_338_981_631_22, 0.295_524_224_714_752_87),
        (0.433_395_394_129_247_2, 0.269_266_719_309_996_35),
        (0.679_409_568_299_024_4, 0.219_086_362_515_982_04),
        (0.865_063_366_688_984_5, 0.149_451_349_150_580_6),
        (0.973_906_528_517_171_7, 0.066_671_344_308_688_14),
    ],
    &[
        (0.125_233_408_511_468_9, 0.249_147_045_813_402_77),
        (0.367_831_498_998_180_2, 0.233_492_536_538_354_8),
        (0.587_317_954_286_617_5, 0.203_167_426_723_065_92),
        (0.769_902_674_194_304_7, 0.160_078_328_543_346_22),
        (0.904_117_256_370_474_9, 0.106_939_325_995_318_43),
        (0.981_560_634_246_719_2, 0.047_175_336_386_511_83),
    ],
    &[
        (0.108_054_948_707_343_67, 0.215_263_853_463_157_8),
        (0.319_112_368_927_889_74, 0.205_198_463_721_295_6),
        (0.515_248_636_358_154_1, 0.185_538_397_477_937_82),
        (0.687_292_904_811_685_5, 0.157_203_167_158_193_55),
        (0.827_201_315_069_765, 0.121_518_570_687_903_19),
        (0.928_434_883_663_573_5, 0.080_158_087_159_760_21),
        (0.986_283_808_696_812_3, 0.035_119_460_331_751_86),
    ],
    &[
        (0.095_012_509_837_637_44, 0.189_450_610_455_068_5),
        (0.281_603_550_779_258_9, 0.182_603_415_044_923_58),
        (0.458_016_777_657_227_37, 0.169_156_519_395_002_54),
        (0.617_876_244_402_643_8, 0.149_595_988_816_576_74),
        (0.755_404_408_355_003, 0.124_628_971_255_533_88),
        (0.865_631_202_387_831_8, 0.095_158_511_682_492_79),
        (0.944_575_023_073_232_6, 0.062_253_523_938_647_894),
        (0.989_400_934_991_649_9, 0.027_152_459_411_754_096),
    ],
];

/// Largest number of halvings; a function that oscillates faster than they resolve gets only an estimate.
const HALVINGS: u32 = 20_000;

/// The integral of `f`, negative if `to < from`. Relative error about `1e-14` where `f` is smooth and keeps its sign;
/// an estimate where it oscillates thousands of times.
pub fn integral(f: impl Fn(f64) -> f64, from: f64, to: f64) -> f64 {
    if to < from {
        return -integral(f, to, from);
    }
    let part = Interval::new(from, to);
    let whole = gauss(&f, part);
    let quadrature = |scale: f64| Quadrature { f: &f, enough: 1e-13 * scale, left_over: HALVINGS };
    let sum = quadrature(whole).adapt(part, whole, 40);
    // A single rule may have hit the only steep place: its estimate, and the tolerance by it, are then too large.
    if whole > 4.0 * sum { quadrature(sum).adapt(part, whole, 40) } else { sum }
}

struct Quadrature<'a, F> {
    f: &'a F,
    /// Difference that no longer matters to the whole integral. Without it, parts where the integrand is small would be
    /// halved for its rounding: the speed of a steep curve is mostly rounding where the curve is nearly level.
    enough: f64,
    left_over: u32,
}

fn gauss(f: &impl Fn(f64) -> f64, part: Interval) -> f64 {
    let (centre, half) = (part.middle(), 0.5 * part.width());
    let sum: f64 = NODES
        .iter()
        .map(|&(x, w)| {
            let right = f(centre + half * x);
            if x == 0.0 { w * right } else { w * (right + f(centre - half * x)) }
        })
        .sum();
    sum * half
}

impl<F: Fn(f64) -> f64> Quadrature<'_, F> {
    /// The integral over a part whose single rule gives `whole`: halved until both halves together agree with it.
    fn adapt(&mut self, part: Interval, whole: f64, depth: u32) -> f64 {
        let (left, right) = part.halves();
        let (a, b) = (gauss(self.f, left), gauss(self.f, right));
        // A rule of order 14 gains 2¹⁴ by halving, so this difference is far larger than the error of `a + b`.
        let difference = (a + b - whole).abs();
        self.left_over = self.left_over.saturating_sub(1);
        if depth == 0 || self.left_over == 0 || !(difference > self.enough.max(1e-11 * whole.abs())) {
            return a + b;
        }
        self.adapt(left, a, depth - 1) + self.adapt(right, b, depth - 1)
    }
}
