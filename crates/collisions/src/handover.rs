//! Balls in time stepping: which balls are handed over to it, how are they stepped, and when do they return?
//!
//! If no ball is in time stepping, one that is handed over joins at once, and its time t₀ begins a grid of marks
//! `t₀ + k h`. Otherwise it moves on, with the forces that act on it, to the next mark; until then it may sink in as
//! far as in a step. At the mark it joins, together with each ball that could touch it (or another ball in time
//! stepping) within two steps. Between the marks, balls in the air don't collide with those in time stepping. A ball
//! returns once it has touched nothing for four steps and can touch nothing in eight.

use curves::{Motion, Path};
use mechanics::{Mode, State};
use moreau::lcp::friction::Regime;
use moreau::{Audit, BallSettings, Balls, Body, Energy};

use crate::ball_motion::{BallWay, Mover};
use crate::calendar::Due;
use crate::event_loop::Collisions;
use crate::prediction::Next;
use crate::{CollisionEvent, CollisionKind, CollisionLeg, CollisionStop, Contact};

/// Number of steps within which a ball that may touch one in time stepping joins it.
const NEAR: f64 = 2.0;
/// Steps without contact after which a ball may return, if it can touch nothing in twice as many.
const FREE: u32 = 4;

impl Collisions {
    /// Hands a ball over to time stepping, because of another ball or of the ground (`None`), and tells so; it joins at
    /// the next mark.
    pub(crate) fn hand_over(&mut self, ball: usize, other: Option<usize>, tell: &mut dyn FnMut(&CollisionEvent)) {
        if matches!(self.movers[ball].way, BallWay::Handed { .. } | BallWay::Waiting(_)) {
            return;
        }
        let now = self.now;
        let mover = &mut self.movers[ball];
        mover.advance(now);
        let before = mover.leg();
        let lies = if let BallWay::Lying(lying) = mover.way { Some(lying) } else { None };
        mover.way = BallWay::Handed { contact: Contact::Stepped, forces: before.forces, lies };
        mover.stamp += 1;
        let leg = mover.leg();
        self.next[ball] = Next::NOTHING;
        self.calendar.set(ball, Due::NEVER);
        self.contacts[ball] = None;
        let handed = &mut self.handed;
        handed.waiting.push(ball);
        handed.is_member[ball] = true;
        if handed.due == f64::INFINITY {
            (handed.origin, handed.mark, handed.due) = (now, 0, now);
        }
        self.count.handed += 1;
        self.count.events += 1;
        tell(&match other {
            Some(it) => {
                let apart = before.state.position - self.movers[it].at(now).0;
                let told = CollisionEvent::of(CollisionKind::Handed, ball, apart / apart.norm(), None, [before, leg]);
                CollisionEvent { other, others: Some([self.movers[it].state(); 2]), ..told }
            }
            None => self.above_ground(CollisionKind::Handed, ball, [before, leg]),
        });
    }

    /// An event without an impulse, told with the place on the ground below the ball.
    pub(crate) fn above_ground(&self, kind: CollisionKind, ball: usize, legs: [CollisionLeg; 2]) -> CollisionEvent {
        let ground = &self.bodies[ball].ground;
        let place = ground.place_below(legs[0].state.position);
        CollisionEvent::of(kind, ball, ground.frame(place).normal, Some(place), legs)
    }

    /// Does what is due at a mark: ends the current step, lets balls return and join, and makes the next step.
    pub(crate) fn make_step(&mut self, tell: &mut dyn FnMut(&CollisionEvent)) -> Result<(), CollisionStop> {
        self.end_step();
        if self.now >= self.settings.end {
            self.handed.due = f64::INFINITY;
            return Ok(());
        }
        let mut changed = self.give_back(tell)?;
        changed |= self.take_in(tell);
        if self.handed.members.is_empty() {
            self.handed.end();
            self.handed.due = f64::INFINITY;
            return Ok(());
        }
        // The last step ends with the run.
        let (whole, end) = (self.settings.stepping.step, self.settings.end);
        let due = self.handed.origin + (self.handed.mark + 1) as f64 * whole;
        let last = due > end;
        let step = if last { end - self.now } else { whole };
        if changed || last || self.handed.balls.is_none() {
            self.make_anew(step)?;
        }
        let Collisions { handed, movers, count, .. } = self;
        let Some(balls) = &mut handed.balls else { return Ok(()) };
        balls.step()?;
        count.steps += 1;
        handed.mark += 1;
        handed.due = due.min(end);
        // Until the next mark members move with constant acceleration, as the scheme has it for θ = 1/2.
        for (local, member) in handed.members.iter().enumerate() {
            let mover = &mut movers[member.ball];
            let after = balls.state(local);
            mover.acceleration = (after.velocity - mover.velocity) / step;
            mover.spin_acceleration = (after.spin - mover.spin) / step;
        }
        Ok(())
    }

