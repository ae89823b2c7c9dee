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
