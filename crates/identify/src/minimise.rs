//! Minimisation of a cost within bounds: L-BFGS, and Nelder and Mead's simplex without derivatives.

use std::collections::VecDeque;

use crate::ParameterRange;

/// Number of past steps kept by L-BFGS.
const MEMORY: usize = 12;
/// Largest number of restarts from the best point with an empty memory.
const RESTARTS: u32 = 20;
/// Relative gain of a restart below which it is the last.
const GAIN: f64 = 1e-9;
/// Relative gain of a step, and ratio of the gradient to the first one, below which the method restarts.
const STEP: (f64, f64) = (1e-11, 1e-7);

/// Wolfe's conditions: least decrease as a part of the slope, and largest part of the slope that may be left.
const WOLFE: (f64, f64) = (1e-4, 0.9);
/// Longest step along a line, as a multiple of the predicted one; largest number of evaluations on a line.
const LONGEST: f64 = 10.0;
const LOOKS: u32 = 20;

/// Number of evaluations, and relative gain: a search ends after more of them with less gain in all. Fewer would end it
/// within a line search, whose costs rise and fall.
const PATIENCE: (u32, f64) = (40, 1e-8);

/// Limits of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Largest number of evaluations of the cost.
    pub evaluations: u32,
    /// Largest distance from the start, in sizes, on sides without bound: a cost that still falls there has no minimum.
    pub reach: f64,
}

/// Reason why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DescentEnd {
    /// A minimum: no lower cost was found.
    Settled,
    /// The evaluations were spent.
    Spent,
    /// The cost still falls where this parameter reached the largest distance.
    Far(usize),
}

/// Result of a minimisation.
#[derive(Clone, Debug, PartialEq)]
pub struct Descent {
    /// Parameters of the minimum.
    pub parameters: Vec<f64>,
    /// Cost at the minimum.
    pub cost: f64,
    /// Evaluations of the cost and its gradient.
    pub evaluations: u32,
    /// Each cost that was the lowest so far.
    pub history: Vec<f64>,
    /// Reason why the search ended.
    pub ended: DescentEnd,
}

/// A cost and its gradient.
type Slope = (f64, Vec<f64>);

/// The best evaluation so far, and progress; in the substituted parameters z, which have no bounds.
#[derive(Debug, Default)]
struct BestSoFar {
    best: Option<(Vec<f64>, Slope)>,
    evaluations: u32,
    history: Vec<f64>,
    /// Parameter that has reached the largest distance while the cost still fell: the search is over.
    far: Option<usize>,
    /// The cost at the last noticeable gain, and evaluations since.
    gained: Option<(f64, u32)>,
}

impl BestSoFar {
    /// Counts an evaluation, anew from a noticeable gain on.
    fn count(&mut self, cost: f64) {
        self.gained = match self.gained {
            Some((mark, since)) if !(mark - cost > PATIENCE.1 * mark.abs()) => Some((mark, since + 1)),
            _ => Some((cost, 0)),
        };
    }
}

/// A cost within bounds, over the substituted parameters z, and what is known of it.
struct BoundedCost<'a, F> {
    cost: &'a F,
    start: &'a [f64],
    sizes: &'a [f64],
    bounds: &'a [ParameterRange],
    limits: Limits,
    known: BestSoFar,
}

