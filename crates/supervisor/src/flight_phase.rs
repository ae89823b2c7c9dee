//! Flight until the first contact.

use curves::Departure;
use flight::FlightMethod;
use mechanics::State;
use rolling::ContactMethod;

use crate::run::{Motion, Supervisor};
use crate::{Observer, Stop};

impl<F: FlightMethod, C: ContactMethod> Supervisor<'_, F, C> {
    /// Flies one step, or to the first contact on it.
    #[inline]
    pub(crate) fn fly(
        &mut self,
        state: &State,
        departure: Option<Departure>,
        observer: &mut impl Observer,
    ) -> Result<(), Stop> {
        let (scene, whole) = (self.scene, self.options.duration);
        let start = state.time;
        self.flight.step(&scene.forces, state, whole, &mut self.step)?;
        let step = &self.step;
        let contact = scene
            .ground
            .first_contact(step.path(), departure, &mut self.count.search)
            .map_err(|error| Stop::Search { time: start, error })?;
        let end = contact.as_ref().map_or(step.duration(), |contact| contact.time);
        let mut arrival = step.at(end);
        if contact.is_none() && arrival.time > whole * (1.0 - 1e-15) {
            arrival.time = whole;
        }
        if self.sample_due(arrival.time) {
            let step = self.step;
            self.samples(start, arrival.time, observer, |t| scene.flying(step.at(t - start)));
        }
        self.motion = Motion::Flight { state: arrival, departure: None };
        let Some(contact) = contact else {
            observer.progress(arrival.time);
            return Ok(());
        };
        if contact.behind {
            return Err(Stop::Behind { time: arrival.time, centre: arrival.position });
        }
        self.note_flight(start, &contact, &arrival)?;
        self.flight.restart();
        self.touch(&contact, &arrival, observer)
    }
}
