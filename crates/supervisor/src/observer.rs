//! Who is told what happens.

use std::ops::ControlFlow;

use crate::{Capture, Event, EventKind, Options, Sample, Stretch, Summary};

/// Hears of a run as it goes, and may end it: after `Break` it goes on to the end of the step or event under way and stops
/// there ([`Stop::Observer`](crate::Stop::Observer)). Every method has a default that does nothing.
pub trait Observer {
    /// An event, in the order of time.
    fn event(&mut self, event: &Event) -> ControlFlow<()> {
        let _ = event;
        ControlFlow::Continue(())
    }
    /// A sample, in the order of time; one on an event's time comes after it.
    fn sample(&mut self, sample: &Sample) -> ControlFlow<()> {
        let _ = sample;
        ControlFlow::Continue(())
    }
    /// The motion over a step, or to the event that cut it; in the order of time, before that event.
    fn stretch(&mut self, stretch: &Stretch) -> ControlFlow<()> {
        let _ = stretch;
        ControlFlow::Continue(())
    }
    /// The last bounces were summed up.
    fn capture(&mut self, capture: &Capture) {
        let _ = capture;
    }
    /// The run has come to this time (s); called now and then.
    fn progress(&mut self, time: f64) -> ControlFlow<()> {
        let _ = time;
        ControlFlow::Continue(())
    }
}

/// Hears nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoObserver;

impl Observer for NoObserver {}

/// Keeps all that is told but the path.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    /// In the order of time.
    pub events: Vec<Event>,
    /// In the order of time.
    pub samples: Vec<Sample>,
    /// In the order of time.
    pub captures: Vec<Capture>,
    /// What the run came to, for whoever runs it to put in.
    pub summary: Option<Summary>,
}

impl Recording {
    /// The first event of a kind.
    pub fn first(&self, kind: EventKind) -> Option<&Event> {
        self.events.iter().find(|event| event.kind == kind)
    }
}

impl Observer for Recording {
    fn event(&mut self, event: &Event) -> ControlFlow<()> {
        self.events.push(*event);
        ControlFlow::Continue(())
    }
    fn sample(&mut self, sample: &Sample) -> ControlFlow<()> {
        self.samples.push(*sample);
        ControlFlow::Continue(())
    }
    fn capture(&mut self, capture: &Capture) {
        self.captures.push(*capture);
    }
}

/// When samples are due, and whether the observer asked for the end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Samples {
    /// s
    interval: Option<f64>,
    /// The last sample stands at the end of the run, which a product may miss by rounding: none is due from here on, s.
    close: f64,
    /// Index of the next one; its time is the product with the interval.
    next: u64,
    /// Whether the observer asked for the end of the run.
    pub asked: bool,
}

impl Samples {
    pub fn new(options: &Options) -> Self {
        Samples { interval: options.interval, close: options.duration * (1.0 - 1e-12), next: 0, asked: false }
    }

    /// Emits a stretch, and the samples due on it before its end.
    #[inline]
    pub fn emit(&mut self, stretch: &Stretch, observer: &mut impl Observer) {
        self.asked |= observer.stretch(stretch).is_break();
        let Some(interval) = self.interval else { return };
        loop {
            let time = self.next as f64 * interval;
            if !(time < stretch.to() && time < self.close) {
                return;
            }
            self.next += 1;
            let mut sample = stretch.at(time.max(stretch.from()));
            sample.state.time = time;
            self.asked |= observer.sample(&sample).is_break();
        }
    }
}
