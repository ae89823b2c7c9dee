//! Impacts: which velocities do they leave, and which motion follows: flight, contact with straight ground, or time
//! stepping?

use curves::{FirstContact, Frame, turn_left};
use mechanics::{ContactForces, EffectiveMass, Mode, Press, impact, is_low_hop, normal_force};
use moreau::Body;
use nalgebra::Vector2;
use numbers::Rounding;

use crate::ball_motion::{BallWay, LeftGround, Lying, Touch};
use crate::event_loop::Collisions;
use crate::prediction::LyingChange;
use crate::{CollisionEvent, CollisionKind, CollisionStop};

type Touches = [Option<Touch>; 2];

impl Collisions {
    /// Starts a ball: in the air, on the ground, or about to hit it.
    pub(crate) fn begin(&mut self, ball: usize) {
        let ground = &self.bodies[ball].ground;
        let (place, gap) = ground.place_and_gap(self.movers[ball].position);
        if gap > Rounding::SUM * self.unit(ball).length {
            return;
        }
        let touches = self.touches_at(ball, Touch { place, frame: ground.frame(place) });
        if self.stand(ball, touches) {
            self.hand_over(ball, None, &mut |_| ());
        }
    }

    /// A contact with the ground, and the second one of the same ball if there is one.
    fn touches_at(&self, ball: usize, touch: Touch) -> Touches {
        let ground = &self.bodies[ball].ground;
        let near = Rounding::SUM * self.unit(ball).length;
        let second = ground
            .second_contact(touch.place, near, -self.movers[ball].velocity)
            .filter(|(_, distance)| *distance <= near);
        [Some(touch), second.map(|(place, _)| Touch { place, frame: ground.frame(place) })]
    }

    /// Contacts of a ball with the ground now: that it lies on, those it has just left, or those about to close.
    fn touches(&self, ball: usize) -> Touches {
        let mover = &self.movers[ball];
        match &mover.way {
            BallWay::Lying(lying) => [Some(lying.touch.moved(&self.bodies[ball].ground, mover.position)), None],
            BallWay::Flying(left) => {
                let unit = self.unit(ball);
                let soon = (self.next[ball].ground - self.now).abs() * mover.velocity.norm();
                match (left, &self.contacts[ball]) {
                    (Some(left), _)
                        if Rounding::vanishes((self.now - left.time) * mover.velocity.norm(), unit.length) =>
                    {
                        left.touches
                    }
                    (_, Some(contact)) if Rounding::vanishes(soon, unit.length) => {
                        self.touches_at(ball, Touch::from(contact))
                    }
                    _ => [None; 2],
                }
            }
            BallWay::Handed { .. } | BallWay::Waiting(_) => [None; 2],
        }
    }

    /// The contact that a ball left at this very time and is driven into again, and its approach speed, m/s.
    pub(crate) fn closing_contact(&self, ball: usize) -> Option<(FirstContact, f64)> {
        let mover = &self.movers[ball];
        let BallWay::Flying(Some(left)) = &mover.way else { return None };
        if left.time != self.now {
            return None;
        }
        let least = Rounding::SUM * self.unit(ball).velocity;
        let close = |touch: &Touch| -mover.velocity.dot(&touch.frame.normal);
        let fastest = left.touches.iter().flatten().max_by(|one, other| close(one).total_cmp(&close(other)))?;
        let Touch { place, frame } = *fastest;
        let ground = &self.bodies[ball].ground;
        let (rounding, departure) = (ground.rounding(place), Some(ground.departure(place)));
        (close(fastest) > least)
            .then(|| (FirstContact { time: 0.0, place, frame, rounding, bent: 0.0, departure }, close(fastest)))
    }

