//! Prediction of a ball's next events.

use curves::{Motion, Path};
use mechanics::Mode;
use nalgebra::Vector2;
use numbers::Rounding;

use crate::calendar::Due;
use crate::cells::{Exit, fall};
use crate::collisions::Collisions;
use crate::meeting::{Encounter, Relative};
use crate::mover::{BallWay, Lying, Mover};
use crate::next::{LyingChange, Next, PairTime};
use crate::{Contact, Kind, Stop, Told};

/// Whether a ball on a straight way goes past another one, or away from it: P has no root ahead.
#[inline(always)]
fn passes(q: Vector2<f64>, v: Vector2<f64>, reach: f64) -> bool {
    let along = q.dot(&v);
    let c = q.norm_squared() - reach * reach;
    // Rounding of the sum is left to the closer look.
    !(along < 0.0) || c > 0.0 && along * along < v.norm_squared() * c * (1.0 - 1e-12)
}

impl Collisions {
    /// Predicts all next events of a ball.
    pub(crate) fn foretell(&mut self, ball: usize) -> Result<(), Stop> {
        if self.is_handed(ball) {
            self.next[ball] = Next::NOTHING;
            self.calendar.set(ball, Due::NEVER);
            return Ok(());
        }
        if let BallWay::Waiting(until) = self.movers[ball].way {
            self.next[ball] = Next::NOTHING;
            self.calendar.set(ball, Due { time: until, approach: 0.0 });
            return Ok(());
        }
        let (q, v) = self.movers[ball].at(self.now);
        self.foretell_way(ball, q, v)?;
        let mut pair = None;
        self.cells.near(ball, |other| self.meet(ball, q, v, other, &mut pair));
        self.next[ball].pair = pair;
        self.enter(ball);
        Ok(())
    }

    /// Predicts anew for a ball that has come into another cell: of the balls that were near before, predictions stay true.
    fn foretell_ahead(&mut self, ball: usize, exit: Exit) -> Result<(), Stop> {
        let (q, v) = self.movers[ball].at(self.now);
        self.foretell_way(ball, q, v)?;
        let mut pair = self.next[ball].pair;
        self.cells.ahead(ball, exit, |other| self.meet(ball, q, v, other, &mut pair));
        self.next[ball].pair = pair;
        self.enter(ball);
        Ok(())
    }

    /// Puts the first of what is to come into the calendar.
    fn enter(&mut self, ball: usize) {
        let Next { pair, ground, closing, cell, change, .. } = self.next[ball];
        let alone = Due { time: ground.min(cell).min(change.0), approach: closing };
        let due = match pair {
            Some(pair) if pair.comes_before(&alone) => Due { time: pair.time, approach: pair.approach },
            _ => alone,
        };
        self.calendar.set(ball, due);
    }

    /// The way out of the cell, the ground up to there, and what changes on straight ground.
    fn foretell_way(&mut self, ball: usize, q: Vector2<f64>, v: Vector2<f64>) -> Result<(), Stop> {
        let Mover { acceleration, way, time, .. } = &self.movers[ball];
        let (acceleration, left) = (*acceleration, self.settings.end - self.now);
        let exit = self.cells.exit(ball, q, v, acceleration);
        let until = exit.after.min(left);
        let next = &mut self.next[ball];
        (next.exit, next.cell, next.ground, next.closing) = (exit, self.now + exit.after, f64::INFINITY, 0.0);
        match *way {
            BallWay::Flying(start) => {
                next.change = Next::NOTHING.change;
                let begins = *time == self.now;
                if let Some((contact, closing)) = self.closing(ball) {
                    (self.next[ball].ground, self.next[ball].closing) = (self.now, closing);
                    self.contacts[ball] = Some(contact);
                    return Ok(());
                }
                if !(until > 0.0) || v == Vector2::zeros() && acceleration == Vector2::zeros() {
                    return Ok(());
                }
                let path = Path::parabola(Motion { position: q, velocity: v, acceleration }, until);
                let departure = start.as_ref().filter(|_| begins).map(|left| &left.departure);
                let found = self.bodies[ball].ground.first_contact(&path, departure, &mut self.search);
                let found = found.map_err(|source| Stop::Search { ball, time: self.now, source })?;
                if let Some(contact) = &found {
                    self.next[ball].ground = self.now + contact.time;
                }
                self.contacts[ball] = found;
            }
            BallWay::Lying(lying) if *time == self.now => {
                let change = self.changes(ball, &lying);
                self.next[ball].change = change;
            }
            _ => {}
        }
        Ok(())
    }

