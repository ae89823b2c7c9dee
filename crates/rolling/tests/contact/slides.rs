//! The slides' rolling phase (seeds/004_baf8b3a8f3a7f0d5.txt): Newmark on `M ẍ + C ẋ = F(x)` with λ as the third
//! unknown, `M = diag(m, m, 0)`, `C = diag(c, c, 0)`, `F = (m g + λ∇G(q), G(q))`, written out densely here, against
//! `index3`.

use nalgebra::{Matrix3, Vector2, Vector3};
use rolling::Formulation;

use crate::world::{G, World, fixed, step};

const MASS: f64 = 1.0;
const DAMPING: f64 = 0.5;

/// The sine valley and its derivatives.
fn valley(x: f64) -> [f64; 3] {
    [0.3 * (2.0 * x).sin(), 0.6 * (2.0 * x).cos(), -1.2 * (2.0 * x).sin()]
}

#[derive(Clone, Copy)]
struct Dense {
    q: Vector2<f64>,
    v: Vector2<f64>,
    a: Vector2<f64>,
}

/// One step with β = 1/4, γ = 1/2; Newton on (a₁, λ₁) with `G = y − y(x)`. λ is in newtons: times ‖∇G‖.
fn dense_step(from: &Dense, h: f64) -> (Dense, f64) {
    let Dense { q: q0, v: v0, a: a0 } = *from;
    let mass = Matrix3::from_diagonal(&Vector3::new(MASS, MASS, 0.0));
    let damping = Matrix3::from_diagonal(&Vector3::new(DAMPING, DAMPING, 0.0));
    let mut unknown = Vector3::new(a0.x, a0.y, MASS * G);
    for _ in 0..50 {
        let a1 = unknown.xy();
        let v1 = v0 + 0.5 * h * (a0 + a1);
        let q1 = q0 + h * v0 + 0.25 * h * h * (a0 + a1);
        let [y, slope, bend] = valley(q1.x);
        let gradient = Vector2::new(-slope, 1.0);
        let force = Vector3::new(unknown.z * gradient.x, -MASS * G + unknown.z * gradient.y, q1.y - y);
        let residual = mass * a1.push(0.0) + damping * v1.push(0.0) - force;
        // ∂F/∂q and ∂F/∂λ
        let stiffness = Matrix3::new(-unknown.z * bend, 0.0, 0.0, 0.0, 0.0, 0.0, gradient.x, gradient.y, 0.0);
        let mut matrix = mass + 0.5 * h * damping - 0.25 * h * h * stiffness;
        matrix[(0, 2)] = -gradient.x;
        matrix[(1, 2)] = -gradient.y;
        // The third row is scaled up to the size of the others.
        let scale = 4.0 / (h * h);
        let mut right = -residual;
        right.z *= scale;
        for column in 0..3 {
            matrix[(2, column)] *= scale;
        }
        let change = matrix.lu().solve(&right).expect("regular");
        unknown += change;
        if change.norm() <= 1e-15 * unknown.norm() {
            break;
        }
    }
    let a = unknown.xy();
    let end = Dense { q: q0 + h * v0 + 0.25 * h * h * (a0 + a), v: v0 + 0.5 * h * (a0 + a), a };
    let slope = valley(end.q.x)[1];
    (end, unknown.z * (1.0 + slope * slope).sqrt())
}

/// Largest differences (position, velocity, λ) of a step from the same state, and of both runs on their own, over 2 s
/// through two valleys.
fn differences(h: f64) -> [f64; 4] {
    let world = World::graph("0.3*sin(2*x)").with_damping(DAMPING);
    let mut method = fixed(Formulation::Index3, h, false);
    let mut state = world.start(0.5, 0.6, 0.0);
    // The slides' start: a₀ = a τ + κ v² ν.
    let mut alone = Dense { q: state.frame.position, v: state.velocity(), a: state.acceleration };
    let mut worst = [0.0f64; 4];
    for _ in 0..(2.0 / h) as u32 {
        let from = Dense { q: state.frame.position, v: state.velocity(), a: state.acceleration };
        let (dense, normal_force) = dense_step(&from, h);
        alone = dense_step(&alone, h).0;
        state = step(&world, &mut method, &state, h);
        let position = |to: &Dense| (state.frame.position - to.q).norm();
        let velocity = |to: &Dense| (state.velocity() - to.v).norm();
        let force = (world.multiplier(&state)[0] - normal_force).abs();
        let found = [position(&dense), velocity(&dense), force, position(&alone).max(velocity(&alone))];
        for (worst, found) in worst.iter_mut().zip(found) {
            *worst = worst.max(found);
        }
    }
    worst
}

/// The same step to 1e-13. The scheme itself divides rounding of q by h/2 for v and by h²/4 for a and λ, so that shorter
/// steps can only agree in that measure.
#[test]
fn index3_is_the_slides_scheme() {
    for h in [0.04, 0.02, 0.01, 0.005] {
        let [position, velocity, force, overall] = differences(h);
        println!("h = {h}: {position:e} m, {velocity:e} m/s, {force:e} N a step; {overall:e} over 2 s");
        // The place is found to two ulps of |q| + |x|, which is up to 2 m here.
        let rounding = 8.0 * f64::EPSILON;
        assert!(position <= 1e-13, "h = {h}: {position:e} m");
        assert!(velocity <= (rounding * 2.0 / h).max(1e-13), "h = {h}: {velocity:e} m/s");
        assert!(force <= rounding * 4.0 / (h * h), "h = {h}: {force:e} N");
        assert!(overall <= 1e-10, "h = {h}: {overall:e}");
    }
}
