//! Decoupled nonsmooth generalized-α: A. Cosimo, J. Galvez, F. J. Cavalieri, A. Cardona and O. Brüls, *A robust
//! nonsmooth generalized-α scheme for flexible systems with impacts*, Multibody Syst. Dyn. 48 (2020) 127; after O.
//! Brüls, V. Acary and A. Cardona, *Comput. Methods Appl. Mech. Engrg.* 281 (2014) 131.

use moreau::nalgebra::DVector;
use moreau::newmark::SchemeError;
use moreau::{ContactKey, Contacts, Lagrangian, Motion, SteppingScheme};

use super::alpha::Weights;
use super::{REACH, acceleration, is_settled, iterate};

/// Three consecutive problems: a smooth motion without contacts by generalized-α, a correction of positions, a jump of
/// velocities:
///
/// ```text
/// ṽ = v₀ + h((1−γ)ā₀ + γā₁)      q̃ = q₀ + hv₀ + h²((½−β)ā₀ + βā₁)      M a₁ = F(t₁, q̃, ṽ)
/// q₁ = q̃ + M⁻¹Hν,  0 ≤ g(q₁) ⟂ ν ≥ 0        v₁ = ṽ + M⁻¹H₁P,  Newton's law between v₀ and v₁ where ν > 0 or g = 0
/// ```
///
/// ρ_∞ is 0.8 as in the papers' examples. The papers have no friction; Coulomb's with P is added here. They do not
/// define a₀, which here is the acceleration by the applied forces.
#[derive(Clone, Debug, Default)]
pub struct Decoupled {
    /// a and ā at the end of the last step.
    last: Option<[DVector<f64>; 2]>,
}

/// Spectral radius ρ_∞ at infinite frequency.
const RADIUS: f64 = 0.8;

impl SteppingScheme for Decoupled {
    fn step(
        &mut self,
        system: &mut dyn Lagrangian,
        motion: &mut Motion,
        h: f64,
        contacts: &mut Contacts,
    ) -> Result<(), SchemeError> {
        let weights = Weights::new(RADIUS);
        let start = motion.clone();
        let [a0, bar0] = self.last.take().unwrap_or_else(|| [(); 2].map(|()| acceleration(system, &start)));
        let (mut a1, mut bar1) = (a0.clone(), bar0.clone());
        motion.time += h;
        iterate(motion, h, |motion| {
            bar1 = weights.mean(&a0, &a1, &bar0);
            [motion.position, motion.velocity] = weights.moved(&start, &bar0, &bar1, h);
            let a = acceleration(system, motion);
            Ok(h * (&a - std::mem::replace(&mut a1, a.clone())).amax())
        })?;
        // Positions without penetration; contacts that had to be corrected take part in the impact.
        let mut corrected: Vec<ContactKey> = Vec::new();
        let reach = REACH * (&motion.position - &start.position).amax();
        iterate(motion, h, |motion| {
            system.contacts(motion, reach, contacts);
            for contact in contacts.iter_mut() {
                (contact.friction, contact.asked) = (0.0, [contact.gap / h, 0.0]);
            }
            let change = contacts.iter().fold(0.0, |most: f64, contact| most.max(-contact.gap / h));
            if is_settled(change, motion, h) {
                return Ok(change);
            }
            contacts.solve(system)?;
            corrected.extend(contacts.iter().filter(|contact| contact.impulse[0] > 0.0).map(|contact| contact.key));
            let mut correction = 0.0 * &motion.velocity;
            contacts.push(system, &mut correction);
            motion.position.axpy(h, &correction, 1.0);
            Ok(change)
        })?;
        system.contacts(motion, reach, contacts);
        contacts.retain(|contact| contact.gap <= 0.0 || corrected.contains(&contact.key));
        contacts.bounce(system, &start.velocity, &mut motion.velocity)?;
        self.last = Some([a1, bar1]);
        Ok(())
    }

    fn restart(&mut self) {
        self.last = None;
    }
}
