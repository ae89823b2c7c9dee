//! The impact law by hand: no code of the scheme or of its solvers.

use crate::{N, Velocities};

/// All contacts of touching balls of equal mass at once: `0 ≤ ẏ⁺ + e ẏ⁻ ⟂ P ≥ 0` for each, by trying every set of
/// contacts that push and solving for their impulses by elimination.
pub fn together(before: &Velocities, restitution: f64) -> Option<Velocities> {
    let contacts = N - 1;
    (0..1u32 << contacts).find_map(|set| {
        let pushing: Vec<usize> = (0..contacts).filter(|c| set >> c & 1 == 1).collect();
        // (v[c+1] − v[c])⁺ = −e (v[c+1] − v[c])⁻ where v⁺[c] = v⁻[c] − P[c] + P[c−1].
        let mut rows: Vec<Vec<f64>> = pushing
            .iter()
            .map(|c| {
                let mut row: Vec<f64> = pushing
                    .iter()
                    .map(|d| match c.abs_diff(*d) {
                        0 => 2.0,
                        1 => -1.0,
                        _ => 0.0,
                    })
                    .collect();
                row.push(-(1.0 + restitution) * (before[c + 1] - before[*c]));
                row
            })
            .collect();
        let impulses = eliminate(&mut rows);
        let mut after = *before;
        for (c, impulse) in pushing.iter().zip(&impulses) {
            after[*c] -= impulse;
            after[c + 1] += impulse;
        }
        let slack = 1e-13;
        let apart = (0..contacts).all(|c| {
            let (now, then) = (after[c + 1] - after[c], before[c + 1] - before[c]);
            now + restitution * then >= -slack
        });
        (apart && impulses.iter().all(|impulse| *impulse >= -slack)).then_some(after)
    })
}

/// Solves a small system, right-hand side in the last column; it is tridiagonal and dominant, no pivot is needed.
fn eliminate(rows: &mut [Vec<f64>]) -> Vec<f64> {
    let n = rows.len();
    for k in 0..n {
        for i in 0..n {
            if i != k {
                let factor = rows[i][k] / rows[k][k];
                for j in k..=n {
                    rows[i][j] -= factor * rows[k][j];
                }
            }
        }
    }
    (0..n).map(|i| rows[i][n] / rows[i][i]).collect()
}

/// Impacts of two balls each, one after the other in the order of time; the balls move evenly in between.
pub fn one_after_another(
    mut x: [f64; N],
    mut v: Velocities,
    radius: f64,
    restitution: f64,
    duration: f64,
) -> Velocities {
    let mut time = 0.0;
    for _ in 0..100_000 {
        let next = (0..N - 1)
            .filter(|i| v[*i] - v[i + 1] > 1e-15)
            .map(|i| (((x[i + 1] - x[i] - 2.0 * radius) / (v[i] - v[i + 1])).max(0.0), i))
            .min_by(|a, b| a.0.total_cmp(&b.0));
        let Some((wait, i)) = next else { break };
        if time + wait > duration {
            break;
        }
        time += wait;
        for k in 0..N {
            x[k] += wait * v[k];
        }
        let (mean, approach) = (0.5 * (v[i] + v[i + 1]), v[i] - v[i + 1]);
        (v[i], v[i + 1]) = (mean - 0.5 * restitution * approach, mean + 0.5 * restitution * approach);
    }
    v
}
