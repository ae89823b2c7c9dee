//! Noise model of residuals: white noise of each axis plus a misfit that changes slowly from row to row.
//!
//! The slow part is a process with exponential correlation of length ℓ and q times the variance of the noise. A Kalman
//! filter of one state whitens the residuals (Durbin & Koopman, *Time Series Analysis by State Space Methods*, 2012,
//! §4.3); columns of the derivatives pass the same filter. q and ℓ maximise the restricted likelihood (Harville,
//! *J. Am. Stat. Assoc.* 72, 1977, 320), which allows for the fitted parameters, on a grid that is climbed. Among q and
//! ℓ within one standard deviation of the maximum, those with the largest errors of the parameters are taken: with few
//! rows the likeliest are mostly too small.

use std::collections::BTreeMap;

use identify::Evaluation;
use nalgebra::{DMatrix, DVector};
use rayon::prelude::*;

/// Noise of residuals that differs between the axes, or is correlated in time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Colour {
    /// Standard deviation of the white noise along x and y, in units of residuals.
    pub white: [f64; 2],
    /// Standard deviation of the slow part over that of the white noise; 0: no slow part.
    pub slow: f64,
    /// Time in which the correlation falls to 1/e, s.
    pub length: f64,
}

/// Ratio of deviations and correlation length of a node of the grid: steps of a quarter of a decade, and of a part of
/// the way from the time between rows to half the film.
type Node = (i32, i32);

/// Least and greatest node, and distance of the nodes from which the grid is climbed.
const LEAST: Node = (-3, 0);
const GREATEST: Node = (20, 9);
const EVERY: usize = 4;

/// Axis and time (s) of a residual.
pub type SeenAt = (usize, f64);

/// Likelihood of whitened residuals after the parameters are eliminated.
struct Remainder {
    /// −2 times the logarithm of the restricted likelihood, maximised over the size of the noise.
    likelihood: f64,
    /// Standard deviation of the noise.
    deviation: f64,
}

/// Filter state of an axis: predicted slow part of each column, its variance, and the time of the last row.
struct Slow {
    state: Vec<f64>,
    variance: f64,
    before: f64,
}

impl Colour {
    /// The noise of the residuals at `places`; further ones have no place, and are uncorrelated. `floors`: least noise
    /// of each axis, if the axes may differ. `None`: one white noise for both is not significantly less likely.
    pub fn of(at: &Evaluation, places: &[SeenAt], floors: Option<[f64; 2]>) -> Option<Self> {
        let duration = places.last()?.1 - places.first()?.1;
        let own = |axis: usize| places.iter().filter(|(a, _)| *a == axis).count();
        let step = duration / own(0).max(own(1)).saturating_sub(1).max(1) as f64;
        if !(step > 0.0) {
            return None;
        }
        let white = floors.map_or([1.0; 2], |floors| apart(at, places, floors));
        let one = Colour { white, slow: 0.0, length: step };
        let asked = (0..2).any(|axis| may_hang_together(at, places, axis));
        let best = if asked { one.slow(at, places, duration, step) } else { None };
        let best = best.or((one.white != [1.0; 2]).then_some(one))?;
        let size = best.left(at, places)?.deviation;
        Some(Colour { white: best.white.map(|white| size * white), ..best })
    }

