//! Crossings of watches, and the end of a run at an event.

use std::ops::ControlFlow;

use supervisor::{Capture, Event, Observer, Sample, Scene, Stretch};

use crate::Moment;
use crate::run::Kept;

/// Whether a run ends with an event.
pub(crate) type Until = dyn Fn(&Event) -> bool + Send + Sync;

/// A watch was crossed: its quantity was beyond rounding on one side, and comes to be so on the other.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Crossing {
    /// Index of the watch, from 0.
    pub watch: usize,
    /// The ball then. Where the quantity stayed at its value, it crosses it when it leaves it.
    pub moment: Moment,
    /// Whether the quantity grows.
    pub rising: bool,
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) told: supervisor::Crossing,
}

/// A row of `events.csv`, from the [log](crate::Run::log) of a run.
#[derive(Clone, Copy, Debug)]
pub enum Entry<'a> {
    /// Something happened.
    Event(&'a Event),
    /// A watch was crossed.
    Crossing(&'a supervisor::Crossing),
}

impl Entry<'_> {
    pub(crate) fn tell(&self, observer: &mut dyn Observer) -> ControlFlow<()> {
        match self {
            Entry::Event(event) => observer.event(event),
            Entry::Crossing(crossing) => {
                observer.crossing(crossing);
                ControlFlow::Continue(())
            }
        }
    }
}

/// An observer that keeps a run, or its crossings alone, tells another observer all, and ends the run with the event
/// that `until` asks for.
pub(crate) struct Keeping<'a> {
    pub kept: Option<&'a mut Kept>,
    pub crossings: &'a mut Vec<Crossing>,
    pub scene: &'a Scene,
    pub until: Option<&'a Until>,
    pub observer: &'a mut dyn Observer,
    /// Whether the event that ends the run came.
    pub ended: bool,
}

impl Observer for Keeping<'_> {
    fn event(&mut self, event: &Event) -> ControlFlow<()> {
        if let Some(kept) = &mut self.kept {
            kept.events.push(*event);
        }
        self.observer.event(event)?;
        match self.until {
            Some(until) if until(event) => {
                self.ended = true;
                ControlFlow::Break(())
            }
            _ => ControlFlow::Continue(()),
        }
    }

    fn crossing(&mut self, crossing: &supervisor::Crossing) {
        let supervisor::Crossing { watch, ref sample, rising } = *crossing;
        let moment = Moment::of(self.scene, sample);
        self.crossings.push(Crossing { watch, moment, rising, told: *crossing });
        if let Some(kept) = &mut self.kept {
            kept.crossed.push(kept.events.len());
        }
        self.observer.crossing(crossing);
    }

    fn sample(&mut self, sample: &Sample) -> ControlFlow<()> {
        self.observer.sample(sample)
    }

    fn stretch(&mut self, stretch: &Stretch) -> ControlFlow<()> {
        if let Some(kept) = &mut self.kept {
            kept.path.push(stretch.keep());
        }
        self.observer.stretch(stretch)
    }

    fn unresolved(&mut self, watch: usize, time: f64) {
        self.observer.unresolved(watch, time);
    }

    fn capture(&mut self, capture: &Capture) {
        if let Some(kept) = &mut self.kept {
            kept.captures.push(*capture);
        }
        self.observer.capture(capture);
    }

    fn progress(&mut self, time: f64) -> ControlFlow<()> {
        self.observer.progress(time)
    }
}
