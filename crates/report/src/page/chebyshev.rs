//! Fits functions of time piecewise by Chebyshev polynomials.

use std::f64::consts::PI;
use std::sync::LazyLock;

use numbers::elementary;

const DEGREE: usize = 14;
/// cos(π n/DEGREE) for n = 0, 1, …: the nodes and all cosines of the coefficients.
static COSINES: LazyLock<[f64; 2 * DEGREE]> =
    LazyLock::new(|| std::array::from_fn(|n| elementary::cos((PI * n as f64) / DEGREE as f64)));
/// Points between the nodes at which a fit is tested, in the interval from −1 to 1.
const PROOF: [f64; 3] = [-0.9437, 0.0561, 0.8127];

/// A vector of polynomials over an interval: coefficients of T₀, T₁, … of each entry, the vanishing ones left out.
#[derive(Clone, Debug)]
pub(super) struct ChebyshevFit<const K: usize> {
    pub coefficients: [Vec<f64>; K],
    /// Whether it meets the tolerance at the test points.
    pub holds: bool,
}

/// Accuracy of a fit, and where it may be cut.
#[derive(Clone, Copy, Debug)]
pub(super) struct Exactness<const K: usize> {
    /// Tolerance of each entry, in its unit.
    pub tolerance: [f64; K],
    /// Coefficients below this part of the entry's variation, or below rounding, are dropped; relative, so that a hop
    /// of any size keeps its arc.
    pub part: [f64; K],
    /// Whether the last entry may jump: intervals are then cut at its jumps.
    pub jumps: bool,
}

/// Fits `f` over `[a, b]`.
pub(super) fn fit<const K: usize>(f: impl Fn(f64) -> [f64; K], [a, b]: [f64; 2], to: &Exactness<K>) -> ChebyshevFit<K> {
    let time = |x: f64| if x >= 1.0 { b } else { (a + 0.5 * (b - a) * (x + 1.0)).clamp(a, b) };
    let proven = |fit: &ChebyshevFit<K>| {
        let is_met = |x: &f64| {
            let there = f(time(*x));
            (0..K).all(|k| {
                let error = (clenshaw(&fit.coefficients[k], *x) - there[k]).abs();
                error <= to.tolerance[k].max(8.0 * f64::EPSILON * there[k].abs()) || !error.is_finite()
            })
        };
        fit.holds && PROOF.iter().all(is_met)
    };
    // Half the degree suffices for most motion; its nodes are every second one.
    let few: [[f64; K]; DEGREE / 2 + 1] = std::array::from_fn(|i| f(time(COSINES[2 * i])));
    let fit = through(&few, to);
    if proven(&fit) {
        return fit;
    }
    let all: [[f64; K]; DEGREE + 1] =
        std::array::from_fn(|i| if i.is_multiple_of(2) { few[i / 2] } else { f(time(COSINES[i])) });
    let fit = through(&all, to);
    ChebyshevFit { holds: proven(&fit), ..fit }
}

