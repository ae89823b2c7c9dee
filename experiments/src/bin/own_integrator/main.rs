#![doc = include_str!("README.md")]

use kugelbahn::prelude::*;
use kugelbahn::rolling::Stepped;

/// The classical method of Runge and Kutta.
#[derive(Clone)]
struct Rk4;

impl Rk4 {
    fn new(control: Control) -> Stepped<Self> {
        Rk4.stepped(control)
    }
}

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

fn main() -> std::process::ExitCode {
    kugelbahn_cli::main(schemes::methods(Methods::builtin().with_formulation("rk4", Rk4::new)))
}
