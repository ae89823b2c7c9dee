//! A run as its phases see it: what they are told, what they emit, how far they may go.

use curves::{FirstContact, Frame, Place, Touched};
use flight::{FlightMethod, FlightStep};
use mechanics::{Mode, Press, State, normal_force};
use nalgebra::Vector2;
use numbers::Rounding;
use rolling::{Compressed, ContactMethod, ContactState, ContactStep, ContactSystem};

use crate::energy_judge::Ledger;
use crate::event::TouchPoint;
use crate::event_balance::{Balanced, Meant};
use crate::motion::{Barrier, Contact, Flight, StopIn, Stopped, Transition};
use crate::observer::DueSamples;
use crate::parabola::LastGaps;
use crate::round::Round;
use crate::start::grain;
use crate::stretch::StretchCourse;
use crate::{
    Capture, Count, Doing, Event, EventKind, Localisation, Observer, Options, Phase, Sample, Scene, Stop, Stretch,
    Watching,
};

/// A run under way, and who is told of it.
pub(crate) struct Live<'r, 'a, F, C> {
    pub run: &'r mut Run<'a, F, C>,
    pub observer: &'r mut dyn Observer,
}

/// Another part of the ground that the ball meets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Visit {
    pub number: usize,
    pub contact: FirstContact,
    /// The ball then, as the part it comes from sees it.
    pub sample: Sample,
}

/// A run as its phases see it, generic over how the ball flies and how it rolls.
pub(crate) struct Run<'a, F, C> {
    /// The scene as it was given.
    pub all: &'a Scene,
    /// Meeting with another part of the ground that ended the stretch under way.
    pub visit: Option<Visit>,
    /// `whole` with the strands that are there for the ball.
    pub scene: &'a Scene,
    pub whole: &'a Scene,
    pub options: Options,
    /// The step of flight under way, kept to be written in place.
    pub step: FlightStep,
    pub samples: DueSamples,
    pub progress: Progress,
    /// The ball where the run ended within a stretch.
    pub ended: Option<Sample>,
    pub kept: KeptRun<F, C>,
}

/// State kept from one step to the next; with the motion it is all that a run needs to go on.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct KeptRun<F, C> {
    pub flight: F,
    pub contact: C,
    pub compressed: Compressed,
    pub count: Count,
    pub ledger: Ledger,
    pub localisation: Localisation,
    /// Gap on the step before, as the search by a parabola left it.
    pub before: Option<LastGaps>,
    /// Times of the last two impacts, s.
    pub last_impacts: [f64; 2],
    /// The other contact of a ball that goes along one of two.
    pub barrier: Option<Barrier>,
    /// Impacts that pass between parts of the ground.
    pub round: Option<Round>,
    /// The largest λ of the compliant contact under way, N.
    pub largest_push: f64,
    pub watching: Watching,
    /// Places that the ball last touched on curves that cross themselves.
    pub touched: Touched,
    /// The part of the ground by which the ball is followed.
    pub number: usize,
}

/// Ground evaluations and enclosures of searches allowed for each event or step: more than a plain search needs.
const SEARCH_SHARE: u64 = 256;

