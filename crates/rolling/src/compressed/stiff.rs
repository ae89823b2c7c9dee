//! Radau IIA, where friction or damping is so stiff that the extrapolated trapezoidal rule would have to follow it.

use curves::Place;
use nalgebra::{SMatrix, SVector};
use newmark::radau::{A, C, Newton, REAL};
use newmark::{Tolerance, Tried, longer};

use super::{CORE, Chart, CompressedSystem, Found, Jacobian, Method, Packed, SIZE, Seen, linearise};
use crate::RollingError;

/// Rounds of Newton before a shorter step is tried.
const ROUNDS: u32 = 12;
/// Part of the tolerance that Newton's last change may have.
const GOAL: f64 = 1e-2;
/// Weights of the stages in the error estimate (§IV.8, (8.18); times h here).
const EMBEDDED: [f64; 3] = {
    let seven_root6 = 17.146_428_199_482_246_687;
    [-(13.0 + seven_root6) / 3.0, (-13.0 + seven_root6) / 3.0, -1.0 / 3.0]
};

/// Decays in one step above which it is stiff.
const DECAYS: f64 = 10.0;
/// Radians of an oscillation in one step above which it is stiff, if the compression changes by so little in it.
const TURN: f64 = 4.0;
const STILL: f64 = 1e-2;

/// Whether a step is far longer than what the equations could do in it: damping and friction have long decayed, or the ball is at
/// rest, by the sums of their eigenvalues and of the squares of these; or slip may end in it, whereupon friction is that stiff.
pub(super) fn is_stiff(system: &CompressedSystem, jacobian: &Jacobian, start: &Packed, seen: &Seen, h: f64) -> bool {
    let core = jacobian.fixed_rows::<CORE>(0);
    let oscillates = || -h * h * (core * core).trace() > 2.0 * TURN * TURN;
    let still = (seen.rates[2] * h).abs() < STILL * start[2];
    let sticks = || {
        let (law, ball) = (system.compliance, system.ball);
        let [_, by_slip] = law.friction_slopes(seen.push.normal_force, 0.0);
        let decays = -by_slip * 2.0 * start[2] * h / ball.slip_mass();
        system.pressing && decays > DECAYS && seen.slip.abs() < seen.slip_rate.abs() * h + law.slip_speed()
    };
    -h * core.trace() > DECAYS || still && oscillates() || sticks()
}

/// A step of `h` from a state and its rates: the collocation cubic at start, middle and end.
pub(super) fn attempt(
    system: &CompressedSystem,
    place: Place,
    world: (&Packed, &Packed),
    h: f64,
    tolerance: Tolerance,
    evaluations: &mut u64,
) -> Result<Tried<Found>, RollingError> {
    let stuck = RollingError::NoConvergence { time: world.0[0], step: h, residual: f64::INFINITY };
    let frame = |y: &Packed| system.ground.frame(place.at(y[1]));
    let (start, first) = &system.convert(world.into(), &frame(world.0), Chart::Ground);
    let (_, jacobian) = linearise(system, place, start, Chart::Ground, evaluations);
    let core = jacobian.fixed_rows::<CORE>(0).into_owned();
    let sums = jacobian.fixed_rows::<{ SIZE - CORE }>(CORE).into_owned();
    let newton = Newton::new(h, core, SMatrix::zeros()).ok_or(stuck)?;
    let of_core = |y: &Packed| SVector::<f64, CORE>::from_fn(|i, _| y[i]);
    // Sums depend on the implicit entries, and on nothing else.
    let damp = |r: &Packed| -> Packed {
        let damped = newton.damp(of_core(r));
        let onward = sums * damped;
        std::array::from_fn(|i| if i < CORE { damped[i] } else { (r[i] + onward[i - CORE]) * (h / REAL) })
    };

    // Friction is to be resolved, too, which turns round over a slip of ε.
    let slip_speed = if system.compliance.friction() > 0.0 { system.compliance.slip_speed() } else { f64::INFINITY };
    let mut grain = [f64::INFINITY; SIZE];
    grain[if system.slips() { 5 } else { 3 }] = GOAL * slip_speed;
    let mut z = [[0.0; SIZE]; 3];
    let mut before = f64::INFINITY;
    let mut settled = false;
    for round in 1..=ROUNDS {
        let f = z.each_ref().map(|z| system.rates(&plus(start, z), place, Chart::Ground));
        *evaluations += 3;
        let change = newton.change(&z.each_ref().map(of_core), &f.each_ref().map(of_core));
        let onward = change.map(|change| sums * change);
        let mut size: f64 = 0.0;
        for k in 0..3 {
            for i in 0..SIZE {
                let next = match i.checked_sub(CORE) {
                    None => z[k][i] + change[k][i],
                    Some(sum) => h * (0..3).map(|j| A[k][j] * (f[j][i] + onward[j][sum])).sum::<f64>(),
                };
                let change = next - std::mem::replace(&mut z[k][i], next);
                let value = start[i].abs().max((start[i] + next).abs());
                let allowed = (GOAL * tolerance.allows(value)).min(grain[i]);
                let part = change.abs() / allowed.max(4.0 * f64::EPSILON * value);
                size = if part.is_nan() { f64::INFINITY } else { size.max(part) };
            }
        }
        let rate = size / before;
        if size <= 1.0 && (round > 1 || size <= 1e-3) || (size <= 10.0 && rate > 0.5) {
            settled = true;
            break;
        }
        if size == f64::INFINITY || rate >= 2.0 {
            break;
        }
        before = size;
    }
    if !settled {
        return Err(stuck);
    }

    let missed: Packed = std::array::from_fn(|i| (0..3).map(|k| EMBEDDED[k] * z[k][i]).sum::<f64>() / h);
    let ratio = |error: &Packed| {
        tolerance.ratio((0..SIZE).map(|i| [error[i], start[i].abs().max((start[i] + z[2][i]).abs()), 0.0]))
    };
    let mut off = damp(&std::array::from_fn(|i| first[i] + missed[i]));
    if ratio(&off) >= 1.0 {
        // Where the start is off the slow motion, the estimate is damped once more ((8.20)).
        let there = system.rates(&plus(start, &off), place, Chart::Ground);
        *evaluations += 1;
        off = damp(&std::array::from_fn(|i| there[i] + missed[i]));
    }
    let node = |part: f64| {
        let (values, slopes) = weights(part);
        let sum = |w: [f64; 3], i: usize| w[0] * z[0][i] + w[1] * z[1][i] + w[2] * z[2][i];
        let values = std::array::from_fn(|i| start[i] + sum(values, i));
        system.convert([&values, &std::array::from_fn(|i| sum(slopes, i) / h)], &frame(&values), Chart::World)
    };
    let error = ratio(&off);
    let found = Found { nodes: [node(0.0), node(0.5), node(1.0)], method: Method::Stiff };
    Ok(Tried { error, longer: longer(error, 4.0), value: found })
}

fn plus(a: &Packed, b: &Packed) -> Packed {
    std::array::from_fn(|i| a[i] + b[i])
}

/// Weights of the stages in the collocation cubic at a `part` of the step, and in its slope by parts.
fn weights(part: f64) -> ([f64; 3], [f64; 3]) {
    let (mut values, mut slopes) = ([0.0; 3], [0.0; 3]);
    for i in 0..3 {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        let scale = 1.0 / (C[i] * (C[i] - C[j]) * (C[i] - C[k]));
        let (a, b) = (part - C[j], part - C[k]);
        values[i] = part * a * b * scale;
        slopes[i] = (a * b + part * (a + b)) * scale;
    }
    (values, slopes)
}