impl<F: Fn(&[f64]) -> Option<Slope>> BoundedCost<'_, F> {
    /// Cost and gradient at z; `None`: the search is over.
    fn at(&mut self, z: &[f64]) -> Option<Slope> {
        let known = &self.known;
        let tired = known.gained.is_some_and(|(_, since)| since > PATIENCE.0);
        // z is not finite where L-BFGS divided by a curvature of zero: the cost is a straight line there.
        let over = known.evaluations >= self.limits.evaluations || known.far.is_some() || tired;
        if over || z.iter().any(|z| !z.is_finite()) {
            return None;
        }
        let mut values = all_outward(z, self.sizes, self.bounds);
        let far = self.draw_in(&mut values);
        let known = &mut self.known;
        known.evaluations += 1;
        let found = (self.cost)(&values).filter(|(cost, by)| cost.is_finite() && by.iter().all(|d| d.is_finite()));
        if let Some((j, (cost, _))) = far.zip(found.as_ref())
            && known.best.as_ref().is_some_and(|(_, (best, _))| cost < best)
        {
            known.far = Some(j);
            known.history.push(*cost);
            let z = (0..z.len()).map(|j| inward(values[j], self.sizes[j], self.bounds[j])).collect();
            known.best = Some((z, (*cost, vec![0.0; values.len()])));
            return None;
        }
        let slope = match found.filter(|_| far.is_none()) {
            Some((cost, mut by)) => {
                by.iter_mut().enumerate().for_each(|(j, d)| *d *= outward(z[j], self.sizes[j], self.bounds[j])[1]);
                (cost, by)
            }
            // Where there is no cost, a cost rising from the best point makes the search turn back.
            None => match &known.best {
                None => (f64::MAX.sqrt(), vec![0.0; z.len()]),
                Some((best, (cost, _))) => {
                    let away: Vec<f64> = z.iter().zip(best).map(|(z, best)| z - best).collect();
                    let square: f64 = away.iter().map(|a| a * a).sum();
                    let steep = 10.0 * (cost.abs() + 1e-3) / square.max(f64::MIN_POSITIVE);
                    (cost + steep * square, away.iter().map(|a| 2.0 * steep * a).collect())
                }
            },
        };
        known.count(slope.0);
        if known.best.as_ref().is_none_or(|(_, (best, _))| slope.0 < *best) {
            known.best = Some((z.to_vec(), slope.clone()));
            known.history.push(slope.0);
        }
        Some(slope)
    }

    /// Pulls values beyond the largest distance back towards the start; returns the index of the farthest one.
    fn draw_in(&self, values: &mut [f64]) -> Option<usize> {
        let out = |j: usize| {
            let (off, ParameterRange { lower, upper }) = (values[j] - self.start[j], self.bounds[j]);
            let open = if off > 0.0 { upper == f64::INFINITY } else { lower == f64::NEG_INFINITY };
            if open { off.abs() / (self.limits.reach * self.sizes[j]) } else { 0.0 }
        };
        let j = (0..values.len()).max_by(|i, j| out(*i).total_cmp(&out(*j)))?;
        let part = out(j);
        if !(part > 1.0) {
            return None;
        }
        values.iter_mut().zip(self.start).for_each(|(value, start)| *value = start + (*value - start) / part);
        Some(j)
    }

    /// Minimises from a point until steps gain little or no lower cost is found, and keeps the best point.
    fn descend(&mut self, from: &(Vec<f64>, Slope)) {
        let (mut z, (mut cost, mut gradient)) = from.clone();
        let norm = dot(&gradient, &gradient).sqrt();
        let mut bends = VecDeque::with_capacity(MEMORY);
        while dot(&gradient, &gradient).sqrt() > STEP.1 * norm {
            // The first step moves no parameter by more than its size.
            let d = direction(&bends, &gradient, 1.0 / norm);
            let Some((next, (lower, slope))) = self.along(&z, cost, &gradient, &d) else { return };
            let step: Vec<f64> = next.iter().zip(&z).map(|(next, z)| next - z).collect();
            let turn: Vec<f64> = slope.iter().zip(&gradient).map(|(next, g)| next - g).collect();
            let inverse = 1.0 / dot(&step, &turn);
            let gain = cost - lower;
            (z, cost, gradient) = (next, lower, slope);
            if !(gain > STEP.0 * from.1.0.abs() && inverse > 0.0 && inverse.is_finite()) {
                return;
            }
            if bends.len() == MEMORY {
                bends.pop_front();
            }
            bends.push_back(GradientChange { step, turn, inverse });
        }
    }

    /// Finds a point on the line from z along `d` that fulfils Wolfe's strong conditions (J. Nocedal and S. J. Wright,
    /// *Numerical Optimization*, 2nd ed., algorithms 3.5 and 3.6). It looks between the lowest node so far and one
    /// beyond which the cost rises; while there is no such node it goes on, up to `LONGEST`.
    fn along(&mut self, z: &[f64], cost: f64, gradient: &[f64], d: &[f64]) -> Option<(Vec<f64>, Slope)> {
        let start = LineNode { far: 0.0, cost, slope: dot(gradient, d) };
        if !(start.slope < 0.0) {
            return None;
        }
        let (mut low, mut high, mut far) = (start, None::<LineNode>, 1.0_f64);
        for _ in 0..LOOKS {
            let there: Vec<f64> = z.iter().zip(d).map(|(z, d)| z + far * d).collect();
            let slope = self.at(&there)?;
            let node = LineNode { far, cost: slope.0, slope: dot(&slope.1, d) };
            let falls = node.cost <= cost + WOLFE.0 * far * start.slope;
            if !falls || node.cost >= low.cost {
                high = Some(node);
            } else {
                if node.slope.abs() <= -WOLFE.1 * start.slope || far >= LONGEST {
                    return Some((there, slope));
                }
                let beyond = high.map_or(1.0, |high| high.far - low.far);
                if node.slope * beyond >= 0.0 {
                    high = Some(low);
                }
                low = node;
            }
            far = high.map_or((4.0 * far).min(LONGEST), |high| low.lowest_between(high));
        }
        None
    }
}

