//! Flight, and the impacts between two flights.

use curves::{Departure, FirstContact, SearchError};
use flight::FlightMethod;
use mechanics::{Mode, Press, State, strike};
use numbers::Rounding;
use rolling::ContactMethod;

use crate::capture_decision::LowHop;
use crate::contact_by_parabola::by_parabola;
use crate::energy_judge::LedgerStep;
use crate::event::TouchPoint;
use crate::event_balance::IntendedChange;
use crate::motion_within_step::StretchCourse;
use crate::phase_states::{Flight, Motion, StopIn, Stopped, Transition, known};
use crate::run_state::Live;
use crate::{Capture, Doing, Event, EventKind, Localisation, Phase, Scene, Stop, Stretch};

impl Flight {
    /// Flies from bounce to bounce until another phase begins.
    pub fn next(&self, live: &mut Live<impl FlightMethod, impl ContactMethod>) -> Transition {
        let mut flight = *self;
        while flight.state.time < live.run.options.duration {
            // A motion is large, and moved only where one follows.
            let made = flight.step(live);
            if !matches!(made, Ok(None)) {
                return made.map(|next| next.unwrap_or(flight.into()));
            }
            let Flight { state, .. } = &flight;
            live.go_on(state.time, || (Doing::Steps(Phase::Flight), state.position)).stop_in(&flight)?;
        }
        Ok(flight.into())
    }

    /// Flies one step, or to the first contact on it and bounces; returns the motion that follows, if not flight.
    #[inline(always)]
    fn step(&mut self, live: &mut Live<impl FlightMethod, impl ContactMethod>) -> Result<Option<Motion>, Stopped> {
        let Flight { state, departure, known, .. } = &*self;
        let (scene, whole, kept) = (live.run.scene, live.run.options.duration, &mut live.run.kept);
        let start = state.time;
        let until = whole.min(start + live.run.options.largest_step);
        kept.flight.step(&scene.forces, state, until, &mut live.run.step).stop_in(self)?;
        let mut arrival = *state;
        let count = &mut kept.count.search;
        let mut found = match kept.localisation {
            Localisation::Certified => {
                live.run.step.first_contact(&scene.forces, &scene.ground, departure.as_ref(), count, &mut arrival)
            }
            Localisation::Parabola => Ok(by_parabola(&mut kept.before, scene, &live.run.step, count, &mut arrival)),
        };
        let contact = match &mut found {
            Ok(Some(contact)) => {
                contact.rounding = contact.rounding.max(*known);
                &*contact
            }
            Ok(None) => {
                arrival = live.run.step.at(&scene.forces, live.run.step.duration());
                // Start and length may miss the end of the run by the rounding of their sum.
                if arrival.time > whole * (1.0 - 1e-15) {
                    arrival.time = whole;
                }
                live.emit_flight(&arrival).stop_in(self)?;
                live.progressed(arrival.time);
                (self.state, self.departure) = (arrival, Some(live.run.step.goes_on(&arrival)));
                return Ok(None);
            }
            Err(SearchError::Osculating { time, place }) => {
                arrival = live.run.step.at(&scene.forces, *time);
                live.emit_flight(&arrival).stop_in(self)?;
                let stop = scene.osculating(arrival.time, *place, arrival.position);
                return Err(stop).stop_in(&Flight::free(arrival));
            }
            Err(error) => return Err(Stop::Search { time: start, error: *error }).stop_in(self),
        };
        live.emit_flight(&arrival).stop_in(self)?;
        live.run.kept.flight.restart();
        (self.state, self.departure) = (arrival, None);
        live.touch(self, contact, Phase::Flight)
    }
}

