//! Prediction: which event of a ball is next, and what happens when its time comes?

use curves::{Motion, Path};
use mechanics::Mode;
use moreau::Exit;
use nalgebra::Vector2;
use numbers::Rounding;
use numbers::polynomial::first_fall;

use crate::ball_motion::{BallWay, Lying, Mover};
use crate::calendar::Due;
use crate::event_loop::Collisions;
use crate::pair_collision_time::{Encounter, Relative};
use crate::{CollisionEvent, CollisionKind, CollisionLeg, CollisionStop, Contact};

/// Whether a ball moves away from another one, or passes it further off than `reach`, the sum of their radii (m). It is
/// at q (m) relative to the other one, with the constant relative velocity v (m/s).
#[inline(always)]
fn passes(q: Vector2<f64>, v: Vector2<f64>, reach: f64) -> bool {
    let along = q.dot(&v);
    let c = q.norm_squared() - reach * reach;
    // Cases within rounding are left to [`Relative::meeting`].
    !(along < 0.0) || c > 0.0 && along * along < v.norm_squared() * c * (1.0 - 1e-12)
}

impl Collisions {
    /// Predicts a ball's next events anew, and enters the first of them into the calendar.
    pub(crate) fn predict(&mut self, ball: usize) -> Result<(), CollisionStop> {
        let due = match self.movers[ball].way {
            BallWay::Flying(_) | BallWay::Lying(_) => return self.predict_moving(ball, None),
            BallWay::Handed { .. } => Due::NEVER,
            BallWay::Waiting(until) => Due { time: until, approach: 0.0 },
        };
        self.next[ball] = Next::NOTHING;
        self.calendar.set(ball, due);
        Ok(())
    }

    /// Predicts for a ball that moves. If it has just `crossed` into another cell, its predicted collision stays valid,
    /// and only balls in the new neighbour cells are looked at.
    fn predict_moving(&mut self, ball: usize, crossed: Option<Exit>) -> Result<(), CollisionStop> {
        let (q, v) = self.movers[ball].at(self.now);
        self.predict_alone(ball, q, v)?;
        let mut pair = crossed.and(self.next[ball].pair);
        let meet = |other| self.meet(ball, q, v, other, &mut pair);
        match crossed {
            Some(exit) => self.cells.ahead(ball, exit, meet),
            None => self.cells.near(ball, meet),
        }
        self.next[ball].pair = pair;
        let due = match self.next[ball].first_pair() {
            Some(pair) => Due { time: pair.time, approach: pair.approach },
            None => self.next[ball].alone(),
        };
        self.calendar.set(ball, due);
        Ok(())
    }

    /// Predicts when a ball leaves its cell, hits the ground before that, or changes its motion on straight ground.
    fn predict_alone(&mut self, ball: usize, q: Vector2<f64>, v: Vector2<f64>) -> Result<(), CollisionStop> {
        let Mover { acceleration, way, time, .. } = &self.movers[ball];
        let (acceleration, left) = (*acceleration, self.settings.end - self.now);
        let exit = self.cells.exit(ball, q, v, acceleration);
        let until = exit.after.min(left);
        let next = &mut self.next[ball];
        (next.exit, next.cell, next.ground, next.approach) = (exit, self.now + exit.after, f64::INFINITY, 0.0);
        match *way {
            BallWay::Flying(start) => {
                next.change = Next::NOTHING.change;
                let begins = *time == self.now;
                if let Some((contact, approach)) = self.closing_contact(ball) {
                    (self.next[ball].ground, self.next[ball].approach) = (self.now, approach);
                    self.contacts[ball] = Some(contact);
                    return Ok(());
                }
                if !(until > 0.0) || v == Vector2::zeros() && acceleration == Vector2::zeros() {
                    return Ok(());
                }
                let path = Path::parabola(Motion { position: q, velocity: v, acceleration }, until);
                let departure = start.as_ref().filter(|_| begins).map(|left| &left.departure);
                let found = self.bodies[ball].ground.first_contact(&path, departure, &mut self.search);
                let found = found.map_err(|source| CollisionStop::Search { ball, time: self.now, source })?;
                if let Some(contact) = &found {
                    self.next[ball].ground = self.now + contact.time;
                }
                self.contacts[ball] = found;
            }
            BallWay::Lying(lying) if *time == self.now => {
                self.next[ball].change = self.next_change(ball, &lying);
            }
            _ => {}
        }
        Ok(())
    }

