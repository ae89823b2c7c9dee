//! A contact method of one's own: the classical method of Runge and Kutta, of order 4.
#![allow(clippy::print_stdout, reason = "an example prints")]

use kugelbahn::prelude::*;

/// The method.
#[derive(Clone)]
pub struct Rk4;

impl ContactScheme for Rk4 {
    fn order(&self) -> u32 {
        4
    }

    fn step(&mut self, system: &ContactSystem, start: &ContactState, h: f64) -> Result<ContactState, SchemeError> {
        let y = system.coordinates(start);
        let after =
            |h: f64, rates: Coordinates| system.at(start, start.time + h, [0, 1, 2, 3].map(|i| y[i] + h * rates[i]));
        let k1 = system.rates(start);
        let k2 = system.rates(&after(0.5 * h, k1));
        let k3 = system.rates(&after(0.5 * h, k2));
        let k4 = system.rates(&after(h, k3));
        Ok(after(h, [0, 1, 2, 3].map(|i| (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]) / 6.0)))
    }
}

fn main() -> Result<(), kugelbahn::Error> {
    let roll = Simulation::new(Ball::solid_sphere(1.0, 0.05)?, Ground::graph("0.25*sin(pi*x)")?)
        .friction(f64::INFINITY)
        .on_ground(-1.0, 0.0)
        .methods(Methods::builtin().with_formulation("rk4", |control| Rk4.stepped(control)));
    let exact = roll.clone().formulation("arc-length").tolerance(1e-13).run(1.0)?.at(1.0)?.position;
    for step in [0.02, 0.01, 0.005] {
        let at = roll.clone().formulation("rk4").step(step).run(1.0)?.at(1.0)?.position;
        println!("{step} s: {:.2e} m off", (at - exact).norm());
    }
    Ok(())
}