    /// Makes the predicted impact of a ball with the ground.
    pub(crate) fn touch_down(
        &mut self,
        ball: usize,
        tell: &mut dyn FnMut(&CollisionEvent),
    ) -> Result<(), CollisionStop> {
        let Some(contact) = self.contacts[ball].take() else { return self.predict(ball) };
        self.counted(ball)?;
        let now = self.now;
        let body = &self.bodies[ball];
        let (law, force) = (body.law.clone(), body.forces.gravity_vector() * body.ball.mass());
        let frame = contact.frame;
        let held = match &self.movers[ball].way {
            BallWay::Flying(Some(left)) if left.time == now => Some(left.touches),
            _ => None,
        };
        let mover = &mut self.movers[ball];
        mover.advance(now);
        mover.position = frame.position;
        let before = mover.leg();
        let hit = impact(&mover.ball, &law, &frame, mover.velocity, mover.spin)
            .map_err(|source| CollisionStop::Impact { ball, time: now, source })?;
        let impulse = [hit.normal_impulse, hit.tangential_impulse];
        let [normal, tangential] = mover.struck([frame.normal, frame.tangent], impulse, hit.velocity(&frame), hit.spin);
        mover.account.normal += normal;
        mover.account.tangential += tangential;
        mover.stamp += 1;
        self.count.ground += 1;
        // On straight ground a slow or a low bounce is the last one: the rest of its energy is taken at once.
        let unit = self.unit(ball);
        let straight = self.lies_straight(ball, &Touch::from(&contact));
        let up = hit.normal_velocity;
        let pull = -force.dot(&frame.normal) / self.movers[ball].ball.mass();
        let slow = !law.is_elastic() && up <= self.settings.capture_speed;
        let ends = straight && pull > 0.0 && (slow || is_low_hop(up, pull, unit.length));
        if ends {
            let mover = &mut self.movers[ball];
            mover.velocity = frame.tangent * hit.tangential_velocity;
            mover.account.normal -= 0.5 * mover.ball.mass() * up * up;
        }
        let window = self.settings.stepping.step;
        let endless = !law.is_elastic() && !straight && self.movers[ball].hit(now, window);
        let touches = held.unwrap_or_else(|| self.touches_at(ball, Touch::from(&contact)));
        let must_step = self.stand(ball, touches);
        let mover = &self.movers[ball];
        let lies = matches!(mover.way, BallWay::Lying(_));
        self.count.landings += u64::from(lies);
        let kind = if lies { CollisionKind::Landing } else { CollisionKind::Impact };
        let legs = [before, mover.leg()];
        tell(&CollisionEvent { impulse, ..CollisionEvent::of(kind, ball, frame.normal, Some(contact.place), legs) });
        if endless || must_step {
            self.hand_over(ball, None, tell);
        }
        self.predict(ball)
    }

    /// Makes the impact of two balls.
    pub(crate) fn collide(
        &mut self,
        one: usize,
        two: usize,
        tell: &mut dyn FnMut(&CollisionEvent),
    ) -> Result<(), CollisionStop> {
        self.counted(one)?;
        let now = self.now;
        let both = [one, two];
        let touches = both.map(|ball| {
            self.movers[ball].advance(now);
            self.touches(ball)
        });
        let [a, b] = both.map(|ball| &self.movers[ball]);
        let apart = a.position - b.position;
        let normal = apart / apart.norm();
        let tangent = -turn_left(normal);
        let before = [a.leg(), b.leg()];
        let law = self.between.clone();
        let opening = (a.velocity - b.velocity).dot(&normal);
        law.check_approach(-opening).map_err(|source| CollisionStop::Impact { ball: one, time: now, source })?;
        let slip = a.ball.slip(a.velocity.dot(&tangent), a.spin) + b.ball.slip(-b.velocity.dot(&tangent), b.spin);
        let mass = EffectiveMass::of(&a.ball).against(EffectiveMass::of(&b.ball));
        let given = law.given(law.asked(mass, opening, slip));
        let impulse = [given.normal, given.tangential];
        let works =
            [self.movers[one].push(normal, tangent, impulse), self.movers[two].push(-normal, -tangent, impulse)];
        self.movers[one].account.book_pair(works[0], works[1]);
        self.movers[two].account.book_pair(works[1], works[0]);
        self.count.pairs += 1;
        let mut handed = [false; 2];
        for (i, ball) in both.into_iter().enumerate() {
            self.movers[ball].stamp += 1;
            let endless = !law.is_elastic() && self.movers[ball].hit(now, self.settings.stepping.step);
            handed[i] = self.stand(ball, touches[i]) || endless;
        }
        let [a, b] = both.map(|ball| self.movers[ball].leg());
        let (others, legs) = (Some([before[1].state, b.state]), [Some(a), Some(b)]);
        let told = CollisionEvent::of(CollisionKind::Impact, one, normal, None, [before[0], a]);
        tell(&CollisionEvent { other: Some(two), others, impulse, legs, ..told });
        for (i, ball) in both.into_iter().enumerate() {
            if handed[i] {
                self.hand_over(ball, Some(both[1 - i]), tell);
            }
        }
        self.predict(one)?;
        self.predict(two)
    }

