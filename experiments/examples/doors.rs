//! The command line with the examples of all doors: `.ci/outside` runs each of its commands with each of them.

use kugelbahn::prelude::*;

#[allow(dead_code, reason = "its `main` runs as an example")]
#[path = "../../crates/kugelbahn/examples/own_dae.rs"]
mod own_dae;
#[allow(dead_code, reason = "its `main` runs as an example")]
#[path = "../../crates/kugelbahn/examples/own_flight.rs"]
mod own_flight;
#[allow(dead_code, reason = "its `main` runs as an example")]
#[path = "../../crates/kugelbahn/examples/own_formulation.rs"]
mod own_formulation;
#[allow(dead_code, reason = "its `main` runs as an example")]
#[path = "../../crates/kugelbahn/examples/own_impact.rs"]
mod own_impact;
#[allow(dead_code, reason = "its `main` runs as an example")]
#[path = "../../crates/kugelbahn/examples/own_stepping.rs"]
mod own_stepping;

fn main() -> std::process::ExitCode {
    let methods = Methods::builtin()
        .with_flight("heun", |control| own_flight::Heun.stepped(control))
        .with_formulation("rk4", |control| own_formulation::Rk4.stepped(control))
        .with_formulation("euler", |control| own_dae::ImplicitEuler.stepped(control))
        .with_stepping("symplectic", |_| own_stepping::Symplectic)
        .with_impact("aslant", |keys| Ok(own_impact::Aslant(keys.number_or("c", 0.0))));
    kugelbahn_cli::main(methods)
}