    /// Moves members to the end of their step, with its contacts, forces and energies.
    fn end_step(&mut self) {
        let (now, slow) = (self.now, self.settings.capture_speed);
        let Collisions { handed, movers, cells, bodies, count, .. } = self;
        let Handed { members, balls, active, .. } = handed;
        let Some(balls) = balls else { return };
        let step = balls.settings().step;
        for (local, member) in members.iter_mut().enumerate() {
            let mover = &mut movers[member.ball];
            let State { position, velocity, angle, spin, .. } = balls.state(local);
            (mover.time, mover.position, mover.velocity, mover.angle, mover.spin) =
                (now, position, velocity, angle, spin);
            let Energy { kinetic, potential, initial, .. } = member.base;
            mover.account = Energy { kinetic, potential, initial, ..member.base + balls.energy_of(local) };
            mover.way = BallWay::Handed { contact: Contact::None, forces: [0.0; 2], lies: None };
            member.free += 1;
            cells.put(member.ball, position);
        }
        // A contact that begins counts as an impact if it approaches faster than `capture_speed` and than gravity makes
        // a ball in four steps: slower ones are hops that steps do not resolve.
        active.reverse();
        let [before, pairs] = active;
        pairs.clear();
        for contact in balls.contacts().iter().filter(|contact| contact.normal_impulse > 0.0) {
            let pair = (members[contact.ball].ball, contact.other.map(|other| members[other].ball));
            let hop = f64::from(FREE) * step * bodies[pair.0].forces.gravity_vector().norm();
            let is_new = before.binary_search(&pair).is_err();
            count.in_steps += u64::from(is_new && -contact.normal_velocity[0] > slow.max(hop));
            pairs.push(pair);
            for local in [Some(contact.ball), contact.other].into_iter().flatten() {
                let SteppedBall { ball, free, .. } = &mut members[local];
                let mover = &mut movers[*ball];
                *free = 0;
                let [normal, friction] = [contact.normal_impulse, contact.tangential_impulse];
                mover.pushes[0] += normal;
                mover.pushes[1] += friction;
                let speed = mover.velocity.norm().max(mover.ball.radius() * mover.spin.abs());
                let mode = match contact.regime {
                    _ if speed <= slow => Mode::Resting,
                    Regime::SlidingForward => Mode::slides(1.0),
                    Regime::SlidingBackward => Mode::slides(-1.0),
                    _ if mover.ball.turns() => Mode::ROLLING,
                    _ => Mode::Resting,
                };
                let BallWay::Handed { contact, forces, .. } = &mut mover.way else { continue };
                *contact = Contact::Ground(mode);
                forces[0] += normal / step;
                forces[1] += friction / step;
            }
        }
        pairs.sort_unstable();
    }

    /// Returns balls that fly freely to the event-driven run; whether there were any.
    fn give_back(&mut self, tell: &mut dyn FnMut(&CollisionEvent)) -> Result<bool, CollisionStop> {
        let mut leaving = Vec::new();
        for index in 0..self.handed.members.len() {
            let SteppedBall { ball, free, .. } = self.handed.members[index];
            if free >= FREE && self.is_free(ball) {
                leaving.push(ball);
            }
        }
        for ball in leaving.iter().copied() {
            self.handed.members.retain(|member| member.ball != ball);
            self.handed.is_member[ball] = false;
            let gravity = self.bodies[ball].forces.gravity_vector();
            let mover = &mut self.movers[ball];
            let before = mover.leg();
            (mover.acceleration, mover.spin_acceleration) = (gravity, 0.0);
            mover.way = BallWay::Flying(None);
            mover.stamp += 1;
            mover.recent = [f64::NEG_INFINITY; Mover::RECENT];
            let leg = mover.leg();
            self.count.returned += 1;
            self.count.events += 1;
            tell(&self.above_ground(CollisionKind::Returned, ball, [before, leg]));
        }
        for ball in leaving.iter().copied() {
            self.predict(ball)?;
        }
        Ok(!leaving.is_empty())
    }

