//! D1⁻: Th. Schindler, Sh. Rezaei, J. Kursawe and V. Acary, *Half-explicit timestepping schemes on velocity level based on
//! time-discontinuous Galerkin methods*, Comput. Methods Appl. Mech. Engrg. 290 (2015) 250.

use moreau::newmark::SchemeError;
use moreau::{Contact, Contacts, Lagrangian, Motion, SteppingScheme};

use super::{acceleration, gather};

/// Velocities that are linear in the step and jump at its end, of two half-explicit stages and an impact:
///
/// ```text
/// q₂ = q₀ + h v₀                    M(v₂ − v₀) = h F₀ + H₀Λ₁                             0 ≤ H₂ᵀv₂ ⟂ Λ₁ ≥ 0
/// q₁ = q₀ + h/2 (v₀ + v₂)           M(v⁻ − v₀) = h/2 (F₀ + F₂) + (H₀Λ₁ + H₂Λ₂)/2         0 ≤ H₁ᵀv⁻ ⟂ Λ₂ ≥ 0
/// M(v₁ − v⁻) = H₁P,  Newton's law between v⁻ and v₁
/// ```
///
/// Λ act where the step began closed, P where it ends closed and did not begin so or approaches; friction is Coulomb's in each. Directions
/// of a stage are those at its end, where the paper has H₀ and H₂ beside H₂ᵀ and H₁ᵀ: the same where they are constant.
#[derive(Clone, Debug, Default)]
pub struct HalfExplicit {
    stage: Contacts,
    closed: Contacts,
}

impl SteppingScheme for HalfExplicit {
    fn step(
        &mut self,
        system: &mut dyn Lagrangian,
        motion: &mut Motion,
        h: f64,
        contacts: &mut Contacts,
    ) -> Result<(), SchemeError> {
        let HalfExplicit { stage, closed } = self;
        let start = motion.clone();
        system.contacts(&start, 0.0, closed);
        let reach = 4.0 * h * start.velocity.amax();
        // What began closed and was not about to leave keeps a normal velocity that is not below 0.
        let lasts = |c: &Contact| closed.find(c.key).is_some_and(|c| c.along(&start.velocity)[0] <= 0.0);
        let mut hold = |system: &mut dyn Lagrangian, at: &mut Motion, share: f64| {
            system.contacts(at, reach, stage);
            stage.retain(lasts);
            stage.bounce(system, &(0.0 * &start.velocity), &mut at.velocity)?;
            stage.iter_mut().for_each(|contact| contact.impulse = contact.impulse.map(|p| share * p));
            Ok::<Contacts, SchemeError>(stage.clone())
        };
        let a0 = acceleration(system, &start);
        let mut second = Motion {
            time: start.time + h,
            position: &start.position + h * &start.velocity,
            velocity: &start.velocity + h * &a0,
        };
        let mut first = hold(system, &mut second, 0.5)?;
        let a2 = acceleration(system, &second);
        motion.time += h;
        motion.position.axpy(0.5 * h, &(&start.velocity + &second.velocity), 1.0);
        motion.velocity.axpy(0.5 * h, &(a0 + a2), 1.0);
        first.push(system, &mut motion.velocity);
        let last = hold(system, motion, 1.0)?;
        let before = motion.velocity.clone();
        let mut impact = Contacts::default();
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
}
