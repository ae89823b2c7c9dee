//! Bound of the distance between an arc and the polynomial through three places of it.
//!
//! The polynomial of degree 8 has place, velocity and acceleration of the motion q at 0, p h and h. Its error e is (Peano)
//!
//! ```text
//! ‖e‖ ≤ Kₙ(p) hⁿ max ‖q⁽ⁿ⁾‖        n = 3, 5, 9
//! ```
//!
//! Beyond gravity q̈ is the drag D = −k‖w‖w, with ẇ = g + D. Take units of the speed V = ‖w‖ and of the time V/(g + kV²): then D's
//! coefficient of order m depends on the direction of w and on κ = kV²/(g + kV²) alone. Its largest over both is below
//! `(a(1 − κ) + bκ)ᵐ`, met without drag, where D is a root of Legendre's kind, and without gravity, where it is 1/(1 + t)². Hence
//!
//! ```text
//! ‖D⁽ᵐ⁾‖/m! ≤ c k V² (a g/V + b k V)ᵐ        q⁽ᵐ⁺²⁾ = D⁽ᵐ⁾
//! ```
//!
//! convex over ln V, so that the speeds at both ends of their range decide. Linear drag: q⁽ⁿ⁾ = (−r)ⁿ⁻² q̈, largest where it begins.

use super::air::{Air, Node};

/// A row of the bounds.
struct Order {
    /// Order n of the derivative.
    n: i32,
    /// Constant Kₙ(½), rounded up.
    half: f64,
    /// c·m!, a, b of m = n − 2.
    drag: [f64; 3],
}

const ORDERS: [Order; 3] = [
    Order { n: 3, half: 1.3163e-3, drag: [2.0, 1.0, 1.0] },
    // aᵐ = 1/2, bᵐ = 4
    Order { n: 5, half: 3.6485e-6, drag: [6.0 * 1.027, 0.793_700_6, 1.587_401_1] },
    // aᵐ = 1/16, bᵐ = 8
    Order { n: 9, half: 3.0692e-10, drag: [5040.0, 0.672_950_1, 1.345_900_2] },
];

/// `Kₙ(p)/Kₙ(½)` is less, for p from 0.3 to 0.7.
fn aside(part: f64) -> f64 {
    (1.0 + 3.0 * (part - 0.5).abs()).powi(4)
}

/// Largest |p − ½| for which K is known.
const PARTS: f64 = 0.2;

/// Error bound (m) of the polynomial through a node, one a `part` of the time to the end further, and the end.
pub(super) fn error(air: &Air, from: &Node, end: &Node, part: f64) -> f64 {
    if !((part - 0.5).abs() <= PARTS) {
        return f64::INFINITY;
    }
    let speeds = [from, end].map(|node| node.velocity.norm());
    let faster = |node: &Node| node.velocity.dot(&air.acceleration(node.velocity)) > 0.0;
    // The speed falls first, and then grows, if both: where it does neither, its second derivative is positive. u only falls.
    let least = if !faster(from) && faster(end) { end.velocity.x } else { speeds[0].min(speeds[1]) };
    aside(part) * bound(air, from, end.time - from.time, [least, speeds[0].max(speeds[1])])
}

/// Error bound (m) with the middle node halfway, over `h` s with speeds (m/s) in a range; infinity: none.
#[inline]
fn bound(air: &Air, from: &Node, h: f64, speeds: [f64; 2]) -> f64 {
    let (g, k, r) = (air.gravity, air.quadratic, air.linear);
    let of = |Order { n, half, drag: [c, a, b] }: &Order| {
        let moves = if r == 0.0 {
            // V² V⁻ᵐ at rest: infinite but for n = 3, where it is V.
            let at = |v: f64| c * k * (a * g + b * k * v * v).powi(n - 2) * v.powi(4 - n);
            let ends = speeds.map(at);
            if ends[0].is_nan() { f64::INFINITY } else { ends[0].max(ends[1]) }
        } else {
            r.powi(n - 2) * air.acceleration(from.velocity).norm()
        };
        let bound = half * h.powi(*n) * moves;
        if bound.is_nan() { f64::INFINITY } else { bound }
    };
    ORDERS.iter().map(of).fold(f64::INFINITY, f64::min)
}

