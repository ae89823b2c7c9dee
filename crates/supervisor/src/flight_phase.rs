//! Flight until the first contact.

use curves::SearchError;
use flight::FlightMethod;
use mechanics::State;
use rolling::ContactMethod;

use crate::run::{Motion, Supervisor};
use crate::stretch::{Course, Stretch};
use crate::{Localisation, Observer, Stop};

impl<F: FlightMethod, C: ContactMethod> Supervisor<'_, F, C> {
    /// Flies one step, or to the first contact on it.
    #[inline]
    pub(crate) fn fly(&mut self, observer: &mut impl Observer) -> Result<(), Stop> {
        let Motion::Flight { state, departure } = &self.motion else { return Ok(()) };
        let (scene, whole) = (self.scene, self.options.duration);
        let start = state.time;
        let until = whole.min(start + self.options.largest_step);
        self.flight.step(&scene.forces, state, until, &mut self.step)?;
        let found = match self.localisation {
            Localisation::Certified => {
                match scene.ground.first_contact(self.step.path(), departure.as_ref(), &mut self.count.search) {
                    Ok(found) => found.map(|contact| (contact, self.step.at(&scene.forces, contact.time))),
                    Err(SearchError::Snug { time, place }) => {
                        let arrival = self.step.at(&scene.forces, time);
                        self.sample_flight(start, &arrival, observer);
                        return Err(scene.snug(arrival.time, place, arrival.position));
                    }
                    Err(error) => return Err(Stop::Search { time: start, error }),
                }
            }
            Localisation::Deck => self.deck(),
        };
        let Some((contact, arrival)) = found else {
            let mut arrival = self.step.at(&scene.forces, self.step.duration());
            if arrival.time > whole * (1.0 - 1e-15) {
                arrival.time = whole;
            }
            self.sample_flight(start, &arrival, observer);
            self.progressed(arrival.time, observer);
            return Ok(());
        };
        self.sample_flight(start, &arrival, observer);
        if contact.behind {
            return Err(Stop::Behind { time: arrival.time, centre: arrival.position });
        }
        self.flight.restart();
        self.touch(&contact, &arrival, observer)
    }

    /// The step just flown; the ball then is where it ended.
    #[inline(always)]
    fn sample_flight(&mut self, start: f64, arrival: &State, observer: &mut impl Observer) {
        let times = [start, arrival.time];
        self.samples.tell(&Stretch::new(self.scene, times, Course::Flight(&self.step)), observer);
        self.motion = Motion::Flight { state: *arrival, departure: None };
    }
}
