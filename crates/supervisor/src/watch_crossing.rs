//! Crossings of watches, as they are told.

use curves::Frame;

use crate::event::TouchPoint;
use crate::{Event, EventKind, Sample, Scene};

/// A crossing of a watch: its quantity changes from beyond rounding on one side of zero to beyond it on the other. A
/// jump across zero at an event counts; a quantity that stayed at zero crosses when it leaves it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// Index of the watch.
    pub watch: usize,
    /// The ball at the crossing.
    pub sample: Sample,
    /// Whether the quantity grows.
    pub rising: bool,
}

impl Crossing {
    /// Time of the crossing, s.
    pub fn time(&self) -> f64 {
        self.sample.state.time
    }

    /// The crossing as an event without change, at the nearest ground point of a solid strand.
    pub fn event(&self, scene: &Scene) -> Event {
        let Sample { phase, state, place, .. } = self.sample;
        let scene = scene.seen_by(&self.sample);
        let place = place.unwrap_or_else(|| scene.nearest(state.time, state.position).0);
        let ([way, ground_velocity], frame) = (scene.carried(place, state.time), scene.ground.frame(place));
        let frame = Frame { position: frame.position + way, ..frame };
        Event {
            ground_velocity,
            ..Event::new(EventKind::Watch, [phase; 2], &TouchPoint { place, frame }, [&state; 2], [0.0; 2])
        }
    }
}
