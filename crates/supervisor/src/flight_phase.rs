//! Flight, and the impacts between two flights.

use curves::{Departure, FirstContact, SearchError};
use flight::FlightMethod;
use mechanics::{Mode, Press, State, impact};
use numbers::Rounding;
use rolling::ContactMethod;

use crate::balance::Meant;
use crate::event::TouchPoint;
use crate::ledger::Entry;
use crate::localisation::by_parabola;
use crate::motion::{Flight, Motion, StopIn, Stopped, Transition, known};
use crate::run::Run;
use crate::stretch::Course;
use crate::{Capture, Doing, Event, EventKind, Localisation, Observer, Phase, Scene, Stop, Stretch};

impl Flight {
    /// Flies from bounce to bounce until something else holds.
    pub fn next<F, C>(&self, run: &mut Run<'_, F, C>, observer: &mut dyn Observer) -> Transition
    where
        F: FlightMethod,
        C: ContactMethod,
    {
        let mut flight = *self;
        while flight.state.time < run.options.duration {
            match flight.step(run, observer) {
                Ok(None) => {}
                Ok(Some(motion)) => return Ok(motion),
                Err(stopped) => return Err(stopped),
            }
            let Flight { state, .. } = &flight;
            run.go_on(state.time, || (Doing::Steps(Phase::Flight), state.position)).stop_in(&flight)?;
        }
        Ok(flight.into())
    }

    /// Flies one step, or to the first contact on it, and bounces; what holds then, if that is not flight.
    #[inline(always)]
    fn step<F, C>(&mut self, run: &mut Run<'_, F, C>, observer: &mut dyn Observer) -> Result<Option<Motion>, Stopped>
    where
        F: FlightMethod,
        C: ContactMethod,
    {
        let Flight { state, departure, known } = &*self;
        let (scene, whole, kept) = (run.scene, run.options.duration, &mut run.kept);
        let start = state.time;
        let until = whole.min(start + run.options.largest_step);
        kept.flight.step(&scene.forces, state, until, &mut run.step).stop_in(self)?;
        let mut arrival = *state;
        let count = &mut kept.count.search;
        let mut found = match kept.localisation {
            Localisation::Certified => {
                run.step.first_contact(&scene.forces, &scene.ground, departure.as_ref(), count, &mut arrival)
            }
            Localisation::Parabola => Ok(by_parabola(&mut kept.before, scene, &run.step, count, &mut arrival)),
        };
        let contact = match &mut found {
            Ok(Some(contact)) => {
                contact.rounding = contact.rounding.max(*known);
                &*contact
            }
            Ok(None) => {
                arrival = run.step.at(&scene.forces, run.step.duration());
                if arrival.time > whole * (1.0 - 1e-15) {
                    arrival.time = whole;
                }
                run.emit_flight(&arrival, observer).stop_in(self)?;
                run.progressed(arrival.time, observer);
                (self.state, self.departure) = (arrival, None);
                return Ok(None);
            }
            Err(SearchError::Osculating { time, place }) => {
                arrival = run.step.at(&scene.forces, *time);
                run.emit_flight(&arrival, observer).stop_in(self)?;
                let stop = scene.osculating(arrival.time, *place, arrival.position);
                return Err(stop).stop_in(&Flight::free(arrival));
            }
            Err(error) => return Err(Stop::Search { time: start, error: *error }).stop_in(self),
        };
        run.emit_flight(&arrival, observer).stop_in(self)?;
        run.kept.flight.restart();
        (self.state, self.departure) = (arrival, None);
        run.touch(self, contact, Phase::Flight, observer)
    }
}

impl<F: FlightMethod, C: ContactMethod> Run<'_, F, C> {
    /// Tells the step just flown, up to `arrival`, where the ledger explains it.
    #[inline(always)]
    fn emit_flight(&mut self, arrival: &State, observer: &mut dyn Observer) -> Result<(), Stop> {
        let times = [self.step.start().time, arrival.time];
        if !self.step.is_fall() {
            // Places of contacts that are found by a parabola are no part of a tolerance.
            let certified = self.kept.localisation == Localisation::Certified;
            if let Some(tolerance) = self.kept.flight.tolerance().filter(|_| certified) {
                let (from, to, phase, whole) = (self.step.start(), arrival, Phase::Flight, self.options.compression);
                let entry = Entry { from, to, stored: 0.0, along: 0.0, phase, tolerance, whole };
                self.kept.ledger.step(self.scene, &entry)?;
            } else {
                self.kept.ledger.free_step(self.scene, arrival);
            }
        }
        if self.kept.watching.looks() || self.in_parts() {
            let step = self.step;
            return self.stretch(times, Course::Flight(&step), observer);
        }
        let (part, last) = (self.kept.number, self.kept.touched);
        let stretch = Stretch::new(self.scene, times, Course::Flight(&self.step), part, last);
        self.samples.emit(&stretch, observer);
        Ok(())
    }

    /// An impact at the end of a `flight`, in which the ball goes on if nothing else holds then. It was in a phase before: in flight but
    /// where it comes from another part of the ground.
    #[inline]
    pub(crate) fn touch(
        &mut self,
        flight: &mut Flight,
        contact: &FirstContact,
        from: Phase,
        observer: &mut dyn Observer,
    ) -> Result<Option<Motion>, Stopped> {
        let arrival = flight.state;
        let other_strands = self.touches(contact.place);
        let Scene { ball, forces, .. } = self.scene;
        let law = self.scene.law_at(contact.place);
        self.scene.check_osculation(arrival.time, contact.place, &contact.frame).stop_in(flight)?;
        if self.scene.compliance.is_some() {
            return self.press(contact.place, &arrival, observer).map(Some);
        }
        if let Some(other) = self.touches_too(contact.place, &arrival) {
            return self.meet([contact.place, other], &arrival, from, (*flight).into(), observer).map(Some);
        }
        if arrival.time - self.kept.last_impacts[1] > Rounding::tick(arrival.time) {
            self.progress.bounce();
        }
        self.kept.last_impacts = [self.kept.last_impacts[1], arrival.time];
        let frame = &contact.frame;
        let hit = impact(ball, law, frame, arrival.velocity, arrival.spin);
        let velocity = hit.velocity(frame);
        let lost = ball.kinetic_energy(arrival.velocity, arrival.spin) - ball.kinetic_energy(velocity, hit.spin);
        let after = State {
            position: frame.position,
            velocity,
            spin: hit.spin,
            dissipated: arrival.dissipated + lost,
            ..arrival
        };
        let force = forces.force_at(&after);
        let push = self.normal_force(frame, force, hit.tangential_velocity);
        let lands = hit.normal_velocity <= 0.0 && Press::of(push, 0.0).is_some_and(Press::stays);
        let mode = lands.then(|| Mode::begin(ball, law, frame, force, hit.tangential_velocity, hit.slip));
        self.kept.count.impacts += 1;
        (flight.state, flight.departure) = (after, contact.departure);
        flight.known = known(&self.scene.ground, contact.place, frame)
            .max(contact.departure.map_or(0.0, |departure| departure.rounding()));
        if other_strands {
            flight.departure = flight.departure.map(Departure::in_another_layer);
        }
        let at = TouchPoint { place: contact.place, frame: *frame };
        let kind = if lands { EventKind::Landing } else { EventKind::Impact };
        let phases = [from, mode.map_or(Phase::Flight, Phase::from)];
        let impulses = [hit.normal_impulse, hit.tangential_impulse];
        let event = Event::new(kind, phases, at, [arrival, after], impulses);
        self.emit(std::iter::once(&event), Meant { length: contact.rounding, ..Meant::NOTHING }, observer)
            .stop_in(flight)?;
        if let Some(mode) = mode {
            return self.land(&after, contact.place, mode, observer).map(Some);
        }
        let capture =
            Capture::decide(self.scene, &self.options, &after, &at, contact.rounding, hit.normal_velocity, push);
        Ok(capture.map(Motion::Capture))
    }
}
