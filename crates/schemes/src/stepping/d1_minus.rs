//! The scheme D1⁻. Th. Schindler, Sh. Rezaei, J. Kursawe and V. Acary, *Half-explicit timestepping schemes on velocity
//! level based on time-discontinuous Galerkin methods*, Comput. Methods Appl. Mech. Engrg. 290 (2015) 250.

use moreau::newmark::SchemeError;
use moreau::{ContactKey, Contacts, Lagrangian, Motion, SteppingScheme};

use super::{REACH, acceleration, gather, iterate};

/// Velocities linear in the step with a jump at its end, from two half-explicit stages and an impact. 0 is the start, 2
/// the end of the first stage, 1 the end; M is the mass matrix, F the force, H the directions of contacts:
///
/// ```text
/// q₂ = q₀ + h v₀                    M(v₂ − v₀) = h F₀ + H₀Λ₁                             0 ≤ H₂ᵀv₂ ⟂ Λ₁ ≥ 0
/// q₁ = q₀ + h/2 (v₀ + v₂)           M(v⁻ − v₀) = h/2 (F₀ + F₂) + (H₀Λ₁ + H₂Λ₂)/2         0 ≤ H₁ᵀv⁻ ⟂ Λ₂ ≥ 0
/// M(v₁ − v⁻) = H₁P                  Newton's law between v⁻ and v₁ where g(q₁) ≤ 0
/// ```
///
/// Λ act in contacts that were closed when the step began, or had a Λ₂ in the step before, with Coulomb's friction, as
/// P does; λ at the end is `Λ₂/h`. The paper leaves open how a contact stays closed although the place drifts off the
/// ground by `O(h²)`: Siconos, whose `D1MinusLinear` at velocity level is of the same authors, takes gaps up to 1e-8
/// for closed. The paper leaves Λ out in a step with an impact; here they act in it, too.
#[derive(Clone, Debug, Default)]
pub struct HalfExplicit {
    /// Contacts at the end of a stage.
    ends: Contacts,
    /// Contacts with a Λ₂ > 0 in the step before.
    pressed: Vec<ContactKey>,
}

impl HalfExplicit {
    /// Adds to `end` impulses, along the directions at the start of a stage, that keep its contacts closed at its end.
    fn keep_closed(
        &mut self,
        system: &mut dyn Lagrangian,
        stage: &mut Contacts,
        end: &mut Motion,
        h: f64,
    ) -> Result<(), SchemeError> {
        let (free, reach) = (end.velocity.clone(), REACH * h * end.velocity.amax());
        stage.push(system, &mut end.velocity);
        iterate(end, h, |end| {
            system.contacts(end, reach, &mut self.ends);
            for contact in stage.iter_mut() {
                // The end velocity along the directions at the end must be complementary to the impulse.
                contact.asked = self.ends.find(contact.key).unwrap_or(&*contact).along(&end.velocity);
            }
            let change = stage.solve(system)?;
            end.velocity.clone_from(&free);
            stage.push(system, &mut end.velocity);
            Ok(change)
        })
    }
}

impl SteppingScheme for HalfExplicit {
    fn step(
        &mut self,
        system: &mut dyn Lagrangian,
        motion: &mut Motion,
        h: f64,
        contacts: &mut Contacts,
    ) -> Result<(), SchemeError> {
        // First stage: v₂ and Λ₁ in the contacts at q₀.
        let (start, mut first, mut last) = (motion.clone(), Contacts::default(), Contacts::default());
        system.contacts(&start, REACH * h * start.velocity.amax(), &mut first);
        first.retain(|contact| contact.gap <= 0.0 || self.pressed.contains(&contact.key));
        let a0 = acceleration(system, &start);
        let mut second = Motion {
            time: start.time + h,
            position: &start.position + h * &start.velocity,
            velocity: &start.velocity + h * &a0,
        };
        self.keep_closed(system, &mut first, &mut second, h)?;
        // Second stage: q₁, v⁻ and Λ₂. `last` holds Λ₂/2.
        let a2 = acceleration(system, &second);
        motion.time += h;
        motion.position.axpy(0.5 * h, &(&start.velocity + &second.velocity), 1.0);
        motion.velocity.axpy(0.5 * h, &(a0 + a2), 1.0);
        first.iter_mut().for_each(|contact| contact.impulse = contact.impulse.map(|p| 0.5 * p));
        first.push(system, &mut motion.velocity);
        system.contacts(&second, REACH * h * second.velocity.amax(), &mut last);
        last.retain(|contact| first.find(contact.key).is_some());
        self.keep_closed(system, &mut last, motion, h)?;
        self.pressed = last.iter().filter(|contact| contact.impulse[0] > 0.0).map(|contact| contact.key).collect();
        let (before, mut impact) = (motion.velocity.clone(), Contacts::default());
        system.contacts(motion, 0.0, &mut impact);
        impact.bounce(system, &before, &mut motion.velocity)?;
        contacts.clear(&motion.position);
        for part in [&first, &last, &impact] {
            gather(part, 1.0, contacts);
        }
        for contact in contacts.iter_mut() {
            contact.force = last.find(contact.key).map(|last| last.impulse.map(|p| 2.0 * p / h));
        }
        Ok(())
    }

    fn restart(&mut self) {
        self.pressed.clear();
    }
}
