//! Balls as a [`Lagrangian`] system: how does a scheme of the caller move them, and what is booked for its steps?

use std::ops::Range;

use nalgebra::{DVector, Vector2};
use newmark::SchemeError;

use crate::balls::Balls;
use crate::body::BallMotion;
use crate::caller_stepping_scheme::{Contact, ContactKey, Contacts, Lagrangian, Motion, SteppingScheme, fit};
use crate::contact_impulses::Site;
use crate::counts::BallStep;
use crate::theta::{Closed, Stride, hops};
use crate::{Stage, StepError};

/// Coordinates of each ball, or their rates: `(x, y)` and the angle.
#[inline(always)]
fn of_balls(x: &DVector<f64>) -> impl Iterator<Item = (Vector2<f64>, f64)> {
    x.as_slice().chunks_exact(3).map(|part| (Vector2::new(part[0], part[1]), part[2]))
}

#[inline(always)]
fn plane(x: &DVector<f64>, ball: usize) -> Vector2<f64> {
    Vector2::from_column_slice(&x.as_slice()[3 * ball..3 * ball + 2])
}

impl Lagrangian for Balls {
    fn size(&self) -> usize {
        3 * self.len()
    }

    fn acceleration(&mut self, motion: &Motion, a: &mut DVector<f64>) {
        let Motion { time, position, velocity } = motion;
        fit(a, 3 * self.len());
        for ball in 0..self.len() {
            let (forces, particle) = (&self.bodies[ball].forces, &mut self.particles[ball]);
            let spin = velocity.as_slice()[3 * ball + 2];
            let acceleration = forces.constant_acceleration(spin).unwrap_or_else(|| {
                particle.evaluations += 1;
                let force = forces.force(*time, plane(position, ball), plane(velocity, ball), spin);
                force / particle.ball.mass()
            });
            a.as_mut_slice()[3 * ball..3 * ball + 3].copy_from_slice(&[acceleration.x, acceleration.y, 0.0]);
        }
    }

    fn accelerate(&self, _: &DVector<f64>, x: &mut DVector<f64>, part: Range<usize>) -> Range<usize> {
        let balls = part.start / 3..part.end.div_ceil(3);
        let part = 3 * balls.start..3 * balls.end;
        for (x, particle) in x.as_mut_slice()[part.clone()].chunks_exact_mut(3).zip(&self.particles[balls]) {
            let inverse = 1.0 / particle.ball.mass();
            x[0] *= inverse;
            x[1] *= inverse;
            // A moment: R P_t, since the tangent's entry is R.
            x[2] *= if particle.arm > 0.0 { 1.0 / particle.ball.inertia() } else { 0.0 };
        }
        part
    }

    fn contacts(&mut self, motion: &Motion, reach: f64, found: &mut Contacts) {
        let Motion { position, velocity, .. } = motion;
        found.clear(position);
        for ball in 0..self.len() {
            let (q, body, footing) = (plane(position, ball), &self.bodies[ball], &mut self.footings[ball]);
            footing.at(q);
            let reach = reach + footing.gap_rounding();
            let mut touches = footing.touches(&body.ground, q, reach);
            // From left to right (the left wall's normal points right), so that both sides of a valley keep their keys.
            if let [Some(one), Some(other)] = &touches.found
                && one.normal.x < other.normal.x
            {
                touches.found.swap(0, 1);
            }
            for (which, touch) in touches.found.iter().flatten().filter(|touch| touch.gap <= reach).enumerate() {
                let contact = found.add(ContactKey { body: ball, other: None, which }, &body.law, touch.gap);
                let arms = [(ball, self.particles[ball].arm, 1.0)];
                direct(contact, &arms, touch.normal, touch.curvature, velocity);
            }
        }
        if self.len() < 2 {
            return;
        }
        self.places.clear();
        self.places.extend(of_balls(position).map(|(q, _)| q));
        self.list_neighbours(reach);
        for pair in &self.neighbours.pairs {
            let (first, second) = (pair.first, pair.second);
            let sum = self.radii[first] + self.radii[second];
            let away = self.places[first] - self.places[second];
            let distance = away.norm();
            let rounding = self.footings[first].gap_rounding() + self.footings[second].gap_rounding();
            if distance > 0.0 && distance - sum <= reach + rounding {
                let key = ContactKey { body: first, other: Some(second), which: 0 };
                let arms = [(first, 1.0), (second, -1.0)].map(|(ball, sign)| (ball, self.particles[ball].arm, sign));
                let contact = found.add(key, &self.between, distance - sum);
                direct(contact, &arms, away / distance, -1.0 / distance, velocity);
            }
        }
    }
}

/// Sets the directions of a contact and their turning. `balls` has index, lever arm (m) and sign of each ball, −1 for
/// the second one. Along a path of curvature κ (1/m) normal and tangent turn by `ṅ = −κv_tτ` and `τ̇ = κv_t n`.
fn direct(
    contact: &mut Contact,
    balls: &[(usize, f64, f64)],
    n: Vector2<f64>,
    curvature: f64,
    velocity: &DVector<f64>,
) {
    let t = Vector2::new(n.y, -n.x);
    let mut relative = Vector2::zeros();
    for (ball, arm, sign) in balls {
        for (axis, direction) in [(n, &mut contact.normal), (t, &mut contact.tangent)] {
            direction.set(3 * ball, sign * axis.x);
            direction.set(3 * ball + 1, sign * axis.y);
        }
        contact.tangent.set(3 * ball + 2, *arm);
        relative += plane(velocity, *ball) * *sign;
    }
    let speed = curvature * relative.dot(&t);
    contact.turn = [-speed * relative.dot(&t), speed * relative.dot(&n)];
}

