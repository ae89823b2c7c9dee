//! One contact with friction in closed form: does it separate, stick or slide, and with which impulse?

use super::{Block, check_friction, check_pairs, limit, natural};
use crate::Failure;

/// Regime of a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Regime {
    /// `p = 0`: it opens.
    Separating,
    /// `u = 0`
    Sticking,
    /// `u_n = 0`, `u_t > 0`, `p_t = −μ p_n`.
    SlidingForward,
    /// `u_n = 0`, `u_t < 0`, `p_t = μ p_n`.
    SlidingBackward,
}

/// Solution for one contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct One {
    /// `(p_n, p_t)`, N s.
    pub impulse: [f64; 2],
    /// `(u_n, u_t)` after, m/s.
    pub velocity: [f64; 2],
    /// Regime of the solution.
    pub regime: Regime,
    /// Whether no other regime has another solution. Where `μ|W_nt| > W_nn` (Painlevé) a contact that may separate may
    /// as well jam (stop by an impulse); the solution is then the one without impulse.
    pub unique: bool,
}

const REGIMES: [Regime; 4] = [Regime::Separating, Regime::Sticking, Regime::SlidingForward, Regime::SlidingBackward];

/// Violation of an inequality that counts as rounding, relative to the largest term of the contact's velocity.
const ROUNDING: f64 = 1e-13;

/// Impulse, velocity and violation of inequalities (m/s) of a regime; `None`: no impulse presses, or q closes the gap.
#[inline]
fn candidate(block: &Block, q: [f64; 2], friction: f64, regime: Regime) -> Option<([f64; 2], [f64; 2], f64)> {
    let [[nn, nt], [tn, tt]] = *block;
    let slides = |sign: f64| {
        if friction == f64::INFINITY {
            return None;
        }
        let inverse = nn - sign * friction * nt;
        let normal = -q[0] / inverse;
        if !(normal > 0.0 && normal.is_finite()) {
            return None;
        }
        let tangential = -sign * friction * normal;
        let velocity = q[1] + tn * normal + tt * tangential;
        Some(([normal, tangential], [0.0, velocity], (-sign * velocity).max(0.0)))
    };
    match regime {
        Regime::Separating => (q[0] >= 0.0).then_some(([0.0; 2], q, 0.0)),
        Regime::Sticking => {
            let (normal, tangential) = if nt == 0.0 && tn == 0.0 {
                // Exact where normal and tangent are uncoupled, as for a ball on the ground.
                (-q[0] / nn, -q[1] / tt)
            } else {
                let determinant = nn * tt - nt * tn;
                if !(determinant.abs() > 1e-14 * (nn * tt).abs().max((nt * tn).abs())) {
                    return None;
                }
                ((nt * q[1] - tt * q[0]) / determinant, (tn * q[0] - nn * q[1]) / determinant)
            };
            if !(normal > 0.0 && normal.is_finite() && tangential.is_finite()) {
                return None;
            }
            let over = (tangential.abs() - limit(friction, normal)).max(0.0) * tt.abs();
            Some(([normal, tangential], [0.0; 2], over))
        }
        Regime::SlidingForward => slides(1.0),
        Regime::SlidingBackward => slides(-1.0),
    }
}

/// Impulse of the first regime without violation, else of that with the least one, up to 1e-9 of |q|; `None`: no regime
/// holds. Positive semidefinite blocks with `μ|W_nt| < W_nn` have one.
#[inline]
pub(super) fn solve(block: &Block, q: [f64; 2], friction: f64) -> Option<[f64; 2]> {
    if q[0] >= 0.0 {
        return Some([0.0; 2]);
    }
    let mut best: Option<([f64; 2], f64)> = None;
    for regime in &REGIMES[1..] {
        if let Some((impulse, _, violation)) = candidate(block, q, friction, *regime) {
            if violation == 0.0 {
                return Some(impulse);
            }
            if best.is_none_or(|(_, least)| violation < least) {
                best = Some((impulse, violation));
            }
        }
    }
    let (impulse, violation) = best?;
    (violation <= 1e-9 * (q[0].abs() + q[1].abs())).then_some(impulse)
}

/// One contact with block W, `velocity` q and friction μ (may be infinite).
///
/// Regimes are tried in the order of [`Regime`]; the first that holds is the solution. A positive definite block has
/// one for each finite μ; with infinite μ or another block there may be none, which is an error.
///
/// ```
/// use lcp::friction::{Regime, one};
///
/// // A sphere (m = 1, k = 2/5: W_tt = 1 + 5/2) lands and rolls.
/// let contact = one([[1.0, 0.0], [0.0, 3.5]], [-1.0, 0.7], 0.3)?;
/// assert_eq!((contact.regime, contact.impulse), (Regime::Sticking, [1.0, -0.7 / 3.5]));
/// # Ok::<(), lcp::Failure>(())
/// ```
pub fn one(delassus: Block, velocity: [f64; 2], friction: f64) -> Result<One, Failure> {
    check_pairs("matrix", &delassus)?;
    check_pairs("velocity", &[velocity])?;
    check_friction(&[friction])?;
    let scale = velocity[0].abs().max(velocity[1].abs());
    let mut found: Option<One> = None;
    let mut unique = true;
    let mut nearest = f64::INFINITY;
    for regime in REGIMES {
        let Some((impulse, after, violation)) = candidate(&delassus, velocity, friction, regime) else { continue };
        // Inequalities and the law may be missed by the rounding of terms `W_ij p_j` that cancel.
        let terms = (0..2).flat_map(|i| (0..2).map(move |j| (i, j))).map(|(i, j)| (delassus[i][j] * impulse[j]).abs());
        let scale = terms.fold(scale, f64::max);
        let residual = natural(&delassus, friction, impulse, after);
        nearest = nearest.min(violation / scale.max(f64::MIN_POSITIVE));
        if !(violation <= ROUNDING * scale && residual <= 1e-10 * scale) {
            continue;
        }
        match found {
            None => found = Some(One { impulse, velocity: after, regime, unique: true }),
            Some(first) => {
                let apart = |i: usize| (first.impulse[i] - impulse[i]).abs() * delassus[i][i].abs();
                unique &= apart(0).max(apart(1)) <= 1e-9 * scale;
            }
        }
    }
    match found {
        Some(one) => Ok(One { unique, ..one }),
        None => Err(Failure::NoSolution { pivots: REGIMES.len(), artificial: 1.0, proven: nearest > 1e-6 }),
    }
}
