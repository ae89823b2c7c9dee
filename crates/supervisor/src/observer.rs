//! Observers: they receive the events, samples and path of a run, and may end it.

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::{Capture, Crossing, Event, EventKind, Options, Sample, Stretch, Summary};

/// Receives reports of a run, and may end it: after `Break` it continues to the end of the current step or event and
/// stops ([`Stop::Observer`](crate::Stop::Observer)). By default every method does nothing.
pub trait Observer {
    /// An event, in order of time.
    fn event(&mut self, _event: &Event) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
    /// A sample, in order of time; one at an event's time follows the event.
    fn sample(&mut self, _sample: &Sample) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
    /// The motion over a step, or up to the event that cut it; in order of time, before that event.
    fn stretch(&mut self, _stretch: &Stretch) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
    /// A crossing of a watch; in order of time, before its stretch and the event that ends that.
    fn crossing(&mut self, _crossing: &Crossing) {}
    /// Crossings of a watch (by index) may be missing from this time (s) on: they are too many, or the quantity is
    /// within rounding of its value, so that no bounds tell on which side. Called at most once for each watch.
    fn unresolved(&mut self, _watch: usize, _time: f64) {}
    /// Bounces were summed up.
    fn capture(&mut self, _capture: &Capture) {}
    /// Time reached by the run (s); called now and then.
    fn progress(&mut self, _time: f64) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Observer that ignores everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoObserver;

impl Observer for NoObserver {}

impl<F: FnMut(&Event) -> ControlFlow<()>> Observer for F {
    fn event(&mut self, event: &Event) -> ControlFlow<()> {
        self(event)
    }
}

/// Observer that keeps everything but the path.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    /// Events in order of time.
    pub events: Vec<Event>,
    /// Samples in order of time.
    pub samples: Vec<Sample>,
    /// Captures in order of time.
    pub captures: Vec<Capture>,
    /// Crossings in order of time.
    pub crossings: Vec<Crossing>,
    /// Watches whose crossings may be missing, and from which time, s.
    pub unresolved: Vec<(usize, f64)>,
    /// Summary of the run, filled in by the caller.
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

/// Times at which samples are due, and whether the observer has ended the run.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct DueSamples {
    /// Time between samples, s.
    interval: Option<f64>,
    /// Time from which on no sample is due, s: just before the end of the run, where the last sample is emitted apart.
    /// A multiple of the interval may miss that end by rounding.
    close: f64,
    /// The start, if it is no multiple of the interval, s.
    begin: Option<f64>,
    /// Index of the next sample; its time is the product with the interval.
    next: u64,
    /// Further times of samples, s, in order; and how many of them are past.
    #[serde(skip)]
    pub times: Arc<[f64]>,
    over: usize,
    /// Whether the observer has ended the run.
    pub asked: bool,
}

impl DueSamples {
    /// Samples of a run from `start` (s).
    pub fn new(options: &Options, start: f64) -> Self {
        let close = options.duration - 1e-12 * (options.duration - start);
        let next = options.interval.map_or(0, |interval| (start / interval).ceil() as u64);
        let begin = options.interval.filter(|interval| next as f64 * interval != start).map(|_| start);
        DueSamples { interval: options.interval, close, begin, next, times: Arc::default(), over: 0, asked: false }
    }

    /// Adds times (s, in order) of samples.
    pub fn at(&mut self, times: Arc<[f64]>, start: f64) {
        (self.over, self.times) = (times.partition_point(|time| *time < start), times);
    }

    /// Time of the next sample, s; ∞: none.
    #[inline]
    fn due(&self) -> f64 {
        let regular = self.interval.map_or(f64::INFINITY, |interval| self.next as f64 * interval);
        let listed = self.times.get(self.over).copied().unwrap_or(f64::INFINITY);
        self.begin.unwrap_or(f64::INFINITY).min(regular).min(listed)
    }

    /// Counts the samples due at a time (s) as emitted.
    fn pass(&mut self, time: f64) {
        self.begin = self.begin.filter(|begin| *begin != time);
        self.next += u64::from(self.interval.is_some_and(|interval| self.next as f64 * interval == time));
        while self.times.get(self.over) == Some(&time) {
            self.over += 1;
        }
    }

    /// Emits a stretch, and the samples on it before its end.
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
