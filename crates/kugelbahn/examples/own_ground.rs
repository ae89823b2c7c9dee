//! A ground of one's own: a hanging chain, by its formula.
#![allow(clippy::print_stdout, reason = "an example prints")]

use kugelbahn::prelude::*;

/// `y = a cosh(x/a)`
#[derive(Debug)]
struct Chain {
    /// a, m.
    sag: f64,
}

impl Profile for Chain {
    fn point<N: Number>(&self, s: N) -> [N; 2] {
        [s, self.sag * (s / self.sag).cosh()]
    }
}

const SCENARIO: &str = "
ball = { radius = 0.1 }
ground.curve = { kind = 'chain', sag = 1.0 }
initial.contact = { s = 0.5, speed = 0.0 }
contact.friction = 'infinite'";

fn main() -> Result<(), kugelbahn::Error> {
    let domain = [-2.0, 2.0];
    let drop = Simulation::new(Ball::point(1.0)?, Ground::of(Chain { sag: 1.0 }, domain)?);
    let run = drop.restitution(0.5).thrown_from([0.5, 2.0], [0.0, 0.0]).run(2.0)?;
    println!("{} impacts, unexplained {:e} J", run.summary().count.impacts, run.unexplained());

    // By its name in a scenario.
    let chain = move |keys: &Keys| Ok(vec![Piece::new(Chain { sag: keys.number("sag")? }, Interval::new(-2.0, 2.0))]);
    let run = Simulation::from_text_with(SCENARIO, Methods::builtin().with_ground("chain", chain))?.run(2.0)?;
    println!("{:?}, unexplained {:e} J", run.at(2.0)?.position, run.unexplained());
    Ok(())
}
