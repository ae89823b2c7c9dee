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
    /// Workspace: velocity at the end of the step, first without contacts, then with them.
    free: DVector<f64>,
}

impl SteppingScheme for MoreauMidpoint {
    fn step(
        &mut self,
        system: &mut dyn Lagrangian,
        motion: &mut Motion,
        h: f64,
        contacts: &mut Contacts,
    ) -> Result<(), SchemeError> {
        let MoreauMidpoint { free } = self;
        motion.drift(0.5 * h);
        system.contacts(motion, 0.0, contacts);
        system.acceleration(motion, free);
        free.axpy(1.0, &motion.velocity, h);
        contacts.bounce(system, &motion.velocity, free)?;
        std::mem::swap(&mut motion.velocity, free);
        motion.drift(0.5 * h);
        Ok(())
    }
}
