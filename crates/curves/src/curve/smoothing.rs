//! Smoothing splines in O(n), by Reinsch's equations; cross-validation by the trace from the bands of the inverse.

use nalgebra::Vector2;
use numbers::elementary;

use crate::Piece;

/// Least number of points.
pub const MIN_POINTS: usize = 3;

/// Common logarithms of the least and the largest weight tried, for points one unit apart. The largest smooths away
/// waves as long as some 10⁴ points; beyond it rounding dominates.
const WEIGHTS: [f64; 2] = [-8.0, 12.0];

/// Criterion of how much to smooth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Smoothing {
    /// Moves no point by more than this (m, ≥ 0).
    LargestDeviation(f64),
    /// Keeps the [estimated noise](Smoothed::noise) within this (m, ≥ 0), for points whose scatter is known.
    Noise(f64),
    /// Generalised cross-validation (Craven & Wahba 1979), for unknown noise.
    CrossValidation,
}

/// A smoothing spline, with its deviations from the points.
#[derive(Debug)]
pub struct Smoothed {
    /// Pieces of the spline, one between each two points, with natural ends.
    pub pieces: Vec<Piece>,
    /// The weight `α` of the bending in `Σ‖p − g‖² + α ∫‖g″‖²`, in the third power of the parameter's unit.
    pub weight: f64,
    /// Largest distance of a point from its place on the spline, m.
    pub largest_deviation: f64,
    /// Estimate of the points' standard deviation, `√(Σ‖p − g‖²/tr(I − A))`, m; 0 if nothing was smoothed.
    pub noise: f64,
}

/// Minimises `Σ‖p − g‖² + α ∫‖g″‖²` over splines g with these `knots` (Green & Silverman, *Nonparametric Regression*,
/// §2.3); of a graph only the heights move, as x is linear in the parameter already.
///
/// `None` with fewer than [`MIN_POINTS`] points, or another number of knots.
pub fn smooth(knots: &[f64], points: &[Vector2<f64>], how: Smoothing) -> Option<Smoothed> {
    if points.len() < MIN_POINTS || knots.len() != points.len() {
        return None;
    }
    let problem = SmoothingProblem::new(knots, points);
    let (factors, bends) = (vec![[0.0; 3]; problem.squared.len()], vec![Vector2::zeros(); points.len()]);
    let mut work = SmoothingWork { factors, bends };
    let weight = match how {
        Smoothing::LargestDeviation(bound) => problem.within(bound, |fit| fit.deviation, &mut work).weight,
        Smoothing::Noise(bound) => problem.within(bound, SmoothingFit::noise, &mut work).weight,
        Smoothing::CrossValidation => problem.cross_validated(&mut work).weight,
    };
    // Solves again for the weight chosen, which need not be the last one tried.
    let found = problem.fit(weight, &mut work);
    let mut values = Vec::with_capacity(points.len());
    problem.moves(weight, &work.bends, |moved| values.push(points[values.len()] - moved));
    let unit = problem.unit;
    let bends: Vec<_> = work.bends.iter().map(|bend| bend / (unit * unit)).collect();
    Some(Smoothed {
        pieces: Piece::cubics(knots, &values, &bends),
        weight: found.weight * elementary::powi(unit, 3),
        largest_deviation: found.deviation,
        noise: found.noise(),
    })
}

/// Points at knots that are a unit apart on average.
struct SmoothingProblem<'a> {
    points: &'a [Vector2<f64>],
    /// Distances of the knots, in units.
    h: Vec<f64>,
    /// Bands 0, 1, 2 of QᵀQ, where Qᵀ takes second differences.
    squared: Vec<[f64; 3]>,
    /// Second differences of the points, Qᵀp.
    differences: Vec<Vector2<f64>>,
    /// Mean distance of the knots.
    unit: f64,
}

/// Deviations `p − g` of the points from the spline for one weight; `deviation` is the size of the largest, m.
#[derive(Clone, Copy)]
struct SmoothingFit {
    weight: f64,
    deviation: f64,
    /// Sum of squares `Σ‖p − g‖²`, m².
    squares: f64,
    /// `tr(I − A)`, degrees of freedom of the noise.
    free: f64,
}

impl SmoothingFit {
    fn noise(&self) -> f64 {
        if self.free > 0.0 { (self.squares / self.free).sqrt() } else { 0.0 }
    }
}

/// Workspace for repeated solutions.
struct SmoothingWork {
    /// Rows of LDLᵀ: 1/d, and the entries of L one and two places below it.
    factors: Vec<[f64; 3]>,
    bends: Vec<Vector2<f64>>,
}

impl<'a> SmoothingProblem<'a> {
    fn new(knots: &[f64], points: &'a [Vector2<f64>]) -> Self {
        let inner = points.len() - 2;
        let unit = (knots[knots.len() - 1] - knots[0]) / (knots.len() - 1) as f64;
        let h: Vec<f64> = knots.windows(2).map(|pair| (pair[1] - pair[0]) / unit).collect();
        let column = |j: usize| [1.0 / h[j], -1.0 / h[j] - 1.0 / h[j + 1], 1.0 / h[j + 1]];
        let squared = (0..inner)
            .map(|j| {
                let a = column(j);
                let next = |k: usize| if j + k < inner { column(j + k) } else { [0.0; 3] };
                let (b, c) = (next(1), next(2));
                [a[0] * a[0] + a[1] * a[1] + a[2] * a[2], a[1] * b[0] + a[2] * b[1], a[2] * c[0]]
            })
            .collect();
        let slope = |i: usize| (points[i + 1] - points[i]) / h[i];
        let differences = (0..inner).map(|j| slope(j + 1) - slope(j)).collect();
        SmoothingProblem { points, h, squared, differences, unit }
    }

