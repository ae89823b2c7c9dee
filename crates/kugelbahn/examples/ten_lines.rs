//! A ball bounces, slides and rolls over hills: its events, where it is at 2.5 s, and how exact that is.
#![allow(clippy::print_stdout, reason = "an example prints")]

use kugelbahn::prelude::*;

fn main() -> Result<(), kugelbahn::Error> {
    let run = Simulation::new(Ball::solid_sphere(1.0, 0.05)?, Ground::graph("0.25*sin(pi*x)")?)
        .restitution(0.7)
        .friction(0.2)
        .thrown_from([-0.75, 1.2], [3.5, 0.0])
        .tolerance(1e-9)
        .run(3.05)?;
    for event in run.events() {
        println!("{:.9} s  {}", event.time(), event.kind());
    }
    println!("{:?}, unexplained {:e} J", run.at(2.5)?.position, run.unexplained());
    Ok(())
}
