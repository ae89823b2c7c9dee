//! Flight until the first contact.

use curves::{FirstContact, Rounding, SearchError};
use flight::FlightMethod;
use mechanics::{Mode, State, impact};
use rolling::ContactMethod;

use crate::balance::Meant;
use crate::localisation::by_parabola;
use crate::motion::{Flight, Motion, StopIn, Transition};
use crate::run::Run;
use crate::stretch::Course;
use crate::{Capture, Event, EventKind, Localisation, Observer, Phase, Scene, Stop, Stretch};

impl Flight {
    /// Flies one step, or to the first contact on it.
    #[inline]
    pub fn next<F, C>(&self, run: &mut Run<'_, F, C>, observer: &mut impl Observer) -> Transition
    where
        F: FlightMethod,
        C: ContactMethod,
    {
        let Flight { state, departure } = self;
        let (scene, whole, kept) = (run.scene, run.options.duration, &mut run.kept);
        let start = state.time;
        let until = whole.min(start + run.options.largest_step);
        kept.flight.step(&scene.forces, state, until, &mut run.step).stop_in(*self)?;
        let mut arrival = *state;
        let count = &mut kept.count.search;
        let found = match kept.localisation {
            Localisation::Certified => {
                run.step.first_contact(&scene.forces, &scene.ground, departure.as_ref(), count, &mut arrival)
            }
            Localisation::Parabola => Ok(by_parabola(&mut kept.before, scene, &run.step, count, &mut arrival)),
        };
        let contact = match &found {
            Ok(Some(contact)) => contact,
            Ok(None) => {
                arrival = run.step.at(&scene.forces, run.step.duration());
                if arrival.time > whole * (1.0 - 1e-15) {
                    arrival.time = whole;
                }
                run.tell_flight([start, arrival.time], observer).stop_in(*self)?;
                run.progressed(arrival.time, observer);
                return Ok(Flight::free(arrival).into());
            }
            Err(SearchError::Osculating { time, place }) => {
                arrival = run.step.at(&scene.forces, *time);
                run.tell_flight([start, arrival.time], observer).stop_in(*self)?;
                let stop = scene.osculating(arrival.time, *place, arrival.position);
                return Err(stop).stop_in(Flight::free(arrival));
            }
            Err(error) => return Err(Stop::Search { time: start, error: *error }).stop_in(*self),
        };
        run.tell_flight([start, arrival.time], observer).stop_in(*self)?;
        run.kept.flight.restart();
        run.touch(contact, &arrival, Phase::Flight, observer)
    }
}

impl<F: FlightMethod, C: ContactMethod> Run<'_, F, C> {
    /// The step just flown.
    #[inline(always)]
    fn tell_flight(&mut self, times: [f64; 2], observer: &mut impl Observer) -> Result<(), Stop> {
        if self.kept.watching.looks() || self.in_parts() {
            let step = self.step;
            return self.stretch(times, Course::Flight(&step), observer);
        }
        let stretch = Stretch::new(self.scene, times, Course::Flight(&self.step)).after(self.kept.seen_from);
        self.samples.emit(&stretch, observer);
        Ok(())
    }

    /// An impact of a ball that was in a phase, in flight but where it comes from another part of the ground; and what it leads to.
    #[inline]
    pub(crate) fn touch(
        &mut self,
        contact: &FirstContact,
        arrival: &State,
        from: Phase,
        observer: &mut impl Observer,
    ) -> Transition {
        let before = self.scene;
        self.see_from(contact.place);
        let same_layer = std::ptr::eq(before, self.scene);
        let departure = contact.departure.map(|it| if same_layer { it } else { it.in_another_layer() });
        let Scene { ball, forces, .. } = self.scene;
        let law = self.scene.law_at(contact.place);
        let came = Flight::free(*arrival);
        self.scene.check_osculation(arrival.time, contact.place, &contact.frame).stop_in(came)?;
        if self.scene.compliance.is_some() {
            return self.press(contact.place, arrival, observer);
        }
        if let Some(other) = self.touches_too(contact.place, arrival) {
            return self.meet([contact.place, other], arrival, (from, came.into()), observer);
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
            ..*arrival
        };
        let force = forces.force_at(&after);
        let pull = self.gap_acceleration(frame, force, hit.tangential_velocity);
        let lands = hit.normal_velocity <= 0.0 && pull <= 0.0;
        let mode = lands.then(|| Mode::begin(ball, law, frame, force, hit.tangential_velocity, hit.slip));
        self.kept.count.impacts += 1;
        let flight = Flight { state: after, departure };
        let kind = if lands { EventKind::Landing } else { EventKind::Impact };
        let phases = [from, mode.map_or(Phase::Flight, Phase::from)];
        let event = Event::new(kind, phases, (contact.place, *frame), [*arrival, after])
            .with(hit.normal_impulse, hit.tangential_impulse);
        self.emit(std::iter::once(&event), Meant { length: contact.rounding, ..Meant::NOTHING }, observer)
            .stop_in(flight)?;
        if let Some(mode) = mode {
            return self.land(&after, contact.place, mode, observer);
        }
        let at = (contact.place, frame, contact.rounding);
        let capture = Capture::decide(self.scene, &self.options, &after, at, hit.normal_velocity, pull);
        Ok(capture.map_or(flight.into(), Motion::Capture))
    }
}
