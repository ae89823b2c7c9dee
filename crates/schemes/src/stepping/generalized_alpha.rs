//! Nonsmooth generalized-α: Q.-Z. Chen, V. Acary, G. Virlez and O. Brüls, *Int. J. Numer. Meth. Engng* 96 (2013) 487; with positions,
//! velocities and accelerations of contacts at once and with friction: G. Capobianco, J. Harsch, S. R. Eugster and R. I. Leine, *A nonsmooth
//! generalized-alpha method for mechanical systems with frictional contact*, Int. J. Numer. Meth. Engng 122 (2021) 6497.

use moreau::nalgebra::{DMatrix, DVector};
use moreau::newmark::SchemeError;
use moreau::numbers::Rounding;
use moreau::{Contact, ContactKey, Contacts, Lagrangian, Motion, SteppingScheme};

use super::{ITERATIONS, acceleration, is_settled, unsettled};

/// Parameters of generalized-α, by the spectral radius ρ_∞ (Arnold & Brüls 2007).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Weights {
    mass: f64,
    force: f64,
    gamma: f64,
    beta: f64,
}

impl Weights {
    pub fn new(radius: f64) -> Self {
        let (mass, force) = ((2.0 * radius - 1.0) / (radius + 1.0), radius / (radius + 1.0));
        let gamma = 0.5 + force - mass;
        Weights { mass, force, gamma, beta: 0.25 * (0.5 + gamma) * (0.5 + gamma) }
    }

    fn mean_of(&self, x0: f64, x1: f64, bar0: f64) -> f64 {
        (self.force * x0 + (1.0 - self.force) * x1 - self.mass * bar0) / (1.0 - self.mass)
    }

    /// `x̄₁ = (α_f x₀ + (1−α_f)x₁ − α_m x̄₀)/(1−α_m)`
    pub fn mean(&self, x0: &DVector<f64>, x1: &DVector<f64>, bar0: &DVector<f64>) -> DVector<f64> {
        (self.force * x0 + (1.0 - self.force) * x1 - self.mass * bar0) / (1.0 - self.mass)
    }

    /// Place and velocity at the end of a step with accelerations ā₀ and ā₁.
    pub fn moved(&self, start: &Motion, bar0: &DVector<f64>, bar1: &DVector<f64>, h: f64) -> [DVector<f64>; 2] {
        let Motion { position, velocity, .. } = start;
        let Weights { gamma, beta, .. } = *self;
        [
            position + h * velocity + h * h * ((0.5 - beta) * bar0 + beta * bar1),
            velocity + h * ((1.0 - gamma) * bar0 + gamma * bar1),
        ]
    }
}

/// One system of equations for the accelerations a, the jumps U and Q of velocity and place, and of each contact κ, Λ and λ of them, normal and
/// tangential, by Newton's method over the sets that say which holds, with the directions and
/// forces of each iterate:
///
/// ```text
/// M a = F + Hλ      M U = HΛ      M Q = nκ + τ h/2 Λ_t      v₁ = ṽ(ā) + U      q₁ = q̃(ā) + Q
/// g ⟂ κ̂ = κ + h²((½−β)λ̄₀ + βλ̄₁)      u + e u⁻ ⟂ P = Λ + h((1−γ)λ̄₀ + γλ̄₁)      g̈ ⟂ λ
/// ```
///
/// ρ_∞ = 0.5 as in PyNonsmooth, which it agrees with. The paper leaves open how λ begins: here as the accelerations of the start ask for it.
#[derive(Clone, Debug)]
pub struct GeneralizedAlpha {
    /// Spectral radius ρ_∞ at infinite frequency, 0 … 1.
    pub radius: f64,
    last: Option<Last>,
    found: Contacts,
}

impl Default for GeneralizedAlpha {
    fn default() -> Self {
        GeneralizedAlpha { radius: 0.5, last: None, found: Contacts::default() }
    }
}

/// a and ā, and λ and λ̄ of contacts, normal and tangential.
#[derive(Clone, Debug)]
struct Last {
    a: [DVector<f64>; 2],
    forces: Vec<(ContactKey, [[f64; 2]; 2])>,
}

/// What an evaluation of the equations comes to.
struct Ends {
    motion: Motion,
    a_bar: DVector<f64>,
    /// `M⁻¹F`.
    applied: DVector<f64>,
    /// λ̄ and P of each contact.
    means: Vec<[[f64; 2]; 2]>,
    residual: DVector<f64>,
}

/// Which equations of a contact hold, and the way that it would slip by P, by λ held and by λ slipping.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Sets {
    closed: bool,
    impact: bool,
    press: bool,
    sticks: bool,
    held: bool,
    ways: [f64; 3],
}