    /// When a ball that lies from now on does something else.
    fn changes(&self, ball: usize, lying: &Lying) -> (f64, LyingChange) {
        let (body, mover) = (&self.bodies[ball], &self.movers[ball]);
        let frame = &lying.touch.frame;
        let range = body.ground.range(lying.touch.place);
        let (speed, rate) = (mover.velocity.dot(&frame.tangent), mover.acceleration.dot(&frame.tangent));
        let room = body.ground.clearance(lying.touch.place).distance;
        let at = lying.touch.place.parameter();
        let [back, forth] = [at - range.lo, range.hi - at].map(|way| (way * frame.speed).min(room));
        let out = fall(forth, -speed, -rate).min(fall(back, speed, rate));
        let mut first = (self.now + out, LyingChange::Room);
        if let Mode::Sliding { sign, .. } = lying.mode
            && sign != 0.0
        {
            // Along the way that it slips, or begins to: a slip that grows from zero does not stop.
            let slip = sign * body.ball.slip(speed, mover.spin);
            let slower = sign * body.ball.slip(rate, mover.spin_acceleration);
            let stops = self.now + fall(slip, slower, 0.0);
            if stops < first.0 {
                first = (stops, LyingChange::Slip);
            }
        }
        first
    }

    /// Whether a ball meets another one before the first of those that it is known to meet.
    #[inline]
    fn meet(&self, ball: usize, q: Vector2<f64>, v: Vector2<f64>, other: usize, first: &mut Option<PairTime>) {
        let [one, two] = [ball, other].map(|ball| &self.movers[ball]);
        let reach = one.ball.radius() + two.ball.radius();
        if reach == 0.0 || matches!(two.way, BallWay::Handed { .. } | BallWay::Waiting(_)) {
            return;
        }
        let (its_place, its_velocity) = two.at(self.now);
        if one.acceleration == two.acceleration && passes(q - its_place, v - its_velocity, reach) {
            return;
        }
        let speed = v.norm() + its_velocity.norm();
        let pull = one.acceleration.norm() + two.acceleration.norm();
        let relative = Relative {
            place: q - its_place,
            velocity: v - its_velocity,
            acceleration: one.acceleration - two.acceleration,
            reach,
            unit: Rounding::of_motion(q.amax() + its_place.amax() + reach, self.now, speed, pull),
        };
        let horizon = first.map_or(self.settings.end, |pair| pair.time) - self.now;
        let (seconds, approach, pressed) = match relative.meeting(horizon) {
            Encounter::Never => return,
            Encounter::After { seconds, approach } => (seconds, approach, false),
            Encounter::Pressed => (0.0, 0.0, true),
        };
        let pair = PairTime { time: self.now + seconds, approach, other, stamp: two.stamp, pressed };
        let sooner = first
            .is_none_or(|known| (pair.time, -pair.approach, pair.other) < (known.time, -known.approach, known.other));
        if sooner {
            *first = Some(pair);
        }
    }

    /// A ball that waits is let go, if its place is free.
    fn let_go(&mut self, ball: usize, tell: &mut dyn FnMut(&Told)) -> Result<(), Stop> {
        let now = self.now;
        self.movers[ball].advance(now);
        if self.nearest(ball).1 < 0.0 {
            self.movers[ball].wait(now + self.settings.stepping.step);
            return self.foretell(ball);
        }
        self.movers[ball].stamp += 1;
        self.movers[ball].way = BallWay::Flying(None);
        self.movers[ball].acceleration = self.bodies[ball].forces.gravity_vector();
        self.begin(ball);
        let ground = &self.bodies[ball].ground;
        let leg = self.movers[ball].leg();
        let place = ground.place_below(leg.state.position);
        tell(&Told {
            kind: Kind::Released,
            ball,
            other: None,
            normal: ground.frame(place).normal,
            place: Some(place),
            states: [leg.state; 2],
            others: None,
            contacts: [Contact::None, leg.contact],
            impulse: [0.0; 2],
            legs: [Some(leg), None],
        });
        self.foretell(ball)
    }

    /// Handles a ball's next event.
    pub(crate) fn happens(&mut self, ball: usize, tell: &mut dyn FnMut(&Told)) -> Result<(), Stop> {
        if self.movers[ball].waits() {
            return self.let_go(ball, tell);
        }
        let Next { pair, ground, closing, cell, exit, change } = self.next[ball];
        if let Some(pair) = pair
            && pair.comes_before(&Due { time: ground.min(cell).min(change.0), approach: closing })
        {
            if self.movers[pair.other].stamp != pair.stamp {
                self.count.outdated += 1;
                return self.foretell(ball);
            }
            if pair.pressed {
                self.hand_over(ball, Some(pair.other), tell);
                self.hand_over(pair.other, Some(ball), tell);
                return Ok(());
            }
            return self.collide(ball, pair.other, tell);
        }
        if ground <= cell.min(change.0) {
            return self.touch_down(ball, tell);
        }
        if change.0 <= cell {
            return self.change(ball, change.1, tell);
        }
        self.count.crossings += 1;
        self.cells.cross(ball, exit);
        self.foretell_ahead(ball, exit)
    }
}
