//! The jump over bounces that are summed up, and the landing that ends it.

use flight::FlightMethod;
use mechanics::{Mode, Press, State};
use rolling::ContactMethod;

use crate::capture_decision::Landing;
use crate::event::TouchPoint;
use crate::event_balance::IntendedChange;
use crate::motion_within_step::StretchCourse;
use crate::phase_states::{Flight, StopIn, Transition};
use crate::run_state::Live;
use crate::{Capture, Event, EventKind, Phase};

impl Capture {
    /// Emits the summed-up bounces as frozen parabolas, and the landing that ends them.
    pub(crate) fn next(&self, live: &mut Live<impl FlightMethod, impl ContactMethod>) -> Transition {
        let (capture, scene) = (self, live.run.scene);
        live.run.kept.count.captures += 1;
        live.captured(capture);
        let start = capture.start.time;
        let landing = start + capture.duration;
        let end = landing.min(live.run.options.duration);
        let jumped = live.stretch([start, end], StretchCourse::Jump(capture));
        // The run may end during the bounces, or the ball meet another part of the ground.
        let cut = live.run.ended.or(live.run.visit.map(|visit| visit.sample)).map(|sample| sample.state);
        let within = (landing > end).then(|| State { time: end, ..capture.at(end - start) });
        let lost = |state: State| state.dissipated - capture.start.dissipated;
        live.run.kept.count.captured_energy += cut.or(within).map_or(capture.dissipated, lost);
        jumped.stop_in(capture)?;
        if let Some(state) = within {
            return Ok(Flight::free(state).into());
        }
        let Landing { before, after, place, frame, slip } = capture.end(scene).stop_in(capture)?;
        let force = scene.forces.force_at(&after);
        let along = after.velocity.dot(&frame.tangent);
        let mode = Mode::begin(&scene.ball, scene.law_at(place), &frame, force, along, slip);
        let stays = Press::of(live.normal_force(&frame, force, along), 0.0).is_some_and(Press::stays);
        let flight = Flight::leaving(&scene.ground, after, place);
        let frozen = capture.at(capture.duration).position;
        live.run.kept.count.balance.captured.see((after.position - frozen).norm(), landing);
        live.run.kept.ledger.captured(scene, &after);
        let push = frame.normal * (-scene.ball.mass() * capture.pull * capture.duration);
        let phases = [Phase::Flight, if stays { mode.into() } else { Phase::Flight }];
        let impulses = [capture.normal_impulse, capture.tangential_impulse];
        let event = Event::new(EventKind::Landing, phases, &TouchPoint { place, frame }, [&before, &after], impulses);
        live.emit([event].iter(), IntendedChange { momentum: push, ..IntendedChange::NOTHING }).stop_in(&flight)?;
        if stays { live.land(&after, place, mode) } else { Ok(flight.into()) }
    }
}
