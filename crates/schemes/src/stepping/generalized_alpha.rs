//! Nonsmooth generalized-α: Q.-Z. Chen, V. Acary, G. Virlez and O. Brüls, *Int. J. Numer. Meth. Engng* 96 (2013) 487; with positions,
//! velocities and accelerations of contacts at once and with friction: G. Capobianco, J. Harsch, S. R. Eugster and R. I. Leine, *A nonsmooth
//! generalized-alpha method for mechanical systems with frictional contact*, Int. J. Numer. Meth. Engng 122 (2021) 6497.

use moreau::nalgebra::{DMatrix, DVector};
use moreau::newmark::SchemeError;
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
/// tangential, by Newton's method over the sets that say which holds:
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
    /// λ̄ and P of each contact.
    means: Vec<[[f64; 2]; 2]>,
    residual: DVector<f64>,
}

/// Which equations of a contact hold: closed, impact, press, stick of impulses, stick of forces.
type Sets = [bool; 5];

/// What does not change in a step.
struct Step<'a> {
    weights: Weights,
    start: &'a Motion,
    h: f64,
    reach: f64,
    last: &'a Last,
    /// Contacts as they were predicted, with λ₀ and λ̄₀.
    known: &'a [(Contact, [[f64; 2]; 2])],
}

impl Step<'_> {
    fn ends(
        &self,
        system: &mut dyn Lagrangian,
        x: &DVector<f64>,
        sets: &mut [Sets],
        choose: bool,
        found: &mut Contacts,
    ) -> Ends {
        let Step { weights, start, h, last, known, .. } = self;
        let (n, h) = (start.position.len(), *h);
        let Weights { gamma, beta, .. } = *weights;
        let part = |k: usize| DVector::from(x.rows(k * n, n));
        let a_bar = weights.mean(&last.a[0], &part(0), &last.a[1]);
        let [q, v] = weights.moved(start, &last.a[1], &a_bar, h);
        let motion = Motion { time: start.time + h, position: q + part(2), velocity: v + part(1) };
        system.contacts(&motion, self.reach, found);
        let (mut sums, mut means) = ([(); 3].map(|()| DVector::zeros(n)), Vec::new());
        let mut residual = DVector::zeros(x.len());
        for (i, (predicted, [forces0, bars0])) in known.iter().enumerate() {
            let at = 3 * n + 5 * i;
            let (kappa, jump, force) = (x[at], [x[at + 1], x[at + 3]], [x[at + 2], x[at + 4]]);
            let mean = |k: usize| {
                (weights.force * forces0[k] + (1.0 - weights.force) * force[k] - weights.mass * bars0[k])
                    / (1.0 - weights.mass)
            };
            let bars = [mean(0), mean(1)];
            let pushed = [0, 1].map(|k| jump[k] + h * ((1.0 - gamma) * bars0[k] + gamma * bars[k]));
            let lifted = kappa + h * h * ((0.5 - beta) * bars0[0] + beta * bars[0]);
            means.push([bars, pushed]);
            // What has gone out of reach is as far as that.
            let far = found.find(predicted.key).is_none();
            let contact = found.find(predicted.key).unwrap_or(predicted);
            let gap = if far { self.reach } else { contact.gap };
            for (sum, [normal, along]) in sums.iter_mut().zip([force, jump, [kappa, 0.5 * h * jump[1]]]) {
                sum.axpy(normal, &contact.normal, 1.0);
                sum.axpy(along, &contact.tangent, 1.0);
            }
            let ([u0, s0], [u, slip]) = (contact.along(&start.velocity), contact.along(&motion.velocity));
            let asked =
                [u + contact.law.restitution(-u0) * u0, slip + contact.law.acting_tangential_restitution(-u0) * s0];
            let rate = contact.along(&part(0));
            let [opens, slips] = [rate[0] + contact.turn[0], rate[1] + contact.turn[1]];
            let (friction, mass) = (contact.law.sticking_coefficient(), predicted.asked[0]);
            if choose {
                let closed = mass * gap <= lifted;
                let impact = closed && mass * asked[0] <= pushed[0];
                let sticks = closed && (mass * asked[1] - pushed[1]).abs() <= friction * pushed[0];
                let held = sticks && (mass * slips - force[1]).abs() <= friction * force[0];
                sets[i] = [closed, impact, impact && mass * opens <= force[0], sticks, held];
            }
            let [closed, impact, press, sticks, held] = sets[i];
            let against = |limit: f64, way: f64| if way == 0.0 { 0.0 } else { limit * way.signum() };
            residual[at] = if closed { gap } else { lifted };
            residual[at + 1] = if impact { asked[0] } else { pushed[0] };
            residual[at + 2] = if press { opens } else { force[0] };
            residual[at + 3] = match (closed, sticks) {
                (true, true) => asked[1],
                (true, false) => pushed[1] + against(friction * pushed[0], asked[1]),
                (false, _) => pushed[1],
            };
            residual[at + 4] = match (closed, sticks, held) {
                (true, _, true) => slips,
                (true, true, false) => force[1] + against(friction * force[0], slips),
                (true, false, false) => force[1] + against(friction * force[0], slip),
                (false, ..) => force[1],
            };
        }
        let applied = acceleration(system, &motion);
        for (k, mut sum) in sums.into_iter().enumerate() {
            system.accelerate(&motion.position, &mut sum);
            let left = part(k) - sum - if k == 0 { applied.clone() } else { 0.0 * &applied };
            residual.rows_mut(k * n, n).copy_from(&left);
        }
        Ends { motion, a_bar, means, residual }
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
        system.contacts(&Motion { position: ahead, ..start.clone() }, reach, found);
        found.iter_mut().for_each(|contact| {
            let mut moved = contact.normal.clone();
            system.accelerate(&start.position, &mut moved);
            contact.asked[0] = PROX / contact.normal.dot(&moved);
        });
        let force = |key| last.forces.iter().find(|(known, _)| *known == key).map_or([[0.0; 2]; 2], |(_, f)| *f);
        let known: Vec<_> = found.iter().map(|contact| (contact.clone(), force(contact.key))).collect();
        let step = Step {
            weights: Weights::new(self.radius),
            start: &start,
            h,
            reach: 4.0 * reach,
            last: &last,
            known: &known,
        };
        let mut x = DVector::zeros(3 * n + 5 * known.len());
        x.rows_mut(0, n).copy_from(&last.a[0]);
        for (i, (_, [force, _])) in known.iter().enumerate() {
            [x[3 * n + 5 * i + 2], x[3 * n + 5 * i + 4]] = *force;
        }
        let mut sets = vec![[false; 5]; known.len()];
        let mut change = f64::INFINITY;
        for _ in 0..ITERATIONS {
            let before = sets.clone();
            let ends = step.ends(system, &x, &mut sets, true, found);
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
                moved[j] += WIDTH;
                let residual = step.ends(system, &moved, &mut sets, false, found).residual;
                slopes.set_column(j, &((residual - &ends.residual) / (moved[j] - x[j])));
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

/// Part of a contact's mass by which gaps and velocities are weighed against impulses when sets are chosen; any is right, and this one
/// is that of PyNonsmooth for 1 kg.
const PROX: f64 = 0.3;

/// Difference for the slopes of the equations, which are lines but for the ground's curvature.
const WIDTH: f64 = 1e-6;

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
