//! Balls that time stepping has: impacts without end, contacts that press, ground that is not straight.
//!
//! Where nobody is stepped, a ball that is handed over is so at once, and its time begins a grid of marks `t₀ + k h`. One that comes
//! while others are stepped goes on as it moves, with the forces that act on it, to their next mark: it may sink in by then as far as
//! it could in a step. There it joins, and with it each ball that could touch it (or another of them) within two steps. Until
//! then, and between the marks, balls in the air do not see those that are stepped: they are looked for at the marks. A ball is
//! given back that has touched nothing for some steps and can touch nothing in twice as many.

use curves::{Motion, Path};
use mechanics::{Mode, State};
use moreau::lcp::friction::Regime;
use moreau::{Audit, BallSettings, Balls, Body, Energy};

use crate::collisions::Collisions;
use crate::foretell::{Due, Next};
use crate::mover::{BallWay, Mover};
use crate::{CollisionKind, CollisionStop, Contact, Told};

/// Steps within which a ball that comes near is taken in.
const NEAR: f64 = 2.0;
/// Steps without contact after which a ball may be given back, if it has none in twice as many.
const FREE: u32 = 4;

impl Collisions {
    /// Takes a ball out of the run event by event.
    pub(crate) fn hand_over(&mut self, ball: usize, other: Option<usize>, tell: &mut dyn FnMut(&Told)) {
        if self.is_handed(ball) || self.movers[ball].waits() {
            return;
        }
        let now = self.now;
        let mover = &mut self.movers[ball];
        mover.advance(now);
        let before = mover.leg();
        let lies = if let BallWay::Lying(lying) = mover.way { Some(lying) } else { None };
        mover.way = BallWay::Handed { contact: Contact::Ground(None), forces: mover.forces(), lies };
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
        let normal = match other {
            Some(other) => {
                let apart = before.state.position - self.movers[other].at(now).0;
                apart / apart.norm()
            }
            None => {
                let ground = &self.bodies[ball].ground;
                ground.frame(ground.place_below(before.state.position)).normal
            }
        };
        let place = other.is_none().then(|| self.bodies[ball].ground.place_below(before.state.position));
        let others = other.map(|other| [self.movers[other].state(); 2]);
        tell(&Told { other, others, ..Told::of(CollisionKind::Handed, ball, normal, place, [before, leg]) });
    }

    /// A mark: the step under way ends, balls come and go, and the next step is made.
    pub(crate) fn make_step(&mut self, tell: &mut dyn FnMut(&Told)) -> Result<(), CollisionStop> {
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
        // The last one ends with the run.
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
        // Between the marks as the scheme has it for θ = 1/2.
        for (local, member) in handed.members.iter().enumerate() {
            let mover = &mut movers[member.ball];
            let after = balls.state(local);
            mover.acceleration = (after.velocity - mover.velocity) / step;
            mover.spin_acceleration = (after.spin - mover.spin) / step;
        }
        Ok(())
    }

    /// Puts balls where their step ends.
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
        // An impact begins a contact faster than forces make a ball in a hop that steps do not resolve.
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
                *contact = Contact::Ground(Some(mode));
                forces[0] += normal / step;
                forces[1] += friction / step;
            }
        }
        pairs.sort_unstable();
    }

    /// Gives back balls that fly freely; whether there were any.
    fn give_back(&mut self, tell: &mut dyn FnMut(&Told)) -> Result<bool, CollisionStop> {
        let mut leaving = std::mem::take(&mut self.handed.found);
        leaving.clear();
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
            let ground = &self.bodies[ball].ground;
            let place = ground.place_below(before.state.position);
            tell(&Told::of(CollisionKind::Returned, ball, ground.frame(place).normal, Some(place), [before, leg]));
        }
        for ball in leaving.iter().copied() {
            self.foretell(ball)?;
        }
        let some = !leaving.is_empty();
        self.handed.found = leaving;
        Ok(some)
    }

    /// Whether a ball that is stepped touches nothing for a while.
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
        // What begins below the ground is not searched for: it is not free.
        let clear = body.ground.gap(mover.position) > 0.0;
        !near && clear && matches!(body.ground.first_contact(&path, None, &mut self.search), Ok(None))
    }

    /// Whether two balls could touch within so many steps.
    fn is_near(&self, one: usize, two: usize, steps: f64) -> bool {
        let [a, b] = [one, two].map(|ball| &self.movers[ball]);
        let [(p, v), (q, w)] = [a, b].map(|mover| mover.at(self.now));
        let pull = self.bodies[one].forces.gravity_vector().norm() + self.bodies[two].forces.gravity_vector().norm();
        let within = steps * self.settings.stepping.step;
        (p - q).norm() - a.ball.radius() - b.ball.radius() <= within * ((v - w).norm() + within * pull)
    }

    /// Takes in those that wait, and those that are near them or others that are stepped; whether there were any.
    fn take_in(&mut self, tell: &mut dyn FnMut(&Told)) -> bool {
        let mut looking: Vec<usize> = self.handed.members.iter().map(|member| member.ball).collect();
        looking.extend_from_slice(&self.handed.waiting);
        while let Some(ball) = looking.pop() {
            let mut found = std::mem::take(&mut self.handed.found);
            found.clear();
            self.cells.near(ball, |other| {
                if !self.handed.is_member[other] && !self.movers[other].waits() && self.is_near(ball, other, NEAR) {
                    found.push(other);
                }
            });
            for other in found.iter().copied() {
                self.hand_over(other, Some(ball), tell);
            }
            looking.extend_from_slice(&found);
            self.handed.found = found;
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

    /// Makes the scheme of those that are here now, for steps of so many s.
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

#[derive(Debug)]
pub(crate) struct Handed {
    pub members: Vec<SteppedBall>,
    /// Their scheme, at the end of the step that is under way.
    pub balls: Option<Balls>,
    /// Audit of the schemes before this one.
    past: Audit,
    /// Balls that join at the next mark.
    pub waiting: Vec<usize>,
    /// Where the marks begin, s, the number of the next one, and its time, s; ∞: nobody is here.
    pub origin: f64,
    pub mark: u64,
    pub due: f64,
    pub found: Vec<usize>,
    /// Contacts of the step before and of this one, in order: the ball, and the other one.
    pub active: [Vec<(usize, Option<usize>)>; 2],
    pub is_member: Vec<bool>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct SteppedBall {
    pub ball: usize,
    /// Its ledger when it joined, or when the scheme was made anew.
    pub base: Energy,
    /// Steps without a contact.
    pub free: u32,
}

impl Handed {
    pub fn new(balls: usize) -> Self {
        Handed {
            members: Vec::new(),
            balls: None,
            past: Audit::default(),
            waiting: Vec::new(),
            origin: 0.0,
            mark: 0,
            due: f64::INFINITY,
            found: Vec::new(),
            active: [Vec::new(), Vec::new()],
            is_member: vec![false; balls],
        }
    }

    /// Audit of all steps until now.
    pub fn audit(&self) -> Audit {
        self.balls.as_ref().map_or(self.past, |balls| *balls.audit())
    }
    /// Ends the scheme; another one goes on with its audit.
    pub fn end(&mut self) -> Audit {
        self.past = self.audit();
        self.balls = None;
        self.past
    }
}
