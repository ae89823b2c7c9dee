//! A run as its phases see it: what they are told, what they emit.

use curves::{Frame, Place};
use flight::{FlightMethod, FlightStep};
use mechanics::{Mode, State, normal_force};
use nalgebra::Vector2;
use rolling::{Compressed, ContactMethod, ContactState, ContactSystem};

use crate::balance::{Balanced, Meant};
use crate::localisation::Before;
use crate::motion::{Barrier, Motion};
use crate::observer::Samples;
use crate::progress::Progress;
use crate::stretch::Course;
use crate::visit::{Round, Visit};
use crate::{
    Capture, Count, Doing, Event, EventKind, Localisation, Observer, Options, Phase, Sample, Scene, Stop, Stretch,
    Watching,
};

/// Runs one ball over one ground, generic over how it flies and how it rolls.
pub struct Supervisor<'a, F, C> {
    /// The scene as it was given.
    pub(crate) all: &'a Scene,
    /// The part of its ground by which the ball is followed.
    pub(crate) number: usize,
    /// What ended the stretch under way.
    pub(crate) visit: Option<Visit>,
    /// What the ball sees: `whole`, or a layer of it.
    pub(crate) scene: &'a Scene,
    pub(crate) whole: &'a Scene,
    /// Where it was last.
    pub(crate) seen_from: Option<Place>,
    pub(crate) options: Options,
    pub(crate) flight: F,
    pub(crate) contact: C,
    pub(crate) compressed: Compressed,
    pub(crate) motion: Motion,
    /// The step of flight under way, kept to be written in place.
    pub(crate) step: FlightStep,
    pub(crate) count: Count,
    pub(crate) localisation: Localisation,
    /// What the search by a parabola knows of the step before.
    pub(crate) before: Option<Before>,
    pub(crate) samples: Samples,
    pub(crate) progress: Progress,
    /// Times of the last two impacts.
    pub(crate) last_impacts: [f64; 2],
    /// The other contact of a ball that goes along one of two.
    pub(crate) barrier: Option<Barrier>,
    /// Impacts that pass between parts of the ground.
    pub(crate) round: Option<Round>,
    /// The largest λ of the compliant contact under way, N.
    pub(crate) largest_push: f64,
    pub(crate) watching: Watching,
    /// The ball where the run ended within a stretch.
    pub(crate) ended: Option<Sample>,
}

/// Ground evaluations and enclosures of searches allowed for each event or step: more than a plain search needs.
const SEARCH_SHARE: u64 = 256;

impl<'a, F: FlightMethod, C: ContactMethod> Supervisor<'a, F, C> {
    /// The ball touches the ground at a place: from now on it sees what is there for one that was last there.
    #[inline(always)]
    pub(crate) fn see_from(&mut self, place: Place) {
        self.scene = self.whole.seen_from(place);
        self.seen_from = Some(place);
    }

