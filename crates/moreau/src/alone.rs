//! The short way of one ball: a constant force and at most one contact.

use curves::turn_left;
use mechanics::Impulses;

use crate::StepError;
use crate::balls::Balls;
use crate::closing::deep;
use crate::contact::{BallContact, regime};
use crate::counts::BallStep;
use crate::energy::Work;
use crate::particle::{Interval, Motion};

impl Balls {
    /// A step in closed form; `None`: it takes the long way (which gives the same up to rounding), and nothing has changed.
    ///
    /// ```text
    /// v_free = v₀ + h F/m      P_n = m max(0, −(ẏ_free + eẏ₀))      P_t = clamp(−m_t(u_free + e_t u₀), ±μP_n)
    /// ```
    ///
    /// with e_t in impacts only.
    #[inline]
    pub(crate) fn step_alone(&mut self, at: Interval) -> Option<Result<BallStep, StepError>> {
        let ([particle], [body], [footing]) =
            (self.particles.as_mut_slice(), self.bodies.as_slice(), self.footings.as_mut_slice())
        else {
            return None;
        };
        let now = particle.now;
        if self.settings.projection.is_some() || body.law.rolling_damping() > 0.0 {
            return None;
        }
        let acceleration = body.forces.constant_acceleration(now.spin)?;
        let h = at.step;
        let q = now.position + now.velocity * (at.prediction * h);
        footing.at(q);
        let grain = footing.grain();
        let touch = match footing.level(&body.ground, q) {
            Some(touch) if touch.gap <= grain => Some(touch),
            Some(_) => None,
            None => match footing.touches(&body.ground, q, grain).found {
                [_, Some(_)] => return None,
                [touch, None] => touch,
            },
        };
        let mut velocity = now.velocity + acceleration * h;
        let (mut spin, mut work) = (now.spin, [0.0; 2]);
        let mut done = None;
        if let Some(touch) = touch {
            let mass = particle.ball.mass();
            let normal = touch.normal_after(now.velocity, at.further());
            let tangent = -turn_left(normal);
            let before = [now.velocity.dot(&normal), now.velocity.dot(&tangent) + particle.arm * now.spin];
            let free = [velocity.dot(&normal), velocity.dot(&tangent) + particle.arm * now.spin];
            let rule = self.rules[0].along(touch.curvature, now.velocity.dot(&tangent), at);
            let [normal_velocity, slip] = rule.restituted(before, free);
            let asked = Impulses { normal: -mass * normal_velocity, tangential: -particle.ball.slip_mass() * slip };
            let Impulses { normal: normal_impulse, tangential: tangential_impulse } = rule.law.given(asked);
            velocity += (normal * normal_impulse + tangent * tangential_impulse) / mass;
            spin += particle.ball.spin_by(tangential_impulse);
            let after = [velocity.dot(&normal), velocity.dot(&tangent) + particle.arm * spin];
            work = [0.5 * normal_impulse * (before[0] + after[0]), 0.5 * tangential_impulse * (before[1] + after[1])];
            let contact = BallContact {
                ball: 0,
                other: None,
                gap: touch.gap,
                normal,
                normal_impulse,
                tangential_impulse,
                normal_velocity: [before[0], after[0]],
                slip: [before[1], after[1]],
                regime: regime(&rule.law, normal_impulse, tangential_impulse, after[1]),
            };
            let mut judged = Work::default();
            judged.add(&contact, free, &rule, mass);
            done = Some((contact, judged.added(0.0)));
        }
        let position = at.moved(now.position, now.velocity, velocity);
        // Where it may end too deep the long way puts it right.
        let gap = done.map_or(0.0, |(contact, _)| contact.gap);
        if gap - (position - q).norm() < -deep(particle.ball.radius()) {
            return None;
        }
        self.done.clear();
        if !(position.x + position.y + velocity.x + velocity.y + spin).is_finite() {
            return Some(Err(StepError::NotFinite { what: "the position or the velocity", time: at.time }));
        }
        if let Some((contact, added)) = done {
            self.audit.anomalies.add(&added, false);
            self.done.push(contact);
        }
        self.accounts[0].normal += work[0];
        self.accounts[0].tangential += work[1];
        let angle = now.angle + h * (at.theta * spin + (1.0 - at.theta) * now.spin);
        particle.now = Motion { position, velocity, angle, spin };
        self.index += 1;
        Some(Ok(BallStep { contacts: self.done.len(), ..BallStep::default() }))
    }
}
