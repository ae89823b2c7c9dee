//! The last bounces, summed up.

use flight::FlightMethod;
use mechanics::{Mode, State};
use rolling::ContactMethod;

use crate::balance::Meant;
use crate::capture::Landing;
use crate::motion::Motion;
use crate::stretch::Course;
use crate::{Capture, Event, EventKind, Observer, Phase, Stop, Supervisor};

impl<F: FlightMethod, C: ContactMethod> Supervisor<'_, F, C> {
    /// The last bounces, as frozen parabolas, and the landing that ends them.
    pub(crate) fn sum_up(&mut self, capture: &Capture, observer: &mut impl Observer) -> Result<(), Stop> {
        self.count.captures += 1;
        self.count.captured_energy += capture.dissipated;
        self.captured(capture, observer);
        let start = capture.start.time;
        let landing = start + capture.duration;
        let end = landing.min(self.options.duration);
        self.stretch([start, end], Course::Jump(capture), observer)?;
        if landing > end {
            let state = State { time: end, ..capture.at(end - start) };
            self.motion = Motion::Flight { state, departure: None };
            return Ok(());
        }
        let Landing { before, after, place, frame, slip } = capture.end(self.scene)?;
        let force = self.scene.forces.force_at(&after);
        let along = after.velocity.dot(&frame.tangent);
        let mode = Mode::begin(&self.scene.ball, self.scene.law_at(place), &frame, force, along, slip);
        self.motion = Motion::Flight { state: after, departure: Some(self.scene.ground.departure(place)) };
        let frozen = capture.at(capture.duration).position;
        self.count.balance.captured.see((after.position - frozen).norm(), landing);
        let push = frame.normal * (-self.scene.ball.mass() * capture.pull * capture.duration);
        let phases = [Phase::Flight, mode.into()];
        let event = Event::new(EventKind::Landing, phases, (place, frame), [before, after])
            .with(capture.normal_impulse, capture.tangential_impulse);
        self.emit([event].iter(), Meant { momentum: push, ..Meant::NOTHING }, observer)?;
        self.land(&after, place, mode, observer)
    }
}
