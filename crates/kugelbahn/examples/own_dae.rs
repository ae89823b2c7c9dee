//! A DAE method of one's own, with its own multiplier: implicit Euler's method of index 2.
#![allow(clippy::print_stdout, reason = "an example prints")]

use kugelbahn::prelude::*;

/// `q₁ = q₀ + h v₁`, `M (v₁ − v₀) = h (F₁ + w₁ λ₁)`, `n₁·v₁ = 0`
#[derive(Clone)]
pub struct ImplicitEuler;

impl DaeScheme for ImplicitEuler {
    fn order(&self) -> u32 {
        1
    }

    fn step(&mut self, dae: &DaeSystem, start: &DaeState, h: f64) -> Result<DaeState, SchemeError> {
        let (time, mut v, mut last) = (start.time + h, start.v, f64::INFINITY);
        for _ in 0..60 {
            let terms = dae.at(time, start.q + h * v, v)?;
            let free = start.v + h * dae.acceleration(&terms, 0.0);
            let multiplier = -free.dot(&terms.normal) * dae.mass() / h;
            let before = std::mem::replace(&mut v, start.v + h * dae.acceleration(&terms, multiplier));
            if dae.settles(h * (v - before).norm(), &mut last) {
                return Ok(DaeState { time, q: start.q + h * v, v, multiplier });
            }
        }
        Err(SchemeError { reason: "no end of rounds; last change of place, in m", value: last })
    }
}

fn main() -> Result<(), kugelbahn::Error> {
    let methods = Methods::builtin().with_formulation("euler", |control| ImplicitEuler.stepped(control));
    let slide = Simulation::new(Ball::point(1.0)?, Ground::graph("x^2/2")?).on_ground(-1.0, 0.0).methods(methods);
    for step in [0.02, 0.01, 0.005] {
        println!(
            "{step} s: λ = {:.4} N",
            slide.clone().formulation("euler").step(step).run(1.0)?.at(1.0)?.normal_force
        );
    }
    Ok(())
}
