//! Noise model of residuals: white noise of each axis plus a misfit that changes slowly from row to row.
//!
//! The slow part is a process with exponential correlation of length ℓ and q times the variance of the noise. A Kalman
//! filter of one state whitens the residuals (Durbin & Koopman, *Time Series Analysis by State Space Methods*, 2012,
//! §4.3); columns of the derivatives pass the same filter. All numbers maximise the restricted likelihood (Harville,
//! *J. Am. Stat. Assoc.* 72, 1977, 320), which allows for the fitted parameters: q and ℓ on a grid, the noise of each
//! axis by its squares over the degrees of freedom left (Förstner, *Z. Vermess.* 104, 1979, 446). Among q and ℓ within
//! one standard deviation of the maximum, those with the largest errors of the parameters are taken: with few rows the
//! likeliest are mostly too small.

use identify::Evaluation;
use nalgebra::{DMatrix, DVector};
use rayon::prelude::*;

/// Noise of both axes, possibly correlated in time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Colour {
    /// Standard deviation of the noise of each row along x and y, in units of residuals.
    pub white: [f64; 2],
    /// Standard deviation of the slow part over that of the white noise; 0: no slow part.
    pub slow: f64,
    /// Time in which the correlation falls to 1/e, s.
    pub length: f64,
    /// Whether ratio and length are the largest ones tried, and may be larger.
    pub beyond: [bool; 2],
}

/// Numbers of ratios of variances and of correlation lengths tried.
const RATIOS: usize = 14;
const LENGTHS: usize = 10;
/// Iterations for the noise of two axes.
const STEPS: u32 = 12;

/// Axis and time (s) of a residual.
pub type SeenAt = (usize, f64);

/// Likelihood of whitened residuals after the parameters are eliminated.
struct Remainder {
    /// −2 times the logarithm of the restricted likelihood, maximised over the size of the noise.
    likelihood: f64,
    /// Standard deviation of the noise.
    deviation: f64,
    /// Sum of squares and degrees of freedom of each axis.
    axes: [(f64, f64); 2],
}

/// Filter state of an axis: predicted slow part of each column, its variance, and the time of the last row.
struct Slow {
    state: Vec<f64>,
    variance: f64,
    before: f64,
}

impl Colour {
    /// The noise of the residuals at `places`; those behind them are uncorrelated. `floors`: least noise of each axis,
    /// if the axes may differ. `None`: one white noise for both is not significantly less likely.
    pub fn of(at: &Evaluation, places: &[SeenAt], floors: Option<[f64; 2]>) -> Option<Self> {
        let times: Vec<f64> = places.iter().map(|(_, time)| *time).collect();
        let duration = times.iter().copied().fold(0.0, f64::max) - times.iter().copied().fold(f64::INFINITY, f64::min);
        let own = |axis: usize| places.iter().filter(|(a, _)| *a == axis).count();
        let step = duration / own(0).max(own(1)).saturating_sub(1).max(1) as f64;
        if !(step > 0.0) {
            return None;
        }
        let one = Colour { white: [1.0; 2], slow: 0.0, length: step, beyond: [false; 2] };
        let apart = |from: Colour, least: f64| {
            let apart = from.apart(at, places, floors?)?;
            Some(apart).filter(|(likelihood, _)| *likelihood < least - ONE_MORE)
        };
        let least = one.left(at, places)?;
        let (mut likelihood, mut best) = apart(one, least.likelihood).unwrap_or((least.likelihood, one));
        let most = (0.5 * duration / step).max(2.0);
        let asked = (0..2).any(|axis| may_hang_together(at, places, axis));
        let tried: Vec<(f64, Colour)> = (0..if asked { RATIOS * LENGTHS } else { 0 })
            .into_par_iter()
            .filter_map(|k| {
                let (i, j) = (k / LENGTHS, k % LENGTHS);
                let length = step * most.powf(j as f64 / (LENGTHS - 1) as f64);
                let beyond = [i + 1 == RATIOS, j + 1 == LENGTHS];
                let colour = Colour { slow: 10f64.powf(0.25 * i as f64 - 0.75), length, beyond, ..best };
                Some((colour.left(at, places)?.likelihood, colour))
            })
            .collect();
        let least = tried.iter().map(|(tried, _)| *tried).fold(f64::INFINITY, f64::min);
        // The one with the greatest power at low frequencies.
        let power = |colour: &Colour| colour.slow * colour.slow * colour.length;
        let near = tried.into_iter().filter(|(tried, _)| least < likelihood - TWO_MORE && *tried < least + AS_LIKELY);
        if let Some(slow) = near.max_by(|a, b| power(&a.1).total_cmp(&power(&b.1))) {
            (likelihood, best) = slow;
            if best.white[0] == best.white[1] {
                best = apart(best, likelihood).map_or(best, |(_, apart)| apart);
            }
        }
        let size = best.left(at, places)?.deviation;
        (best != one).then(|| Colour { white: best.white.map(|white| size * white), ..best })
    }

