//! Prediction of each ball's next events, and the calendar of the first ones.

use std::cmp::Ordering;

use curves::{Motion, Path};
use mechanics::Mode;
use moreau::Exit;
use nalgebra::Vector2;
use numbers::Rounding;
use numbers::polynomial::first_fall;

use crate::ball_motion::{BallWay, Lying, Mover};
use crate::collisions::Collisions;
use crate::meeting::{Encounter, Relative};
use crate::{CollisionKind, CollisionLeg, CollisionStop, Contact, Told};

/// Whether a ball on a straight path passes another one, or moves away from it: P has no root ahead.
#[inline(always)]
fn passes(q: Vector2<f64>, v: Vector2<f64>, reach: f64) -> bool {
    let along = q.dot(&v);
    let c = q.norm_squared() - reach * reach;
    // Cases within rounding are left to the exact computation.
    !(along < 0.0) || c > 0.0 && along * along < v.norm_squared() * c * (1.0 - 1e-12)
}

impl Collisions {
    pub(crate) fn foretell(&mut self, ball: usize) -> Result<(), CollisionStop> {
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

    /// Predicts anew for a ball that has entered another cell; predictions with balls of its former neighbour cells
    /// stay valid.
    fn foretell_ahead(&mut self, ball: usize, exit: Exit) -> Result<(), CollisionStop> {
        let (q, v) = self.movers[ball].at(self.now);
        self.foretell_way(ball, q, v)?;
        let mut pair = self.next[ball].pair;
        self.cells.ahead(ball, exit, |other| self.meet(ball, q, v, other, &mut pair));
        self.next[ball].pair = pair;
        self.enter(ball);
        Ok(())
    }

    /// Enters a ball's first event into the calendar.
    fn enter(&mut self, ball: usize) {
        let Next { pair, ground, closing, cell, change, .. } = self.next[ball];
        let alone = Due { time: ground.min(cell).min(change.0), approach: closing };
        let due = match pair {
            Some(pair) if pair.comes_before(&alone) => Due { time: pair.time, approach: pair.approach },
            _ => alone,
        };
        self.calendar.set(ball, due);
    }

    /// Predicts when a ball leaves its cell, hits the ground before that, or changes its motion on straight ground.
    fn foretell_way(&mut self, ball: usize, q: Vector2<f64>, v: Vector2<f64>) -> Result<(), CollisionStop> {
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
                let found = found.map_err(|source| CollisionStop::Search { ball, time: self.now, source })?;
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

    /// The next change of motion of a ball on straight ground, and its time.
    fn changes(&self, ball: usize, lying: &Lying) -> (f64, LyingChange) {
        let (body, mover) = (&self.bodies[ball], &self.movers[ball]);
        let frame = &lying.touch.frame;
        let range = body.ground.range(lying.touch.place);
        let (speed, rate) = (mover.velocity.dot(&frame.tangent), mover.acceleration.dot(&frame.tangent));
        let room = body.ground.clearance(lying.touch.place).distance;
        let at = lying.touch.place.parameter();
        let [back, forth] = [at - range.lo, range.hi - at].map(|way| (way * frame.speed).min(room).max(0.0));
        let out = first_fall(forth, -speed, -rate).min(first_fall(back, speed, rate));
        let mut first = (self.now + out, LyingChange::Room);
        if let Mode::Sliding { sign, .. } = lying.mode
            && sign != 0.0
        {
            // In the direction of the slip, or of the slip that begins: one that grows from zero does not stop.
            let slip = sign * body.ball.slip(speed, mover.spin);
            let slower = sign * body.ball.slip(rate, mover.spin_acceleration);
            let stops = self.now + first_fall(slip.max(0.0), slower, 0.0);
            if stops < first.0 {
                first = (stops, LyingChange::Slip);
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

    /// Releases a waiting ball, if its place is free.
    fn let_go(&mut self, ball: usize, tell: &mut dyn FnMut(&Told)) -> Result<(), CollisionStop> {
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
        let legs = [CollisionLeg { contact: Contact::None, ..leg }, leg];
        tell(&Told::of(CollisionKind::Released, ball, ground.frame(place).normal, Some(place), legs));
        self.foretell(ball)
    }

    pub(crate) fn happens(&mut self, ball: usize, tell: &mut dyn FnMut(&Told)) -> Result<(), CollisionStop> {
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

/// A predicted collision with another ball.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PairTime {
    /// Time of the collision, s.
    pub time: f64,
    /// Approach speed, m/s.
    pub approach: f64,
    pub other: usize,
    /// Stamp of the other ball at the prediction, which is outdated once the stamp changes.
    pub stamp: u64,
    pub pressed: bool,
}

impl PairTime {
    /// Whether it comes before the ball's next event without other balls.
    pub fn comes_before(&self, alone: &Due) -> bool {
        self.time < alone.time || self.time == alone.time && self.approach >= alone.approach
    }
}

/// Change of the motion of a ball on straight ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum LyingChange {
    Slip,
    /// The ball reaches the end of its line, or of the distance known to be free.
    Room,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Next {
    pub pair: Option<PairTime>,
    /// Time of a contact with the ground, s.
    pub ground: f64,
    /// Approach speed of a contact that closes now, m/s; else 0.
    pub closing: f64,
    /// Time of entering another cell, s.
    pub cell: f64,
    pub exit: Exit,
    pub change: (f64, LyingChange),
}

impl Next {
    pub const NOTHING: Next = Next {
        pair: None,
        ground: f64::INFINITY,
        closing: 0.0,
        cell: f64::INFINITY,
        exit: Exit { after: f64::INFINITY, axis: 0, step: 0 },
        change: (f64::INFINITY, LyingChange::Room),
    };
}

/// A ball's next event. Of simultaneous events the one with the faster approach comes first, then that of the smaller
/// ball index.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Due {
    /// Time, s; ∞: no event.
    pub time: f64,
    /// Approach speed, m/s.
    pub approach: f64,
}

impl Due {
    pub const NEVER: Due = Due { time: f64::INFINITY, approach: 0.0 };

    fn order(&self, other: &Due) -> Ordering {
        self.time.total_cmp(&other.time).then(other.approach.total_cmp(&self.approach))
    }
}

/// Binary heap of each ball's next event; a new event of a ball replaces its old one.
#[derive(Clone, Debug)]
pub(crate) struct Calendar {
    heap: Vec<(Due, usize)>,
    place: Vec<usize>,
}

impl Calendar {
    pub fn new(balls: usize) -> Self {
        Calendar { heap: (0..balls).map(|ball| (Due::NEVER, ball)).collect(), place: (0..balls).collect() }
    }

    #[inline]
    pub fn first(&self) -> Option<(usize, Due)> {
        self.heap.first().map(|(due, ball)| (*ball, *due))
    }

    #[inline]
    pub fn set(&mut self, ball: usize, due: Due) {
        let mut at = self.place[ball];
        self.heap[at].0 = due;
        while at > 0 && self.is_before(at, (at - 1) / 2) {
            self.swap(at, (at - 1) / 2);
            at = (at - 1) / 2;
        }
        loop {
            let child = 2 * at + 1;
            if child >= self.heap.len() {
                return;
            }
            let second = child + 1 < self.heap.len() && self.is_before(child + 1, child);
            let child = child + usize::from(second);
            if !self.is_before(child, at) {
                return;
            }
            self.swap(at, child);
            at = child;
        }
    }

    #[inline(always)]
    fn is_before(&self, one: usize, other: usize) -> bool {
        let ((one, a), (other, b)) = (&self.heap[one], &self.heap[other]);
        // Ties are rare.
        one.time < other.time || one.time == other.time && one.order(other).then(a.cmp(b)) == Ordering::Less
    }

    fn swap(&mut self, one: usize, other: usize) {
        self.heap.swap(one, other);
        self.place[self.heap[one].1] = one;
        self.place[self.heap[other].1] = other;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Entries that are replaced again and again come out in order.
    #[test]
    fn the_first_is_the_smallest() {
        let mut calendar = Calendar::new(17);
        let mut number = 1u64;
        for round in 0..2000 {
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let time = if round % 5 == 0 { f64::INFINITY } else { (number >> 58) as f64 };
            calendar.set((number >> 20) as usize % 17, Due { time, approach: (number >> 40 & 3) as f64 });
            let due = |ball: usize| calendar.heap[calendar.place[ball]].0;
            let least = (0..17).min_by(|a, b| due(*a).order(&due(*b)).then(a.cmp(b)));
            assert_eq!(calendar.first().map(|(ball, _)| ball), least);
        }
    }
}
