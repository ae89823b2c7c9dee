//! Contact that goes on from one piece of the ground to the next.

use curves::{Beyond, Place};

use crate::Model;
use crate::crossing::edge;
use crate::model::{Phase, Vector};
use crate::sweep::{Passed, Sweep, SweepError, Variation};

impl Sweep<'_> {
    /// Follows the phase to a time (s), with derivatives.
    pub fn go(&mut self, until: f64) -> Result<(), SweepError> {
        self.gragg.allow();
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
        let Phase::Contact { place, .. } = phase else { return Ok(()) };
        let range = self.base().scene.ground.range(place);
        let slack = 1e-9 * (1.0 + self.x[0].abs());
        let inside = range.lo - slack <= self.x[0] && self.x[0] <= range.hi + slack;
        if inside { Ok(()) } else { Err(SweepError::Pieces { time: self.time }) }
    }

    /// Goes on to the piece or corner of a place, over the joints between, which are where the ball is.
    pub fn reach(&mut self, place: Place) -> Result<(), SweepError> {
        while let Phase::Contact { place: own, .. } = self.phase
            && !own.same_feature(place)
        {
            let lost = SweepError::Pieces { time: self.time };
            let speed = self.base().motion(self.phase, self.time, &self.x)[0];
            let forward = speed > 0.0;
            let away = ((edge(self.base(), own, forward) - self.x[0]) / speed).abs();
            let near = away <= 1e-8 * (1.0 + self.time);
            match self.base().scene.ground.beyond(own, forward) {
                Beyond::Place(next) if near => self.hop(own, forward, next)?,
                _ => return Err(lost),
            }
        }
        Ok(())
    }

    fn hop(&mut self, own: Place, forward: bool, next: Place) -> Result<(), SweepError> {
        // A parameter may make another kind of joint of this one.
        let goes_on = |model: &Model| matches!(model.scene.ground.beyond(own, forward), Beyond::Place(there) if there.same_feature(next));
        if let Some(index) = (0..self.by.len()).find(|j| !self.family.neighbours(*j).all(goes_on)) {
            return Err(SweepError::Shape { index });
        }
        let before = self.observe();
        let shift = self.pass(forward, next)?;
        self.joint = Some(Passed { time: self.time, shift, before });
        Ok(())
    }
}