    /// This noise with its own size for each axis, and −2 times the logarithm of its likelihood.
    fn apart(&self, at: &Evaluation, places: &[SeenAt], floors: [f64; 2]) -> Option<(f64, Self)> {
        let mut found = *self;
        for _ in 0..STEPS {
            let left = found.left(at, places)?;
            for axis in [0, 1] {
                let (squares, freedom) = left.axes[axis];
                // An axis without degrees of freedom gives no noise.
                if freedom < 1.0 {
                    return None;
                }
                found.white[axis] = (found.white[axis] * (squares / freedom).sqrt()).max(floors[axis]);
            }
        }
        found.left(at, places).map(|left| (left.likelihood, found))
    }

    /// Eliminates the parameters, by sums over whitened rows in one pass: with W'W = N of the columns, W'r = b and r'r
    /// = s, the parameters are x = N⁻¹b, and the remaining sum of squares is s − b·x.
    fn left(&self, at: &Evaluation, places: &[SeenAt]) -> Option<Remainder> {
        let (rows, count) = at.jacobian.shape();
        let width = count + 1;
        // Sums of products of columns (the residuals last) over the rows of x, of y, and the uncorrelated ones.
        let mut sums = [0, 1, 2].map(|_| (0.0, vec![0.0; width * width]));
        let logarithm = self.filter(at, places, |i, row| {
            let (counted, products) = &mut sums[places.get(i).map_or(2, |place| place.0)];
            *counted += 1.0;
            for (j, value) in row.iter().enumerate() {
                for (product, other) in products[j * width + j..(j + 1) * width].iter_mut().zip(&row[j..]) {
                    *product += value * other;
                }
            }
        });
        let whole: Vec<f64> = (0..width * width).map(|k| sums.iter().map(|(_, products)| products[k]).sum()).collect();
        let size = |j: usize| Some(whole[j * width + j].sqrt()).filter(|size| *size > 0.0).unwrap_or(1.0);
        let sizes: Vec<f64> = (0..count).map(size).collect();
        let scaled = |products: &[f64]| {
            let normal = |j: usize, k: usize| products[j.min(k) * width + j.max(k)] / (sizes[j] * sizes[k]);
            let right = DVector::from_fn(count, |j, _| products[j * width + count] / sizes[j]);
            (DMatrix::from_fn(count, count, normal), right, products[width * width - 1])
        };
        let (normal, right, squares) = scaled(&whole);
        let factors = (normal + DMatrix::identity(count, count) * 1e-12).cholesky()?;
        let taken = factors.solve(&right);
        let axes = [0, 1].map(|axis| {
            let (counted, products) = &sums[axis];
            let (normal, right, squares) = scaled(products);
            let left = squares - 2.0 * right.dot(&taken) + taken.dot(&(&normal * &taken));
            (left.max(0.0), counted - factors.solve(&normal).trace())
        });
        let freedom = rows.checked_sub(count).filter(|freedom| *freedom > 0)? as f64;
        let determinant: f64 = factors.l_dirty().diagonal().iter().chain(&sizes).map(|d| 2.0 * d.ln()).sum();
        let variance = (squares - right.dot(&taken)) / freedom;
        (variance > 0.0).then(|| Remainder {
            likelihood: logarithm + determinant + freedom * variance.ln(),
            deviation: variance.sqrt(),
            axes,
        })
    }

