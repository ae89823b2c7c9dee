//! Moreau's midpoint rule: J. J. Moreau, *Unilateral contact and dry friction in finite freedom dynamics* (1988); as
//! Studer, Leine and Glocker write it, *Int. J. Numer. Meth. Engng* 76 (2008) 1747.

use moreau::nalgebra::DVector;
use moreau::newmark::SchemeError;
use moreau::{Contacts, Lagrangian, Motion, SteppingScheme};

/// A step with the contacts that are closed at its midpoint:
///
/// ```text
/// q_M = q₀ + h/2 v₀        M(v₁ − v₀) = h F(t_M, q_M, v₀) + H_M P        q₁ = q_M + h/2 v₁
/// ```
///
/// with Newton's law between v₀ and v₁ in the contacts whose gap at q_M is at most 0.
#[derive(Clone, Debug, Default)]
pub struct MoreauMidpoint {
    // Room for vectors of a step.
    before: DVector<f64>,
    change: DVector<f64>,
}

impl SteppingScheme for MoreauMidpoint {
    fn step(
        &mut self,
        system: &mut dyn Lagrangian,
        motion: &mut Motion,
        h: f64,
        contacts: &mut Contacts,
    ) -> Result<(), SchemeError> {
        motion.position.axpy(0.5 * h, &motion.velocity, 1.0);
        motion.time += 0.5 * h;
        let MoreauMidpoint { before, change } = self;
        if before.len() != system.size() {
            [*before, *change] = [(); 2].map(|()| DVector::zeros(system.size()));
        }
        before.copy_from(&motion.velocity);
        system.contacts(motion, 0.0, contacts);
        system.force(motion, change);
        system.accelerate(&motion.position, change);
        motion.velocity.axpy(h, &*change, 1.0);
        contacts.bounce(system, before, &mut motion.velocity)?;
        motion.position.axpy(0.5 * h, &motion.velocity, 1.0);
        motion.time += 0.5 * h;
        Ok(())
    }
}