    /// A change of motion on straight ground: the slip ends, or the ball is at the end of the known free distance.
    pub(crate) fn change(
        &mut self,
        ball: usize,
        why: LyingChange,
        tell: &mut dyn FnMut(&CollisionEvent),
    ) -> Result<(), CollisionStop> {
        let now = self.now;
        let BallWay::Lying(lying) = self.movers[ball].way else { return self.predict(ball) };
        self.counted(ball)?;
        self.movers[ball].advance(now);
        let touch = lying.touch.moved(&self.bodies[ball].ground, self.movers[ball].position);
        let before = self.movers[ball].leg();
        self.movers[ball].stamp += 1;
        match why {
            LyingChange::Slip => {
                let mover = &mut self.movers[ball];
                let [speed, spin] = mover.ball.stuck(mover.velocity.dot(&touch.frame.tangent), mover.spin);
                (mover.velocity, mover.spin) = (touch.frame.tangent * speed, spin);
                self.lie(ball, touch);
                let legs = [before, self.movers[ball].leg()];
                tell(&CollisionEvent::of(CollisionKind::Changes, ball, touch.frame.normal, Some(touch.place), legs));
            }
            LyingChange::Room => {
                let ground = &self.bodies[ball].ground;
                let range = ground.range(touch.place);
                let at = touch.place.parameter();
                let speed = self.movers[ball].velocity.norm();
                let end = (at - range.lo).min(range.hi - at) * touch.frame.speed;
                // Nearer than the length of a step there is a corner, an end, or another ground to touch.
                let room = ground.clearance(touch.place).distance.min(end);
                if room <= speed * self.settings.stepping.step {
                    self.hand_over(ball, None, tell);
                } else {
                    self.lie(ball, touch);
                }
            }
        }
        self.predict(ball)
    }

    /// Whether the ground is straight at a contact.
    fn lies_straight(&self, ball: usize, touch: &Touch) -> bool {
        let curves::Place::Piece { index, .. } = touch.place else { return false };
        touch.frame.curvature == 0.0 && self.bodies[ball].ground.ground().piece(index).is_straight()
    }

    /// Starts the motion after an impact, by the contacts with the ground: flight if the ball leaves all or is driven
    /// into one (the next impact); contact with straight ground if it stays on that alone. Else it returns true: the
    /// ball must be handed over to time stepping.
    #[must_use]
    fn stand(&mut self, ball: usize, touches: Touches) -> bool {
        let mover = &mut self.movers[ball];
        let gravity = self.bodies[ball].forces.gravity_vector();
        (mover.acceleration, mover.spin_acceleration) = (gravity, 0.0);
        let Some(first) = touches[0] else {
            mover.way = BallWay::Flying(None);
            return false;
        };
        let least = Rounding::SUM * self.unit(ball).velocity;
        let velocity = self.movers[ball].velocity;
        let up = |touch: &Touch| velocity.dot(&touch.frame.normal);
        let Body { ground, ball: own, .. } = &self.bodies[ball];
        let driven = touches.iter().flatten().any(|touch| up(touch) < -least);
        let stays = |touch: &&Touch| {
            let Frame { curvature, normal, .. } = touch.frame;
            let push =
                normal_force(own.mass(), curvature, touch.frame.along(velocity), own.mass() * gravity.dot(&normal));
            up(touch) <= least && Press::of(push, 0.0).is_some_and(Press::stays)
        };
        let mut staying = touches.iter().flatten().filter(stays);
        if !driven && let Some(touch) = staying.next() {
            if staying.next().is_some() || !self.lies_straight(ball, touch) {
                self.movers[ball].way = BallWay::Flying(None);
                return true;
            }
            self.lie(ball, *touch);
            return false;
        }
        let departure = match touches[1] {
            Some(second) => ground.departure_from_two([first.place, second.place]),
            None => ground.departure(first.place),
        };
        self.movers[ball].way = BallWay::Flying(Some(LeftGround { time: self.now, touches, departure }));
        false
    }

    /// Puts a ball onto straight ground, in the mode that begins there.
    fn lie(&mut self, ball: usize, touch: Touch) {
        let body = &self.bodies[ball];
        let mover = &mut self.movers[ball];
        let frame = &touch.frame;
        let force: Vector2<f64> = body.forces.gravity_vector() * body.ball.mass();
        let speed = mover.velocity.dot(&frame.tangent);
        let slip = body.ball.slip_velocity(speed, mover.spin);
        let mode = Mode::begin(&body.ball, &body.law, frame, force, speed, slip);
        let acts = ContactForces::at(&body.ball, &body.law, frame, force, speed, mode);
        mover.position = frame.position;
        mover.velocity = frame.tangent * speed;
        mover.acceleration = frame.tangent * acts.acceleration;
        mover.spin_acceleration = acts.spin_acceleration;
        mover.way = BallWay::Lying(Lying { touch, mode, forces: [acts.normal_force, acts.friction_force] });
    }
}