/// The polynomials through values at the nodes of a degree that divides [`DEGREE`].
fn through<const K: usize>(values: &[[f64; K]], Exactness { tolerance, part, .. }: &Exactness<K>) -> ChebyshevFit<K> {
    let degree = values.len() - 1;
    let (cosines, step) = (&*COSINES, DEGREE / degree);
    let mut holds = true;
    let coefficients = std::array::from_fn(|k| {
        // Many entries are constant in flight.
        let first = values[0][k];
        if values.iter().all(|value| value[k] == first) {
            return if first == 0.0 { Vec::new() } else { vec![first] };
        }
        let (mut low, mut high, mut largest) = (f64::INFINITY, f64::NEG_INFINITY, 0.0_f64);
        for value in values {
            (low, high, largest) = (low.min(value[k]), high.max(value[k]), largest.max(value[k].abs()));
        }
        let mut all: Vec<f64> = (0..=degree)
            .map(|j| {
                let (mut inner, mut angle) = (0.0, 0);
                for value in &values[1..degree] {
                    angle = (angle + step * j) % (2 * DEGREE);
                    inner += value[k] * cosines[angle];
                }
                let last = values[degree][k] * cosines[(angle + step * j) % (2 * DEGREE)];
                let ends = if j == 0 || j == degree { 1.0 } else { 2.0 };
                ends / degree as f64 * (0.5 * (first + last) + inner)
            })
            .collect();
        let nothing = part[k] * (high - low) + 2.0 * f64::EPSILON * largest;
        let allowed = tolerance[k].max(4.0 * nothing);
        holds &= all[degree - 2..].iter().all(|c| c.abs() <= allowed);
        let mut left = 0.0;
        while let Some(last) = all.last() {
            left += last.abs();
            // Rounding of values perturbs all coefficients by a part of the largest; smaller ones are meaningless.
            if !(left <= nothing || last.abs() <= f64::EPSILON * largest) {
                break;
            }
            all.pop();
        }
        all
    });
    ChebyshevFit { coefficients, holds }
}

/// Evaluates `Σ cₖ Tₖ(x)` by Clenshaw's recurrence.
pub(super) fn clenshaw(coefficients: &[f64], x: f64) -> f64 {
    let Some((first, rest)) = coefficients.split_first() else { return 0.0 };
    let (mut b1, mut b2) = (0.0, 0.0);
    for c in rest.iter().rev() {
        (b1, b2) = (c + 2.0 * x * b1 - b2, b1);
    }
    first + x * b1 - b2
}

/// A vector function in consecutive polynomial pieces.
#[derive(Clone, Debug, Default)]
pub(super) struct Pieces<const K: usize> {
    /// Start and end of each piece.
    pub spans: Vec<[f64; 2]>,
    /// Number of coefficients of each entry of each piece.
    pub lengths: Vec<u8>,
    /// Coefficients, piece after piece, entry after entry.
    pub coefficients: Vec<f64>,
    /// Number of pieces that miss the tolerance after the maximum number of halvings.
    pub rough: usize,
}

impl<const K: usize> Pieces<K> {
    pub fn len(&self) -> usize {
        self.spans.len()
    }

    pub fn push(&mut self, span: [f64; 2], fit: &ChebyshevFit<K>) {
        self.rough += usize::from(!fit.holds);
        self.spans.push(span);
        for entry in &fit.coefficients {
            self.lengths.push(entry.len() as u8);
            self.coefficients.extend_from_slice(entry);
        }
    }

    /// Appends the pieces of `other`.
    pub fn append(&mut self, other: Self) {
        self.spans.extend(other.spans);
        self.lengths.extend(other.lengths);
        self.coefficients.extend(other.coefficients);
        self.rough += other.rough;
    }

    /// Fits `f` over `[a, b]`, which is cut up to `cuts` times if one polynomial does not suffice: where its last entry
    /// jumps, if `to` says that it may, else in the middle.
    pub fn add(&mut self, f: &dyn Fn(f64) -> [f64; K], [a, b]: [f64; 2], to: &Exactness<K>, cuts: u32) {
        let fit = fit(f, [a, b], to);
        let middle = 0.5 * (a + b);
        if fit.holds || cuts == 0 || !(a < middle && middle < b) {
            return self.push([a, b], &fit);
        }
        let cut = if to.jumps { jump(&|t| f(t)[K - 1], [a, b], to.tolerance[K - 1]) } else { None };
        let [before, after] = cut.unwrap_or([middle; 2]);
        // Each part is fitted on its own side of the jump.
        self.add(&|t| f(t.min(before)), [a, before], to, cuts - 1);
        self.add(&|t| f(t.max(after)), [before, b], to, cuts - 1);
    }
}

/// Number of parts of an interval searched for a jump.
const PARTS: usize = 16;

