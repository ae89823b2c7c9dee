//! A run, kept whole.

use supervisor::{Capture, Event, EventKind, Observer, Sample, Summary};

/// Events, samples and captures of one run.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    /// In the order of time.
    pub events: Vec<Event>,
    /// In the order of time.
    pub samples: Vec<Sample>,
    /// In the order of time.
    pub captures: Vec<Capture>,
    /// What the run came to.
    pub summary: Option<Summary>,
}

impl Recording {
    /// The first event of a kind.
    pub fn first(&self, kind: EventKind) -> Option<&Event> {
        self.events.iter().find(|event| event.kind == kind)
    }
}

impl Observer for Recording {
    fn event(&mut self, event: &Event) {
        self.events.push(*event);
    }
    fn sample(&mut self, sample: &Sample) {
        self.samples.push(*sample);
    }
    fn capture(&mut self, capture: &Capture) {
        self.captures.push(*capture);
    }
}
