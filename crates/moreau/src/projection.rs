//! The projection of positions onto g ≥ 0: how are balls moved out of the ground and each other at the end of a step?
//!
//! Acary, *Projected event-capturing time-stepping schemes for nonsmooth mechanical systems with unilateral contact and
//! Coulomb's friction*, Comput. Methods Appl. Mech. Engrg. 256 (2013): the displacement of least norm in M with
//! `0 ≤ g + HᵀΔq ⟂ Π ≥ 0`, linearised anew until no gap is below minus the tolerance. Velocities are not changed.

use mechanics::ContactLaw;
use nalgebra::{Matrix2, Vector2};

use crate::StepError;
use crate::balls::Balls;
use crate::body::{BallMotion, Particle};
use crate::contact_impulses::Site;
use crate::settings::BallSettings;
use crate::theta::Closed;

/// Accuracy of a linearisation's gaps, as a part of the tolerance: another linearisation is due to curvature alone.
const SHARE: f64 = 0.1;

impl Balls {
    /// Moves balls at the end of a step out of the ground and each other, as far as they are deeper than
    /// [`depth`](Balls::depth) allows; returns the number of linearisations. If overlaps remain (balls may be wedged),
    /// keeps the last positions and counts the step.
    pub(crate) fn project(&mut self, time: f64) -> Result<usize, StepError> {
        let (tolerance, iterations) = (self.accuracy(), self.settings.projection.unwrap_or_default().iterations);
        if self.settings.projection.is_some() {
            self.hold(tolerance);
        }
        let mut made = 0;
        loop {
            let worst = self.close_for_projection();
            if worst >= -tolerance {
                return Ok(made);
            }
            // Solves contacts whose free velocities are the gaps: the velocities found are displacements, m.
            self.moved.clear();
            self.moved.extend(self.particles.iter().map(displacement));
            let settings = BallSettings { tolerance: SHARE * tolerance, ..self.settings };
            let mut solve = || self.push.solve(&mut self.moved, &settings, &*self.executor);
            if made >= iterations || solve().map_err(|source| StepError::Contacts { time, source })?.missed {
                self.audit.projected.unclosed += 1;
                self.audit.projected.left = self.audit.projected.left.max(-worst);
                return Ok(made);
            }
            made += 1;
            for (particle, moved) in self.particles.iter_mut().zip(&self.moved) {
                particle.next.position += moved.next.velocity;
            }
        }
    }

    /// Books the displacements of a projection, and the energy they add, in the audit and the ledgers.
    pub(crate) fn count_projection(&mut self, linearisations: usize) {
        let mut moved = false;
        self.audit.projected.iterations += linearisations as u64;
        for ((particle, body), account) in self.particles.iter().zip(&self.bodies).zip(&mut self.accounts) {
            if particle.next.position == particle.unprojected {
                continue;
            }
            moved = true;
            let displacement = (particle.next.position - particle.unprojected).norm();
            let energy = body.potential(particle.next.position) - body.potential(particle.unprojected);
            self.audit.projected.largest = self.audit.projected.largest.max(displacement);
            self.audit.projected.total += displacement;
            self.audit.projected.energy += energy;
            account.projection += energy;
        }
        self.audit.projected.steps += u64::from(moved);
    }

    /// Lowers a ball whose only contact, with the ground, [lasts](Closed::lasts), if its gap exceeds the tolerance (m):
    /// the projection itself only lifts.
    fn hold(&mut self, tolerance: f64) {
        for i in 0..self.contacts.sites.len() {
            let contact = &self.contacts.sites[i];
            let lasts = self.contacts.closed[i].lasts(self.settings.tolerance);
            if contact.other.is_some() || !lasts || self.contacts.count(contact.ball) != 1 {
                continue;
            }
            let q = self.particles[contact.ball].next.position;
            let away = self.settings.step * self.particles[contact.ball].next.velocity.norm();
            let footing = &mut self.footings[contact.ball];
            let touches = footing.touches(&self.bodies[contact.ball].ground, q, footing.gap_rounding() + away);
            if let [Some(touch), None] = touches.found
                && touch.gap > tolerance
            {
                self.particles[contact.ball].next.position -= touch.normal * touch.gap;
            }
        }
    }

    /// Lists contacts by their gap at the end of the step plus the allowed depth, m; returns the smallest sum over
    /// ground contacts and pairs with an impulse. With projection they are those of balls and pairs that the step has
    /// closed: a ball pushed out of an open contact would be lifted before its impact in the next step has taken its
    /// energy. Without, they are those of the ground with all balls that have a radius, of closed pairs, and of pairs
    /// that overlap, so that those are driven no deeper.
    fn close_for_projection(&mut self) -> f64 {
        let mut push = std::mem::take(&mut self.push);
        push.clear(self.particles.len());
        let mut worst = f64::INFINITY;
        let to_close = |gap: f64| Closed { free: [gap, 0.0], ..Closed::new(ContactLaw::SMOOTH) };
        let projects = self.settings.projection.is_some();
        for ball in 0..self.particles.len() {
            let (q, depth) = (self.particles[ball].next.position, self.depth(ball, None));
            if projects && !self.grounded[ball] || depth == f64::INFINITY {
                continue;
            }
            let reach = if projects { self.radii[ball].max(self.footings[ball].gap_rounding()) } else { 0.0 };
            let touches = self.footings[ball].touches(&self.bodies[ball].ground, q, reach);
            for touch in touches.found.into_iter().flatten() {
                let (gap, normal) = (touch.gap + depth, touch.normal);
                worst = worst.min(gap);
                push.push(Site { ball, other: None, which: 0, gap, normal }, to_close(gap));
            }
        }
        let apart = |one: usize, other: usize| {
            let away = self.particles[one].next.position - self.particles[other].next.position;
            let distance = away.norm();
            (distance - self.radii[one] - self.radii[other] + self.depth(one, Some(other)), away / distance)
        };
        for (site, closed) in self.contacts.sites.iter().zip(&self.contacts.closed) {
            let Some(other) = site.other else { continue };
            let (gap, normal) = apart(site.ball, other);
            worst = worst.min(if closed.impulse[0] > 0.0 { gap } else { f64::INFINITY });
            push.push(Site { gap, normal, ..*site }, to_close(gap));
        }
        for pair in self.neighbours.pairs.iter().filter(|pair| !projects && !pair.closed) {
            let (gap, normal) = apart(pair.first, pair.second);
            if gap < self.depth(pair.first, Some(pair.second)) && normal.x.is_finite() {
                let gap = gap.max(0.0);
                push.push(Site::between(pair.first, pair.second, gap, normal), to_close(gap));
            }
        }
        self.push = push;
        worst
    }
}

/// The ball at rest with its mass alone, so that its velocity after impulses is a displacement, least in the norm of M.
fn displacement(particle: &Particle) -> Particle {
    let now = BallMotion { velocity: Vector2::zeros(), spin: 0.0, ..particle.now };
    Particle { now, free: Vector2::zeros(), mobility: Matrix2::identity() / particle.ball.mass(), ..*particle }
}
