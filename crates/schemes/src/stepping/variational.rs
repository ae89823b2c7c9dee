//! Variational collision integrator: R. C. Fetecau, J. E. Marsden, M. Ortiz and M. West, *Nonsmooth Lagrangian
//! mechanics and variational collision integrators*, SIAM J. Appl. Dyn. Syst. 2 (2003) 381.

use moreau::newmark::SchemeError;
use moreau::{Contacts, Lagrangian, Motion, SteppingScheme};

use super::{acceleration, gather};

/// Störmer–Verlet steps between impacts, which are located within the step:
///
/// ```text
/// q(s) = q₀ + s v₀ + s²/2 M⁻¹F₀        g(q(s)) = 0: impact at s, momentum along the ground and energy kept, and on for h − s
/// v(s) = v₀ + s/2 M⁻¹(F₀ + F_s)
/// ```
///
/// The paper has single elastic impacts without friction; Newton's e and Coulomb's friction are added here. It has no
/// law of persistent contact: a step is refused if some of it is left after 100 impacts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Variational;

/// Number of impacts after which no time of the step may be left.
const IMPACTS: usize = 100;

impl SteppingScheme for Variational {
    fn step(
        &mut self,
        system: &mut dyn Lagrangian,
        motion: &mut Motion,
        h: f64,
        contacts: &mut Contacts,
    ) -> Result<(), SchemeError> {
        let (mut left, mut found) = (h, Contacts::default());
        contacts.clear(&motion.position);
        for _ in 0..IMPACTS {
            let (start, a) = (motion.clone(), acceleration(system, motion));
            // Moves to s on the parabola, and tells whether a closed contact approaches there.
            let go = |system: &mut dyn Lagrangian, s: f64, at: &mut Motion, found: &mut Contacts| {
                at.time = start.time + s;
                at.position = &start.position + s * &start.velocity + 0.5 * s * s * &a;
                at.velocity = &start.velocity + s * &a;
                system.contacts(at, 0.0, found);
                // Where a closed contact opens, its gap is negative by rounding alone: no impact.
                found.iter().any(|contact| contact.along(&at.velocity)[0] < 0.0)
            };
            let meets = go(system, left, motion, &mut found);
            let (mut open, mut closed) = (0.0, left);
            while meets && closed - open > f64::EPSILON * left {
                let middle = 0.5 * (open + closed);
                *(if go(system, middle, motion, &mut found) { &mut closed } else { &mut open }) = middle;
            }
            go(system, closed, motion, &mut found);
            let a1 = acceleration(system, motion);
            motion.velocity = &start.velocity + 0.5 * closed * (&a + a1);
            if !meets {
                return Ok(());
            }
            let before = motion.velocity.clone();
            found.bounce(system, &before, &mut motion.velocity)?;
            gather(&found, 1.0, contacts);
            left -= closed;
            if !(left > 0.0) {
                return Ok(());
            }
        }
        let reason = "impacts without an end, and this scheme has no law of lasting contact; time left of the step (s)";
        Err(SchemeError { reason, value: left })
    }
}
