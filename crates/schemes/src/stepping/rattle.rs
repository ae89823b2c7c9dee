//! Nonsmooth RATTLE: J. Breuling, G. Capobianco, S. R. Eugster and R. I. Leine, *A nonsmooth RATTLE algorithm for
//! mechanical systems with frictional unilateral constraints*, Nonlinear Analysis: Hybrid Systems 52 (2024) 101469.

use moreau::newmark::SchemeError;
use moreau::{Contacts, Lagrangian, Motion, SteppingScheme};

use super::{REACH, acceleration, iterate};

/// Two stages with the directions of their ends, where P is the impulse of the step:
///
/// ```text
/// M(v_h − v₀) = h/2 F(t₀, q₀, v_h) + H₀P₁        q₁ = q₀ + h v_h        0 ≤ g(q₁) ⟂ P₁ₙ ≥ 0,  |P₁ₜ| ≤ μP₁ₙ against τ₁ᵀv_h
/// M(v₁ − v_h) = h/2 F(t₁, q₁, v_h) + H₁(P − P₁)        where P₁ₙ > 0 or g(q₁) = 0: Newton's law and friction with P
/// ```
///
/// λ at the end of a step in contact is `2(P − P₁)/h`. Gaps of the first stage are linearised by the directions of q₀.
#[derive(Clone, Debug, Default)]
pub struct Rattle {
    first: Contacts,
}

impl SteppingScheme for Rattle {
    fn step(
        &mut self,
        system: &mut dyn Lagrangian,
        motion: &mut Motion,
        h: f64,
        contacts: &mut Contacts,
    ) -> Result<(), SchemeError> {
        let Rattle { first } = self;
        let start = motion.clone();
        let mut half = start.clone();
        half.velocity.axpy(0.5 * h, &acceleration(system, &start), 1.0);
        let reach = REACH * h * half.velocity.amax().max(start.velocity.amax());
        system.contacts(&start, reach, first);
        iterate(motion, h, |motion| {
            let a = acceleration(system, &half);
            let before = half.velocity.clone();
            half.velocity = &start.velocity + 0.5 * h * a;
            first.push(system, &mut half.velocity);
            motion.position = &start.position + h * &half.velocity;
            motion.velocity.clone_from(&half.velocity);
            system.contacts(motion, 2.0 * reach, contacts);
            for contact in first.iter_mut() {
                // A contact that is no longer listed is open.
                contact.asked = contacts
                    .find(contact.key)
                    .map_or([reach / h, 0.0], |end| [end.gap / h, end.tangent.dot(&half.velocity)]);
            }
            Ok(first.solve(system)?.max((before - &half.velocity).amax()))
        })?;
        motion.time += h;
        let first_of = |key| first.find(key).map_or([0.0; 2], |contact| contact.impulse);
        system.contacts(motion, reach, contacts);
        contacts.retain(|contact| contact.gap <= 0.0 || first_of(contact.key)[0] > 0.0);
        motion.velocity.axpy(0.5 * h, &acceleration(system, motion), 1.0);
        // The impulse of the first stage is subtracted, so that the solver's impulse is that of the whole step.
        contacts.iter_mut().for_each(|contact| contact.impulse = first_of(contact.key).map(|p| -p));
        contacts.push(system, &mut motion.velocity);
        contacts.bounce(system, &start.velocity, &mut motion.velocity)?;
        for contact in contacts.iter_mut() {
            let first = first_of(contact.key);
            contact.force = Some([0, 1].map(|k| 2.0 * (contact.impulse[k] - first[k]) / h));
        }
        Ok(())
    }
}