/// Minimises a smooth cost from `start`; `sizes` are significant changes of each parameter. `cost` gives value and
/// gradient, or `None` where there is none. Returns `None` if there is no value at the start.
///
/// Bounds are kept by the substitution `p = (l + u)/2 + (u − l)/2 sin z`, with one bound `p = l − w + w √(1 + z²)` (w:
/// the size). The method restarts where a line search fails.
pub fn descend(
    start: &[f64],
    sizes: &[f64],
    bounds: &[ParameterRange],
    limits: Limits,
    cost: impl Fn(&[f64]) -> Option<(f64, Vec<f64>)>,
) -> Option<Descent> {
    let begin: Vec<f64> = (0..start.len()).map(|j| inward(start[j], sizes[j], bounds[j])).collect();
    let mut valley = BoundedCost { cost: &cost, start, sizes, bounds, limits, known: BestSoFar::default() };
    let first = valley.at(&begin)?;
    if first.0 >= f64::MAX.sqrt() {
        return None;
    }
    let mut from = (begin, first);
    for _ in 0..RESTARTS {
        let before = from.1.0;
        valley.descend(&from);
        from = valley.known.best.clone().unwrap_or(from);
        let over = valley.known.evaluations >= limits.evaluations || valley.known.far.is_some();
        if over || !(before - from.1.0 > GAIN * (before.abs() + f64::MIN_POSITIVE)) {
            break;
        }
    }
    let BestSoFar { evaluations, history, far, .. } = valley.known;
    let parameters = all_outward(&from.0, sizes, bounds);
    let spent = if evaluations >= limits.evaluations { DescentEnd::Spent } else { DescentEnd::Settled };
    Some(Descent { parameters, cost: from.1.0, evaluations, history, ended: far.map_or(spent, DescentEnd::Far) })
}

/// A step of L-BFGS: changes of parameters (`step`) and gradient (`turn`), and 1 over their scalar product.
struct GradientChange {
    step: Vec<f64>,
    turn: Vec<f64>,
    inverse: f64,
}

