//! Contacts that a step closes: by its prediction, or because they would end it too deep.

use nalgebra::Vector2;

use crate::balls::Balls;
use crate::body::Particle;
use crate::contact_impulses::Site;
use crate::neighbours::Neighbour;
use crate::theta::{Closed, Stride};

/// Depth, in radii, to which a ball may end a step; from a deeper place it is moved out.
const DEEP: f64 = 0.5;
/// Accuracy to which that depth is kept, in parts of the smallest radius.
const ACCURACY: f64 = 1e-6;
/// Cosine of the angle between two normals of a ball above which they belong to one contact with the ground.
const SAME_NORMAL: f64 = 0.9;

impl Balls {
    /// Lists the contacts whose gap at the prediction `q₀ + p h v₀` is at most rounding, or the projection's tolerance.
    /// With projection the gap of a lasting contact may be larger, by what forces move the ball in a step. Otherwise
    /// rounding would open contacts of a heap at rest one after the other, and its equilibrium would change each step.
    pub(crate) fn close(&mut self, at: Stride) {
        // A projection leaves places accurate to its tolerance alone.
        let allowance = self.settings.projection.map_or(0.0, |projection| projection.tolerance);
        let to_normals = at.from_prediction_to_normals();
        let n = self.particles.len();
        self.contacts.clear(n);
        for ball in 0..n {
            let now = self.particles[ball].now;
            let q = now.position + now.velocity * (at.prediction * at.step);
            let body = &self.bodies[ball];
            let lasts = self.on_ground[ball].iter().any(|last| last.lasts);
            let moved_by_forces = if lasts { self.particles[ball].moved_by_forces } else { 0.0 };
            self.footings[ball].at(q);
            // Contacts close up to `closing_gap`; the search goes on to where rolling damping acts, a hop's height.
            let closing_gap = self.footings[ball].gap_rounding().max(allowance) + moved_by_forces;
            let reach = closing_gap.max(body.hop(at, &now));
            // `hop` has evaluated the forces.
            self.particles[ball].evaluations += u64::from(body.law.rolling_damping() > 0.0);
            let mut touches = self.footings[ball].touches(&body.ground, q, reach);
            let near = touches.found[0].is_some();
            self.particles[ball].damping = if near { body.law.rolling_damping() } else { 0.0 };
            if reach > closing_gap {
                touches.found = touches.found.map(|touch| touch.filter(|touch| touch.gap <= closing_gap));
            }
            self.grounded[ball] = touches.found.iter().any(Option::is_some);
            for (which, touch) in touches.found.into_iter().enumerate() {
                let Some(touch) = touch else { continue };
                let start = self.on_ground[ball][which].impulse;
                let normal = touch.normal_after(now.velocity, to_normals);
                let closed = Closed::along(&body.law, touch.curvature, across(now.velocity, normal), at);
                let site = Site { ball, other: None, which, gap: touch.gap, normal };
                self.contacts.push(site, Closed { impulse: start, ..closed });
            }
        }
        if n < 2 {
            return;
        }
        self.list_places(at.prediction * at.step);
        for pair in &mut self.neighbours.pairs {
            let q = self.places[pair.first];
            let away = q - self.places[pair.second];
            let reach = self.radii[pair.first] + self.radii[pair.second];
            let distance = away.norm();
            let gap = distance - reach;
            let gap_rounding = self.footings[pair.first].gap_rounding() + self.footings[pair.second].gap_rounding();
            let moved = |ball: usize| self.particles[ball].moved_by_forces;
            let moved_by_forces = if pair.last.lasts { moved(pair.first) + moved(pair.second) } else { 0.0 };
            pair.closed = gap <= gap_rounding.max(allowance) + moved_by_forces && distance > 0.0;
            if pair.closed {
                let [first, second] = [pair.first, pair.second].map(|ball| self.particles[ball].now.velocity);
                // Past the other's centre the direction would point to the far side: the present one is kept.
                let turned = away + (first - second) * to_normals;
                let normal = if turned.dot(&away) > 0.0 { turned } else { away }.normalize();
                let closed = Closed::along(&self.between, -1.0 / reach, across(first - second, normal), at);
                let site = Site::between(pair.first, pair.second, gap, normal);
                self.contacts.push(site, Closed { impulse: pair.last.impulse, ..closed });
            }
        }
    }

