//! Closed forms, by the time from a node.

use nalgebra::Vector2;

use super::air::{Air, ArcNode};

/// `(1 − e^(−z))/z` and `(z − 1 + e^(−z))/z²`.
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
    let first = -(-z).exp_m1() / z;
    [first, (1.0 - first) / z]
}

/// `way` to a new velocity, with what the air took: the drop of kinetic and potential energy, and the change of velocity that gravity
/// did not make.
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

/// `v̇ = g − r v`: `v = v₀ e^(−rt) + g t φ₁(rt)`, `q = v₀ t φ₁ + g t² φ₂`.
pub(super) fn linear(air: &Air, here: &ArcNode, seconds: f64) -> ArcNode {
    let z = air.linear * seconds;
    let [first, second] = decays(z);
    let gravity = Vector2::new(0.0, -air.gravity);
    let way = seconds * (first * here.velocity + seconds * second * gravity);
    moved(air, here, seconds, way, (-z).exp() * here.velocity + seconds * first * gravity)
}

/// Without gravity: `V = V₀/(1 + k V₀ t)`, straight on by `ln(1 + k V₀ t)/k`.
pub(super) fn drifting(air: &Air, here: &ArcNode, seconds: f64) -> ArcNode {
    let speed = here.velocity.norm();
    let slowed = air.quadratic * speed * seconds;
    let way = if slowed == 0.0 { seconds } else { seconds * (slowed.ln_1p() / slowed) };
    moved(air, here, seconds, way * here.velocity, here.velocity / (1.0 + slowed))
}

/// Vertically, with a horizontal speed too low to matter to it: with c = √(g/k) and α = gt/c, rising `v = c tan(atan(v₀/c) − α)`,
/// falling `−v = c tanh(atanh(−v₀/c) + α)`, by their addition theorems.
pub(super) fn vertical(air: &Air, here: &ArcNode, seconds: f64) -> ArcNode {
    let (g, k) = (air.gravity, air.quadratic);
    let final_speed = (g / k).sqrt();
    let (u, v) = (here.velocity.x, here.velocity.y);
    let part = v / final_speed;
    if v > 0.0 {
        let top = final_speed / g * part.atan();
        let rise = seconds.min(top);
        let angle = g * rise / final_speed;
        let (sine, half) = (angle.sin(), (0.5 * angle).sin());
        // cos θ/cos θ₀ − 1
        let more = part * sine - 2.0 * half * half;
        let velocity = if seconds < top { (v - final_speed * angle.tan()) / (1.0 + part * angle.tan()) } else { 0.0 };
        let stretch = (1.0 + part * part).sqrt();
        let along = u * final_speed / (g * stretch) * (part.asinh() - (velocity / final_speed).asinh());
        let way = Vector2::new(along, more.ln_1p() / k);
        let there = moved(air, here, rise, way, Vector2::new(u / (1.0 + more), velocity));
        return if seconds < top { there } else { vertical(air, &there, seconds - rise) };
    }
    let part = -part;
    let angle = g * seconds / final_speed;
    // ln(cosh α + p sinh α), whose exponential is what u goes down by.
    let more = if angle < 20.0 {
        let half = (0.5 * angle).sinh();
        (2.0 * half * half + part * angle.sinh()).ln_1p()
    } else {
        angle + (0.5 * (1.0 + part)).ln()
    };
    let tanh = angle.tanh();
    let velocity = -(final_speed * (part + tanh) / (1.0 + part * tanh));
    // ∫ dα/(cosh α + p sinh α) with z = e^(−α).
    let ratio = (1.0 - part) / (1.0 + part);
    let whole = |z: f64| match ratio.abs().sqrt() {
        root if root < 1e-4 => z - ratio * z * z * z / 3.0,
        root if ratio > 0.0 => (root * z).atan() / root,
        root => (root * z).atanh() / root,
    };
    let along = u * final_speed / g * (2.0 / (1.0 + part)) * (whole(1.0) - whole((-angle).exp()));
    let way = Vector2::new(along, -more / k);
    moved(air, here, seconds, way, Vector2::new(u * (-more).exp(), velocity))
}
