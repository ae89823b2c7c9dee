//! How fast errors fall.

/// A power law through errors: `ln e = order·ln h + constant` by least squares.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    /// The slope.
    pub order: f64,
    /// Its standard error; `None` for two points, which say nothing of it.
    pub standard_error: Option<f64>,
    /// Half of its 95 % confidence interval, by Student's t with n − 2 degrees of freedom.
    pub half_width: Option<f64>,
    /// Points used.
    pub points: usize,
}

impl Fit {
    /// The whole order, at least 1, if the errors leave no other one.
    pub fn whole(&self) -> Option<f64> {
        let order = self.order.round();
        let sure = |half: f64| (self.order - order).abs() + half < 1.0;
        (order >= 1.0 && self.half_width.is_some_and(sure)).then_some(order)
    }
}

/// Fits points (h, e) with h, e > 0; at least two, and of two steps.
pub fn fit(points: &[(f64, f64)]) -> Option<Fit> {
    let n = points.len();
    let logs: Vec<(f64, f64)> = points.iter().map(|(h, e)| (h.ln(), e.ln())).collect();
    let mean = |f: fn(&(f64, f64)) -> f64| logs.iter().map(f).sum::<f64>() / n as f64;
    let (x, y) = (mean(|p| p.0), mean(|p| p.1));
    let spread: f64 = logs.iter().map(|p| (p.0 - x).powi(2)).sum();
    let order = logs.iter().map(|p| (p.0 - x) * (p.1 - y)).sum::<f64>() / spread;
    if n < 2 || !order.is_finite() {
        return None;
    }
    let freedom = n - 2;
    let residual: f64 = logs.iter().map(|p| (p.1 - y - order * (p.0 - x)).powi(2)).sum();
    let standard_error = (freedom > 0).then(|| (residual / freedom as f64 / spread).sqrt());
    let half_width = standard_error.map(|error| identify::student_quantile(freedom) * error);
    Some(Fit { order, standard_error, half_width, points: n })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests fail loudly")]
mod tests {
    use super::*;

    #[test]
    fn a_power_is_found_exactly() {
        let points: Vec<_> = [1.0, 0.5, 0.25, 0.1].iter().map(|h: &f64| (*h, 3.0 * h.powf(2.5))).collect();
        let found = fit(&points).unwrap();
        assert!((found.order - 2.5).abs() < 1e-14 && found.standard_error.unwrap() < 1e-13 && found.points == 4);
        assert_eq!(fit(&points[..2]).unwrap().standard_error, None);
        assert_eq!(fit(&points[..1]), None);
        assert_eq!(fit(&[(1.0, 2.0), (1.0, 3.0)]), None);
    }

    /// ln h = 0, 1, 2, 3 and ln e = 0, 1, 3, 3: slope 1.1, residual sum 0.7, so SE = √(0.7/2/5) (by hand).
    #[test]
    fn uncertainty_by_hand() {
        let points: Vec<_> =
            [(0.0, 0.0), (1.0, 1.0), (2.0, 3.0), (3.0, 3.0)].map(|(x, y): (f64, f64)| (x.exp(), y.exp())).to_vec();
        let found = fit(&points).unwrap();
        assert!((found.order - 1.1).abs() < 1e-14);
        assert!((found.standard_error.unwrap() - 0.07f64.sqrt()).abs() < 1e-14);
        assert!((found.half_width.unwrap() - 4.302652729749464 * 0.07f64.sqrt()).abs() < 1e-12);
    }
}