    pub(crate) fn system(&self, mode: Mode, place: Place) -> ContactSystem<'a> {
        self.scene.system(mode, place)
    }

    /// `g̈ = n·F/m − κc v_t²` off the ground.
    pub(crate) fn gap_acceleration(&self, frame: &Frame, force: Vector2<f64>, speed: f64) -> f64 {
        let mass = self.scene.ball.mass();
        -normal_force(mass, frame.curvature, speed, force.dot(&frame.normal)) / mass
    }

    /// Contact begins; a ball that begins it at rest says so at once.
    pub(crate) fn land(
        &mut self,
        state: &State,
        place: Place,
        mode: Mode,
        observer: &mut impl Observer,
    ) -> Result<(), Stop> {
        let before = state;
        self.see_from(place);
        let state = self.system(mode, place).begin(before, place);
        self.motion = Motion::Contact { state, mode };
        self.balance_change(before, &state.state(), place, true)?;
        if mode == Mode::Resting {
            self.emit_change(EventKind::Rest, &state, mode, mode.into(), &state.state(), observer)?;
        }
        Ok(())
    }

    /// The ball leaves the ground.
    pub(crate) fn leave(
        &mut self,
        system: &ContactSystem,
        state: &ContactState,
        kind: EventKind,
        observer: &mut impl Observer,
    ) -> Result<(), Stop> {
        let after = state.state();
        self.motion = Motion::Flight { state: after, departure: Some(self.scene.ground.departure(state.place)) };
        self.flight.restart();
        self.emit_change(kind, state, system.mode, Phase::Flight, &after, observer)
    }

    /// The ball goes on in another mode.
    pub(crate) fn switch(
        &mut self,
        system: &ContactSystem,
        state: &ContactState,
        mode: Mode,
        kind: EventKind,
        observer: &mut impl Observer,
    ) -> Result<(), Stop> {
        let next = self.system(mode, state.place).begin(&state.state(), state.place);
        self.motion = Motion::Contact { state: next, mode };
        self.emit_change(kind, state, system.mode, mode.into(), &next.state(), observer)
    }

    /// Reports an event without impulse.
    pub(crate) fn emit_change(
        &mut self,
        kind: EventKind,
        at: &ContactState,
        from: Mode,
        to: Phase,
        after: &State,
        observer: &mut impl Observer,
    ) -> Result<(), Stop> {
        // A formulation that lets the ball leave the ground a little is put back on it.
        let normal_speed = if to == Phase::Flight { at.normal_speed } else { 0.0 };
        let before = ContactState { normal_speed, ..*at }.state();
        let event = Event::new(kind, [from.into(), to], (at.place, at.frame), [before, *after]);
        self.emit([event].iter(), Meant::NOTHING, observer)
    }

    /// Reports the rows of one event, and balances it.
    #[inline]
    pub(crate) fn emit<'e>(
        &mut self,
        rows: impl Iterator<Item = &'e Event> + Clone,
        meant: Meant,
        observer: &mut impl Observer,
    ) -> Result<(), Stop> {
        for event in rows.clone() {
            self.count.events += 1;
            match event.kind {
                EventKind::Landing => self.count.landings += 1,
                EventKind::LiftOff => self.count.lift_offs += 1,
                EventKind::Touch => self.count.touches += 1,
                _ => {}
            }
            let told = match self.in_parts() {
                true => observer.event(&self.scene.tell_event(event)),
                false => observer.event(event),
            };
            self.samples.asked |= told.is_break();
            self.samples.asked |= self.watching.event(event);
            self.progress.attempt(event.time(), || (Doing::Events(event.kind), event.position()))?;
        }
        let of = self.balanced();
        self.count.balance.rows(of, rows, meant)
    }

    /// Balances a change of phase or of the piece of ground; the ball touches at `place` if `touches`.
    pub(crate) fn balance_change(
        &mut self,
        before: &State,
        after: &State,
        place: Place,
        touches: bool,
    ) -> Result<(), Stop> {
        let of = self.balanced();
        self.count.balance.change(of, before, after, place, touches)
    }

    fn balanced(&self) -> Balanced<'a> {
        Balanced { scene: self.scene, judged: self.localisation == Localisation::Certified }
    }

    /// Ends the run where it does not go on, or where steps and events have used up what is allowed.
    #[inline]
    pub(crate) fn go_on(
        &mut self,
        time: f64,
        at: impl FnOnce(&Motion, &Scene) -> (Doing, Vector2<f64>),
    ) -> Result<(), Stop> {
        self.progress.attempt(time, || at(&self.motion, self.scene))?;
        if self.samples.asked {
            return Err(Stop::Observer { time });
        }
        let Some(limit) = self.options.limit else { return Ok(()) };
        let search = &self.count.search;
        let searched = (search.evaluations + search.enclosures) / SEARCH_SHARE;
        let used = (self.count.events
            + self.flight.count().steps
            + self.contact.count().steps
            + self.compressed.count().steps)
            .max(searched);
        if used > limit { Err(Stop::Limit { time, limit }) } else { Ok(()) }
    }

    /// Emits the motion over a stretch of time, and the samples due on it; an error if the run ends on it.
    #[inline]
    pub(crate) fn stretch(
        &mut self,
        times: [f64; 2],
        course: Course,
        observer: &mut impl Observer,
    ) -> Result<(), Stop> {
        let mut stretch = Stretch::new(self.scene, times, course).after(self.seen_from);
        if self.in_parts() {
            stretch = stretch.of_part(self.number);
            if let Some(time) = self.visits(&stretch)? {
                stretch = stretch.until(time);
                if time > stretch.from() {
                    self.tell(stretch, observer)?;
                }
                return Err(Stop::Observer { time });
            }
        }
        self.tell(stretch, observer)
    }

    /// The same of a stretch that meets no other part of the ground.
    #[inline]
    fn tell(&mut self, stretch: Stretch, observer: &mut impl Observer) -> Result<(), Stop> {
        if self.watching.looks() {
            return self.watched(stretch, observer);
        }
        self.samples.emit(&stretch, observer);
        Ok(())
    }

    /// The same, looking at it first: where the run is to end, the stretch is cut, and nothing after it is told.
    #[cold]
    #[inline(never)]
    fn watched(&mut self, stretch: Stretch, observer: &mut impl Observer) -> Result<(), Stop> {
        let (end, numbers) = self.watching.look(self.scene, &stretch, observer);
        let Some(time) = end else {
            self.samples.emit(&stretch, observer);
            return Ok(());
        };
        let mut sample = stretch.at(time);
        sample.state.time = time;
        self.ended = Some(sample);
        if time > stretch.from() {
            self.samples.emit(&stretch.until(time), observer);
        }
        numbers?;
        Err(Stop::Observer { time })
    }

    /// The last bounces are summed up.
    pub(crate) fn captured(&mut self, capture: &Capture, observer: &mut impl Observer) {
        self.watching.capture();
        observer.capture(&self.scene.tell_capture(capture));
    }

    /// Says how far the run is.
    #[inline]
    pub(crate) fn progressed(&mut self, time: f64, observer: &mut impl Observer) {
        self.samples.asked |= observer.progress(time).is_break();
    }
}