impl<F: FlightMethod, C: ContactMethod> Live<'_, '_, F, C> {
    /// Emits the step just flown, up to `arrival`, and checks its energy.
    #[inline(always)]
    fn emit_flight(&mut self, arrival: &State) -> Result<(), Stop> {
        let times = [self.run.step.start().time, arrival.time];
        // An exact parabola has no error to judge.
        if !self.run.step.is_fall() {
            // Contacts found by a parabola have errors that no tolerance covers.
            let certified = self.run.kept.localisation == Localisation::Certified;
            if let Some(tolerance) = self.run.kept.flight.tolerance().filter(|_| certified) {
                let (from, to, phase, whole) =
                    (self.run.step.start(), arrival, Phase::Flight, self.run.options.compression);
                let entry = LedgerStep { from, to, stored: 0.0, along: 0.0, phase, tolerance, whole };
                self.run.kept.ledger.step(self.run.scene, &entry)?;
            } else {
                self.run.kept.ledger.free_step(self.run.scene, arrival);
            }
        }
        if self.run.kept.watching.looks() || self.in_parts() {
            let step = self.run.step;
            return self.stretch(times, StretchCourse::Flight(&step));
        }
        let (part, last) = (self.run.kept.number, self.run.kept.touched);
        let stretch = Stretch::new(self.run.scene, times, StretchCourse::Flight(&self.run.step), part, last);
        self.run.samples.emit(&stretch, self.observer);
        Ok(())
    }

    /// Contact at the end of a `flight`: begins compression on compliant ground, else an impact on one wall or two.
    /// Returns the motion that follows; `None`: flight, with the state after the impact. `from` is the phase before:
    /// flight, unless the ball comes from another part of the ground.
    #[inline]
    pub(crate) fn touch(
        &mut self,
        flight: &mut Flight,
        contact: &FirstContact,
        from: Phase,
    ) -> Result<Option<Motion>, Stopped> {
        let arrival = flight.state;
        flight.bent = contact.bent;
        let other_strands = self.note_touch(contact.place);
        let Scene { ball, forces, .. } = self.run.scene;
        let law = self.run.scene.law_at(contact.place);
        self.run.scene.check_osculation(arrival.time, contact.place, &contact.frame).stop_in(flight)?;
        if self.run.scene.compliance.is_some() {
            return self.press(contact.place, &arrival).map(Some);
        }
        if let Some(other) = self.touches_too(contact.place, flight) {
            return self.meet([contact.place, other], &arrival, from, (*flight).into()).map(Some);
        }
        // A bounce at a new time is progress, however short its hop.
        if arrival.time - self.run.kept.last_impacts[1] > Rounding::tick(arrival.time) {
            self.run.progress.bounce();
        }
        self.run.kept.last_impacts = [self.run.kept.last_impacts[1], arrival.time];
        let frame = &contact.frame;
        let struck = strike(ball, law, frame, &arrival).map_err(|error| Stop::impact(&arrival, error));
        let (hit, after) = struck.stop_in(flight)?;
        let after = State { position: frame.position, ..after };
        let force = forces.force_at(&after);
        let push = self.normal_force(frame, force, hit.tangential_velocity);
        let lands = hit.normal_velocity <= 0.0 && Press::of(push, 0.0).is_some_and(Press::stays);
        let mode = lands.then(|| Mode::begin(ball, law, frame, force, hit.tangential_velocity, hit.slip));
        self.run.kept.count.impacts += 1;
        (flight.state, flight.departure) = (after, contact.departure);
        flight.known = known(&self.run.scene.ground, contact.place, frame)
            .max(contact.departure.map_or(0.0, |departure| departure.rounding()));
        if other_strands {
            flight.departure = flight.departure.map(Departure::in_another_layer);
        }
        let at = TouchPoint { place: contact.place, frame: *frame };
        let kind = if lands { EventKind::Landing } else { EventKind::Impact };
        let phases = [from, mode.map_or(Phase::Flight, Phase::from)];
        let impulses = [hit.normal_impulse, hit.tangential_impulse];
        let event = Event::new(kind, phases, &at, [&arrival, &after], impulses);
        let meant = IntendedChange { length: contact.rounding, ..IntendedChange::NOTHING };
        self.emit(std::iter::once(&event), meant).stop_in(flight)?;
        if let Some(mode) = mode {
            return self.land(&after, contact.place, mode).map(Some);
        }
        let Live { run, .. } = self;
        let speeds = [hit.normal_velocity, push];
        let Some(hop) = LowHop::after(run.scene, &run.options, &after, &at, contact.rounding, speeds) else {
            return Ok(None);
        };
        Ok(Capture::of_low_hop(run.scene, &run.options, &after, &at, hop).map(Motion::Capture))
    }
}
