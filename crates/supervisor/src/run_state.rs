//! A run as its phases see it: state kept between steps, what they emit, how far they may go.

use curves::{FirstContact, Frame, Place, Touched};
use flight::{FlightMethod, FlightStep};
use mechanics::{Mode, Press, State, normal_force};
use nalgebra::Vector2;
use numbers::Rounding;
use rolling::{Compressed, ContactMethod, ContactState, ContactStep, ContactSystem};

use crate::contact_by_parabola::LastGaps;
use crate::endless_tossing::Round;
use crate::energy_judge::Ledger;
use crate::event::TouchPoint;
use crate::event_balance::{Balanced, IntendedChange};
use crate::motion_within_step::StretchCourse;
use crate::moving_parts::PartTouches;
use crate::no_progress::Progress;
use crate::observer::DueSamples;
use crate::phase_states::{Barrier, Contact, Flight, StopIn, Stopped, Transition};
use crate::start::gap_rounding;
use crate::{
    Capture, Count, Doing, Event, EventKind, Localisation, Observer, Options, Phase, Sample, Scene, Stop, Stretch,
    Watching,
};

/// A run under way, with its observer.
pub(crate) struct Live<'r, 'a, F, C> {
    pub run: &'r mut Run<'a, F, C>,
    pub observer: &'r mut dyn Observer,
}

/// Another part of the ground that the ball meets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Visit {
    /// Index of that part.
    pub number: usize,
    pub contact: FirstContact,
    /// The ball at the contact, in the frame of the part it comes from.
    pub sample: Sample,
}

/// A run as its phases see it, generic over the methods of flight and contact.
pub(crate) struct Run<'a, F, C> {
    /// The scene as it was given.
    pub all: &'a Scene,
    /// Contact with another part of the ground that ended the current stretch.
    pub visit: Option<Visit>,
    /// The part of `all` in whose frame the ball is followed, with all its strands.
    pub part: &'a Scene,
    /// `part` with only the strands that are solid for the ball.
    pub scene: &'a Scene,
    pub options: Options,
    /// The current step of flight, reused in place.
    pub step: FlightStep,
    pub samples: DueSamples,
    pub progress: Progress,
    /// The ball where the run ended within a stretch.
    pub ended: Option<Sample>,
    pub kept: KeptRun<F, C>,
}

/// State kept from step to step; with the motion it is all that a run needs to continue.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct KeptRun<F, C> {
    pub flight: F,
    pub contact: C,
    pub compressed: Compressed,
    pub count: Count,
    pub ledger: Ledger,
    pub localisation: Localisation,
    /// Gaps on the step before, for the search by a parabola.
    pub before: Option<LastGaps>,
    /// Times of the last two impacts, s, the earlier one first.
    pub last_impacts: [f64; 2],
    /// The second contact that the ball moves away from, and would meet on its way back.
    pub barrier: Option<Barrier>,
    /// Detection of endless impacts between parts of the ground.
    pub round: Option<Round>,
    /// The last touches on two parts of the ground.
    pub part_touches: PartTouches,
    /// The largest λ of the current compliant contact, N.
    pub largest_push: f64,
    pub watching: Watching,
    /// Places of the last touches on curves that cross themselves.
    pub touched: Touched,
    /// Index of the part of the ground in whose frame the ball is followed.
    pub number: usize,
}

/// Evaluations of the ground and enclosures allowed for each event or step: more than an ordinary search needs.
const SEARCH_SHARE: u64 = 256;

