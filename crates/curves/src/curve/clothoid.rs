//! Curves whose curvature changes evenly along them.

use nalgebra::Vector2;

use crate::Profile;
use numbers::Number;

/// Eight-point Gauss–Legendre nodes in (0, 1) and weights (Abramowitz & Stegun, table 25.4).
const NODES: [(f64, f64); 4] = [
    (0.183_434_642_495_649_8, 0.362_683_783_378_362),
    (0.525_532_409_916_329, 0.313_706_645_877_887_3),
    (0.796_666_477_413_626_7, 0.222_381_034_453_374_5),
    (0.960_289_856_497_536_3, 0.101_228_536_290_376_26),
];

/// A part of a clothoid by its length `s`: curvature `κ₀ + κ′s`, direction `φ₀ + κ₀s + κ′s²/2`.
///
/// Its place is the integral of its direction by eight Gauss nodes, exact to rounding as far as it turns by at most
/// [`MOST`](Clothoid::MOST).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clothoid {
    start: Vector2<f64>,
    direction: f64,
    curvature: f64,
    rate: f64,
}

impl Clothoid {
    /// Largest turn of a part, rad.
    pub const MOST: f64 = 0.5;

    /// A clothoid by its first point (m), the direction there (rad), the curvatures at both ends (1/m) and its length (m); `None` if
    /// one of them is not finite, or the length not positive.
    pub fn new(start: Vector2<f64>, direction: f64, [first, last]: [f64; 2], length: f64) -> Option<Self> {
        let rate = (last - first) / length;
        let finite = [start.x, start.y, direction, first, rate].into_iter().all(f64::is_finite);
        (finite && length > 0.0).then_some(Clothoid { start, direction, curvature: first, rate })
    }
}

impl Profile for Clothoid {
    fn point<N: Number>(&self, s: N) -> [N; 2] {
        let mut sum = [N::constant(0.0); 2];
        for (node, weight) in NODES {
            for node in [0.5 - 0.5 * node, 0.5 + 0.5 * node] {
                let at = s.scale(node);
                let turned = at * (N::constant(self.curvature) + at.scale(0.5 * self.rate));
                let (sine, cosine) = (N::constant(self.direction) + turned).sin_cos();
                sum = [sum[0] + cosine.scale(0.5 * weight), sum[1] + sine.scale(0.5 * weight)];
            }
        }
        [0, 1].map(|i| N::constant(self.start[i]) + s * sum[i])
    }
}
