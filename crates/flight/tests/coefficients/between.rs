//! Constants and bound of the distance between an arc and the polynomial through three places of it.

use std::f64::consts::FRAC_PI_2;

use curves::{Motion, Path};
use nalgebra::Vector2;
use newmark::Tolerance;

use super::closed_form_or_quadrature::{Air, ArcNode};
use super::octic_error::{ErrorOrder, ORDERS, aside, error};

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
            for (ErrorOrder { n, drag: [c, a, b], .. }, met) in ORDERS.iter().zip(&mut met) {
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
        for ErrorOrder { n, half, .. } in &ORDERS {
            let mut sums = [0.0_f64; 101];
            for i in 0..CUTS {
                let s = (f64::from(i) + 0.5) / f64::from(CUTS);
                let power = |t: f64, less: i32| {
                    let factor: f64 = (0..less).map(|j| f64::from(n - 1 - j)).product();
                    if t > s { factor * (t - s).powi(n - 1 - less) } else { 0.0 }
                };
                let node = |t: f64| {
                    let [position, velocity, acceleration] = [0, 1, 2].map(|less| Vector2::new(power(t, less), 0.0));
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
                let from = ArcNode::start(Vector2::new(u, v));
                let there = |t: f64| air.at(t, &from, &mut 0);
                let motion = |node: &ArcNode| Motion {
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
