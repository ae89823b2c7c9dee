//! Impulses of contacts on the levels of positions, velocities and accelerations, for nonsmooth generalized-α.

use moreau::nalgebra::DVector;
use moreau::newmark::SchemeError;
use moreau::numbers::Rounding;
use moreau::{Contact, ContactKey, Contacts, Direction, Lagrangian, Motion};

/// Impulse of a contact; 0 if it is not listed.
pub(super) fn impulse_of(level: &Contacts, key: ContactKey) -> [f64; 2] {
    level.find(key).map_or([0.0; 2], |contact| contact.impulse)
}

/// The contacts found, with other impulses.
pub(super) fn with_impulses(found: &Contacts, impulse: impl Fn(ContactKey) -> [f64; 2]) -> Contacts {
    let mut copy = found.clone();
    copy.iter_mut().for_each(|contact| contact.impulse = impulse(contact.key));
    copy
}

/// The contacts found, with the impulses that they have on a level.
pub(super) fn with_impulses_of(found: &Contacts, level: &Contacts) -> Contacts {
    with_impulses(found, |key| impulse_of(level, key))
}

/// Keeps only those contacts of a level that have a normal impulse on the level before.
pub(super) fn only_pressing(mut part: Contacts, before: &Contacts) -> Contacts {
    part.retain(|contact| impulse_of(before, contact.key)[0] > 0.0);
    part
}

/// Sets the impulses of the contacts; returns the velocity by them alone.
pub(super) fn velocity_by_impulses(
    found: &mut Contacts,
    system: &dyn Lagrangian,
    impulse: impl Fn(ContactKey) -> [f64; 2],
) -> DVector<f64> {
    found.iter_mut().for_each(|contact| contact.impulse = impulse(contact.key));
    let mut velocity = DVector::zeros(system.size());
    found.push(system, &mut velocity);
    velocity
}

/// Solves for the impulses of contacts; `asks` sets the velocity that is asked of each.
pub(super) fn solve(
    system: &dyn Lagrangian,
    mut part: Contacts,
    asks: impl FnMut(&mut Contact),
) -> Result<Contacts, SchemeError> {
    part.iter_mut().for_each(asks);
    part.solve(system).map(|_| part)
}

/// Asks for a gap of 0, without friction; a gap of `grain` m counts as none.
pub(super) fn ask_gap(contact: &mut Contact, grain: f64) {
    (contact.friction, contact.asked) = (0.0, [contact.gap - grain, 0.0]);
}

/// Asks for Newton's law between the velocity `before` and the one now; an opening of `grain` m/s counts as none.
pub(super) fn ask_newton(contact: &mut Contact, before: &DVector<f64>, now: &DVector<f64>, grain: f64) {
    let ([n0, t0], [n, t]) = (contact.along(before), contact.along(now));
    let law = &contact.law;
    contact.asked = [n + law.restitution(-n0) * n0 - grain, t + law.acting_tangential_restitution(-n0) * t0];
}

/// Asks for the force that keeps a contact closed, and keeps it from slipping unless it `slips` (±1) already.
pub(super) fn ask_closed(contact: &mut Contact, a: &DVector<f64>, slips: f64) {
    let [normal, along] = contact.along(a);
    let asked = [normal + contact.turn[0], along + contact.turn[1]];
    // So fast a slip that friction against it is at its limit.
    let fast = 1e6 * (asked[0].abs() + asked[1].abs() + a.amax());
    contact.asked = [asked[0], if slips == 0.0 { asked[1] } else { slips * fast }];
}

/// Sign of the slip where friction is at its limit; 0: it sticks.
pub(super) fn slips([normal, along]: [f64; 2], friction: f64) -> f64 {
    let all = along != 0.0 && along.abs() >= (1.0 - Rounding::SUM * f64::EPSILON) * friction * normal;
    if all { along.signum() } else { 0.0 }
}

/// Velocity along a direction; 0 where it is rounding of its terms, as the slip in rolling.
fn rate(direction: &Direction, velocity: &DVector<f64>) -> f64 {
    let unit = f64::EPSILON * direction.terms(velocity).map(f64::abs).sum::<f64>();
    let rate = direction.dot(velocity);
    if Rounding::vanishes(rate, unit) { 0.0 } else { rate }
}

/// Contacts closed at a start that do not open, with the forces (N) that keep them closed; adds their accelerations to
/// `a`.
pub(super) fn forces_at_start(
    system: &mut dyn Lagrangian,
    start: &Motion,
    a: &mut DVector<f64>,
) -> Result<Contacts, SchemeError> {
    let mut found = Contacts::default();
    system.contacts(start, 0.0, &mut found);
    found.retain(|contact| rate(&contact.normal, &start.velocity) <= 0.0);
    let sign = |slip: f64| if slip == 0.0 { 0.0 } else { slip.signum() };
    let found = solve(system, found, |contact| ask_closed(contact, a, sign(rate(&contact.tangent, &start.velocity))))?;
    found.clone().push(system, a);
    Ok(found)
}