/// What does not change in a step.
struct Step<'a> {
    weights: Weights,
    start: &'a Motion,
    h: f64,
    ahead: &'a DVector<f64>,
    reach: f64,
    last: &'a Last,
    /// Contacts as they were predicted, with λ₀ and λ̄₀.
    known: &'a [(Contact, [[f64; 2]; 2])],
    /// Whether a gap that rounding can't tell from 0 is closed.
    grained: bool,
}

impl Step<'_> {
    /// Evaluates the equations; near `base`, if there is one, with its directions, forces and sets, so that they are linear.
    fn ends(
        &self,
        system: &mut dyn Lagrangian,
        x: &DVector<f64>,
        sets: &mut [Sets],
        base: Option<&Ends>,
        found: &mut Contacts,
    ) -> Ends {
        let Step { weights, start, h, last, known, .. } = self;
        let (n, h) = (start.position.len(), *h);
        let Weights { gamma, beta, .. } = *weights;
        let part = |k: usize| DVector::from(x.rows(k * n, n));
        let a_bar = weights.mean(&last.a[0], &part(0), &last.a[1]);
        let [q, v] = weights.moved(start, &last.a[1], &a_bar, h);
        let motion = Motion { time: start.time + h, position: q + part(2), velocity: v + part(1) };
        if base.is_none() {
            system.contacts(&motion, self.reach, found);
        }
        let applied = base.map_or_else(|| acceleration(system, &motion), |base| base.applied.clone());
        let place = base.map_or(&motion.position, |base| &base.motion.position);
        let grain = if self.grained { Rounding::SUM * f64::EPSILON * motion.position.amax() } else { 0.0 };
        let (mut sums, mut means) = ([(); 3].map(|()| DVector::zeros(n)), Vec::new());
        let mut residual = DVector::zeros(x.len());
        for (i, ((predicted, [forces0, bars0]), sets)) in known.iter().zip(sets).enumerate() {
            let at = 3 * n + 5 * i;
            let (kappa, jump, force) = (x[at], [x[at + 1], x[at + 3]], [x[at + 2], x[at + 4]]);
            let bars = [0, 1].map(|k| weights.mean_of(forces0[k], force[k], bars0[k]));
            let pushed = [0, 1].map(|k| jump[k] + h * ((1.0 - gamma) * bars0[k] + gamma * bars[k]));
            let lifted = kappa + h * h * ((0.5 - beta) * bars0[0] + beta * bars[0]);
            means.push([bars, pushed]);
            // One out of reach is a plane as it was predicted.
            let (contact, from) = found.find(predicted.key).map_or((predicted, self.ahead), |contact| (contact, place));
            let gap = contact.gap + contact.normal.dot(&(&motion.position - from));
            for (sum, [normal, along]) in sums.iter_mut().zip([force, jump, [kappa, 0.5 * h * jump[1]]]) {
                sum.axpy(normal, &contact.normal, 1.0);
                sum.axpy(along, &contact.tangent, 1.0);
            }
            let ([u0, s0], [u, slip]) = (contact.along(&start.velocity), contact.along(&motion.velocity));
            let law = &contact.law;
            let asked = [u + law.restitution(-u0) * u0, slip + law.acting_tangential_restitution(-u0) * s0];
            let rate = contact.along(&part(0));
            let [opens, slips] = [rate[0] + contact.turn[0], rate[1] + contact.turn[1]];
            let (friction, [mass, slipping]) = (law.sticking_coefficient(), predicted.asked);
            if base.is_none() {
                let closed = mass * (gap - grain) <= lifted;
                let impact = closed && mass * asked[0] <= pushed[0];
                let sticks = closed && (slipping * asked[1] - pushed[1]).abs() <= friction * pushed[0];
                let held = sticks && (slipping * slips - force[1]).abs() <= friction * force[0];
                let ways = [asked[1], slips, slip].map(|way| if way == 0.0 { 0.0 } else { way.signum() });
                *sets = Sets { closed, impact, press: impact && mass * opens <= force[0], sticks, held, ways };
            }
            let Sets { closed, impact, press, sticks, held, ways } = *sets;
            residual[at] = if closed { gap } else { lifted };
            residual[at + 1] = if impact { asked[0] } else { pushed[0] };
            residual[at + 2] = if press { opens } else { force[0] };
            residual[at + 3] = match (closed, sticks) {
                (true, true) => asked[1],
                (true, false) => pushed[1] + friction * pushed[0] * ways[0],
                (false, _) => pushed[1],
            };
            residual[at + 4] = match (closed, sticks, held) {
                (true, _, true) => slips,
                (true, stuck, false) => force[1] + friction * force[0] * ways[if stuck { 1 } else { 2 }],
                (false, ..) => force[1],
            };
        }
        for (k, mut sum) in sums.into_iter().enumerate() {
            system.accelerate(&motion.position, &mut sum);
            let free = if k == 0 { applied.clone() } else { DVector::zeros(n) };
            residual.rows_mut(k * n, n).copy_from(&(part(k) - sum - free));
        }
        Ends { motion, a_bar, applied, means, residual }
    }
}

