//! The trapezoidal rule in σ, to be extrapolated.

use curves::Place;
use nalgebra::{SMatrix, SVector};
use newmark::{Substeps, Tolerance};

use super::{CORE, Chart, CompressedSystem, Jacobian, Packed, SIZE, linearise};
use crate::RollingError;

/// `n` equal steps of the trapezoidal rule over `h`.
#[allow(clippy::too_many_arguments, reason = "what the columns of one step share")]
pub(super) fn substeps(
    system: &CompressedSystem,
    place: Place,
    first: &Packed,
    h: f64,
    n: u32,
    jacobian: &Jacobian,
    tolerance: Tolerance,
    evaluations: &mut u64,
) -> Result<Substeps<SIZE>, RollingError> {
    let part = h / f64::from(n);
    let unit = SMatrix::<f64, CORE, CORE>::identity();
    let invert =
        |jacobian: &Jacobian| (unit - jacobian.fixed_rows::<CORE>(0) * (0.5 * part)).try_inverse().unwrap_or(unit);
    let mut inverse = invert(jacobian);
    let (mut y, mut f) = (*first, system.rates(first, place, Chart::World));
    *evaluations += 1;
    let mut middle = y;
    let mut trend: Packed = [0.0; SIZE];
    for step in 0..n {
        // The first guess: as much curved as the step before.
        let mut next: Packed = std::array::from_fn(|i| y[i] + part * f[i] + trend[i]);
        let mut rates = system.rates(&next, place, Chart::World);
        *evaluations += 1;
        let mut settled = false;
        let mut last = f64::INFINITY;
        for round in 1..=30 {
            let residual = SVector::<f64, CORE>::from_fn(|i, _| next[i] - y[i] - 0.5 * part * (f[i] + rates[i]));
            let change = inverse * residual;
            let mut size: f64 = 0.0;
            for i in 0..CORE {
                next[i] -= change[i];
                // The table multiplies errors of its columns by less than 10.
                let scale = (1e-3 * tolerance.allows(next[i])).max(4.0 * f64::EPSILON * next[i].abs());
                let ratio = change[i].abs() / scale;
                size = if ratio.is_nan() { f64::INFINITY } else { size.max(ratio) };
            }
            if size == f64::INFINITY {
                return Err(RollingError::NotFinite { time: y[0] });
            }
            rates = system.rates(&next, place, Chart::World);
            *evaluations += 1;
            if size <= 1.0 || (size < 1e3 && size > 0.5 * last) {
                settled = true;
                break;
            }
            if round % 8 == 0 {
                inverse = invert(&linearise(system, place, &next, Chart::World, evaluations).1);
            }
            last = size;
        }
        if !settled {
            return Err(RollingError::NoConvergence { time: y[0], step: part, residual: last });
        }
        for i in CORE..SIZE {
            next[i] = y[i] + 0.5 * part * (f[i] + rates[i]);
        }
        trend = std::array::from_fn(|i| next[i] - y[i] - part * f[i]);
        (y, f) = (next, rates);
        if 2 * (step + 1) == n {
            middle = y;
        }
    }
    Ok(Substeps { middle, end: y })
}
