//! Adaptive Gauss–Legendre quadrature.

use crate::Interval;

/// Seven-point Gauss–Legendre nodes in [0, 1) and weights (Abramowitz & Stegun, table 25.4).
const NODES: [(f64, f64); 4] = [
    (0.0, 0.417_959_183_673_469_4),
    (0.405_845_151_377_397_2, 0.381_830_050_505_118_94),
    (0.741_531_185_599_394_4, 0.279_705_391_489_276_7),
    (0.949_107_912_342_758_5, 0.129_484_966_168_869_7),
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
