//! A scheme of time stepping of one's own: symplectic Euler with Newton's law of impact.
#![allow(clippy::print_stdout, reason = "an example prints")]

use kugelbahn::prelude::*;
use kugelbahn::{Scenario, scenario::Document, stepping::run_stepping};

/// `v₁ = v₀ + h M⁻¹F + M⁻¹HP`, `q₁ = q₀ + h v₁`, with Newton's law where `g(q₀ + h v₀) ≤ 0`.
pub struct Symplectic;

impl SteppingScheme for Symplectic {
    fn step(
        &mut self,
        system: &mut dyn Lagrangian,
        motion: &mut Motion,
        h: f64,
        contacts: &mut Contacts,
    ) -> Result<(), SchemeError> {
        let (before, mut acceleration) = (motion.velocity.clone(), DVector::zeros(system.size()));
        system.acceleration(motion, &mut acceleration);
        motion.velocity += h * acceleration;
        motion.position += h * &before;
        system.contacts(motion, 0.0, contacts);
        contacts.bounce(system, &before, &mut motion.velocity)?;
        motion.position += h * (&motion.velocity - before);
        Ok(())
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let methods = Methods::builtin().with_stepping("symplectic", |_h| Symplectic);
    let text = "initial.position = [0, 1]\nball.radius = 0.1\ncontact = { restitution = 0.5, friction = 0.2 }\n\
        ground.curve = { kind = \"graph\", y = 0 }\nsolver = { method = \"symplectic\", step = 1e-3, duration = 3 }";
    let scenario = Scenario::of(&Document::from_text(text, "".as_ref(), &[], &methods.into())?)?;
    let summary = run_stepping(&scenario, &mut NoObserver);
    println!("{} impacts, then y = {:.4} m", summary.count.impacts, summary.states[0].position.y);
    Ok(())
}