/// Balls moved by a scheme of the caller.
pub struct ByScheme {
    scheme: Box<dyn SteppingScheme + Send>,
    motion: Motion,
    contacts: Contacts,
}

impl ByScheme {
    /// Wraps a scheme, which is restarted at the first step.
    pub fn new(scheme: Box<dyn SteppingScheme + Send>) -> Self {
        ByScheme { scheme, motion: Motion::default(), contacts: Contacts::default() }
    }

    /// Makes one step of the balls. The ledger books the power of forces, by its mean of both ends, and for contacts
    /// what their laws take in impacts and by friction. All other energy is the scheme's own:
    /// [`Energy::numerical`](crate::Energy::numerical).
    pub fn step(&mut self, balls: &mut Balls) -> Result<BallStep, StepError> {
        let ByScheme { scheme, motion, contacts } = self;
        let (time, step, n) = (balls.time(), balls.settings.step, 3 * balls.len());
        motion.time = time;
        if motion.position.len() != n {
            let coordinates = balls.particles.iter().map(|p| [p.now.position.x, p.now.position.y, p.now.angle]);
            motion.position = DVector::from_iterator(n, coordinates.flatten());
            let velocities = balls.particles.iter().map(|p| [p.now.velocity.x, p.now.velocity.y, p.now.spin]);
            motion.velocity = DVector::from_iterator(n, velocities.flatten());
            contacts.clear(&motion.position);
            scheme.restart();
        }
        contacts.empty();
        scheme.step(balls, motion, step, contacts).map_err(|error| StepError::Scheme { time, step, error })?;
        if !(motion.position.len() == n && motion.velocity.len() == n && balls.take(motion)) {
            return Err(StepError::NotFinite { what: "the position or the velocity", time });
        }
        let known = |contact: &&Contact| {
            let ContactKey { body, other, which } = contact.key;
            let fits = contact.part().end <= n && contacts.place.len() == n;
            fits && body < balls.len() && other.is_none_or(|other| other < balls.len()) && which < 2
        };
        if let Some(contact) = contacts.iter().find(|contact| contact.pushes() && !known(contact)) {
            let reason = "an impulse at a contact that the system does not have; index of its body";
            let error = SchemeError { reason, value: contact.key.body as f64 };
            return Err(StepError::Scheme { time, step, error });
        }
        Ok(balls.end_step(contacts, Stride { time, step, theta: 0.5, prediction: 1.0 }))
    }
}

impl Balls {
    /// Moves the balls to the end of a step that the scheme has made; whether all numbers are finite.
    #[inline(always)]
    fn take(&mut self, motion: &Motion) -> bool {
        let mut sum = 0.0;
        let balls = of_balls(&motion.position).zip(of_balls(&motion.velocity));
        for (particle, ((position, angle), (velocity, spin))) in self.particles.iter_mut().zip(balls) {
            sum += position.x + position.y + angle + velocity.x + velocity.y + spin;
            particle.next = BallMotion { position, angle, velocity, spin };
            particle.unprojected = position;
        }
        sum.is_finite()
    }

    /// Ends a step that the scheme has made: takes its contacts over, and books its energies.
    #[inline(always)]
    fn end_step(&mut self, contacts: &Contacts, at: Stride) -> BallStep {
        self.contacts.clear(self.particles.len());
        for contact in contacts.iter().filter(|contact| contact.pushes()) {
            let Contact { key: ContactKey { body: ball, other, which }, law, normal, impulse, .. } = contact;
            let normal = Vector2::new(normal.at(3 * ball), normal.at(3 * ball + 1));
            let now = &self.particles[*ball].now;
            // The gap at `q₀ + h v₀`, as for a prediction of a whole step: outputs add the displacement since that
            // place, and find gaps of pairs anew.
            let place = plane(&contacts.place, *ball);
            let gap = contact.gap + (now.position + now.velocity * at.step - place).dot(&normal);
            let hop = hops(law) * contact.turn[0].abs() * at.step;
            self.contacts.push(
                Site { ball: *ball, other: *other, which: *which, gap, normal },
                Closed { impulse: *impulse, hop, ..Closed::new(law.clone()) },
            );
        }
        for contact in 0..self.contacts.sites.len() {
            let velocity = |stage| self.contacts.velocity(&self.particles, contact, stage);
            let (before, after) = (velocity(Stage::Before), velocity(Stage::After));
            (self.contacts.closed[contact].before, self.contacts.closed[contact].after) = (before, after);
        }
        self.account(at, |closed, _| closed.lawful_work());
        self.audit.anomalies.without_restitution += u64::from(contacts.without_restitution);
        self.commit();
        for (told, contact) in self.done.iter_mut().zip(contacts.iter().filter(|contact| contact.pushes())) {
            told.force = contact.force;
        }
        BallStep { contacts: self.done.len(), ..BallStep::default() }
    }
}