impl SteppingScheme for GeneralizedAlpha {
    fn step(
        &mut self,
        system: &mut dyn Lagrangian,
        motion: &mut Motion,
        h: f64,
        contacts: &mut Contacts,
    ) -> Result<(), SchemeError> {
        let (start, found, n) = (motion.clone(), &mut self.found, motion.position.len());
        let last = match self.last.take() {
            Some(last) => last,
            None => begin(system, &start, h, found)?,
        };
        let ahead = &start.position + h * &start.velocity + 0.5 * h * h * &last.a[1];
        let reach = 4.0 * (h * start.velocity.amax()).max((&ahead - &start.position).amax());
        system.contacts(&Motion { position: ahead.clone(), ..start.clone() }, reach, found);
        // What gaps and velocities are weighed by against impulses when sets are chosen: the masses of the contact.
        for contact in found.iter_mut() {
            for (k, direction) in [&contact.normal, &contact.tangent].into_iter().enumerate() {
                let mut moved = direction.clone();
                system.accelerate(&start.position, &mut moved);
                contact.asked[k] = 1.0 / direction.dot(&moved);
            }
        }
        let force = |key| last.forces.iter().find(|(known, _)| *known == key).map_or([[0.0; 2]; 2], |(_, f)| *f);
        let known: Vec<_> = found.iter().map(|contact| (contact.clone(), force(contact.key))).collect();
        let mut step = Step {
            weights: Weights::new(self.radius),
            start: &start,
            h,
            ahead: &ahead,
            reach: 4.0 * reach,
            last: &last,
            known: &known,
            grained: false,
        };
        let mut x = DVector::zeros(3 * n + 5 * known.len());
        x.rows_mut(0, n).copy_from(&last.a[0]);
        for (i, (_, [force, _])) in known.iter().enumerate() {
            [x[3 * n + 5 * i + 2], x[3 * n + 5 * i + 4]] = *force;
        }
        let mut sets = vec![Sets::default(); known.len()];
        let mut change = f64::INFINITY;
        for iteration in 0..ITERATIONS {
            step.grained = iteration > TOLD_APART;
            let before = sets.clone();
            let ends = step.ends(system, &x, &mut sets, None, found);
            if is_settled(change, &ends.motion, h) && before == sets {
                *motion = ends.motion;
                contacts.clear(&motion.position);
                let mut forces = Vec::new();
                for (i, (contact, [bars, pushed])) in
                    known.iter().map(|(contact, _)| contact).zip(ends.means).enumerate()
                {
                    let at = 3 * n + 5 * i;
                    let force = [x[at + 2], x[at + 4]];
                    forces.push((contact.key, [force, bars]));
                    let contact = found.find(contact.key).unwrap_or(contact);
                    if pushed != [0.0; 2] {
                        let told = contacts.add(contact.key, &contact.law, contact.gap);
                        told.normal.clone_from(&contact.normal);
                        told.tangent.clone_from(&contact.tangent);
                        (told.impulse, told.force) = (pushed, Some(force));
                    }
                }
                self.last = Some(Last { a: [DVector::from(x.rows(0, n)), ends.a_bar], forces });
                return Ok(());
            }
            let mut slopes = DMatrix::zeros(x.len(), x.len());
            for j in 0..x.len() {
                let mut moved = x.clone();
                moved[j] += 1.0;
                let residual = step.ends(system, &moved, &mut sets, Some(&ends), found).residual;
                slopes.set_column(j, &(residual - &ends.residual));
            }
            let Some(newton) = slopes.lu().solve(&ends.residual) else { return Err(unsettled(change)) };
            change = (h * newton.rows(0, n)).amax().max(newton.rows(n, n).amax()).max(newton.rows(2 * n, n).amax() / h);
            x -= newton;
        }
        Err(unsettled(change))
    }

    fn restart(&mut self) {
        self.last = None;
    }
}

/// Iterations after which sets that come again are taken for ones that rounding can't tell apart.
const TOLD_APART: usize = 10;

/// Accelerations and forces of the start: where a contact is closed and does not open, those that its acceleration asks for.
fn begin(system: &mut dyn Lagrangian, start: &Motion, h: f64, found: &mut Contacts) -> Result<Last, SchemeError> {
    let mut a = acceleration(system, start);
    system.contacts(start, 0.0, found);
    found.retain(|contact| contact.along(&start.velocity)[0] <= 0.0);
    for contact in found.iter_mut() {
        let ([normal, along], slip) = (contact.along(&a), contact.along(&start.velocity)[1]);
        contact.asked = [normal + contact.turn[0], along + contact.turn[1] + slip / h];
    }
    found.solve(system)?;
    found.push(system, &mut a);
    let forces = found.iter().map(|contact| (contact.key, [contact.impulse; 2])).collect();
    Ok(Last { a: [a.clone(), a], forces })
}