impl<'a, F: FlightMethod, C: ContactMethod> Live<'_, 'a, F, C> {
    /// Keeps a place as the one that the ball touched last, and returns whether other strands are solid for it from there. None of them
    /// becomes solid while the ball overlaps it, or where the place is only an end of what was left out: then the old place stays.
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
            let seen = self.run.whole.with_strands(touched);
            let (nearest, gap) = seen.ground.place_and_gap(centre);
            if seen.ground.range(place).is_undefined() || gap < -grain(&seen.ground, nearest, centre) {
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

    /// λ (N) of contact with `v·τ = speed` (m/s) under a force (N): what [`Press`] asks of.
    pub fn normal_force(&self, frame: &Frame, force: Vector2<f64>, speed: f64) -> f64 {
        normal_force(self.run.scene.ball.mass(), frame.curvature, speed, force.dot(&frame.normal))
    }

    /// A state whose `v·n`, left by a method that does not hold it at zero, is put back there; `leaves`: if it is negative.
    pub fn on_the_ground(&mut self, state: &ContactState, leaves: bool) -> ContactState {
        if state.normal_speed == 0.0 || leaves && state.normal_speed > 0.0 {
            return *state;
        }
        self.run.kept.count.put_back.velocities.see(state.normal_speed);
        ContactState { normal_speed: 0.0, ..*state }
    }

    /// Puts the end of a step on `v·n = 0` and on the acceleration of §2, if with its own the ground would pull.
    pub fn put_back(&mut self, system: &ContactSystem, step: &mut ContactStep) {
        let own = if step.is_carried() { system.multiplier(&step.end)[0] } else { return };
        if Press::of(own, 0.0) == Some(Press::Leaves) {
            step.end = self.on_the_ground(&step.end, false);
            system.relabel(&mut step.end);
            let (change, unit) = (step.end.normal_force - own, step.end.rounding(system, step.end.time).force);
            if !Rounding::vanishes(change, unit * system.ball.mass()) {
                self.run.kept.count.put_back.forces.see(change);
            }
        }
    }

    /// Contact begins; a ball that begins it at rest says so at once.
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

    /// The ball leaves the ground.
    pub fn leave(&mut self, system: &ContactSystem, state: &ContactState, kind: EventKind) -> Transition {
        self.note_touch(state.place);
        let state = &self.on_the_ground(state, true);
        let (mut leaves, normal) = (state.state(), state.frame.normal);
        // Along the ground v·n is rounding, and not to point into it.
        if normal.dot(&leaves.velocity) < 0.0 {
            leaves.velocity += normal * (4.0 * f64::EPSILON * leaves.velocity.norm());
        }
        let flight = Flight::leaving(&self.run.scene.ground, leaves, state.place);
        self.run.kept.flight.restart();
        self.emit_change(kind, state, system.mode, Phase::Flight, &flight.state).stop_in(&flight)?;
        Ok(flight.into())
    }

    /// The ball goes on in another mode.
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

    /// Reports an event without impulse.
    pub fn emit_change(
        &mut self,
        kind: EventKind,
        at: &ContactState,
        from: Mode,
        to: Phase,
        after: &State,
    ) -> Result<(), Stop> {
        let here = TouchPoint { place: at.place, frame: at.frame };
        let event = Event::new(kind, [from.into(), to], here, [at.state(), *after], [0.0; 2]);
        self.emit([event].iter(), Meant::NOTHING)
    }

    /// Reports the rows of one event, and balances it.
    #[inline]
    pub fn emit<'e>(&mut self, rows: impl Iterator<Item = &'e Event> + Clone, meant: Meant) -> Result<(), Stop> {
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

    fn balanced(&self) -> Balanced<'a> {
        Balanced { scene: self.run.scene, judged: self.run.kept.localisation == Localisation::Certified }
    }

    /// Ends the run where it does not go on, or where steps and events have used up what is allowed.
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

    /// Emits the motion over a stretch of time, and the samples due on it; an error if the run ends on it.
    #[inline]
    pub fn stretch(&mut self, times: [f64; 2], course: StretchCourse) -> Result<(), Stop> {
        let stretch = Stretch::new(self.run.scene, times, course, self.run.kept.number, self.run.kept.touched);
        if self.in_parts()
            && let Some(time) = self.visits(&stretch)?
        {
            if time > stretch.from() {
                self.emit_stretch(&stretch.until(time))?;
            }
            return Err(Stop::Observer { time });
        }
        self.emit_stretch(&stretch)
    }

    /// Emits a stretch that meets no other part of the ground.
    #[inline]
    fn emit_stretch(&mut self, stretch: &Stretch) -> Result<(), Stop> {
        if self.run.kept.watching.looks() {
            return self.watched(stretch);
        }
        self.run.samples.emit(stretch, self.observer);
        Ok(())
    }

    /// Emits a stretch after watches have looked at it: where the run is to end, it is cut, and nothing after it is told.
    #[cold]
    #[inline(never)]
    fn watched(&mut self, stretch: &Stretch) -> Result<(), Stop> {
        let (end, numbers) = self.run.kept.watching.look(self.run.scene, stretch, self.observer);
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
        numbers?;
        Err(Stop::Observer { time })
    }

    /// The last bounces are summed up.
    pub fn captured(&mut self, capture: &Capture) {
        self.run.kept.watching.capture();
        let scene = self.run.scene;
        self.observer.capture(&capture.reported(scene));
    }

    /// Says how far the run is.
    #[inline]
    pub fn progressed(&mut self, time: f64) {
        self.run.samples.asked |= self.observer.progress(time).is_break();
    }
}

/// Steps tried and events allowed while time goes on by less than [`Progress::stretch`]: a run of 1e13 of them would not end.
const TRIES: u32 = 10_000;
/// [`Progress::stretch`] as a part of the duration.
const STRETCH: f64 = 1e-9;

/// Watches that time goes on. Every step that is tried in contact, made again or not, every flight and every event is counted here,
/// and nowhere else; searches within one of them have bounds of their own.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct Progress {
    /// Time that counts as progress, s.
    stretch: f64,
    /// Time at which progress was last made, s.
    since: f64,
    tries: u32,
}

impl Progress {
    /// Progress at the start of a run of a duration, s.
    pub fn new(duration: f64) -> Self {
        Progress { stretch: STRETCH * duration, since: f64::NEG_INFINITY, tries: 0 }
    }

    /// The ball bounces, at another time than before: bounces come to their end by themselves, as hops get lower, and that
    /// of a long run may take less than the stretch.
    pub fn bounce(&mut self) {
        self.tries = 0;
    }

    /// Counts something tried at `time` (s); `at` says what, and where the ball's centre is. Fails after too many tries without progress.
    #[inline]
    pub fn attempt(&mut self, time: f64, at: impl FnOnce() -> (Doing, Vector2<f64>)) -> Result<(), Stop> {
        if time > self.since + self.stretch {
            (self.since, self.tries) = (time, 0);
        }
        self.tries += 1;
        if self.tries <= TRIES {
            return Ok(());
        }
        let Progress { tries, stretch, .. } = *self;
        let (doing, centre) = at();
        Err(Stop::Stalled { time, centre, doing, tries, stretch })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Phase;

    /// As many tries as are allowed where time stands still, or creeps; no end of them where it goes on.
    #[test]
    fn stalls() {
        let doing = Doing::Steps(Phase::Rolling);
        let tries = |by: f64| {
            let mut progress = Progress::new(10.0);
            (0..).take(100_000).find_map(|i| progress.attempt(f64::from(i) * by, || (doing, Vector2::zeros())).err())
        };
        for by in [0.0, 9e-13] {
            let Some(Stop::Stalled { tries, stretch, .. }) = tries(by) else { panic!("{by}") };
            assert!(tries == TRIES + 1 && stretch == 1e-8);
        }
        assert_eq!(tries(1.1e-12), None);
        // Bounces are no tries.
        let mut progress = Progress::new(10.0);
        assert!((0..100_000).all(|_| {
            progress.bounce();
            progress.attempt(1.0, || (doing, Vector2::zeros())).is_ok()
        }));
    }
}