    /// Solves `(R + αQᵀQ) γ = Qᵀp` by LDLᵀ for the second derivatives γ at the inner knots; R is tridiagonal, with
    /// `γᵀRγ = ∫‖g″‖²`. Computes `tr(I − A) = α tr(QᵀQ (R + αQᵀQ)⁻¹)` on the way (Hutchinson & de Hoog 1985).
    fn fit(&self, weight: f64, work: &mut SmoothingWork) -> SmoothingFit {
        let (h, inner) = (&self.h, self.squared.len());
        let SmoothingWork { factors, bends } = work;
        // Entries of the two rows before, not yet divided by d, one and two places below.
        let (mut last, mut before) = ([0.0; 2], [0.0; 2]);
        for j in 0..inner {
            let [q0, q1, q2] = self.squared[j];
            let mut diagonal = (h[j] + h[j + 1]) / 3.0 + weight * q0;
            let mut below = if j + 1 < inner { h[j + 1] / 6.0 + weight * q1 } else { 0.0 };
            let mut value = self.differences[j];
            if j > 0 {
                let [_, l1, l2] = factors[j - 1];
                diagonal -= l1 * last[0];
                below -= l2 * last[0];
                value -= l1 * bends[j];
            }
            if j > 1 {
                let l2 = factors[j - 2][2];
                diagonal -= l2 * before[1];
                value -= l2 * bends[j - 1];
            }
            bends[j + 1] = value;
            let slowness = 1.0 / diagonal;
            factors[j] = [slowness, below * slowness, weight * q2 * slowness];
            (before, last) = (last, [below, weight * q2]);
        }
        // Back substitution, and on the way the three bands of the inverse S, which are all that the trace needs.
        let mut trace = 0.0;
        let (mut s0, mut s1, mut later) = (0.0, 0.0, 0.0);
        for j in (0..inner).rev() {
            let [slowness, l1, l2] = factors[j];
            let mut value = bends[j + 1] * slowness - l1 * bends[j + 2];
            if j + 3 < bends.len() {
                value -= l2 * bends[j + 3];
            }
            bends[j + 1] = value;
            // s0 = S(j+1, j+1), s1 = S(j+1, j+2), later = S(j+2, j+2); now S(j, j+1), S(j, j+2) and S(j, j).
            let (one, two) = (-l1 * s0 - l2 * s1, -l1 * s1 - l2 * later);
            let own = slowness - l1 * one - l2 * two;
            let [q0, q1, q2] = self.squared[j];
            trace += q0 * own + 2.0 * (q1 * one + q2 * two);
            (later, s0, s1) = (s0, own, one);
        }
        let (mut deviation, mut squares) = (0.0_f64, 0.0);
        self.moves(weight, bends, |moved| {
            deviation = deviation.max(moved.norm());
            squares += moved.norm_squared();
        });
        SmoothingFit { weight, deviation, squares, free: weight * trace }
    }

    /// Calls `see` with `p − g = αQγ` of each point.
    fn moves(&self, weight: f64, bends: &[Vector2<f64>], mut see: impl FnMut(Vector2<f64>)) {
        let mut before = Vector2::zeros();
        for i in 0..self.points.len() {
            let after = self.h.get(i).map_or_else(Vector2::zeros, |h| (bends[i + 1] - bends[i]) / *h);
            see(weight * (after - before));
            before = after;
        }
    }

    /// The largest weight found for which a `measure` of the misfit is within a bound.
    fn within(&self, bound: f64, measure: impl Fn(&SmoothingFit) -> f64, work: &mut SmoothingWork) -> SmoothingFit {
        let [mut lo, mut hi] = WEIGHTS;
        let most = self.fit(elementary::powf(10_f64, hi), work);
        if measure(&most) <= bound {
            return most;
        }
        let mut best = None;
        for _ in 0..40 {
            let middle = 0.5 * (lo + hi);
            let fit = self.fit(elementary::powf(10_f64, middle), work);
            if measure(&fit) <= bound {
                (lo, best) = (middle, Some(fit));
            } else {
                hi = middle;
            }
        }
        best.unwrap_or_else(|| self.fit(0.0, work))
    }

    /// The weight that minimises `n Σ‖p − g‖²/tr(I − A)²`: the best of a row of weights, refined between its
    /// neighbours.
    fn cross_validated(&self, work: &mut SmoothingWork) -> SmoothingFit {
        let score = |fit: &SmoothingFit| fit.squares / (fit.free * fit.free);
        let mut at = |exponent: f64| (exponent, self.fit(elementary::powf(10_f64, exponent), work));
        let [lo, hi] = WEIGHTS;
        let mut best = at(lo);
        let consider = |one: (f64, SmoothingFit), best: &mut (f64, SmoothingFit)| {
            if score(&one.1) < score(&best.1) {
                *best = one;
            }
        };
        let step = 0.5;
        for i in 1..=((hi - lo) / step) as u32 {
            consider(at(lo + step * f64::from(i)), &mut best);
        }
        let mut reach = 0.5 * step;
        while reach > 1e-3 {
            let centre = best.0;
            consider(at(centre - reach), &mut best);
            consider(at(centre + reach), &mut best);
            reach *= 0.5;
        }
        best.1
    }
}