    /// Adds contacts that were open at the prediction and end the step deeper than [`Balls::depth`]; returns whether
    /// there are any. Their `gap` is that at the prediction.
    pub(crate) fn close_missed(&mut self, at: Stride) -> bool {
        let tolerance = self.accuracy();
        let before = self.contacts.sites.len();
        for ball in 0..self.particles.len() {
            let (q, reach) = (self.particles[ball].next.position, -self.depth(ball, None) - tolerance);
            let touches = self.footings[ball].touches(&self.bodies[ball].ground, q, reach);
            for touch in touches.found.into_iter().flatten() {
                // A ball has two contacts with the ground at most; one with the normal of a listed one is that.
                let there = |site: &&Site| site.ball == ball && site.other.is_none();
                let known = if self.grounded[ball] { &self.contacts.sites[..] } else { &[] };
                let which = known.iter().filter(there).count();
                if which > 1 || known.iter().filter(there).any(|site| site.normal.dot(&touch.normal) > SAME_NORMAL) {
                    continue;
                }
                self.grounded[ball] = true;
                let speed = across(self.particles[ball].now.velocity, touch.normal);
                let closed = Closed::along(&self.bodies[ball].law, touch.curvature, speed, at);
                let gap = touch.gap - self.drift(ball, at).dot(&touch.normal);
                self.contacts.push(Site { ball, other: None, which, gap, normal: touch.normal }, closed);
            }
        }
        for i in 0..self.neighbours.pairs.len() {
            let Neighbour { first, second, closed, .. } = self.neighbours.pairs[i];
            let away = self.particles[first].next.position - self.particles[second].next.position;
            let distance = away.norm();
            let reach = self.radii[first] + self.radii[second];
            let gap = distance - reach;
            if !closed && distance > 0.0 && gap < -self.depth(first, Some(second)) - tolerance {
                self.neighbours.pairs[i].closed = true;
                let relative = self.particles[first].now.velocity - self.particles[second].now.velocity;
                let normal = away / distance;
                let closed = Closed::along(&self.between, -1.0 / reach, across(relative, normal), at);
                let gap = gap - (self.drift(first, at) - self.drift(second, at)).dot(&normal);
                self.contacts.push(Site::between(first, second, gap, normal), closed);
            }
        }
        self.contacts.sites.len() > before
    }

    /// Depth (m) to which a ball may end a step in the ground or in another ball: 0 with projection, else half the
    /// smaller positive radius, since a deeper ball soon leaves on the far side. ∞ for a point mass in the ground.
    pub(crate) fn depth(&self, ball: usize, other: Option<usize>) -> f64 {
        if self.settings.projection.is_some() {
            return 0.0;
        }
        other.map_or(f64::INFINITY, |other| deep(self.radii[other])).min(deep(self.radii[ball]))
    }

    /// Accuracy to which [`Balls::depth`] is kept, m.
    pub(crate) fn accuracy(&self) -> f64 {
        self.settings.projection.map_or_else(|| ACCURACY * self.smallest(), |projection| projection.tolerance)
    }

    /// The smallest positive radius, m.
    fn smallest(&self) -> f64 {
        self.radii.iter().filter(|radius| **radius > 0.0).fold(f64::INFINITY, |least, radius| least.min(*radius))
    }

    /// Displacement of a ball from its prediction to the end of the step, m.
    fn drift(&self, ball: usize, at: Stride) -> Vector2<f64> {
        let Particle { now, next, .. } = &self.particles[ball];
        next.position - now.position - now.velocity * (at.prediction * at.step)
    }

    /// Whether a contact that was open at the prediction may end the step too deep, by how far balls are from there.
    pub(crate) fn moves_far(&self, at: Stride) -> bool {
        let most = (0..self.particles.len()).fold(0.0_f64, |most, ball| most.max(self.drift(ball, at).norm()));
        2.0 * most > deep(self.smallest())
    }

    /// Whether a contact that was closed at the prediction may end the step too deep.
    pub(crate) fn sinks_far(&self, at: Stride) -> bool {
        self.contacts.sites.iter().any(|contact| {
            let off: f64 =
                [Some(contact.ball), contact.other].iter().flatten().map(|ball| self.drift(*ball, at).norm()).sum();
            contact.gap - off < -self.depth(contact.ball, contact.other)
        })
    }
}

/// Depth to which a ball of this radius may be in something, m; ∞ for a point.
#[inline(always)]
pub(crate) fn deep(radius: f64) -> f64 {
    if radius > 0.0 { DEEP * radius } else { f64::INFINITY }
}

/// Tangential component of a velocity, m/s.
fn across(velocity: Vector2<f64>, normal: Vector2<f64>) -> f64 {
    velocity.perp(&normal)
}
