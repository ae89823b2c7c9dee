//! How does a ball fly under quadratic drag? By the first integral of the hodograph, and quadratures along it.
//!
//! ```text
//! v = u sinh w     u⁻² = c − (k/g)(w + ½ sinh 2w)     dt = −u cosh w dw/g     dx = u dt     dy = v dt
//! ```
//!
//! (Johann Bernoulli 1719; Parker, Am. J. Phys. 45 (1977) 606). (u, v) is the velocity through the air, horizontal and
//! upwards, w the variable of integration, k = k_D/m. Over a piece of length L, with d = w₀ − w from 0 to L, the
//! integral is written `u⁻² = u₀⁻² + (k/g)(d + sinh d cosh(2w₀ − d))`, which does not cancel for any drag.
//!
//! Integrands are analytic except where u⁻² vanishes: on the real axis in the past of the motion, and at a distance of
//! π/2 beside that axis. These singularities determine how many nodes a piece needs. The powers and forces of the air
//! are integrated, too; by the balances of energy and momentum their exact integrals are known, and so the error.

use std::f64::consts::FRAC_PI_2;

use nalgebra::Vector2;
use numbers::{GAUSS_RULES, elementary};

use super::closed_form_or_quadrature::{Air, ArcNode};

/// Longest piece of one quadrature, in w.
const LONGEST: f64 = 5.0;
/// Longest piece, as a multiple of the distance back to the w at which the speed was infinite.
const REACH: f64 = 4.0;
/// |d| below which sinh is evaluated by its series.
const SHORT: f64 = 0.5;
/// Share of the tolerance for one piece: the errors of a dozen add up.
const PART: f64 = 1.0 / 16.0;
/// Relative error allowed beside the tolerance: rounding of a dozen sums.
const ROUNDING: f64 = 32.0 * f64::EPSILON;

/// `(4i)!/(4i + 4)!`
const FACTORIALS: [f64; GAUSS_RULES.len()] = {
    let (mut ratios, mut i) = ([0.0; GAUSS_RULES.len()], 0);
    while i < GAUSS_RULES.len() {
        let n = 4.0 * i as f64;
        ratios[i] = 1.0 / ((n + 1.0) * (n + 2.0) * (n + 3.0) * (n + 4.0));
        i += 1;
    }
    ratios
};

/// Node about `seconds` after `here`, by the first rule that is accurate enough, over a shorter piece if none is.
pub(super) fn ahead(air: &Air, here: &ArcNode, seconds: f64, nodes: &mut u64) -> ArcNode {
    let (g, k) = (air.gravity, air.quadratic);
    let (u, v) = (here.velocity.x, here.velocity.y);
    let square = u * u + v * v;
    let speed = square.sqrt();
    let turn = g * seconds / speed;
    let length = if turn.abs() < 0.3 {
        // Length in w to third order in time: ẇ = −g/V, and V̇/V is `rate`.
        let rate = -(g * v / square + k * speed);
        let lift = -g / square * (-g - k * speed * v - 2.0 * v * rate) - k * speed * rate;
        turn * (1.0 + 0.5 * seconds * (-rate + seconds / 3.0 * (rate * rate - lift)))
    } else {
        // The motion without air gives a first guess.
        let slope = (v - g * seconds) / u;
        here.angle() - elementary::ln(slope.abs() + (1.0 + slope * slope).sqrt()).copysign(slope)
    };
    // Distance back to the w at which the speed was infinite, as if cosh² grew as e^(2w).
    let past = 0.5 * elementary::ln_1p(g / (k * square));
    let mut length = length.max(-0.5 * past).min(REACH * past).clamp(-LONGEST, LONGEST);
    let size = here.way.norm();
    loop {
        let (first, enough) = rule_for(air, here, length, past, square, size);
        // A long piece for which no rule is accurate enough is not tried.
        let rules = if enough || length.abs() <= 1.0 { &GAUSS_RULES[first..] } else { &[] };
        for rule in rules.iter().step_by(2) {
            let (there, error) = piece(air, here, length, rule);
            *nodes += 2 * rule.len() as u64;
            let fastest = square.max(there.velocity.norm_squared());
            let place = PART * air.tolerance.allows(there.way.norm().max(size)) + ROUNDING * fastest / g;
            // An error of time matters by the largest speed of the piece.
            let velocity = PART * air.tolerance.allows(fastest.sqrt()) + ROUNDING * fastest.sqrt();
            if error[0] <= place && error[1] <= velocity {
                return there;
            }
        }
        if !(length.abs() > 1e-3 * past) {
            // Not finite, or as accurate as double precision gets.
            return piece(air, here, length, GAUSS_RULES[GAUSS_RULES.len() - 1]).0;
        }
        length *= 0.6;
    }
}

