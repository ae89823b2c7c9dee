//! Beverloo's law through rates.

/// W = C (D − k)^n, lengths in diameters and rates in ρ_b √(g d³).
#[derive(Clone, Copy, Debug)]
pub struct Fit {
    pub c: f64,
    pub k: f64,
    power: f64,
}

impl Fit {
    /// W^(1/n) is a straight line over D: by least squares.
    pub fn of(points: &[(f64, f64)], power: f64) -> Fit {
        let n = points.len() as f64;
        let root = |rate: f64| rate.powf(1.0 / power);
        let (x, y) = (points.iter().map(|p| p.0).sum::<f64>() / n, points.iter().map(|p| root(p.1)).sum::<f64>() / n);
        let over: f64 = points.iter().map(|p| (p.0 - x) * (root(p.1) - y)).sum();
        let slope = over / points.iter().map(|p| (p.0 - x).powi(2)).sum::<f64>();
        Fit { c: slope.powf(power), k: x - y / slope, power }
    }

    /// W ∝ D, as a liquid leaves a slit.
    pub fn proportional(points: &[(f64, f64)]) -> Fit {
        let c = points.iter().map(|(opening, rate)| rate / opening).sum::<f64>() / points.len() as f64;
        Fit { c, k: 0.0, power: 1.0 }
    }

    pub fn rate(&self, opening: f64) -> f64 {
        self.c * (opening - self.k).max(0.0).powf(self.power)
    }

    /// The largest part by which a rate is off.
    pub fn worst(&self, points: &[(f64, f64)]) -> f64 {
        points.iter().map(|(opening, rate)| (self.rate(*opening) / rate - 1.0).abs()).fold(0.0, f64::max)
    }

    fn squares(&self, points: &[(f64, f64)]) -> f64 {
        points.iter().map(|(opening, rate)| (self.rate(*opening) / rate - 1.0).powi(2)).sum()
    }
}

/// The power that leaves the smallest relative squares, from 1/2 to 3.
pub fn best_power(points: &[(f64, f64)]) -> f64 {
    let squares = |power: &f64| Fit::of(points, *power).squares(points);
    (50..=300).map(|i| f64::from(i) / 100.0).min_by(|a, b| squares(a).total_cmp(&squares(b))).unwrap_or(f64::NAN)
}