/// L-BFGS direction `−H g` (J. Nocedal, *Math. Comp.* 35 (1980) 773, the two-loop recursion), from `H = γ 1`, γ of the
/// last step. Without past steps its length is `first`.
fn direction(bends: &VecDeque<GradientChange>, gradient: &[f64], first: f64) -> Vec<f64> {
    let mut d: Vec<f64> = gradient.iter().map(|g| -g).collect();
    let mut parts = Vec::new();
    for GradientChange { step, turn, inverse } in bends.iter().rev() {
        let part = inverse * dot(step, &d);
        d.iter_mut().zip(turn).for_each(|(d, turn)| *d -= part * turn);
        parts.push(part);
    }
    let scale = bends.back().map_or(first, |last| 1.0 / (last.inverse * dot(&last.turn, &last.turn)));
    d.iter_mut().for_each(|d| *d *= scale);
    for (GradientChange { step, turn, inverse }, part) in bends.iter().zip(parts.into_iter().rev()) {
        let part = part - inverse * dot(turn, &d);
        d.iter_mut().zip(step).for_each(|(d, step)| *d += part * step);
    }
    d
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// A node on a line: distance, cost, and slope along the line.
#[derive(Clone, Copy)]
struct LineNode {
    far: f64,
    cost: f64,
    slope: f64,
}

impl LineNode {
    /// Minimum of the cubic through two nodes, kept a tenth of their distance from both.
    fn lowest_between(self, other: LineNode) -> f64 {
        let reach = other.far - self.far;
        let middle = self.slope + other.slope - 3.0 * (other.cost - self.cost) / reach;
        let root = (middle * middle - self.slope * other.slope).max(0.0).sqrt() * reach.signum();
        let part = 1.0 - (other.slope + root - middle) / (other.slope - self.slope + 2.0 * root);
        self.far + reach * if part.is_finite() { part.clamp(0.1, 0.9) } else { 0.5 }
    }
}

/// Parameters within bounds from the substituted ones.
fn all_outward(z: &[f64], sizes: &[f64], bounds: &[ParameterRange]) -> Vec<f64> {
    z.iter().enumerate().map(|(j, z)| bounds[j].nearest(outward(*z, sizes[j], bounds[j])[0])).collect()
}

/// Parameter p within bounds from the substituted z, and `dp/dz`.
fn outward(z: f64, w: f64, ParameterRange { lower, upper }: ParameterRange) -> [f64; 2] {
    let root = z.hypot(1.0);
    match (lower.is_finite(), upper.is_finite()) {
        (true, true) => [0.5 * (lower + upper) + 0.5 * (upper - lower) * z.sin(), 0.5 * (upper - lower) * z.cos()],
        (true, false) => [lower + w * (root - 1.0), w * z / root],
        (false, true) => [upper - w * (root - 1.0), -w * z / root],
        (false, false) => [w * z, w],
    }
}

/// Substituted parameter of p; a start on a bound, where `dp/dz = 0`, is moved slightly inside.
fn inward(p: f64, w: f64, ParameterRange { lower, upper }: ParameterRange) -> f64 {
    let beyond = |distance: f64| ((distance / w).max(1e-3) + 1.0).powi(2);
    match (lower.is_finite(), upper.is_finite()) {
        (true, true) => ((2.0 * p - lower - upper) / (upper - lower)).clamp(-0.99, 0.99).asin(),
        (true, false) => (beyond(p - lower) - 1.0).sqrt(),
        (false, true) => (beyond(upper - p) - 1.0).sqrt(),
        (false, false) => p / w,
    }
}

/// Cost where there is none: finite, since differences of infinity are NaN.
const WALL: f64 = 1e300;
/// Standard deviation of the costs at the corners below which the simplex has converged.
const SETTLED: f64 = 1e-12;

fn inside(values: &[f64], bounds: &[ParameterRange]) -> Vec<f64> {
    values.iter().zip(bounds).map(|(value, bounds)| bounds.nearest(*value)).collect()
}

/// `from + part (to − from)`
fn along(from: &[f64], to: &[f64], part: f64) -> Vec<f64> {
    from.iter().zip(to).map(|(from, to)| from + (to - from) * part).collect()
}

/// Minimises a cost that has kinks and jumps (where events come and go), without derivatives, by a simplex of these
/// `sizes` at `start`. `cost` is `None` where there is no value. Returns the best parameters and their cost.
///
/// J. A. Nelder and R. Mead, *Computer Journal* 7 (1965) 308: the worst corner is reflected (1), beyond the best
/// expanded (2), else contracted (½), or the simplex shrinks to the best corner (½).
pub fn simplex(
    start: &[f64],
    sizes: &[f64],
    bounds: &[ParameterRange],
    iterations: u64,
    cost: impl Fn(&[f64]) -> Option<f64>,
) -> (Vec<f64>, f64) {
    let at = |values: Vec<f64>| {
        let cost = cost(&inside(&values, bounds)).filter(|cost| *cost <= WALL).unwrap_or(WALL);
        (values, cost)
    };
    let n = start.len();
    let mut corners = vec![at(start.to_vec())];
    for j in 0..n {
        let mut corner = start.to_vec();
        let beyond = start[j] + sizes[j] > bounds[j].upper;
        corner[j] += if beyond { -sizes[j] } else { sizes[j] };
        corners.push(at(corner));
    }
    corners.sort_by(|a, b| a.1.total_cmp(&b.1));
    for _ in 0..iterations {
        let mean = corners.iter().map(|(_, cost)| cost).sum::<f64>() / (n + 1) as f64;
        let squares: f64 = corners.iter().map(|(_, cost)| (cost - mean).powi(2)).sum();
        if n == 0 || (squares / n as f64).sqrt() < SETTLED {
            break;
        }
        let sum = |j: usize| corners[..n].iter().map(|(corner, _)| corner[j]).sum::<f64>();
        let centre: Vec<f64> = (0..n).map(|j| sum(j) * (1.0 / n as f64)).collect();
        let reflected = at(along(&centre, &corners[n].0, -1.0));
        let next = if reflected.1 < corners[0].1 {
            let expanded = at(along(&centre, &reflected.0, 2.0));
            Some(if expanded.1 < reflected.1 { expanded } else { reflected })
        } else if reflected.1 < corners[n - 1].1 {
            Some(reflected)
        } else {
            let outside = reflected.1 < corners[n].1;
            let better = if outside { &reflected } else { &corners[n] };
            let contracted = at(along(&centre, &better.0, 0.5));
            Some(contracted).filter(|(_, cost)| *cost < better.1 || outside && *cost == better.1)
        };
        match next {
            Some(next) => corners[n] = next,
            None => {
                let best = corners[0].0.clone();
                corners[1..].iter_mut().for_each(|corner| *corner = at(along(&best, &corner.0, 0.5)));
            }
        }
        corners.sort_by(|a, b| a.1.total_cmp(&b.1));
    }
    let (best, cost) = corners.swap_remove(0);
    (inside(&best, bounds), cost)
}