impl<'a, F: FlightMethod, C: ContactMethod> Live<'_, 'a, F, C> {
    /// Notes the place touched last, on ground that crosses itself. Returns whether other strands are solid from now
    /// on. Changes nothing if the ball overlaps a strand that would become solid, or if the place is a corner that the
    /// ground would no longer have.
    #[inline(always)]
    pub fn note_touch(&mut self, place: Place) -> bool {
        self.run.scene.ground.crosses_itself() && self.sees_from(place)
    }

    #[cold]
    fn sees_from(&mut self, place: Place) -> bool {
        let ground = &self.run.scene.ground;
        let (touched, centre) = (ground.touching(self.run.kept.touched, place), ground.frame(place).position);
        let others = touched.strands() != self.run.kept.touched.strands();
        if others {
            let seen = self.run.part.with_strands(touched);
            let (nearest, gap) = seen.ground.place_and_gap(centre);
            if seen.ground.range(place).is_undefined() || gap < -gap_rounding(&seen.ground, nearest, centre) {
                return false;
            }
            self.run.scene = seen;
        }
        self.run.kept.touched = touched;
        others
    }

    pub fn system(&self, mode: Mode, place: Place) -> ContactSystem<'a> {
        self.run.scene.system(mode, place)
    }

    /// λ (N) that contact with `v·τ = speed` (m/s) would need under a force (N), for [`Press`].
    pub fn normal_force(&self, frame: &Frame, force: Vector2<f64>, speed: f64) -> f64 {
        normal_force(self.run.scene.ball.mass(), frame.curvature, speed, force.dot(&frame.normal))
    }

    /// Projects a state whose method does not hold `v·n = 0` onto that, and counts it; with `leaves` only if `v·n < 0`.
    pub fn on_the_ground(&mut self, state: &ContactState, leaves: bool) -> ContactState {
        if state.normal_speed == 0.0 || leaves && state.normal_speed > 0.0 {
            return *state;
        }
        self.run.kept.count.projected.velocities.see(state.normal_speed);
        ContactState { normal_speed: 0.0, ..*state }
    }

    /// Corrects the end of a step whose method carries an acceleration of its own, if the λ of that is negative: the
    /// ground would pull. Projects the velocity onto `v·n = 0`, and takes acceleration and forces by design §2.
    pub fn put_back(&mut self, system: &ContactSystem, step: &mut ContactStep) {
        let own = if step.is_carried() { system.multiplier(&step.end)[0] } else { return };
        if Press::of(own, 0.0) == Some(Press::Leaves) {
            step.end = self.on_the_ground(&step.end, false);
            system.relabel(&mut step.end);
            let (change, unit) = (step.end.normal_force - own, step.end.rounding(system, step.end.time).acceleration);
            if !Rounding::vanishes(change, unit * system.ball.mass()) {
                self.run.kept.count.projected.forces.see(change);
            }
        }
    }

    /// Begins contact in a mode with a ball in the state `before`; contact that begins at rest emits a rest event too.
    pub fn land(&mut self, before: &State, place: Place, mode: Mode) -> Transition {
        self.note_touch(place);
        let contact = Contact::begin(self.run.scene, mode, before, place);
        let state = &contact.state;
        self.balance_change(before, &state.state(), place, true).stop_in(&contact)?;
        if mode == Mode::Resting {
            self.emit_change(EventKind::Rest, state, mode, mode.into(), &state.state()).stop_in(&contact)?;
        }
        Ok(contact.into())
    }

    /// Begins flight from the ground, with an event of this kind.
    pub fn leave(&mut self, system: &ContactSystem, state: &ContactState, kind: EventKind) -> Transition {
        self.note_touch(state.place);
        let state = &self.on_the_ground(state, true);
        let (mut leaves, normal) = (state.state(), state.frame.normal);
        // The v·n of a ball along the ground is rounding; no flight may begin with one into the ground.
        if normal.dot(&leaves.velocity) < 0.0 {
            leaves.velocity += normal * (4.0 * f64::EPSILON * leaves.velocity.norm());
        }
        let flight = Flight::leaving(&self.run.scene.ground, leaves, state.place);
        self.run.kept.flight.restart();
        self.emit_change(kind, state, system.mode, Phase::Flight, &flight.state).stop_in(&flight)?;
        Ok(flight.into())
    }

    /// Continues in another mode of contact, with an event of this kind.
    pub fn switch(
        &mut self,
        system: &ContactSystem,
        state: &ContactState,
        mode: Mode,
        kind: EventKind,
    ) -> Result<Contact, Stopped> {
        let state = &self.on_the_ground(state, false);
        let next = Contact::begin(self.run.scene, mode, &state.state(), state.place);
        self.emit_change(kind, state, system.mode, mode.into(), &next.state.state()).stop_in(&next)?;
        Ok(next)
    }

    /// Emits an event, without impulse, of a ball on the ground.
    pub fn emit_change(
        &mut self,
        kind: EventKind,
        at: &ContactState,
        from: Mode,
        to: Phase,
        after: &State,
    ) -> Result<(), Stop> {
        let here = TouchPoint { place: at.place, frame: at.frame };
        let event = Event::new(kind, [from.into(), to], &here, [&at.state(), after], [0.0; 2]);
        self.emit([event].iter(), IntendedChange::NOTHING)
    }

    /// Emits the rows of one event, all of one instant, and checks its balance and energy.
    #[inline]
    pub fn emit<'e>(
        &mut self,
        rows: impl Iterator<Item = &'e Event> + Clone,
        meant: IntendedChange,
    ) -> Result<(), Stop> {
        for event in rows.clone() {
            self.run.kept.count.events += 1;
            match event.kind {
                EventKind::Landing => self.run.kept.count.landings += 1,
                EventKind::LiftOff => self.run.kept.count.lift_offs += 1,
                EventKind::Touch => self.run.kept.count.touches += 1,
                _ => {}
            }
            let (scene, in_parts) = (self.run.scene, self.in_parts());
            let told = match in_parts {
                true => self.observer.event(&scene.reported_event(event)),
                false => self.observer.event(event),
            };
            self.run.samples.asked |= told.is_break();
            self.run.samples.asked |= self.run.kept.watching.event(event);
            self.run.progress.attempt(event.time(), || (Doing::Events(event.kind), event.position()))?;
        }
        let of = self.balanced();
        let Some((left, after)) = self.run.kept.count.balance.rows(of, rows, meant)? else { return Ok(()) };
        self.run.kept.ledger.event(of.scene, after, &left, of.judged)
    }

    /// Balances a change of phase or of the piece of ground; the ball touches at `place` if `touches`.
    pub fn balance_change(&mut self, before: &State, after: &State, place: Place, touches: bool) -> Result<(), Stop> {
        let of = self.balanced();
        let left = self.run.kept.count.balance.change(of, before, after, place, touches)?;
        self.run.kept.ledger.pass(after, left.residuals);
        Ok(())
    }

    /// Scene of a balance, and whether that is judged: not with contacts found by a parabola.
    fn balanced(&self) -> Balanced<'a> {
        Balanced { scene: self.run.scene, judged: self.run.kept.localisation == Localisation::Certified }
    }

    /// Fails where the run must end: time (s) makes no progress, the observer or the flag of the scene asks for it, or
    /// events and steps, or the work of searches, exceed the limit. `at` gives the last step or event, and the centre.
    #[inline]
    pub fn go_on(&mut self, time: f64, at: impl FnOnce() -> (Doing, Vector2<f64>)) -> Result<(), Stop> {
        self.run.progress.attempt(time, at)?;
        if self.run.samples.asked || self.run.scene.is_ended() {
            return Err(Stop::Observer { time });
        }
        let Some(limit) = self.run.options.limit else { return Ok(()) };
        let search = &self.run.kept.count.search;
        let searched = (search.evaluations + search.enclosures) / SEARCH_SHARE;
        let used = (self.run.kept.count.events
            + self.run.kept.flight.count().steps
            + self.run.kept.contact.count().steps
            + self.run.kept.compressed.count().steps)
            .max(searched);
        if used > limit { Err(Stop::Limit { time, limit }) } else { Ok(()) }
    }

    /// Emits the motion over an interval of time (s), with the samples on it. Fails if the run ends within, or if the
    /// ball meets another part of the ground there: `run.visit` is then set.
    #[inline]
    pub fn stretch(&mut self, times: [f64; 2], course: StretchCourse) -> Result<(), Stop> {
        let stretch = Stretch::new(self.run.scene, times, course, self.run.kept.number, self.run.kept.touched);
        if self.in_parts()
            && let Some(time) = self.visits(&stretch)?
        {
            if time > stretch.from() {
                self.emit_stretch(&stretch.until(time))?;
            }
            // This error ends the phase, not the run, which goes on from `visit`.
            return Err(Stop::Observer { time });
        }
        self.emit_stretch(&stretch)
    }

    /// Emits a stretch without contact with another part of the ground.
    #[inline]
    fn emit_stretch(&mut self, stretch: &Stretch) -> Result<(), Stop> {
        if self.run.kept.watching.looks() {
            return self.watched(stretch);
        }
        self.run.samples.emit(stretch, self.observer);
        Ok(())
    }

    /// Searches a stretch for crossings of watches and emits it, cut where a moment or an undefined watch ends the run.
    #[cold]
    #[inline(never)]
    fn watched(&mut self, stretch: &Stretch) -> Result<(), Stop> {
        let (end, looked) = self.run.kept.watching.look(self.run.scene, stretch, self.observer);
        let Some(time) = end else {
            self.run.samples.emit(stretch, self.observer);
            return Ok(());
        };
        let mut sample = stretch.at(time);
        sample.state.time = time;
        self.run.ended = Some(sample);
        if time > stretch.from() {
            self.run.samples.emit(&stretch.until(time), self.observer);
        }
        looked?;
        Err(Stop::Observer { time })
    }

    /// Emits a capture.
    pub fn captured(&mut self, capture: &Capture) {
        self.run.kept.watching.capture();
        let scene = self.run.scene;
        self.observer.capture(&capture.reported(scene));
    }

    /// Reports the time reached.
    #[inline]
    pub fn progressed(&mut self, time: f64) {
        self.run.samples.asked |= self.observer.progress(time).is_break();
    }
}
