//! CD-Lagrange: F.-E. Fekak, M. Brun, A. Gravouil and B. Depale, *A new heterogeneous asynchronous explicit–implicit time integrator for
//! nonsmooth dynamics*, Comput. Mech. 60 (2017) 1.

use moreau::newmark::SchemeError;
use moreau::{Contacts, Lagrangian, Motion, SteppingScheme};

use super::acceleration;

/// Central differences, whose velocities are those of the middles of steps; impulses at their ends:
///
/// ```text
/// q₁ = q₀ + h v_½        M(v_³⁄₂ − v_½) = h F(t₁, q₁, v_½) + H₁P        where g(q₁) ≤ 0: Newton's law between v_½ and v_³⁄₂
/// ```
///
/// What it gives for v is the velocity half a step later. The paper is of contact without friction; Coulomb's with slip velocities is
/// added here. The first half step, which it leaves open, is `v_½ = v₀ + h/2 M⁻¹F₀`, with no impact in it.
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
            contacts.bounce(system, &(0.0 * before), &mut motion.velocity)?;
        }
        motion.position.axpy(h, &motion.velocity, 1.0);
        motion.time += h;
        let before = motion.velocity.clone();
        system.contacts(motion, 0.0, contacts);
        motion.velocity.axpy(h, &acceleration(system, motion), 1.0);
        contacts.bounce(system, &before, &mut motion.velocity)
    }

    fn restart(&mut self) {
        self.started = false;
    }
}
