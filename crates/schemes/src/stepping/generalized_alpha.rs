//! Nonsmooth generalized-α: Q.-Z. Chen, V. Acary, G. Virlez and O. Brüls, *Int. J. Numer. Meth. Engng* 96 (2013) 487;
//! with positions, velocities and accelerations of contacts at once and with friction: G. Capobianco, J. Harsch, S. R.
//! Eugster and R. I. Leine, *A nonsmooth generalized-alpha method for mechanical systems with frictional contact*, Int.
//! J. Numer. Meth. Engng 122 (2021) 6497.

use moreau::nalgebra::DVector;
use moreau::newmark::SchemeError;
use moreau::numbers::Rounding;
use moreau::{Contact, ContactKey, Contacts, Lagrangian, Motion, SteppingScheme};

use super::alpha::Weights;
use super::levels::{
    ask_closed, ask_gap, ask_newton, forces_at_start, impulse_of, only_pressing, slips, solve, velocity_by_impulses,
    with_impulses, with_impulses_of,
};
use super::{ITERATIONS, REACH, acceleration, is_settled, unsettled};

/// Equations for the accelerations a, the jumps U of velocities and Q of positions, and for each contact κ, Λ and λ
/// (normal and tangential). They are solved iteratively over the three levels of positions, velocities and
/// accelerations, with updated directions and forces. κ, Λ and λ are the impulses of the levels of positions,
/// velocities and accelerations; κ̂ and P include the share of λ̄. Bars are the auxiliary means of generalized-α; ṽ and
/// q̃ are its updates without impulses, τ h/2 Λ_t the displacement by friction:
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

/// End of the last step.
#[derive(Clone, Debug)]
struct Last {
    /// Accelerations a and ā.
    a: [DVector<f64>; 2],
    /// Contacts with a force.
    found: Contacts,
    /// λ and λ̄ of each contact.
    forces: Vec<(ContactKey, [[f64; 2]; 2])>,
}

/// Rounds after which a gap of rounding counts as closed: by such gaps the sets of contacts may alternate.
const ALTERNATES: usize = 10;

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
                let found = forces_at_start(system, &start, &mut a)?;
                let forces = found.iter().map(|contact| (contact.key, [contact.impulse; 2])).collect();
                Last { a: [a.clone(), a], found, forces }
            }
        };
        let before = |key| forces.iter().find(|(known, _)| *known == key).map_or([[0.0; 2]; 2], |(_, f)| *f);
        let reach = REACH * h * start.velocity.amax().max((&start.velocity + h * &bar0).amax());
        // λ, κ̂ and P of each contact begin with λ of the last step, and what it alone gives (κ = Λ = 0).
        let mut forces_now = found.clone();
        let share = |forces: &Contacts, key| weights.share_of(before(key), impulse_of(forces, key), h);
        let mut kappa = with_impulses(&found, |key| share(&forces_now, key).position);
        let mut impulses = with_impulses(&found, |key| share(&forces_now, key).velocity);
        let (mut a, mut change) = (a0.clone(), f64::INFINITY);
        motion.time += h;
        for round in 0..ITERATIONS {
            let a1 = acceleration(system, motion)
                + velocity_by_impulses(&mut found, system, |key| impulse_of(&forces_now, key));
            let bar1 = weights.mean(&a0, &a1, &bar0);
            let [mut q, mut v] = weights.moved(&start, &bar0, &bar1, h);
            let jump = |key| [0, 1].map(|k| impulse_of(&impulses, key)[k] - share(&forces_now, key).velocity[k]);
            v += velocity_by_impulses(&mut found, system, jump);
            let lift = |key| [impulse_of(&kappa, key)[0] - share(&forces_now, key).position[0], 0.5 * h * jump(key)[1]];
            q += velocity_by_impulses(&mut found, system, lift);
            change = (&v - &motion.velocity).amax().max((&q - &motion.position).amax() / h).max(h * (&a1 - &a).amax());
            (motion.position, motion.velocity, a) = (q, v, a1);
            if is_settled(change, motion, h) {
                let bars = |key| (key, [impulse_of(&forces_now, key), share(&forces_now, key).bar]);
                let forces = found.iter().map(|contact| bars(contact.key)).collect();
                contacts.clone_from(&impulses);
                contacts.iter_mut().for_each(|contact| contact.force = Some(impulse_of(&forces_now, contact.key)));
                self.last = Some(Last { a: [a, bar1], found, forces });
                return Ok(());
            }
            // Impulses for this motion: κ̂, then P where κ̂ presses, then λ where P presses.
            system.contacts(motion, reach, &mut found);
            let grain = if round > ALTERNATES { Rounding::SUM * f64::EPSILON * motion.position.amax() } else { 0.0 };
            kappa = solve(system, with_impulses_of(&found, &kappa), |contact| ask_gap(contact, grain))?;
            let ask = |contact: &mut Contact| ask_newton(contact, &start.velocity, &motion.velocity, grain / h);
            impulses = solve(system, only_pressing(with_impulses_of(&found, &impulses), &kappa), ask)?;
            let ask = |contact: &mut Contact| {
                ask_closed(contact, &a, -slips(impulse_of(&impulses, contact.key), contact.friction));
            };
            forces_now = solve(system, only_pressing(with_impulses_of(&found, &forces_now), &impulses), ask)?;
        }
        Err(unsettled(change))
    }

    fn restart(&mut self) {
        self.last = None;
    }
}
