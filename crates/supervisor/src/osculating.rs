//! A ball that fits its valley, `κR = 1`: its centre would stand still while the contact runs on, and the laws of one
//! contact say nothing of a stretch. The run stops before it.

use curves::{Frame, OffsetGround, Place};
use nalgebra::Vector2;
use numbers::Interval;

use crate::motion::{Compression, Contact, Flight, Motion};
use crate::{Scene, Stop};

impl Scene {
    /// Fails if a ball at a place fits the valley there.
    #[inline]
    pub(crate) fn check_osculation(&self, time: f64, place: Place, frame: &Frame) -> Result<(), Stop> {
        if self.ground.osculates(frame) { Err(self.osculating(time, place, frame.position)) } else { Ok(()) }
    }

    /// The stop of a ball that fits the valley at a place.
    #[cold]
    pub(crate) fn osculating(&self, time: f64, place: Place, centre: Vector2<f64>) -> Stop {
        let shrink = self.ground.shrink(&self.ground.frame(place));
        Stop::Osculating { time, centre, radius: self.ball.radius(), point: self.ground.ground_point(place), shrink }
    }

    /// Fails if a ball on rigid ground fits its valley; a compressed one is looked at step by step.
    #[inline]
    pub(crate) fn check_motion(&self, motion: &Motion) -> Result<(), Stop> {
        match motion {
            Motion::Contact(Contact { state, .. }) => self.check_osculation(state.time, state.place, &state.frame),
            Motion::Wedged(wedged) => {
                (0..2).try_for_each(|i| self.check_osculation(wedged.state.time, wedged.places[i], &wedged.frames[i]))
            }
            Motion::Flight(_) | Motion::Capture(_) | Motion::Compression(_) => Ok(()),
        }
    }

    /// Fails for a start compressed on ground that the ball fits, or in flight with no room to fly: touching such ground, or even
    /// narrower one.
    pub(crate) fn check_start(&self, motion: &Motion) -> Result<(), Stop> {
        let (time, place, centre) = match motion {
            Motion::Compression(Compression { state, .. }) => {
                (state.time, state.place, state.state(&self.ground).position)
            }
            Motion::Flight(Flight { state, .. }) => {
                if self.ground.gap(state.position) > 1e-9 * self.ball.radius() {
                    return Ok(());
                }
                (state.time, self.ground.place_below(state.position), state.position)
            }
            _ => return Ok(()),
        };
        let osculates = self.ground.osculates(&self.ground.frame(place));
        if osculates { Err(self.osculating(time, place, centre)) } else { Ok(()) }
    }
}

/// Parameters around a contact at which the ball is known not to fit its valley, and where it does.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ValleyRoom {
    known: Interval,
    fits: [bool; 2],
}

impl ValleyRoom {
    pub fn around(place: Place) -> Self {
        ValleyRoom { known: Interval::point(place.parameter()), fits: [false; 2] }
    }

    /// The range of a place's piece, up to where the ball fits the valley; parameters in `needed` have been looked at.
    pub fn range(&mut self, ground: &OffsetGround, place: Place, needed: Interval) -> Interval {
        let mut range = ground.range(place);
        if matches!(place, Place::Corner { .. }) || !needed.is_bounded() {
            return range;
        }
        // A little ahead, so that the next steps are known as well.
        let ahead = 8.0 * needed.width();
        let look = |from: f64, to: f64| {
            let reached = ground.osculation_free(place.at(from), to);
            (reached, reached != to)
        };
        if needed.lo < self.known.lo && !self.fits[0] {
            (self.known.lo, self.fits[0]) = look(self.known.lo, range.clamp(needed.lo - ahead));
        }
        if needed.hi > self.known.hi && !self.fits[1] {
            (self.known.hi, self.fits[1]) = look(self.known.hi, range.clamp(needed.hi + ahead));
        }
        if self.fits[0] {
            range.lo = self.known.lo;
        }
        if self.fits[1] {
            range.hi = self.known.hi;
        }
        range
    }
}
