//! An integrator that shares nothing with the ones under test: Gauss collocation of high order.

use crate::quadrature::gauss_legendre;

/// The implicit Runge–Kutta method on the Gauss nodes, of order 2s with s stages, which are found by iteration.
///
/// Source: Hairer, Nørsett & Wanner, Solving Ordinary Differential Equations I, II.7.
#[derive(Clone, Debug)]
pub struct Collocation {
    nodes: Vec<f64>,
    weights: Vec<f64>,
    /// `a_ij = ∫₀^{c_i} ℓ_j`
    matrix: Vec<Vec<f64>>,
}

impl Collocation {
    /// The method with this many stages (8 is order 16).
    pub fn new(stages: usize) -> Self {
        let rule = gauss_legendre(stages);
        let nodes: Vec<f64> = rule.iter().map(|(x, _)| *x).collect();
        let lagrange = |j: usize, x: f64| {
            let others = (0..stages).filter(|i| *i != j);
            others.map(|i| (x - nodes[i]) / (nodes[j] - nodes[i])).product::<f64>()
        };
        let part = |c: f64, j: usize| rule.iter().map(|(x, w)| c * w * lagrange(j, c * x)).sum::<f64>();
        let matrix = nodes.iter().map(|c| (0..stages).map(|j| part(*c, j)).collect()).collect();
        let weights = rule.iter().map(|(_, w)| *w).collect();
        Collocation { nodes, weights, matrix }
    }

    /// Integrates `ẏ = f(t, y)` from `start` at `from` to `to` in equal `steps`, short enough for the iteration
    /// (h times the Lipschitz constant well below 1).
    pub fn integrate<const N: usize>(
        &self,
        f: impl Fn(f64, &[f64; N]) -> [f64; N],
        from: f64,
        start: [f64; N],
        to: f64,
        steps: usize,
    ) -> [f64; N] {
        let h = (to - from) / steps as f64;
        let mut y = start;
        let mut lost = [0.0; N];
        for step in 0..steps {
            let t = from + h * step as f64;
            let mut slopes = vec![f(t, &y); self.nodes.len()];
            for _ in 0..60 {
                let before = slopes.clone();
                for i in 0..self.nodes.len() {
                    let stage = std::array::from_fn(|d| {
                        y[d] + h * self.matrix[i].iter().zip(&slopes).map(|(a, s)| a * s[d]).sum::<f64>()
                    });
                    slopes[i] = f(t + self.nodes[i] * h, &stage);
                }
                if slopes == before {
                    break;
                }
            }
            for d in 0..N {
                // Compensated, so that many steps add no rounding.
                let more = h * self.weights.iter().zip(&slopes).map(|(b, s)| b * s[d]).sum::<f64>() - lost[d];
                let sum = y[d] + more;
                lost[d] = (sum - y[d]) - more;
                y[d] = sum;
            }
        }
        y
    }
}
