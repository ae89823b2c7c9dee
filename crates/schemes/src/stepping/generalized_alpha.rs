//! Nonsmooth generalized-α: Q.-Z. Chen, V. Acary, G. Virlez and O. Brüls, *Int. J. Numer. Meth. Engng* 96 (2013) 487;
//! with positions, velocities and accelerations of contacts at once and with friction: G. Capobianco, J. Harsch, S. R.
//! Eugster and R. I. Leine, *A nonsmooth generalized-alpha method for mechanical systems with frictional contact*, Int.
//! J. Numer. Meth. Engng 122 (2021) 6497.

use moreau::nalgebra::DVector;
use moreau::newmark::SchemeError;
use moreau::numbers::Rounding;
use moreau::{Contact, ContactKey, Contacts, Lagrangian, Motion, SteppingScheme};

use super::alpha::Weights;
use super::levels::{ask_newton, copied, given, held, press, pressing, pushed_by, slips, solved, with};
use super::{ITERATIONS, acceleration, is_settled, unsettled};

/// Equations for the accelerations a, the jumps U of velocities and Q of positions, and for each contact κ, Λ and λ
/// (normal and tangential). They are solved iteratively over the three levels of positions, velocities and
/// accelerations, with updated directions and forces:
///
/// ```text
/// M a = F + Hλ      M U = HΛ      M Q = nκ + τ h/2 Λ_t      v₁ = ṽ(ā) + U      q₁ = q̃(ā) + Q
/// g ⟂ κ̂ = κ + h²((½−β)λ̄₀ + βλ̄₁)      u + e u⁻ ⟂ P = Λ + h((1−γ)λ̄₀ + γλ̄₁)      g̈ ⟂ λ
/// ```
///
/// Each level has the contacts with impulses on the level before; a contact that slides by P also slides by λ. ρ_∞ =
/// 0.5 as in PyNonsmooth, with which results agree. The paper does not define the first λ, which here follows from the
/// accelerations at the start.
#[derive(Clone, Debug, Default)]
pub struct GeneralizedAlpha {
    last: Option<Last>,
}

/// Spectral radius ρ_∞ at infinite frequency.
const RADIUS: f64 = 0.5;

/// a and ā, contacts with λ, and λ and λ̄ of each.
#[derive(Clone, Debug)]
struct Last {
    a: [DVector<f64>; 2],
    found: Contacts,
    forces: Vec<(ContactKey, [[f64; 2]; 2])>,
}

/// Rounds after which rounding decides.
const TOLD_APART: usize = 10;

impl SteppingScheme for GeneralizedAlpha {
    fn step(
        &mut self,
        system: &mut dyn Lagrangian,
        motion: &mut Motion,
        h: f64,
        contacts: &mut Contacts,
    ) -> Result<(), SchemeError> {
        let (weights, start) = (Weights::new(RADIUS), motion.clone());
        let Last { a: [a0, bar0], mut found, forces } = match self.last.take() {
            Some(last) => last,
            None => {
                let mut a = acceleration(system, &start);
                let found = held(system, &start, &mut a)?;
                let forces = found.iter().map(|contact| (contact.key, [contact.impulse; 2])).collect();
                Last { a: [a.clone(), a], found, forces }
            }
        };
        let before = |key| forces.iter().find(|(known, _)| *known == key).map_or([[0.0; 2]; 2], |(_, f)| *f);
        let reach = 4.0 * h * start.velocity.amax().max((&start.velocity + h * &bar0).amax());
        // Start values of κ̂, P and λ: those of unchanged contacts.
        let mut forced = found.clone();
        let contact_part = |forced: &Contacts, key| weights.of_contact(before(key), given(forced, key), h);
        let [mut lifted, mut pushed] = [1, 2].map(|part| with(&found, |key| contact_part(&forced, key)[part]));
        let (mut a, mut change) = (a0.clone(), f64::INFINITY);
        motion.time += h;
        for round in 0..ITERATIONS {
            let a1 = acceleration(system, motion) + pushed_by(&mut found, system, |key| given(&forced, key));
            let bar1 = weights.mean(&a0, &a1, &bar0);
            let [mut q, mut v] = weights.moved(&start, &bar0, &bar1, h);
            let jump = |key| [0, 1].map(|k| given(&pushed, key)[k] - contact_part(&forced, key)[2][k]);
            v += pushed_by(&mut found, system, jump);
            let lift = |key| [given(&lifted, key)[0] - contact_part(&forced, key)[1][0], 0.5 * h * jump(key)[1]];
            q += pushed_by(&mut found, system, lift);
            change = (&v - &motion.velocity).amax().max((&q - &motion.position).amax() / h).max(h * (&a1 - &a).amax());
            (motion.position, motion.velocity, a) = (q, v, a1);
            if is_settled(change, motion, h) {
                let bars = |key| (key, [given(&forced, key), contact_part(&forced, key)[0]]);
                let forces = found.iter().map(|contact| bars(contact.key)).collect();
                contacts.clone_from(&pushed);
                contacts.iter_mut().for_each(|contact| contact.force = Some(given(&forced, contact.key)));
                self.last = Some(Last { a: [a, bar1], found, forces });
                return Ok(());
            }
            system.contacts(motion, reach, &mut found);
            // If sets of contacts alternate by rounding, the contact counts as closed.
            let grain = if round > TOLD_APART { Rounding::SUM * f64::EPSILON * motion.position.amax() } else { 0.0 };
            let asks = |contact: &mut Contact| (contact.friction, contact.asked) = (0.0, [contact.gap - grain, 0.0]);
            lifted = solved(system, copied(&found, &lifted), asks)?;
            let asks = |contact: &mut Contact| ask_newton(contact, &start.velocity, &motion.velocity, grain / h);
            pushed = solved(system, pressing(copied(&found, &pushed), &lifted), asks)?;
            let asks =
                |contact: &mut Contact| press(contact, &a, -slips(given(&pushed, contact.key), contact.friction));
            forced = solved(system, pressing(copied(&found, &forced), &pushed), asks)?;
        }
        Err(unsettled(change))
    }

    fn restart(&mut self) {
        self.last = None;
    }
}
