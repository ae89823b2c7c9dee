//! Values of the ball at an event, or at a time.

use identify::Component;
use study::quantity::Part;
use supervisor::{Event, Sample, Scene};
use tables::Table;

/// A number or a word.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Value {
    /// No value.
    None,
    Number(f64),
    Word(&'static str),
}

impl Value {
    pub fn put(self, table: &mut Table) {
        match self {
            Value::None => table.empty(),
            Value::Number(number) => table.number(number),
            Value::Word(word) => table.word(word),
        }
    }
}

/// Value of `part` before or after an event.
pub(super) fn of_event(scene: &Scene, event: &Event, part: &Part) -> Value {
    let side =
        |before: bool| if before { (&event.before, event.phase_before) } else { (&event.after, event.phase_after) };
    match *part {
        Part::Phase { before } => Value::Word(side(before).1.name()),
        Part::Component { component: Component::GroundParameter, .. } => {
            Value::Number(scene.ground.shown_parameter(event.place))
        }
        Part::Component { component, before } => Value::Number(component.of_state(&scene.world(side(before).0))),
    }
}

/// Value of `part` at a sample.
pub(super) fn of_sample(scene: &Scene, sample: &Sample, part: &Part) -> Value {
    match *part {
        Part::Phase { .. } => Value::Word(sample.phase.name()),
        Part::Component { component, .. } => Value::Number(component.of_sample(scene, sample)),
    }
}