    /// Whitened residuals of unit variance, with derivatives.
    pub fn whitened(&self, at: &Evaluation, places: &[SeenAt]) -> Evaluation {
        let mut made = at.clone();
        self.filter(at, places, |i, row| {
            for (k, value) in row.iter().enumerate() {
                *(if k + 1 == row.len() { &mut made.residuals[i] } else { &mut made.jacobian[(i, k)] }) = *value;
            }
        });
        made
    }

    /// Filters each axis: `take` receives the whitened rows (the residual last). Returns the logarithm of the product
    /// of variances.
    fn filter(&self, at: &Evaluation, places: &[SeenAt], mut take: impl FnMut(usize, &[f64])) -> f64 {
        let (slow, count) = (self.slow * self.slow, at.jacobian.ncols());
        let mut axes = [0, 1].map(|_| Slow { state: vec![0.0; count + 1], variance: slow, before: f64::NEG_INFINITY });
        let mut row = vec![0.0; count + 1];
        // Logarithms are expensive: one is taken when the product would overflow.
        let (mut logarithm, mut product) = (0.0, 1.0_f64);
        for i in 0..at.residuals.len() {
            (0..count).for_each(|k| row[k] = at.jacobian[(i, k)]);
            row[count] = at.residuals[i];
            if let Some((axis, time)) = places.get(i) {
                let Slow { state, variance, before } = &mut axes[*axis];
                let kept = (-(time - *before) / self.length).exp();
                *variance = kept * kept * *variance + slow * (1.0 - kept * kept);
                let whole = *variance + 1.0;
                let (gain, root) = (*variance / whole, self.white[*axis] * whole.sqrt());
                for (value, state) in row.iter_mut().zip(state) {
                    *state *= kept;
                    let news = *value - *state;
                    *state += gain * news;
                    *value = news / root;
                }
                (*variance, *before) = (*variance * (1.0 - gain), *time);
                product *= root * root;
                if !(1e-200..1e200).contains(&product) {
                    logarithm += product.ln();
                    product = 1.0;
                }
            }
            take(i, &row);
        }
        logarithm + product.ln()
    }
}

/// Whether to search for a slow part of an axis: neighbours, or means of 2, 4, 8, … of them, correlate by more than two
/// standard deviations (1/√n for n independent values). Fitted parameters reduce the correlation by about count/n:
/// where this is a quarter of a deviation or more the test fails, and so short a table is always searched.
fn may_hang_together(at: &Evaluation, places: &[SeenAt], axis: usize) -> bool {
    let enough = 16 * (at.jacobian.ncols() + 1).pow(2);
    let mut means: Vec<f64> =
        places.iter().zip(&at.residuals).filter(|(place, _)| place.0 == axis).map(|(_, residual)| *residual).collect();
    let is_short = means.len() < enough;
    let mut hang_together = false;
    while means.len() >= enough && !hang_together {
        let squares: f64 = means.iter().map(|mean| mean * mean).sum();
        let products: f64 = means.windows(2).map(|pair| pair[0] * pair[1]).sum();
        hang_together = products > 2.0 * squares / (means.len() as f64).sqrt();
        means = means.chunks_exact(2).map(|pair| 0.5 * (pair[0] + pair[1])).collect();
    }
    is_short && !means.is_empty() || hang_together
}

/// Gain in twice the log-likelihood by one more free number that chance does not exceed in 98 % of cases.
const ONE_MORE: f64 = 5.4;
const TWO_MORE: f64 = 8.0;
/// Loss in twice the log-likelihood that bounds the 68 % region of two numbers.
const AS_LIKELY: f64 = 2.3;
