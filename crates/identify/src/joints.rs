//! Contact that goes on from one piece of the ground to the next.

use curves::{Beyond, Place};
use numbers::Interval;

use crate::crossing::edge;
use crate::model::{Phase, Vector};
use crate::sweep::{Passed, Sweep, SweepError, Variation};

impl Sweep<'_> {
    /// Follows the phase to a time, from piece to piece.
    pub fn go(&mut self, time: f64) -> Result<(), SweepError> {
        self.gragg.allow();
        self.scout.allow();
        while time > self.time {
            if let Some((forward, next)) = self.stretch(time)? {
                self.hop(forward, next)?;
            }
        }
        Ok(())
    }

    /// Goes on to the place of an event, which may be just beyond a joint.
    pub fn reach(&mut self, place: Place) -> Result<(), SweepError> {
        while let Phase::Contact { place: own, .. } = self.phase
            && !own.same_feature(place)
        {
            let lost = SweepError::Pieces { time: self.time };
            let speed = self.speed();
            let forward = speed > 0.0;
            let away = ((edge(self.base(), own, forward) - self.x[0]) / speed).abs();
            let near = away <= 1e-8 * (1.0 + self.time);
            match self.base().scene.ground.beyond(own, forward) {
                Beyond::Place(next) if near => self.hop(forward, next)?,
                _ => return Err(lost),
            }
        }
        Ok(())
    }

    fn hop(&mut self, forward: bool, next: Place) -> Result<(), SweepError> {
        let from = self.phase;
        if let Some(index) = self.parts(from, forward, next) {
            return Err(SweepError::Shape { index });
        }
        let before = self.observe();
        let shift = self.pass(forward, next)?;
        self.joint = Some(Passed { time: self.time, shift, before });
        Ok(())
    }

    /// A parameter that makes another kind of joint of this one.
    fn parts(&self, from: Phase, forward: bool, next: Place) -> Option<usize> {
        let Phase::Contact { place, .. } = from else { return None };
        let goes_on = |model: &crate::Model| matches!(model.scene.ground.beyond(place, forward), Beyond::Place(there) if there.same_feature(next));
        (0..self.by.len()).find(|j| !self.family.neighbours(*j).all(goes_on))
    }

    /// `ṡ`
    fn speed(&self) -> f64 {
        self.rates(self.time, &self.x)[0]
    }

    fn rates(&self, time: f64, x: &Vector<f64>) -> Vector<f64> {
        self.base().motion(self.phase, time, x)
    }

    /// End of its piece or corner that the state has passed, beyond rounding: `true` for the upper one.
    fn past(&self, s: f64) -> Option<bool> {
        let Phase::Contact { place, .. } = self.phase else { return None };
        let range = self.base().scene.ground.range(place);
        let slack = |edge: f64| 1e-13 * (1.0 + edge.abs());
        if s > range.hi + slack(range.hi) { Some(true) } else { (s < range.lo - slack(range.lo)).then_some(false) }
    }

    /// More ground beyond an end of the piece or corner.
    fn onward(&self, forward: bool) -> Option<Place> {
        let Phase::Contact { place, .. } = self.phase else { return None };
        match self.base().scene.ground.beyond(place, forward) {
            Beyond::Place(next) => Some(next),
            _ => None,
        }
    }

    /// Follows the phase to a time, or to the end of the piece where more ground follows: which way, and what comes next.
    fn stretch(&mut self, time: f64) -> Result<Option<(bool, Place)>, SweepError> {
        let Phase::Contact { place, .. } = self.phase else { return self.follow(time).map(|()| None) };
        if let Some(forward) = self.past(self.x[0])
            && let Some(next) = self.onward(forward)
            && (self.speed() > 0.0) == forward
        {
            return Ok(Some((forward, next)));
        }
        let found = match self.scout(place, time)? {
            Some((met, forward, next)) => {
                self.follow(met)?;
                (met < time).then_some((forward, next))
            }
            None => self.follow(time).map(|()| None)?,
        };
        let range = self.base().scene.ground.range(place);
        let slack = 1e-9 * (1.0 + self.x[0].abs());
        let inside = range.lo - slack <= self.x[0] && self.x[0] <= range.hi + slack;
        if inside { Ok(found) } else { Err(SweepError::Pieces { time: self.time }) }
    }

    /// Goes ahead without derivatives: when the end of the piece is met before a time, which it is, and what comes next.
    fn scout(&mut self, place: Place, time: f64) -> Result<Option<(f64, bool, Place)>, SweepError> {
        let range = self.base().scene.ground.range(place);
        if range == Interval::REAL {
            return Ok(None);
        }
        // Where it is met to this, its saltation does the rest; and events so near come first.
        let little = 1e-10 * (1.0 + time);
        let (base, phase) = (self.base(), self.phase);
        let (mut x, mut now) = (self.x, self.time);
        let (mut until, mut aim) = (time, None);
        while until > now {
            self.go_on(now)?;
            let mut there = x;
            let (mut outside, slack) = (false, 1e-13 * (1.0 + x[0].abs()));
            let mut rates = |t: f64, z: &[f64], out: &mut [f64]| {
                let x: Vector<f64> = std::array::from_fn(|i| z[i]);
                outside |= x[0] < range.lo - slack || x[0] > range.hi + slack;
                out.copy_from_slice(&base.motion(phase, t, &x));
            };
            let then = self.scout.step(&mut there, now, until, &mut rates);
            let then = then.map_err(|time| SweepError::Rough { time })?;
            let past = self.past(there[0]);
            let ahead = past.or(aim).and_then(|forward| Some((forward, self.onward(forward)?)));
            let Some((forward, next)) = ahead else {
                if outside && then - now > little {
                    // Out and back within one step.
                    until = 0.5 * (now + then);
                } else {
                    (x, now, until) = (there, then, time);
                }
                continue;
            };
            let since = (there[0] - edge(base, place, forward)) / self.rates(then, &there)[0];
            let met = then - since;
            if since.abs() <= little {
                return Ok(Some((then, forward, next)));
            }
            if past.is_some() {
                aim = past;
                until = if now < met && met < then { met } else { 0.5 * (now + then) };
                if until - now <= 1e-13 * (1.0 + time) {
                    return Ok(Some((now, forward, next)));
                }
            } else {
                (x, now) = (there, then);
                (until, aim) = if met > then { (met.min(time), aim) } else { (time, None) };
            }
        }
        Ok(None)
    }

    /// Follows the phase to a time, with derivatives.
    fn follow(&mut self, until: f64) -> Result<(), SweepError> {
        let Sweep { family, phase, .. } = *self;
        self.packed[..6].copy_from_slice(&self.x);
        for (group, by) in self.packed[6..].chunks_mut(6).zip(&self.by) {
            group.copy_from_slice(by);
        }
        let mut rates = |t: f64, z: &[f64], out: &mut [f64]| {
            let x: Vector<f64> = std::array::from_fn(|i| z[i]);
            let variation = Variation::of(family, phase, t, &x);
            out[..6].copy_from_slice(&variation.rates);
            for (j, (by, out)) in z[6..].chunks(6).zip(out[6..].chunks_mut(6)).enumerate() {
                out.copy_from_slice(&variation.by(j, by));
            }
        };
        while self.time < until {
            self.go_on(self.time)?;
            let then = self.gragg.step(&mut self.packed, self.time, until, &mut rates);
            self.time = then.map_err(|time| SweepError::Rough { time })?;
        }
        self.x = std::array::from_fn(|i| self.packed[i]);
        for (by, group) in self.by.iter_mut().zip(self.packed[6..].chunks(6)) {
            by.copy_from_slice(group);
        }
        Ok(())
    }
}