/// Neighbouring times between which a function jumps by more than a tolerance, found by bisection of the part with the
/// largest change.
fn jump(f: &dyn Fn(f64) -> f64, [a, b]: [f64; 2], tolerance: f64) -> Option<[f64; 2]> {
    let at = |i: usize| a + (b - a) * i as f64 / PARTS as f64;
    let values: Vec<f64> = (0..=PARTS).map(|i| f(at(i))).collect();
    let change = |i: &usize| (values[i + 1] - values[*i]).abs();
    let first = (0..PARTS).max_by(|i, j| change(i).total_cmp(&change(j)))?;
    let ([mut low, mut high], [mut left, mut right]) = ([at(first), at(first + 1)], [values[first], values[first + 1]]);
    while high - low > 4.0 * f64::EPSILON * high.abs().max(b - a) {
        let middle = 0.5 * (low + high);
        let value = f(middle);
        if (value - left).abs() > (right - value).abs() {
            (high, right) = (middle, value);
        } else {
            (low, left) = (middle, value);
        }
    }
    ((right - left).abs() > tolerance && a < low && low < b).then_some([low, high])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(pieces: &Pieces<1>, t: f64) -> f64 {
        let i = pieces.spans.partition_point(|span| span[1] < t);
        let from: usize = pieces.lengths[..i].iter().map(|n| usize::from(*n)).sum();
        let ([a, b], n) = (pieces.spans[i], usize::from(pieces.lengths[i]));
        clenshaw(&pieces.coefficients[from..from + n], (2.0 * t - a - b) / (b - a))
    }

    #[test]
    fn a_smooth_function_and_a_kink_are_met_everywhere() {
        for (f, allowed) in
            [((|t| [(7.0 * t).sin() / (1.2 - t)]) as fn(f64) -> [f64; 1], 1e-10), (|t| [(t - 0.3).abs()], 1e-5)]
        {
            let mut pieces = Pieces::default();
            pieces.add(&f, [0.0, 1.0], &Exactness { tolerance: [1e-11], part: [1e-12], jumps: false }, 16);
            let worst =
                (0..=1000).map(|i| f64::from(i) / 1000.0).map(|t| (at(&pieces, t) - f(t)[0]).abs()).fold(0.0, f64::max);
            assert!(worst < allowed, "{worst:e}");
            assert!(pieces.len() < 40, "{}", pieces.len());
        }
    }

    /// A function with two jumps gets three pieces, exact up to the jumps.
    #[test]
    fn a_function_that_jumps_is_cut_where_it_does() {
        let f = |t: f64| match t {
            t if t < 0.3 => [t * t, t],
            t if t < 0.71 => [0.09 + t, 3.0 - t],
            t => [1.0 - t, 7.0 * t],
        };
        let mut pieces = Pieces::default();
        pieces.add(&f, [0.0, 1.0], &Exactness { tolerance: [1e-12; 2], part: [1e-12; 2], jumps: true }, 9);
        let ends: Vec<f64> = pieces.spans.iter().map(|span| span[1]).collect();
        assert!(pieces.len() == 3 && (ends[0] - 0.3).abs() < 1e-15 && (ends[1] - 0.71).abs() < 1e-15, "{ends:?}");
        assert_eq!(pieces.rough, 0);
    }

    /// The arc of a hop of 1e-9 s at a height of 5 m is 1e-18 m high: its accuracy must be relative to the variation.
    #[test]
    fn a_parabola_keeps_three_coefficients_at_any_size() {
        for h in [1.0, 1e-3, 1e-6, 1e-9] {
            let f = |t: f64| [t * (0.5 * 9.81 * h - 0.5 * 9.81 * t)];
            let fit = fit(f, [0.0, h], &Exactness { tolerance: [1e-12], part: [1e-12], jumps: false });
            assert_eq!(fit.coefficients[0].len(), 3);
            let top = clenshaw(&fit.coefficients[0], 0.0);
            assert!((top / (9.81 * h * h / 8.0) - 1.0).abs() < 1e-12);
        }
    }
}
