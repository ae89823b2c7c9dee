//! Closed forms of motion through air: linear drag; quadratic drag without gravity, or in vertical flight.

use nalgebra::Vector2;
use numbers::elementary;

use super::closed_form_or_quadrature::{Air, ArcNode};

/// Computes `φ₁(z) = (1 − e^(−z))/z` and `φ₂(z) = (z − 1 + e^(−z))/z²`.
fn decays(z: f64) -> [f64; 2] {
    if z.abs() < 0.5 {
        // Σ (−z)ⁱ/(i+1)! and Σ (−z)ⁱ/(i+2)!
        let (mut first, mut second) = (0.0, 0.0);
        for i in (1..=16).rev() {
            let i = f64::from(i);
            first = 1.0 - z / (i + 1.0) * first;
            second = 1.0 - z / (i + 2.0) * second;
        }
        return [first, 0.5 * second];
    }
    let first = -elementary::exp_m1(-z) / z;
    [first, (1.0 - first) / z]
}

/// Node after a displacement `way` (m), at a new velocity. Its ledger follows: the air took the drop of kinetic and
/// potential energy, and made the change of velocity that gravity did not make.
fn moved(air: &Air, here: &ArcNode, seconds: f64, way: Vector2<f64>, velocity: Vector2<f64>) -> ArcNode {
    let slower = here.velocity - velocity;
    let lost = 0.5 * slower.dot(&(here.velocity + velocity)) - air.gravity * way.y;
    let push = Vector2::new(-slower.x, air.gravity * seconds - slower.y);
    ArcNode {
        time: here.time + seconds,
        way: here.way + way,
        velocity,
        lost: here.lost + lost,
        push: here.push + push,
        ..*here
    }
}

/// Motion under linear drag, `v̇ = g − r v`: `v = v₀ e^(−rt) + g t φ₁(rt)`, `q = v₀ t φ₁(rt) + g t² φ₂(rt)`.
pub(super) fn linear(air: &Air, here: &ArcNode, seconds: f64) -> ArcNode {
    let z = air.linear * seconds;
    let [first, second] = decays(z);
    let gravity = Vector2::new(0.0, -air.gravity);
    let way = seconds * (first * here.velocity + seconds * second * gravity);
    moved(air, here, seconds, way, elementary::exp(-z) * here.velocity + seconds * first * gravity)
}

/// Motion without gravity: at the speed `V = V₀/(1 + k V₀ t)`, straight on by `ln(1 + k V₀ t)/k`.
pub(super) fn drifting(air: &Air, here: &ArcNode, seconds: f64) -> ArcNode {
    let speed = here.velocity.norm();
    let slowed = air.quadratic * speed * seconds;
    let way = if slowed == 0.0 { seconds } else { seconds * (elementary::ln_1p(slowed) / slowed) };
    moved(air, here, seconds, way * here.velocity, here.velocity / (1.0 + slowed))
}

/// Vertical flight, with a horizontal velocity u too low to matter for the drag. With c = √(g/k) and α = gt/c it is
/// rising `v = c tan(atan(v₀/c) − α)` and falling `−v = c tanh(atanh(−v₀/c) + α)`, by their addition theorems.
pub(super) fn vertical(air: &Air, here: &ArcNode, seconds: f64) -> ArcNode {
    let (g, k) = (air.gravity, air.quadratic);
    let final_speed = (g / k).sqrt();
    let (u, v) = (here.velocity.x, here.velocity.y);
    let ratio = v / final_speed;
    if v > 0.0 {
        let top = final_speed / g * elementary::atan(ratio);
        let rise = seconds.min(top);
        let angle = g * rise / final_speed;
        let (sine, half) = (elementary::sin(angle), elementary::sin(0.5 * angle));
        // cos θ/cos θ₀ − 1
        let growth = ratio * sine - 2.0 * half * half;
        let velocity = if seconds < top {
            (v - final_speed * elementary::tan(angle)) / (1.0 + ratio * elementary::tan(angle))
        } else {
            0.0
        };
        let stretch = (1.0 + ratio * ratio).sqrt();
        let along =
            u * final_speed / (g * stretch) * (elementary::asinh(ratio) - elementary::asinh(velocity / final_speed));
        let way = Vector2::new(along, elementary::ln_1p(growth) / k);
        let there = moved(air, here, rise, way, Vector2::new(u / (1.0 + growth), velocity));
        return if seconds < top { there } else { vertical(air, &there, seconds - rise) };
    }
    let fall = -ratio;
    let angle = g * seconds / final_speed;
    // ln(cosh α + p sinh α) with p = −v₀/c: the logarithm of the factor by which u decreases.
    let decay = if angle < 20.0 {
        let half = elementary::sinh(0.5 * angle);
        elementary::ln_1p(2.0 * half * half + fall * elementary::sinh(angle))
    } else {
        angle + elementary::ln(0.5 * (1.0 + fall))
    };
    let tanh = elementary::tanh(angle);
    let velocity = -(final_speed * (fall + tanh) / (1.0 + fall * tanh));
    // ∫ dα/(cosh α + p sinh α) with z = e^(−α).
    let quotient = (1.0 - fall) / (1.0 + fall);
    let integral = |z: f64| match quotient.abs().sqrt() {
        root if root < 1e-4 => z - quotient * z * z * z / 3.0,
        root if quotient > 0.0 => elementary::atan(root * z) / root,
        root => elementary::atanh(root * z) / root,
    };
    let along = u * final_speed / g * (2.0 / (1.0 + fall)) * (integral(1.0) - integral(elementary::exp(-angle)));
    let way = Vector2::new(along, -decay / k);
    moved(air, here, seconds, way, Vector2::new(u * elementary::exp(-decay), velocity))
}