/// About how long it may be, s, `longest` at most, to err by `allowed` m: with the speeds of motion without drag.
pub(super) fn length(air: &Air, from: &Node, longest: f64, allowed: f64) -> f64 {
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

#[cfg(test)]
mod tests {
    use std::f64::consts::FRAC_PI_2;

    use curves::{Motion, Path};
    use nalgebra::Vector2;
    use newmark::Tolerance;

    use super::*;

    /// Coefficients of D along the motion from a speed of 1, in units of time of its bend, are below the bound for all directions
    /// and κ. Without drag and without gravity they nearly meet it.
    #[test]
    fn coefficients() {
        const N: usize = 8;
        let mut met = [[0.0_f64; 2]; 3];
        for i in 0..=200 {
            let kappa = f64::from(i) / 200.0;
            for j in -180..=180 {
                let angle = f64::from(j) / 180.0 * FRAC_PI_2;
                let (mut u, mut v) = (vec![angle.cos()], vec![angle.sin()]);
                let (mut speed, mut drag) = (Vec::<f64>::new(), Vec::<[f64; 2]>::new());
                for order in 0..N {
                    let product = |a: &[f64], b: &[f64]| -> f64 { (0..=order).map(|i| a[i] * b[order - i]).sum() };
                    let square = product(&u, &u) + product(&v, &v);
                    // 2 V₀ Vₙ is what the other products leave.
                    let known: f64 = (1..order).map(|i| speed[i] * speed[order - i]).sum();
                    speed.push(if order == 0 { square.sqrt() } else { 0.5 * (square - known) / speed[0] });
                    let [along, across] = [product(&speed, &u), product(&speed, &v)];
                    let next = (order + 1) as f64;
                    u.push(-kappa * along / next);
                    v.push((-kappa * across - if order == 0 { 1.0 - kappa } else { 0.0 }) / next);
                    drag.push([along, across]);
                }
                for (Order { n, drag: [c, a, b], .. }, met) in ORDERS.iter().zip(&mut met) {
                    let m = *n - 2;
                    let factorial: f64 = (1..=m).map(f64::from).product();
                    let bound = c / factorial * (a * (1.0 - kappa) + b * kappa).powi(m);
                    let [along, across] = drag[m as usize];
                    let ratio = along.hypot(across) / bound;
                    assert!(ratio <= 1.0 + 1e-6, "m {m}, κ {kappa}, angle {angle}: {ratio}");
                    for (end, met) in [0.0, 1.0].into_iter().zip(met) {
                        if kappa == end {
                            *met = met.max(ratio);
                        }
                    }
                }
            }
        }
        assert!(met.as_flattened().iter().all(|met| *met > 0.95), "{met:?}");
    }

    /// Peano's constants by the kernel itself: the error of the interpolation of (t − s)₊ⁿ⁻¹, over s.
    #[test]
    fn kernels() {
        const CUTS: i32 = 200;
        for part in [0.3, 0.4, 0.45, 0.5, 0.55, 0.6, 0.7] {
            for Order { n, half, .. } in &ORDERS {
                let mut sums = [0.0_f64; 101];
                for i in 0..CUTS {
                    let s = (f64::from(i) + 0.5) / f64::from(CUTS);
                    let power = |t: f64, less: i32| {
                        let factor: f64 = (0..less).map(|j| f64::from(n - 1 - j)).product();
                        if t > s { factor * (t - s).powi(n - 1 - less) } else { 0.0 }
                    };
                    let node = |t: f64| {
                        let [position, velocity, acceleration] =
                            [0, 1, 2].map(|less| Vector2::new(power(t, less), 0.0));
                        Motion { position, velocity, acceleration }
                    };
                    let path = Path::octic_through(node(0.0), part, node(part), node(1.0), 1.0);
                    for (j, sum) in sums.iter_mut().enumerate() {
                        let t = j as f64 / 100.0;
                        *sum += (path.at(t).position.x - power(t, 0)).abs() / f64::from(CUTS);
                    }
                }
                let factorial: f64 = (1..*n).map(f64::from).product();
                let worst = sums.into_iter().fold(0.0, f64::max) / factorial;
                let bound = half * aside(part);
                assert!(worst <= bound * (1.0 + 1e-3), "n {n}, part {part}: {worst:e} {bound:e}");
                assert!(part != 0.5 || worst >= 0.99 * bound, "n {n}: {worst:e} {bound:e}");
            }
        }
    }

    /// Pieces of arcs of all kinds, long and short, err by less than the bound, and by not much less where they are long.
    #[test]
    fn pieces() {
        let tolerance = Tolerance { relative: 1e-15, absolute: 1e-15 };
        let mut best = 0.0_f64;
        for (gravity, quadratic, linear) in
            [(9.81, 0.01, 0.0), (9.81, 1.0, 0.0), (0.0, 0.5, 0.0), (9.81, 0.0, 2.0), (9.81, 1e-6, 0.0)]
        {
            let air = Air { gravity, quadratic, linear, tolerance };
            for (u, v) in [(1.0, 5.0), (0.2, 3.0), (1e-9, 4.0), (3.0, -20.0), (0.0, 2.0), (1.0, 0.0)] {
                for length in [0.03, 0.1, 0.3, 0.6, 1.2] {
                    let from = Node::start(Vector2::new(u, v));
                    let there = |t: f64| air.at(t, &from, &mut 0);
                    let motion = |node: &Node| Motion {
                        position: node.way,
                        velocity: node.velocity,
                        acceleration: air.acceleration(node.velocity),
                    };
                    let (part, end) = (0.47, there(length));
                    let path =
                        Path::octic_through(motion(&from), part, motion(&there(part * length)), motion(&end), length);
                    let off = (0..=64).map(|i| {
                        let t = f64::from(i) / 64.0 * length;
                        (path.at(t).position - there(t).way).norm()
                    });
                    let (off, bound) = (off.fold(0.0, f64::max), error(&air, &from, &end, part));
                    let rounding = 1e-14 * (1.0 + end.way.norm());
                    assert!(
                        off <= bound + rounding,
                        "g {gravity} k {quadratic} r {linear} ({u}, {v}) {length}: {off:e} {bound:e}"
                    );
                    if off > 100.0 * rounding {
                        best = best.max(off / bound);
                    }
                }
            }
        }
        assert!(best > 0.1, "{best}");
    }
}
