//! The last bounces, summed up.

use flight::FlightMethod;
use mechanics::{Mode, Press, State};
use rolling::ContactMethod;

use crate::balance::Meant;
use crate::capture::Landing;
use crate::event::TouchPoint;
use crate::motion::{Flight, StopIn, Transition};
use crate::run::Run;
use crate::stretch::Course;
use crate::{Capture, Event, EventKind, Observer, Phase};

impl Capture {
    /// The last bounces, as frozen parabolas, and the landing that ends them.
    pub(crate) fn next<F, C>(&self, run: &mut Run<'_, F, C>, observer: &mut dyn Observer) -> Transition
    where
        F: FlightMethod,
        C: ContactMethod,
    {
        let (capture, scene) = (self, run.scene);
        run.kept.count.captures += 1;
        run.captured(capture, observer);
        let start = capture.start.time;
        let landing = start + capture.duration;
        let end = landing.min(run.options.duration);
        let jumped = run.stretch([start, end], Course::Jump(capture), observer);
        // The run may end on the jump, or another part of the ground be met.
        let cut = run.ended.or(run.visit.map(|visit| visit.sample)).map(|sample| sample.state);
        let within = (landing > end).then(|| State { time: end, ..capture.at(end - start) });
        let lost = |state: State| state.dissipated - capture.start.dissipated;
        run.kept.count.captured_energy += cut.or(within).map_or(capture.dissipated, lost);
        jumped.stop_in(capture)?;
        if let Some(state) = within {
            return Ok(Flight::free(state).into());
        }
        let Landing { before, after, place, frame, slip } = capture.end(scene).stop_in(capture)?;
        let force = scene.forces.force_at(&after);
        let along = after.velocity.dot(&frame.tangent);
        let mode = Mode::begin(&scene.ball, scene.law_at(place), &frame, force, along, slip);
        let stays = Press::of(run.normal_force(&frame, force, along), 0.0).is_some_and(Press::stays);
        let flight = Flight::leaving(&scene.ground, after, place);
        let frozen = capture.at(capture.duration).position;
        run.kept.count.balance.captured.see((after.position - frozen).norm(), landing);
        run.kept.ledger.captured(scene, &after);
        let push = frame.normal * (-scene.ball.mass() * capture.pull * capture.duration);
        let phases = [Phase::Flight, if stays { mode.into() } else { Phase::Flight }];
        let impulses = [capture.normal_impulse, capture.tangential_impulse];
        let event = Event::new(EventKind::Landing, phases, TouchPoint { place, frame }, [before, after], impulses);
        run.emit([event].iter(), Meant { momentum: push, ..Meant::NOTHING }, observer).stop_in(&flight)?;
        if stays { run.land(&after, place, mode, observer) } else { Ok(flight.into()) }
    }
}
