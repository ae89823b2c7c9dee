//! Who is told what happens.

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::{Capture, Crossing, Event, EventKind, Options, Sample, Stretch, Summary};

/// Hears of a run as it goes, and may end it: after `Break` it goes on to the end of the step or event under way and stops
/// there ([`Stop::Observer`](crate::Stop::Observer)). Every method has a default that does nothing.
pub trait Observer {
    /// An event, in the order of time.
    fn event(&mut self, _event: &Event) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
    /// A sample, in the order of time; one on an event's time comes after it.
    fn sample(&mut self, _sample: &Sample) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
    /// The motion over a step, or to the event that cut it; in the order of time, before that event.
    fn stretch(&mut self, _stretch: &Stretch) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
    /// A watch was crossed; in the order of time, before the stretch it is on and the event that ends that.
    fn crossing(&mut self, _crossing: &Crossing) {}
    /// From this time (s) on crossings of a watch (its index) may be missing: too many of them, or the quantity is within rounding of its
    /// value and no bounds tell on which side. Told once for each watch.
    fn unresolved(&mut self, _watch: usize, _time: f64) {}
    /// The last bounces were summed up.
    fn capture(&mut self, _capture: &Capture) {}
    /// The run has come to this time (s); called now and then.
    fn progress(&mut self, _time: f64) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Observer that hears nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoObserver;

impl Observer for NoObserver {}

impl<F: FnMut(&Event) -> ControlFlow<()>> Observer for F {
    fn event(&mut self, event: &Event) -> ControlFlow<()> {
        self(event)
    }
}

/// Keeps all that is told but the path.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    /// Events in the order of time.
    pub events: Vec<Event>,
    /// Samples in the order of time.
    pub samples: Vec<Sample>,
    /// Captures in the order of time.
    pub captures: Vec<Capture>,
    /// Crossings in the order of time.
    pub crossings: Vec<Crossing>,
    /// Watches of which crossings may be missing, and from when on, s.
    pub unresolved: Vec<(usize, f64)>,
    /// Summary of the run, put in by whoever runs it.
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
    fn crossing(&mut self, crossing: &Crossing) {
        self.crossings.push(*crossing);
    }
    fn unresolved(&mut self, watch: usize, time: f64) {
        self.unresolved.push((watch, time));
    }
}

/// Times at which samples are due, and whether the observer asked for the end.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct DueSamples {
    /// Time between samples, s.
    interval: Option<f64>,
    /// The last sample stands at the end of the run, which a product may miss by rounding: none is due from here on, s.
    close: f64,
    /// The start, where it is no multiple of the interval, s.
    begin: Option<f64>,
    /// Index of the next one; its time is the product with the interval.
    next: u64,
    /// Further times at which samples are due, s, in order, and how many of them are over.
    #[serde(skip)]
    pub times: Arc<[f64]>,
    over: usize,
    /// Whether the observer asked for the end of the run.
    pub asked: bool,
}

impl DueSamples {
    /// The samples of a run from `start` (s).
    pub fn new(options: &Options, start: f64) -> Self {
        let close = options.duration - 1e-12 * (options.duration - start);
        let next = options.interval.map_or(0, |interval| (start / interval).ceil() as u64);
        let begin = options.interval.filter(|interval| next as f64 * interval != start).map(|_| start);
        DueSamples { interval: options.interval, close, begin, next, times: Arc::default(), over: 0, asked: false }
    }

    /// Sets further times (s, in order) at which samples are due.
    pub fn at(&mut self, times: Arc<[f64]>, start: f64) {
        (self.over, self.times) = (times.partition_point(|time| *time < start), times);
    }

    /// Time of the next sample, s; ∞: there is none.
    #[inline]
    fn due(&self) -> f64 {
        let regular = self.interval.map_or(f64::INFINITY, |interval| self.next as f64 * interval);
        let listed = self.times.get(self.over).copied().unwrap_or(f64::INFINITY);
        self.begin.unwrap_or(f64::INFINITY).min(regular).min(listed)
    }

    /// Passes over the sample due at a time (s), which has been emitted.
    fn pass(&mut self, time: f64) {
        self.begin = self.begin.filter(|begin| *begin != time);
        self.next += u64::from(self.interval.is_some_and(|interval| self.next as f64 * interval == time));
        while self.times.get(self.over) == Some(&time) {
            self.over += 1;
        }
    }

    /// Emits a stretch, and the samples due on it before its end.
    #[inline]
    pub fn emit(&mut self, stretch: &Stretch, observer: &mut dyn Observer) {
        self.asked |= observer.stretch(stretch).is_break();
        loop {
            let time = self.due();
            if !(time < stretch.to() && time < self.close) {
                return;
            }
            self.pass(time);
            let mut sample = stretch.at(time.max(stretch.from()));
            sample.state.time = time;
            self.asked |= observer.sample(&sample).is_break();
        }
    }
}