    /// This noise with a slow part, in a film of a `duration` (s) with rows each `step` (s); `None`: it is not
    /// significantly likelier.
    fn slow(&self, at: &Evaluation, places: &[SeenAt], duration: f64, step: f64) -> Option<Self> {
        let white = self.left(at, places)?.likelihood;
        let most = (0.5 * duration / step).max(2.0);
        let colour = |(i, j): Node| {
            let length = step * most.powf(f64::from(j) / f64::from(GREATEST.1));
            Colour { slow: 10f64.powf(0.25 * f64::from(i)), length, ..*self }
        };
        let mut known: BTreeMap<Node, f64> = BTreeMap::new();
        let rows = |j: i32| (LEAST.0..=GREATEST.0).step_by(EVERY).map(move |i| (i, j));
        let mut next: Vec<Node> = (LEAST.1..=GREATEST.1).step_by(EVERY).flat_map(rows).collect();
        let mut least = f64::INFINITY;
        while !next.is_empty() {
            let of =
                |node: &Node| (*node, colour(*node).left(at, places).map_or(f64::INFINITY, |left| left.likelihood));
            known.extend(next.par_iter().map(of).collect::<Vec<_>>());
            least = known.values().copied().fold(f64::INFINITY, f64::min);
            let as_likely = known.iter().filter(|(_, likelihood)| **likelihood < least + AS_LIKELY);
            let beside = as_likely.flat_map(|((i, j), _)| [(i - 1, *j), (i + 1, *j), (*i, j - 1), (*i, j + 1)]);
            let inside = |(i, j): &Node| (LEAST.0..=GREATEST.0).contains(i) && (LEAST.1..=GREATEST.1).contains(j);
            next = beside.filter(|node| inside(node) && !known.contains_key(node)).collect();
            next.sort_unstable();
            next.dedup();
        }
        if !(least < white - TWO_MORE) {
            return None;
        }
        // The one with the greatest power at low frequencies.
        let power = |colour: &Colour| colour.slow * colour.slow * colour.length;
        let near = known.into_iter().filter(|(_, likelihood)| *likelihood < least + AS_LIKELY);
        near.map(|(node, _)| colour(node)).max_by(|a, b| power(a).total_cmp(&power(b)))
    }

    /// Eliminates the parameters, by sums over whitened rows in one pass: with W'W = N of the columns, W'r = b and r'r
    /// = s, the parameters are x = N⁻¹b, and the remaining sum of squares is s − b·x.
    fn left(&self, at: &Evaluation, places: &[SeenAt]) -> Option<Remainder> {
        let (rows, count) = at.jacobian.shape();
        let width = count + 1;
        // Sums of products of columns, the residuals last.
        let mut products = vec![0.0; width * width];
        let logarithm = self.filter(at, places, |_, row| {
            for (j, value) in row.iter().enumerate() {
                for (product, other) in products[j * width + j..(j + 1) * width].iter_mut().zip(&row[j..]) {
                    *product += value * other;
                }
            }
        });
        let size = |j: usize| Some(products[j * width + j].sqrt()).filter(|size| *size > 0.0).unwrap_or(1.0);
        let sizes: Vec<f64> = (0..count).map(size).collect();
        let normal = |j: usize, k: usize| products[j.min(k) * width + j.max(k)] / (sizes[j] * sizes[k]);
        let right = DVector::from_fn(count, |j, _| products[j * width + count] / sizes[j]);
        let squares = products[width * width - 1];
        let factors = (DMatrix::from_fn(count, count, normal) + DMatrix::identity(count, count) * 1e-12).cholesky()?;
        let taken = factors.solve(&right);
        let freedom = rows.checked_sub(count).filter(|freedom| *freedom > 0)? as f64;
        let determinant: f64 = factors.l_dirty().diagonal().iter().chain(&sizes).map(|d| 2.0 * d.ln()).sum();
        let variance = (squares - right.dot(&taken)) / freedom;
        (variance > 0.0).then(|| Remainder {
            likelihood: logarithm + determinant + freedom * variance.ln(),
            deviation: variance.sqrt(),
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

/// Noise of each axis over that of the less noisy one, if that is significantly likelier than one noise for both.
fn apart(at: &Evaluation, places: &[SeenAt], floors: [f64; 2]) -> [f64; 2] {
    let mut sums = [[0.0_f64; 2]; 2];
    for ((axis, _), residual) in places.iter().zip(&at.residuals) {
        sums[*axis][0] += 1.0;
        sums[*axis][1] += residual * residual;
    }
    let [[m, x], [n, y]] = [0, 1].map(|i| [sums[i][0], sums[i][1].max(sums[i][0] * floors[i].powi(2))]);
    let likelihood = |count: f64, squares: f64| count * (squares / count).ln();
    let gain = likelihood(m + n, x + y) - likelihood(m, x) - likelihood(n, y);
    let [x, y] = [x / m, y / n].map(f64::sqrt);
    if gain.is_finite() && gain > ONE_MORE { [x / x.min(y), y / x.min(y)] } else { [1.0; 2] }
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

/// Gain in twice the log-likelihood by one and two more free numbers that chance does not exceed in 98 % of cases.
const ONE_MORE: f64 = 5.4;
const TWO_MORE: f64 = 8.0;
/// Loss in twice the log-likelihood that bounds the 68 % region of two numbers.
const AS_LIKELY: f64 = 2.3;
