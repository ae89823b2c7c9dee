//! How far is the polynomial through three places of an arc from the arc?
//!
//! The polynomial of degree 8 has place, velocity and acceleration of the motion q at 0, p h and h. Its error e is
//! (Peano)
//!
//! ```text
//! ‖e‖ ≤ Kₙ(p) hⁿ max ‖q⁽ⁿ⁾‖        n = 3, 5, 9
//! ```
//!
//! Besides gravity q̈ has the drag D = −k‖w‖w, with ẇ = g + D. Take units of the speed V = ‖w‖ and of the time V/(g +
//! kV²). Then the m-th Taylor coefficient of D depends only on the direction of w and on κ = kV²/(g + kV²). In parts of
//! kV² it is at most `c (a(1 − κ) + bκ)ᵐ`: a and b are from κ = 0, where D is a root of Legendre's kind, and κ = 1,
//! where D is 1/(1 + t)². In between this was checked on a grid of 72 000 directions and κ, not proven. Hence
//!
//! ```text
//! ‖D⁽ᵐ⁾‖/m! ≤ c k V² (a g/V + b k V)ᵐ        q⁽ᵐ⁺²⁾ = D⁽ᵐ⁾
//! ```
//!
//! convex over ln V, so that the two extreme speeds decide. Linear drag: q⁽ⁿ⁾ = (−r)ⁿ⁻² q̈, largest at the start.

use numbers::elementary;

use super::closed_form_or_quadrature::{Air, ArcNode};

/// Constants of the bound by the derivative of one order.
pub(super) struct ErrorOrder {
    /// Order n of the derivative.
    pub(super) n: i32,
    /// Constant Kₙ(½), rounded up.
    pub(super) half: f64,
    /// Constants c·m!, a and b of the drag, for m = n − 2.
    pub(super) drag: [f64; 3],
}

/// Bounds by the third, fifth and ninth derivative.
pub(super) const ORDERS: [ErrorOrder; 3] = [
    ErrorOrder { n: 3, half: 1.3163e-3, drag: [2.0, 1.0, 1.0] },
    // aᵐ = 1/2, bᵐ = 4
    ErrorOrder { n: 5, half: 3.6485e-6, drag: [6.0 * 1.027, 0.793_700_6, 1.587_401_1] },
    // aᵐ = 1/16, bᵐ = 8
    ErrorOrder { n: 9, half: 3.0692e-10, drag: [5040.0, 0.672_950_1, 1.345_900_2] },
];

/// Upper bound of `Kₙ(p)/Kₙ(½)`, for p from 0.3 to 0.7.
pub(super) fn aside(part: f64) -> f64 {
    elementary::powi(1.0 + 3.0 * (part - 0.5).abs(), 4)
}

/// Whether `aside` is valid for a middle node at this part of the time.
pub(super) fn is_middle(part: f64) -> bool {
    (part - 0.5).abs() <= 0.2
}

/// Error bound (m) of the polynomial through node `from`, a node at `part` of the time, and node `end`.
pub(super) fn error(air: &Air, from: &ArcNode, end: &ArcNode, part: f64) -> f64 {
    if !is_middle(part) {
        return f64::INFINITY;
    }
    let speeds = [from, end].map(|node| node.velocity.norm());
    let faster = |node: &ArcNode| node.velocity.dot(&air.acceleration(node.velocity)) > 0.0;
    // Where the speed is stationary its second derivative is positive: no maximum in between; a minimum is u at least,
    // which only falls.
    let least = if !faster(from) && faster(end) { end.velocity.x } else { speeds[0].min(speeds[1]) };
    aside(part) * bound(air, from, end.time - from.time, [least, speeds[0].max(speeds[1])])
}

/// Error bound (m) with the middle node halfway, over `h` s with speeds (m/s) in a range; infinity: no bound.
#[inline]
fn bound(air: &Air, from: &ArcNode, h: f64, speeds: [f64; 2]) -> f64 {
    let (g, k, r) = (air.gravity, air.quadratic, air.linear);
    let of = |ErrorOrder { n, half, drag: [c, a, b] }: &ErrorOrder| {
        let moves = if r == 0.0 {
            // Proportional to V^(4 − n) at low speed: at V = 0 infinite, but 0 for n = 3.
            let at = |v: f64| c * k * elementary::powi(a * g + b * k * v * v, n - 2) * elementary::powi(v, 4 - n);
            let ends = speeds.map(at);
            if ends[0].is_nan() { f64::INFINITY } else { ends[0].max(ends[1]) }
        } else {
            elementary::powi(r, n - 2) * air.acceleration(from.velocity).norm()
        };
        let bound = half * elementary::powi(h, *n) * moves;
        if bound.is_nan() { f64::INFINITY } else { bound }
    };
    ORDERS.iter().map(of).fold(f64::INFINITY, f64::min)
}

/// Length, s, at most `longest`, for an error of at most about `allowed` m, by the speeds of motion without drag.
pub(super) fn length(air: &Air, from: &ArcNode, longest: f64, allowed: f64) -> f64 {
    let (u, v) = (from.velocity.x, from.velocity.y);
    let here = from.velocity.norm();
    let mut h = longest;
    for _ in 0..TRIES {
        let later = v - air.gravity * h;
        let there = (u * u + later * later).sqrt();
        let least = if v > 0.0 && later < 0.0 { u } else { here.min(there) };
        let error = bound(air, from, h, [least, here.max(there)]);
        if error <= allowed {
            break;
        }
        h *= shorter(allowed / error);
    }
    h
}

/// Factor on the length for an error smaller by `ratio` < 1: 0.95 of its eighth root, from 0.001 to 0.9.
pub(super) fn shorter(ratio: f64) -> f64 {
    let root = ratio.sqrt().sqrt().sqrt();
    if root > 1e-3 { (0.95 * root).min(0.9) } else { 1e-3 }
}

/// Rounds in which [`length`] shortens a guess.
const TRIES: u32 = 40;
