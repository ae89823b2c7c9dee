//! Values of the ball at an event, or at a time.

use identify::Component;
use study::quantity::Part;
use supervisor::{Event, Sample, Scene};
use tables::Cell;

/// Value of `part` before or after an event.
pub(super) fn of_event(scene: &Scene, event: &Event, part: &Part) -> Cell<'static> {
    let side =
        |before: bool| if before { (&event.before, event.phase_before) } else { (&event.after, event.phase_after) };
    match *part {
        Part::Phase { before } => Cell::Name(side(before).1.name()),
        Part::Component { component: Component::GroundParameter, .. } => {
            Cell::Number(scene.ground.shown_parameter(event.place))
        }
        Part::Component { component, before } => Cell::Number(component.of_state(&scene.world(side(before).0))),
    }
}

/// Value of `part` at a sample.
pub(super) fn of_sample(scene: &Scene, sample: &Sample, part: &Part) -> Cell<'static> {
    match *part {
        Part::Phase { .. } => Cell::Name(sample.phase.name()),
        Part::Component { component, .. } => Cell::Number(component.of_sample(scene, sample)),
    }
}
