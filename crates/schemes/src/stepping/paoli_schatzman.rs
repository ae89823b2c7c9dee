//! L. Paoli and M. Schatzman, *A numerical scheme for impact problems I*, SIAM J. Numer. Anal. 40 (2002) 702.

use moreau::nalgebra::DVector;
use moreau::newmark::SchemeError;
use moreau::{Contacts, Lagrangian, Motion, SteppingScheme};

use super::{ITERATIONS, acceleration, unsettled};

/// A two-step scheme for positions; K is the set of positions with all gaps at least 0, and the projection is in the
/// kinetic metric:
///
/// ```text
/// z = proj_K((2q₁ − (1−e)q₀ + h²M⁻¹F₁)/(1+e))        q₂ = (1+e)z − e q₀        v₂ = (q₂ − q₁)/h
/// ```
///
/// All contacts have the same e and no friction; others are refused. The paper does not define how to begin: here the
/// first step has `q₀ − hv₀ + h²/2 M⁻¹F₀` before it, so that without contacts it ends at `q₀ + hv₀ + h²/2 M⁻¹F₀`. Nor
/// does it define the velocity in F, which here is that of the last step.
#[derive(Clone, Debug, Default)]
pub struct PaoliSchatzman {
    last: Option<DVector<f64>>,
}

/// Gaps may be negative by this part of the way of a step; beyond, the position is projected again.
const GAP: f64 = 1e-12;

impl SteppingScheme for PaoliSchatzman {
    fn step(
        &mut self,
        system: &mut dyn Lagrangian,
        motion: &mut Motion,
        h: f64,
        contacts: &mut Contacts,
    ) -> Result<(), SchemeError> {
        let a = acceleration(system, motion);
        let now = motion.position.clone();
        // The place before the first step is one step back in time.
        let before = self.last.take().unwrap_or_else(|| &now - h * &motion.velocity + 0.5 * h * h * &a);
        let free = 2.0 * &now - &before + h * h * a;
        let way = (&free - &now).amax();
        motion.position.clone_from(&free);
        system.contacts(motion, 4.0 * way, contacts);
        let e = contacts.first().map_or(0.0, |contact| contact.law.coefficient_of_restitution().unwrap_or(f64::NAN));
        for contact in contacts.iter() {
            let reason = "this scheme knows one number e for all contacts and no friction, and here is a contact of e";
            if contact.law.coefficient_of_restitution() != Some(e) || !contact.law.is_smooth() {
                let value = contact.law.restitution(-contact.along(&motion.velocity)[0]);
                return Err(SchemeError { reason, value });
            }
        }
        let unprojected = (free + e * &before) / (1.0 + e);
        let mut z = Motion { position: unprojected.clone(), ..motion.clone() };
        let (mut sums, mut deepest) = (Contacts::default(), f64::INFINITY);
        for _ in 0..ITERATIONS {
            system.contacts(&z, 4.0 * way, contacts);
            deepest = contacts.iter().fold(0.0, |most, contact| most.max(-contact.gap));
            if deepest <= GAP * way {
                break;
            }
            // The plane of each gap where z is; impulses count from the unprojected place.
            for contact in contacts.iter_mut() {
                contact.asked = [contact.gap + contact.normal.dot(&(&unprojected - &z.position)), 0.0];
            }
            contacts.solve(system)?;
            z.position.clone_from(&unprojected);
            contacts.push(system, &mut z.position);
            sums.clone_from(contacts);
        }
        if deepest > GAP * way {
            return Err(unsettled(deepest / h));
        }
        contacts.clone_from(&sums);
        for contact in contacts.iter_mut() {
            contact.impulse[0] *= (1.0 + e) / h;
        }
        motion.position = (1.0 + e) * z.position - e * before;
        motion.velocity = (&motion.position - &now) / h;
        self.last = Some(now);
        Ok(())
    }

    fn restart(&mut self) {
        self.last = None;
    }
}
