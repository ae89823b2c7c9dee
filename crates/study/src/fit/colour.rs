//! Residuals that hang together: noise of each row, and a misfit that changes slowly from row to row.
//!
//! The slow part is a process with exponential correlation, variance q times that of the noise, and length ℓ. A Kalman filter of one
//! state makes white residuals of them (Durbin & Koopman, *Time Series Analysis by State Space Methods*, 2012, §4.3); columns of the
//! derivatives go through the same filter. q and ℓ are those of the greatest restricted likelihood (Harville, *J. Am. Stat.
//! Assoc.* 72, 1977, 320), on a grid: what the parameters have taken up is counted.

use identify::Evaluation;
use nalgebra::DMatrix;

/// Noise whose neighbours hang together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Colour {
    /// Standard deviation of the noise of each row, in units of residuals.
    pub white: f64,
    /// That of the slow part over it.
    pub slow: f64,
    /// Time in which correlation falls to 1/e, s.
    pub length: f64,
}

/// Ratios of variances, and lengths over the time between rows, that are tried.
const RATIOS: usize = 14;
const LENGTHS: usize = 10;

/// Where a residual is: axis, time (s).
pub(super) type Place = (usize, f64);

impl Colour {
    /// Of residuals that stand at `places`; others behind them are known to stand alone. `None`: white noise is as likely.
    pub fn of(at: &Evaluation, places: &[Place]) -> Option<Self> {
        let times: Vec<f64> = places.iter().map(|(_, time)| *time).collect();
        let duration = times.iter().copied().fold(0.0, f64::max) - times.iter().copied().fold(f64::INFINITY, f64::min);
        let own = |axis: usize| places.iter().filter(|(a, _)| *a == axis).count();
        let step = duration / own(0).max(own(1)).saturating_sub(1).max(1) as f64;
        if !(step > 0.0) {
            return None;
        }
        let white = Colour { white: 1.0, slow: 0.0, length: step };
        let least = white.likelihood(at, places)?;
        let mut best: Option<(f64, Colour)> = None;
        let most = (0.5 * duration / step).max(2.0);
        for i in 0..RATIOS {
            for j in 0..LENGTHS {
                let part = j as f64 / (LENGTHS - 1) as f64;
                let colour =
                    Colour { slow: 10f64.powf(0.25 * i as f64 - 0.75), length: step * most.powf(part), ..white };
                let Some((likelihood, white)) = colour.likelihood(at, places) else { continue };
                if best.is_none_or(|(known, _)| likelihood < known) {
                    best = Some((likelihood, Colour { white, ..colour }));
                }
            }
        }
        best.filter(|(likelihood, _)| *likelihood < least.0 - BETTER).map(|(_, colour)| colour)
    }

    /// Less twice the logarithm of the restricted likelihood, and the deviation of the white part.
    fn likelihood(&self, at: &Evaluation, places: &[Place]) -> Option<(f64, f64)> {
        let (white, logarithm) = self.filtered(at, places);
        let (rows, count) = white.jacobian.shape();
        let mut lengths = 0.0;
        let mut unit = white.jacobian;
        for mut column in unit.column_iter_mut() {
            let norm = column.norm();
            if norm > 0.0 {
                lengths += 2.0 * norm.ln();
                column /= norm;
            }
        }
        let normal = unit.tr_mul(&unit) + DMatrix::identity(count, count) * 1e-12;
        let right = unit.tr_mul(&nalgebra::DVector::from_column_slice(&white.residuals));
        let factors = normal.cholesky()?;
        let solved = factors.solve(&right);
        let squares = white.residuals.iter().map(|r| r * r).sum::<f64>() - right.dot(&solved);
        let freedom = rows.checked_sub(count).filter(|freedom| *freedom > 0)? as f64;
        let determinant: f64 = factors.l_dirty().diagonal().iter().map(|d| 2.0 * d.ln()).sum();
        let variance = squares / freedom;
        (variance > 0.0).then(|| (logarithm + determinant + lengths + freedom * variance.ln(), variance.sqrt()))
    }

    /// White residuals of unit variance, and the derivatives of those.
    pub fn whitened(&self, at: &Evaluation, places: &[Place]) -> Evaluation {
        let (mut made, _) = self.filtered(at, places);
        let known = places.len().min(made.residuals.len());
        made.residuals[..known].iter_mut().for_each(|r| *r /= self.white);
        made.jacobian.rows_mut(0, known).scale_mut(1.0 / self.white);
        made
    }

    /// The filter over each axis, for noise of unit variance; also the logarithm of the variances' product.
    fn filtered(&self, at: &Evaluation, places: &[Place]) -> (Evaluation, f64) {
        let mut made = at.clone();
        let slow = self.slow * self.slow;
        let count = at.jacobian.ncols();
        let mut logarithm = 0.0;
        for axis in [0, 1] {
            let mut state = vec![0.0; count + 1];
            let (mut variance, mut before) = (slow, f64::NEG_INFINITY);
            for (i, (_, time)) in
                places.iter().enumerate().filter(|(_, (a, _))| *a == axis).take_while(|(i, _)| *i < at.residuals.len())
            {
                let kept = (-(time - before) / self.length).exp();
                variance = kept * kept * variance + slow * (1.0 - kept * kept);
                let whole = variance + 1.0;
                let (gain, root) = (variance / whole, whole.sqrt());
                for (k, state) in state.iter_mut().enumerate() {
                    let value = if k == count { &mut made.residuals[i] } else { &mut made.jacobian[(i, k)] };
                    *state *= kept;
                    let news = *value - *state;
                    *state += gain * news;
                    *value = news / root;
                }
                variance *= 1.0 - gain;
                logarithm += whole.ln();
                before = *time;
            }
        }
        (made, logarithm)
    }
}

/// Of twice the logarithm of the likelihood: two more numbers by chance gain less in 98 of 100 cases.
const BETTER: f64 = 8.0;

#[cfg(test)]
mod tests {
    use super::*;

    /// Against the inverse of the whole covariance matrix.
    #[test]
    fn the_filter_whitens() {
        let times = [0.0, 0.1, 0.25, 0.3, 0.7];
        let places: Vec<Place> = times.iter().flat_map(|t| [(0, *t), (1, *t)]).collect();
        let colour = Colour { white: 0.5, slow: 1.7, length: 0.2 };
        let count = places.len();
        let covariance = DMatrix::from_fn(count, count, |i, j| {
            let ((a, s), (b, t)) = (places[i], places[j]);
            let slow = if a == b { colour.slow.powi(2) * (-f64::abs(s - t) / colour.length).exp() } else { 0.0 };
            colour.white.powi(2) * (slow + if i == j { 1.0 } else { 0.0 })
        });
        let at = Evaluation {
            residuals: (0..count).map(|i| (1.3 * i as f64).sin()).collect(),
            jacobian: DMatrix::from_fn(count, 2, |i, j| ((i + 3 * j) as f64).cos()),
        };
        let white = colour.whitened(&at, &places);
        let inverse = covariance.try_inverse().unwrap();
        let expected = at.jacobian.transpose() * &inverse * &at.jacobian;
        let found = white.jacobian.transpose() * &white.jacobian;
        assert!((expected - found).amax() < 1e-10);
        let r = nalgebra::DVector::from_vec(at.residuals.clone());
        let squares: f64 = white.residuals.iter().map(|r| r * r).sum();
        assert!((r.dot(&(&inverse * &r)) - squares).abs() < 1e-10);
    }
}
