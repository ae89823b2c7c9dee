//! Nelder and Mead's method within bounds.

use crate::Bounds;

/// Cost where there is none, instead of infinity, whose differences are no numbers.
const WALL: f64 = 1e300;
/// Standard deviation of the costs at the corners at which the simplex has settled.
const SETTLED: f64 = 1e-12;

fn inside(values: &[f64], bounds: &[Bounds]) -> Vec<f64> {
    values.iter().zip(bounds).map(|(value, bounds)| bounds.nearest(*value)).collect()
}

/// `from + part (to − from)`
fn along(from: &[f64], to: &[f64], part: f64) -> Vec<f64> {
    from.iter().zip(to).map(|(from, to)| from + (to - from) * part).collect()
}

/// Goes down a cost that has kinks and jumps (where events come and go), without derivatives, from `start` with a simplex
/// of these `sizes`. `cost` is `None` where there is no value. Returns the best parameters and their cost.
///
/// J. A. Nelder and R. Mead, *Computer Journal* 7 (1965) 308: the worst corner is reflected (1), beyond the best expanded (2), else contracted
/// (½), or all shrink to the best (½).
pub fn simplex(
    start: &[f64],
    sizes: &[f64],
    bounds: &[Bounds],
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
