//! How is a stiff step solved? The 3-stage Radau IIA method (order 5, L-stable): its tables and its Newton iteration.
//!
//! Hairer, Wanner, *Solving ODEs II*, 2nd ed., table IV.5.6 and §IV.8.

use nalgebra::{Complex, SMatrix, SVector};

/// A matrix by its rows.
pub type Matrix = [[f64; 3]; 3];

const ROOT6: f64 = 2.449_489_742_783_178_098_197_284_074_705_9;
/// Nodes of the stages, as parts of the step.
pub const C: [f64; 3] = [(4.0 - ROOT6) / 10.0, (4.0 + ROOT6) / 10.0, 1.0];

/// Coefficients `aᵢⱼ` of table IV.5.6.
pub const A: Matrix = [
    [(88.0 - 7.0 * ROOT6) / 360.0, (296.0 - 169.0 * ROOT6) / 1800.0, (-2.0 + 3.0 * ROOT6) / 225.0],
    [(296.0 + 169.0 * ROOT6) / 1800.0, (88.0 + 7.0 * ROOT6) / 360.0, (-2.0 - 3.0 * ROOT6) / 225.0],
    [(16.0 - ROOT6) / 36.0, (16.0 + ROOT6) / 36.0, 1.0 / 9.0],
];

/// Eigenvalues of `A⁻¹`: one real, and a pair α ± iβ (§IV.8).
pub const REAL: f64 = 3.637_834_252_744_495_732_208_418_513_577_8;
/// See [`REAL`].
pub const ALPHA: f64 = 2.681_082_873_627_752_133_895_790_743_211_1;
/// See [`REAL`].
pub const BETA: f64 = 3.050_430_199_247_410_569_426_377_624_787_6;

/// Eigenvectors of `A⁻¹`, of the complex pair real and imaginary part, as in Hairer's program `radau5.f`:
/// `T⁻¹ A⁻¹ T = diag(γ, [α −β; β α])`, where γ is [`REAL`].
pub const T: Matrix = [
    [9.123_239_487_089_294_279_2e-2, -0.141_255_295_020_954_208_43, -3.002_919_410_514_742_449_2e-2],
    [0.241_717_932_707_107_018_96, 0.204_129_352_293_799_931_99, 0.382_942_112_757_261_937_79],
    [0.966_048_182_615_092_936_19, 1.0, 0.0],
];
/// The inverse `T⁻¹`.
pub const INVERSE: Matrix = [
    [4.325_579_890_063_155_351_0, 0.339_199_251_815_809_869_54, 0.541_770_539_935_874_871_19],
    [-4.178_718_591_551_904_727_3, -0.327_682_820_761_062_387_08, 0.476_623_554_500_550_451_96],
    [-0.502_872_634_945_786_875_95, 2.571_926_949_855_605_429_2, -0.596_039_204_828_224_924_97],
];

/// Weighted sum of three stages.
pub fn mix<const N: usize>(stages: &[SVector<f64, N>; 3], weights: [f64; 3]) -> SVector<f64, N> {
    stages[0] * weights[0] + stages[1] * weights[1] + stages[2] * weights[2]
}

/// Simplified Newton iteration for the stages of `w′ = f(w, ∫w)` over a step of length h, its matrix split into a real
/// and a complex block (§IV.8).
#[derive(Clone, Debug)]
pub struct Newton<const N: usize> {
    h: f64,
    real: SMatrix<f64, N, N>,
    pair: SMatrix<Complex<f64>, N, N>,
}

impl<const N: usize> Newton<N> {
    /// Inverts Newton's blocks, given the derivatives of f by w and by `∫w`; `None`: a block has no inverse.
    pub fn new(h: f64, by_value: SMatrix<f64, N, N>, by_integral: SMatrix<f64, N, N>) -> Option<Self> {
        let unit = SMatrix::<f64, N, N>::identity();
        let real = (unit * (REAL / h) - by_value - by_integral * (h / REAL)).try_inverse()?;
        let eigenvalue = Complex::new(ALPHA / h, BETA / h);
        let [unit, value, integral] = [unit, by_value, by_integral].map(|matrix| matrix.map(Complex::from));
        let pair = (unit * eigenvalue - value - integral * eigenvalue.inv()).try_inverse()?;
        Some(Newton { h, real, pair })
    }

    /// Change of the stages in one round of Newton, given the stages less the start, and their rates f.
    pub fn change(&self, stages: &[SVector<f64, N>; 3], rates: &[SVector<f64, N>; 3]) -> [SVector<f64, N>; 3] {
        // T⁻¹(F − A⁻¹W/h), with A⁻¹ block diagonal in these coordinates.
        let [f0, f1, f2] = INVERSE.map(|row| mix(rates, row));
        let [w0, w1, w2] = INVERSE.map(|row| mix(stages, row) / self.h);
        let (r1, r2) = (f1 - w1 * ALPHA + w2 * BETA, f2 - w1 * BETA - w2 * ALPHA);
        let both = self.pair * r1.zip_map(&r2, Complex::new);
        let change = [self.real * (f0 - w0 * REAL), both.map(|z| z.re), both.map(|z| z.im)];
        T.map(|row| mix(&change, row))
    }

    /// Computes `(γ/h − ∂f)⁻¹ error`, which damps an error estimate where f is stiff (§IV.8, (8.19)).
    pub fn damp(&self, error: SVector<f64, N>) -> SVector<f64, N> {
        self.real * error
    }
}