    /// The next change of motion of a ball on straight ground.
    fn next_change(&self, ball: usize, lying: &Lying) -> NextChange {
        let (body, mover) = (&self.bodies[ball], &self.movers[ball]);
        let frame = &lying.touch.frame;
        let range = body.ground.range(lying.touch.place);
        let (speed, rate) = (mover.velocity.dot(&frame.tangent), mover.acceleration.dot(&frame.tangent));
        let room = body.ground.clearance(lying.touch.place).distance;
        let at = lying.touch.place.parameter();
        let [back, forth] = [at - range.lo, range.hi - at].map(|way| (way * frame.speed).min(room).max(0.0));
        let out = first_fall(forth, -speed, -rate).min(first_fall(back, speed, rate));
        let mut first = NextChange { time: self.now + out, kind: LyingChange::Room };
        if let Mode::Sliding { sign, .. } = lying.mode
            && sign != 0.0
        {
            // Slip and its rate along the slip's direction: a slip that begins at zero and grows does not stop.
            let slip = sign * body.ball.slip(speed, mover.spin);
            let slower = sign * body.ball.slip(rate, mover.spin_acceleration);
            let stops = self.now + first_fall(slip.max(0.0), slower, 0.0);
            if stops < first.time {
                first = NextChange { time: stops, kind: LyingChange::Slip };
            }
        }
        first
    }

    /// Replaces `first` by the collision with another ball if that is earlier.
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

    /// Releases a waiting ball; if another ball is in its place, it waits for another `step`.
    fn let_go(&mut self, ball: usize, tell: &mut dyn FnMut(&CollisionEvent)) -> Result<(), CollisionStop> {
        let now = self.now;
        self.movers[ball].advance(now);
        if self.nearest(ball).1 < 0.0 {
            self.movers[ball].wait(now + self.settings.stepping.step);
            return self.predict(ball);
        }
        self.movers[ball].stamp += 1;
        self.movers[ball].way = BallWay::Flying(None);
        self.movers[ball].acceleration = self.bodies[ball].forces.gravity_vector();
        self.begin(ball);
        let leg = self.movers[ball].leg();
        let legs = [CollisionLeg { contact: Contact::None, ..leg }, leg];
        tell(&self.above_ground(CollisionKind::Released, ball, legs));
        self.predict(ball)
    }

    /// Lets the first event of a ball happen, whose time is now.
    pub(crate) fn happens(&mut self, ball: usize, tell: &mut dyn FnMut(&CollisionEvent)) -> Result<(), CollisionStop> {
        if self.movers[ball].waits() {
            return self.let_go(ball, tell);
        }
        let Next { ground, cell, exit, change, .. } = self.next[ball];
        if let Some(pair) = self.next[ball].first_pair() {
            if self.movers[pair.other].stamp != pair.stamp {
                self.count.outdated += 1;
                return self.predict(ball);
            }
            if pair.pressed {
                self.hand_over(ball, Some(pair.other), tell);
                self.hand_over(pair.other, Some(ball), tell);
                return Ok(());
            }
            return self.collide(ball, pair.other, tell);
        }
        if ground <= cell.min(change.time) {
            return self.touch_down(ball, tell);
        }
        if change.time <= cell {
            return self.change(ball, change.kind, tell);
        }
        self.count.crossings += 1;
        self.cells.cross(ball, exit);
        self.predict_moving(ball, Some(exit))
    }
}

/// A predicted collision with another ball.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PairTime {
    /// Time of the collision, s.
    pub time: f64,
    /// Approach speed, m/s.
    pub approach: f64,
    /// Index of the other ball.
    pub other: usize,
    /// Stamp of the other ball at the prediction, which is outdated once the stamp changes.
    pub stamp: u64,
    /// Whether the balls touch and are pressed together now, which no impact ends.
    pub pressed: bool,
}

/// Change of the motion of a ball on straight ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum LyingChange {
    /// Friction has stopped the slip.
    Slip,
    /// The ball is at the end of its straight line, or of the distance known to be free of other ground.
    Room,
}

/// A change of the motion on straight ground that is to come, and its time, s.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NextChange {
    pub time: f64,
    pub kind: LyingChange,
}

/// Predicted events of a ball, the first of each kind; at time ∞: none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Next {
    /// Collision with another ball.
    pub pair: Option<PairTime>,
    /// Time of a contact with the ground, s.
    pub ground: f64,
    /// Approach speed of that contact if it closes now, m/s; else 0.
    pub approach: f64,
    /// Time at which the ball leaves its cell, s, and its way out.
    pub cell: f64,
    pub exit: Exit,
    /// Change of the motion on straight ground.
    pub change: NextChange,
}

impl Next {
    pub const NOTHING: Next = Next {
        pair: None,
        ground: f64::INFINITY,
        approach: 0.0,
        cell: f64::INFINITY,
        exit: Exit { after: f64::INFINITY, axis: 0, step: 0 },
        change: NextChange { time: f64::INFINITY, kind: LyingChange::Room },
    };

    /// The first event without another ball.
    fn alone(&self) -> Due {
        Due { time: self.ground.min(self.cell).min(self.change.time), approach: self.approach }
    }

    /// The collision with another ball, if that is the first event; of simultaneous ones if it is no slower.
    fn first_pair(&self) -> Option<PairTime> {
        let alone = self.alone();
        self.pair.filter(|pair| pair.time < alone.time || pair.time == alone.time && pair.approach >= alone.approach)
    }
}
