//! Shortcut for one ball under a constant force with at most one contact: a step in closed form, or why not?

use mechanics::{EffectiveMass, ImpactError, Impulses};
use nalgebra::Vector2;

use crate::StepError;
use crate::balls::Balls;
use crate::body::{Body, Particle};
use crate::contact_impulses::Site;
use crate::counts::BallStep;
use crate::energy::ContactWork;
use crate::ground_contact::Footing;
use crate::theta::{self, Closed, Mechanism, Stage, Stride};
use crate::which_contacts_close::deep;

/// One ball under a constant force with at most one contact.
struct Alone<'a> {
    body: &'a Body,
    particle: &'a mut Particle,
    footing: &'a mut Footing,
    acceleration: Vector2<f64>,
    /// Predicted place, m.
    place: Vector2<f64>,
    site: Site,
    closed: Option<Closed>,
}

/// Reason why the shortcut makes no step: the general one is needed, or no step can be made.
enum Instead {
    LongWay,
    Failure(StepError),
}

impl From<ImpactError> for Instead {
    fn from(error: ImpactError) -> Self {
        Instead::Failure(error.into())
    }
}

impl Mechanism for Alone<'_> {
    type Failure = Instead;

    #[inline(always)]
    fn close(&mut self, at: Stride) -> Result<(), Instead> {
        let (now, ground) = (self.particle.now, &self.body.ground);
        let q = now.position + now.velocity * (at.prediction * at.step);
        self.place = q;
        self.footing.at(q);
        let rounding = self.footing.gap_rounding();
        let touch = match self.footing.touches(ground, q, rounding).found {
            [_, Some(_)] => return Err(Instead::LongWay),
            [Some(touch), None] => touch,
            [None, None] => return Ok(()),
        };
        let normal = touch.normal_after(now.velocity, at.from_prediction_to_normals());
        self.site = Site { gap: touch.gap, normal, ..self.site };
        let speed = now.velocity.dot(&self.site.tangent());
        self.closed = Some(Closed::along(&self.body.law, touch.curvature, speed, at));
        Ok(())
    }

    #[inline(always)]
    fn fly(&mut self, at: Stride) -> Result<(), Instead> {
        self.particle.free = self.particle.now.velocity + self.acceleration * at.step;
        Ok(())
    }

    #[inline(always)]
    fn closed(&mut self) -> &mut [Closed] {
        self.closed.as_mut_slice()
    }

    #[inline(always)]
    fn velocity(&self, _: usize, stage: Stage) -> [f64; 2] {
        let (velocity, turning) = self.particle.moves(stage);
        [velocity.dot(&self.site.normal), velocity.dot(&self.site.tangent()) + turning]
    }

    /// `P_n = m max(0, −(ẏ_free + eẏ₀))      P_t = clamp(−m_t(u_free + e_t u₀), ±μP_n)`
    #[inline(always)]
    fn solve(&mut self, _: Stride) -> Result<(), Instead> {
        let Particle { ball, now, next, free, .. } = &mut *self.particle;
        (next.velocity, next.spin) = (*free, now.spin);
        if let Some(closed) = &mut self.closed {
            let ([normal, slip], mass) = (closed.asked(), EffectiveMass::<f64>::of(ball));
            closed.give(Impulses { normal: -mass.normal * normal, tangential: -mass.tangential * slip });
            let [normal, tangential] = closed.impulse;
            next.velocity += (self.site.normal * normal + self.site.tangent() * tangential) / ball.mass();
            next.spin += ball.spin_by(tangential);
        }
        Ok(())
    }

    #[inline(always)]
    fn land(&mut self, at: Stride) -> Result<bool, Instead> {
        let finite = self.particle.land(at);
        // Where the ball may end too deep the general step is needed; without a contact its gap counts as 0.
        let Particle { ball, next, .. } = &*self.particle;
        if self.site.gap - (next.position - self.place).norm() < -deep(ball.radius()) {
            return Err(Instead::LongWay);
        }
        let what = "the position or the velocity";
        if finite { Ok(false) } else { Err(Instead::Failure(StepError::NotFinite { what, time: at.time })) }
    }
}

impl Balls {
    /// Makes a step in closed form; `None`: the general step is needed (it gives the same to rounding).
    #[inline]
    pub(crate) fn step_alone(&mut self, at: Stride) -> Option<Result<BallStep, StepError>> {
        let ([particle], [body], [footing]) =
            (self.particles.as_mut_slice(), self.bodies.as_slice(), self.footings.as_mut_slice())
        else {
            return None;
        };
        if self.settings.projection.is_some() || body.law.rolling_damping() > 0.0 {
            return None;
        }
        let acceleration = body.forces.constant_acceleration(particle.now.spin)?;
        let site = Site { ball: 0, other: None, which: 0, gap: 0.0, normal: Vector2::zeros() };
        let mut alone = Alone { body, particle, footing, acceleration, place: site.normal, site, closed: None };
        match theta::step(&mut alone, at) {
            Err(Instead::LongWay) => return None,
            Err(Instead::Failure(error)) => return Some(Err(error)),
            Ok(()) => {}
        }
        let Alone { particle, site, closed, .. } = &mut alone;
        particle.now = particle.next;
        self.done.clear();
        if let Some(closed) = closed {
            let mut judged = ContactWork::default();
            judged.add(closed, particle.ball.mass());
            self.audit.anomalies.add(&judged.added(0.0), false);
            let [normal, tangential] = closed.work();
            self.accounts[0].normal += normal;
            self.accounts[0].tangential += tangential;
            self.done.push(site.told(closed));
        }
        self.index += 1;
        Some(Ok(BallStep { contacts: self.done.len(), ..BallStep::default() }))
    }
}
