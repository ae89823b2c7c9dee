//! An integrator of one's own for flight: Heun's method, of order 2.
#![allow(clippy::print_stdout, reason = "an example prints")]

use kugelbahn::prelude::*;

/// `v₁ = v₀ + h (a₀ + a₁)/2`, `q₁ = q₀ + h (v₀ + v₁)/2`, with `a₁` and `v₁` of Euler's step
#[derive(Clone)]
pub struct Heun;

impl FlightScheme for Heun {
    fn order(&self) -> u32 {
        2
    }

    fn step(&mut self, forces: &Forces, start: &State, h: f64) -> Result<State, SchemeError> {
        let (v, a) = (start.velocity, forces.force_at(start) / forces.mass());
        let euler = State { time: start.time + h, position: start.position + h * v, velocity: v + h * a, ..*start };
        let (w, b) = (euler.velocity, forces.force_at(&euler) / forces.mass());
        Ok(State { position: start.position + 0.5 * h * (v + w), velocity: v + 0.5 * h * (a + b), ..euler })
    }
}

fn main() -> Result<(), kugelbahn::Error> {
    let throw = Simulation::new(Ball::point(1.0)?, Ground::graph("0")?)
        .thrown_from([0.0, 10.0], [20.0, 5.0])
        .drag(0.1)
        .methods(Methods::builtin().with_flight("heun", |control| Heun.stepped(control)));
    let exact = throw.clone().method("dop853").tolerance(1e-13).run(1.0)?.at(1.0)?.position;
    for step in [0.02, 0.01, 0.005] {
        let at = throw.clone().method("heun").step(step).run(1.0)?.at(1.0)?.position;
        println!("{step} s: {:.2e} m off", (at - exact).norm());
    }
    Ok(())
}
