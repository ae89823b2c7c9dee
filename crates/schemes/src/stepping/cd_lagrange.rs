//! CD-Lagrange: F.-E. Fekak, M. Brun, A. Gravouil and B. Depale, *A new heterogeneous asynchronous explicit–implicit
//! time integrator for nonsmooth dynamics*, Comput. Mech. 60 (2017) 1.

use moreau::newmark::SchemeError;
use moreau::{Contacts, Lagrangian, Motion, SteppingScheme};

use super::acceleration;

/// Central differences with velocities at the middles of steps and impulses at their ends:
///
/// ```text
/// q₁ = q₀ + h v_½        M(v_³⁄₂ − v_½) = h F(t₁, q₁, v_½) + H₁P        where g(q₁) ≤ 0: Newton's law between v_½ and v_³⁄₂
/// ```
///
/// The velocity reported is that half a step later. The paper has no friction; Coulomb's, by slip velocities, is added
/// here. The paper does not define the first half step, which here is `v_½ = v₀ + h/2 M⁻¹F₀`, and Newton's law between
/// v₀ and v_½ in contacts that are closed at the start.
#[derive(Clone, Copy, Debug, Default)]
pub struct CdLagrange {
    started: bool,
}

impl SteppingScheme for CdLagrange {
    fn step(
        &mut self,
        system: &mut dyn Lagrangian,
        motion: &mut Motion,
        h: f64,
        contacts: &mut Contacts,
    ) -> Result<(), SchemeError> {
        if !std::mem::replace(&mut self.started, true) {
            let before = motion.velocity.clone();
            motion.velocity.axpy(0.5 * h, &acceleration(system, motion), 1.0);
            system.contacts(motion, 0.0, contacts);
            contacts.bounce(system, &before, &mut motion.velocity)?;
        }
        motion.drift(h);
        let before = motion.velocity.clone();
        system.contacts(motion, 0.0, contacts);
        motion.velocity.axpy(h, &acceleration(system, motion), 1.0);
        contacts.bounce(system, &before, &mut motion.velocity)
    }

    fn restart(&mut self) {
        self.started = false;
    }
}
