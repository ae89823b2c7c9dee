//! The front door, as a program uses it.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail loudly")]

mod coefficients;
mod crossings;
mod ends;
mod faults;
mod force;
mod law;
mod methods;
mod refused;
mod resistance;
mod resisted_slip;
mod run;
mod running;
mod studies;
mod variants;
mod watch;

use kugelbahn::Error;
use kugelbahn::prelude::*;

/// m/s²
const G: f64 = 9.81;

/// The program of the README.
fn hills() -> Simulation {
    Simulation::new(Ball::solid_sphere(1.0, 0.05).unwrap(), Ground::graph("0.25*sin(pi*x)").unwrap())
        .restitution(0.7)
        .friction(0.2)
        .thrown_from([-0.75, 1.2], [3.5, 0.0])
}

/// A point dropped on level ground from 1 m, drifting at 1 m/s.
fn drop() -> Simulation {
    let flat = Ground::graph("0").unwrap();
    Simulation::new(Ball::point(1.0).unwrap(), flat).restitution(0.5).thrown_from([0.0, 1.0], [1.0, 0.0])
}

/// The time of its first impact, s.
fn first_impact() -> f64 {
    (2.0 / G).sqrt()
}

/// The largest difference of place, velocity and spin.
fn apart(a: &Moment, b: &Moment) -> f64 {
    let pairs = [0, 1].map(|i| [a.position[i] - b.position[i], a.velocity[i] - b.velocity[i]]);
    pairs.into_iter().flatten().chain([a.spin - b.spin]).fold(0.0, |most: f64, d| most.max(d.abs()))
}