    /// Whether a ball in time stepping can touch neither the ground nor other balls there in eight steps.
    fn is_free(&mut self, ball: usize) -> bool {
        let while_free = 2.0 * f64::from(FREE) * self.settings.stepping.step;
        let mut near = false;
        self.cells.near(ball, |other| {
            near |= self.handed.is_member[other] && self.is_near(ball, other, 2.0 * f64::from(FREE));
        });
        let (body, mover) = (&self.bodies[ball], &self.movers[ball]);
        let acceleration = body.forces.gravity_vector();
        let path =
            Path::parabola(Motion { position: mover.position, velocity: mover.velocity, acceleration }, while_free);
        // A path that begins below the ground is not searched, and its ball is not free.
        let clear = body.ground.gap(mover.position) > 0.0;
        !near && clear && matches!(body.ground.first_contact(&path, None, &mut self.search), Ok(None))
    }

    /// Whether two balls could touch within `steps` steps, by their velocities and gravity.
    fn is_near(&self, one: usize, two: usize, steps: f64) -> bool {
        let [a, b] = [one, two].map(|ball| &self.movers[ball]);
        let [(p, v), (q, w)] = [a, b].map(|mover| mover.at(self.now));
        let pull = self.bodies[one].forces.gravity_vector().norm() + self.bodies[two].forces.gravity_vector().norm();
        let within = steps * self.settings.stepping.step;
        (p - q).norm() - a.ball.radius() - b.ball.radius() <= within * ((v - w).norm() + within * pull)
    }

    /// Lets waiting balls join, with those near them or near others in time stepping; whether there were any.
    fn take_in(&mut self, tell: &mut dyn FnMut(&CollisionEvent)) -> bool {
        let mut looking: Vec<usize> = self.handed.members.iter().map(|member| member.ball).collect();
        looking.extend_from_slice(&self.handed.waiting);
        while let Some(ball) = looking.pop() {
            let mut found = Vec::new();
            self.cells.near(ball, |other| {
                if !self.handed.is_member[other] && !self.movers[other].waits() && self.is_near(ball, other, NEAR) {
                    found.push(other);
                }
            });
            for other in found.iter().copied() {
                self.hand_over(other, Some(ball), tell);
            }
            looking.extend(found);
        }
        let some = !self.handed.waiting.is_empty();
        for ball in std::mem::take(&mut self.handed.waiting) {
            let now = self.now;
            self.movers[ball].advance(now);
            let position = self.movers[ball].position;
            self.cells.put(ball, position);
            self.handed.members.push(SteppedBall { ball, base: Energy::default(), free: 0 });
        }
        self.handed.members.sort_unstable_by_key(|member| member.ball);
        some
    }

    /// Builds the scheme anew for all members, with steps of `step` s.
    fn make_anew(&mut self, step: f64) -> Result<(), CollisionStop> {
        let Collisions { handed, movers, bodies, now, settings, between, .. } = self;
        let body = |member: &mut SteppedBall| {
            let mover = &movers[member.ball];
            member.base = mover.account;
            let start = State { time: *now, dissipated: 0.0, work: 0.0, ..mover.state() };
            Body { start, ..bodies[member.ball].clone() }
        };
        let bodies = handed.members.iter_mut().map(body).collect();
        let audit = handed.end();
        let settings = BallSettings { step, ..settings.stepping };
        let balls = Balls::resumed(bodies, between.clone(), settings).map_err(CollisionStop::Stepping)?;
        handed.balls = Some(balls.with_audit(audit));
        Ok(())
    }
}

/// Balls in time stepping, and its scheme.
#[derive(Debug, Default)]
pub(crate) struct Handed {
    pub members: Vec<SteppedBall>,
    /// The scheme of all members, at the end of the current step.
    pub balls: Option<Balls>,
    /// Audit of earlier schemes.
    past: Audit,
    /// Balls that join at the next mark.
    pub waiting: Vec<usize>,
    /// Time of the first mark, s; number of the next one; time of that, s (∞: no ball is in time stepping).
    pub origin: f64,
    pub mark: u64,
    pub due: f64,
    /// Contacts of the last step and of this one, sorted: ball, and other ball.
    pub active: [Vec<(usize, Option<usize>)>; 2],
    pub is_member: Vec<bool>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct SteppedBall {
    pub ball: usize,
    /// Energy ledger of a member when the scheme was last built.
    pub base: Energy,
    /// Steps without a contact.
    pub free: u32,
}

impl Handed {
    pub fn new(balls: usize) -> Self {
        Handed { due: f64::INFINITY, is_member: vec![false; balls], ..Handed::default() }
    }

    /// Audit of all steps until now.
    pub fn audit(&self) -> Audit {
        self.balls.as_ref().map_or(self.past, |balls| *balls.audit())
    }
    /// Ends the scheme; its audit is kept for the next one.
    pub fn end(&mut self) -> Audit {
        self.past = self.audit();
        self.balls = None;
        self.past
    }
}
