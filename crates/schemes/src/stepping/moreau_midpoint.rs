//! Moreau's midpoint rule: J. J. Moreau, *Unilateral contact and dry friction in finite freedom dynamics* (1988); as Studer, Leine and
//! Glocker write it, *Int. J. Numer. Meth. Engng* 76 (2008) 1747.

use moreau::newmark::SchemeError;
use moreau::{Contacts, Lagrangian, Motion, SteppingScheme};

use super::acceleration;

/// Closes what is closed in the middle of the step:
///
/// ```text
/// q_M = q₀ + h/2 v₀        M(v₁ − v₀) = h F(t_M, q_M, v₀) + H_M P        q₁ = q_M + h/2 v₁
/// ```
///
/// with Newton's law between v₀ and v₁ in the contacts whose gap at q_M is at most 0.
#[derive(Clone, Copy, Debug, Default)]
pub struct MoreauMidpoint;

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
        let before = motion.velocity.clone();
        system.contacts(motion, 0.0, contacts);
        motion.velocity.axpy(h, &acceleration(system, motion), 1.0);
        contacts.bounce(system, &before, &mut motion.velocity)?;
        motion.position.axpy(0.5 * h, &motion.velocity, 1.0);
        motion.time += 0.5 * h;
        Ok(())
    }
}
