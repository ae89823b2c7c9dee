//! A law of impact of one's own: what is hit aslant gives back less.
#![allow(clippy::print_stdout, reason = "an example prints")]

use kugelbahn::prelude::*;

/// `e (1 − c |u_t|/(|u_n| + |u_t|))` in the place of Newton's e, with Coulomb's friction.
#[derive(Debug)]
pub struct Aslant(pub f64);

impl CollisionLaw for Aslant {
    fn impulses(&self, contact: &ImpactContact) -> Impulses {
        let ImpactContact { normal, slip, mobility: [[nn, _], [_, tt]], .. } = *contact;
        let e = contact.restitution * (1.0 - self.0 * slip.abs() / (normal.abs() + slip.abs()));
        let (push, most) = (-(1.0 + e) * normal / nn, contact.sliding * -(1.0 + e) * normal / nn);
        Impulses { normal: push, tangential: (-slip / tt).clamp(-most, most) }
    }
}

const SCENARIO: &str = "
ball.radius = 0.1
ground.curve = { kind = 'graph', y = '0.1*x^2' }
initial = { position = [-1.0, 2.0], velocity = [2.0, 0.0] }
contact = { restitution = 0.8, friction = 0.3, impact = { law = 'aslant', c = 0.5 } }";

fn main() -> Result<(), kugelbahn::Error> {
    let methods = Methods::builtin().with_impact("aslant", |keys| Ok(Aslant(keys.number("c")?)));
    let run = Simulation::from_text_with(SCENARIO, methods)?.run(3.0)?;
    for event in run.events() {
        println!("{:.9} s  {}, {:.6} m/s", event.time(), event.kind(), event.velocity_after().0);
    }
    println!("unexplained {:e} J", run.unexplained());
    Ok(())
}