/// Index of the first rule whose estimated error over a piece is below the tolerance, and whether there is one. The
/// error of n points goes as 1/(2n)! if the integrand is entire. It goes as ρ^(−2n) if that is analytic in an ellipse
/// with foci at the piece's ends and half axes of sum ρ, here up to its nearest pole.
fn rule_for(air: &Air, here: &ArcNode, length: f64, past: f64, square: f64, size: f64) -> (usize, bool) {
    let unit = square / air.gravity;
    let speed = square.sqrt();
    let goal = (air.tolerance.allows(size) / unit).min(air.tolerance.allows(speed) / speed);
    let goal = (PART * goal).max(ROUNDING);
    let half = 0.5 * length.abs();
    // Half axes of the ellipses through the zeros of u⁻² behind the piece and beside the axis, in half lengths of it.
    let behind = 1.0 + past.min(1e3) / half.max(f64::MIN_POSITIVE);
    let im = FRAC_PI_2 / half;
    let beside = if im > 4.0 {
        im
    } else {
        let re = (2.0 * here.angle() - length + past) / half;
        let from = |focus: f64| (im * im + (re - focus) * (re - focus)).sqrt();
        0.5 * (from(1.0) + from(-1.0))
    };
    let axis = behind.min(beside);
    let ellipse = axis + (axis * axis - 1.0).sqrt();
    let per_pair = elementary::powi(ellipse, -4);
    let weight = (air.quadratic * unit).min(1.0);
    // Errors of a rule of n points: half^(2n)/(2n)! of the entire part, an exponential of w; and that of the pole.
    let fourth = elementary::powi(half, 4);
    let (mut entire, mut pole) = (1.0, 10.0 * weight);
    for index in 0..GAUSS_RULES.len() {
        entire *= fourth * FACTORIALS[index];
        pole *= per_pair;
        if entire + pole <= goal {
            return (index, true);
        }
    }
    (GAUSS_RULES.len() - 1, false)
}

/// Node after a piece of length L; its errors of place (m) and velocity (m/s) by the balances of energy and momentum.
#[inline(always)]
fn piece(air: &Air, here: &ArcNode, length: f64, rule: &[(f64, f64)]) -> (ArcNode, [f64; 2]) {
    let (g, k) = (air.gravity, air.quadratic);
    let (u0, v0) = (here.velocity.x, here.velocity.y);
    let (grown, shrunk, per) = (here.grown, 1.0 / here.grown, k / g);
    let (square, inverse_square) = (grown * grown, shrunk * shrunk);
    let inverse = 1.0 / (u0 * u0);
    let half = 0.5 * length;
    let (middle, short) = (elementary::exp(half), length.abs() < SHORT);
    let back = 1.0 / middle;
    // u and sinh w, cosh w at w₀ − d, with e^d and e^(−d).
    let at = |d: f64, up: f64, down: f64| {
        let sinh = if short { sinh_series(d) } else { 0.5 * (up - down) };
        let q = inverse + per * (d + sinh * (0.5 * (square * down + inverse_square * up)));
        let (a, b) = (0.5 * grown * down, 0.5 * shrunk * up);
        (1.0 / q.sqrt(), a - b, a + b)
    };
    let mut sums = [0.0; 6];
    for &(place, weight) in rule {
        let grow = elementary::exp(half * place);
        let shrink = 1.0 / grow;
        let nodes = [
            (half * (1.0 - place), middle * shrink, back * grow),
            (half * (1.0 + place), middle * grow, back * shrink),
        ];
        for (d, up, down) in nodes {
            let (u, sinh, cosh) = at(d, up, down);
            let (speed, v) = (u * cosh, u * sinh);
            let weighted = weight * speed;
            let drag = weighted * speed;
            sums[0] += weighted;
            sums[1] += weighted * u;
            sums[2] += weighted * v;
            sums[3] += drag * (speed * speed);
            sums[4] += drag * u;
            sums[5] += drag * v;
        }
    }
    let [time, x, y, lost, push_x, push_y] = sums.map(|sum| half / g * sum);
    let (lost, push) = (k * lost, Vector2::new(-k * push_x, -k * push_y));
    let (up, down) = (middle * middle, back * back);
    let (u, sinh, cosh) = at(length, up, down);
    let (v, speed) = (u * sinh, u * cosh);
    let start = u0 * u0 + v0 * v0;
    let energy = 0.5 * (speed * speed - start) + g * y + lost;
    let late = (v - v0 + g * time - push.y).abs();
    let slow = (u - u0 - push.x).abs();
    let error = [energy.abs().max(speed.max(start.sqrt()) * late.max(slow)) / g, late.max(slow)];
    let there = ArcNode {
        time: here.time + time,
        way: here.way + Vector2::new(x, y),
        velocity: Vector2::new(u, v),
        lost: here.lost + lost,
        push: here.push + push,
        grown: grown * down,
    };
    (there, error)
}

/// Computes sinh d for |d| below [`SHORT`], to its own rounding.
#[inline(always)]
fn sinh_series(d: f64) -> f64 {
    // 1/(2i+1)!
    const C: [f64; 6] =
        [1.0 / 6.0, 1.0 / 120.0, 1.0 / 5040.0, 1.0 / 362_880.0, 1.0 / 39_916_800.0, 1.0 / 6_227_020_800.0];
    let s = d * d;
    let four = s * s;
    let terms = (C[0] + s * C[1]) + four * ((C[2] + s * C[3]) + four * (C[4] + s * C[5]));
    d + d * (s * terms)
}
