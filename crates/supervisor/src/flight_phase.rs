//! Flight until the first contact.

use curves::{FirstContact, Rounding, SearchError};
use flight::FlightMethod;
use mechanics::{Mode, State, impact};
use rolling::ContactMethod;

use crate::balance::Meant;
use crate::localisation::by_parabola;
use crate::motion::Motion;
use crate::stretch::Course;
use crate::{Capture, Event, EventKind, Localisation, Observer, Phase, Scene, Stop, Stretch, Supervisor};

impl<F: FlightMethod, C: ContactMethod> Supervisor<'_, F, C> {
    /// Flies one step, or to the first contact on it.
    #[inline]
    pub(crate) fn fly(&mut self, observer: &mut impl Observer) -> Result<(), Stop> {
        let Motion::Flight { state, departure } = &self.motion else { return Ok(()) };
        let (scene, whole) = (self.scene, self.options.duration);
        let start = state.time;
        let until = whole.min(start + self.options.largest_step);
        self.flight.step(&scene.forces, state, until, &mut self.step)?;
        let mut arrival = *state;
        let found = match self.localisation {
            Localisation::Certified => {
                let (departure, count) = (departure.as_ref(), &mut self.count.search);
                self.step.first_contact(&scene.forces, &scene.ground, departure, count, &mut arrival)
            }
            Localisation::Parabola => {
                Ok(by_parabola(&mut self.before, scene, &self.step, &mut self.count.search, &mut arrival))
            }
        };
        let contact = match &found {
            Ok(Some(contact)) => contact,
            Ok(None) => {
                arrival = self.step.at(&scene.forces, self.step.duration());
                if arrival.time > whole * (1.0 - 1e-15) {
                    arrival.time = whole;
                }
                self.sample_flight(start, &arrival, observer)?;
                self.progressed(arrival.time, observer);
                return Ok(());
            }
            Err(SearchError::Osculating { time, place }) => {
                arrival = self.step.at(&scene.forces, *time);
                self.sample_flight(start, &arrival, observer)?;
                return Err(scene.osculating(arrival.time, *place, arrival.position));
            }
            Err(error) => return Err(Stop::Search { time: start, error: *error }),
        };
        self.sample_flight(start, &arrival, observer)?;
        self.flight.restart();
        self.touch(contact, &arrival, Phase::Flight, observer)
    }

    /// The step just flown; the ball then is where it ended.
    #[inline(always)]
    fn sample_flight(&mut self, start: f64, arrival: &State, observer: &mut impl Observer) -> Result<(), Stop> {
        let times = [start, arrival.time];
        if self.watching.looks() || self.in_parts() {
            let step = self.step;
            self.stretch(times, Course::Flight(&step), observer)?;
        } else {
            let stretch = Stretch::new(self.scene, times, Course::Flight(&self.step)).after(self.seen_from);
            self.samples.emit(&stretch, observer);
        }
        self.motion = Motion::Flight { state: *arrival, departure: None };
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
    ) -> Result<(), Stop> {
        let before = self.scene;
        self.see_from(contact.place);
        let same_layer = std::ptr::eq(before, self.scene);
        let departure = contact.departure.map(|it| if same_layer { it } else { it.in_another_layer() });
        let Scene { ball, forces, .. } = self.scene;
        let law = self.scene.law_at(contact.place);
        self.scene.check_osculation(arrival.time, contact.place, &contact.frame)?;
        if self.scene.compliance.is_some() {
            return self.press(contact.place, arrival, observer);
        }
        if let Some(other) = self.touches_too(contact.place, arrival) {
            return self.meet([contact.place, other], arrival, from, observer);
        }
        if arrival.time - self.last_impacts[1] > Rounding::tick(arrival.time) {
            self.progress.bounce();
        }
        self.last_impacts = [self.last_impacts[1], arrival.time];
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
        self.count.impacts += 1;
        self.motion = Motion::Flight { state: after, departure };
        let kind = if lands { EventKind::Landing } else { EventKind::Impact };
        let phases = [from, mode.map_or(Phase::Flight, Phase::from)];
        let event = Event::new(kind, phases, (contact.place, *frame), [*arrival, after])
            .with(hit.normal_impulse, hit.tangential_impulse);
        self.emit(std::iter::once(&event), Meant { length: contact.rounding, ..Meant::NOTHING }, observer)?;
        if let Some(mode) = mode {
            return self.land(&after, contact.place, mode, observer);
        }
        let at = (contact.place, frame, contact.rounding);
        let capture = Capture::decide(self.scene, &self.options, &after, at, hit.normal_velocity, pull);
        if let Some(capture) = capture {
            self.motion = Motion::Capture(capture);
        }
        Ok(())
    }
}
