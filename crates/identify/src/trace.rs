//! A run, as far as sensitivities need it.

use std::ops::ControlFlow;

use curves::Place;
use flight::Dop853;
use newmark::{Control, Scheme, Tolerance};
use rolling::Formulation;
use supervisor::{Capture, Event, EventKind, Observer, Options, Phase, Stop, Stretch, Summary, Supervisor, Watching};

use crate::Model;

/// One thing that happened in a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mark {
    /// An event.
    Event(Event),
    /// The last bounces were summed up; the landing follows as an event.
    Capture(Capture),
    /// Contact goes on from one piece or corner of the ground to the next.
    Joint {
        /// Time of the joint, s.
        time: f64,
        /// Place on the next piece or corner.
        place: Place,
    },
}

/// Events, captures and joints of a run, in the order of time.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// Events, captures and joints.
    pub marks: Vec<Mark>,
    /// End of the run, s.
    pub end: f64,
    /// The phase there.
    pub last: Option<Phase>,
    /// The place in contact, as far as the run has come.
    on: Option<Place>,
}

/// Why there is no whole run to be traced.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum TraceError {
    /// The run stopped.
    #[error("the run stopped: {0}")]
    Stopped(Stop),
    /// The method refuses the tolerance.
    #[error(transparent)]
    Method(#[from] flight::MethodError),
    /// The contact method refuses it.
    #[error(transparent)]
    Contact(#[from] rolling::RollingError),
}

impl Observer for Trace {
    fn event(&mut self, event: &Event) -> ControlFlow<()> {
        self.marks.push(Mark::Event(*event));
        self.on = matches!(event.phase_after, Phase::Sliding | Phase::Rolling).then_some(event.place);
        ControlFlow::Continue(())
    }
    fn stretch(&mut self, stretch: &Stretch) -> ControlFlow<()> {
        let slides = matches!(stretch.phase(), Phase::Sliding | Phase::Rolling);
        let place = slides.then(|| stretch.at(stretch.from()).place).flatten();
        if let Some(place) = place.filter(|place| self.on.is_none_or(|before| !before.same_feature(*place))) {
            self.marks.push(Mark::Joint { time: stretch.from(), place });
        }
        self.on = place;
        ControlFlow::Continue(())
    }
    fn capture(&mut self, capture: &Capture) {
        self.marks.push(Mark::Capture(*capture));
    }
}

/// Runs a model with exact methods (DOP853 and arc length, to `tolerance`) until `duration` (s). `options` say the rest.
pub(crate) fn run(
    model: &Model,
    options: Options,
    tolerance: f64,
    watching: Watching,
    observer: &mut dyn Observer,
) -> Result<Summary, TraceError> {
    let control = Control::Tolerance(Tolerance { relative: tolerance, absolute: tolerance });
    let contact = rolling::Newmark::new(Formulation::ArcLength, Scheme::AVERAGE, control)?;
    let options = Options { interval: None, ..options };
    let flight = Dop853::new(control)?;
    Ok(Supervisor::new(&model.scene, options, model.start, flight, contact).watching(watching).run(observer))
}

impl Trace {
    /// Records a run of `model`.
    pub fn of(model: &Model, options: Options, tolerance: f64) -> Result<Self, TraceError> {
        let mut trace = Trace::default();
        let summary = run(model, options, tolerance, Watching::default(), &mut trace)?;
        trace.finish(&summary)
    }

    /// Ends a trace that another supervisor has filled.
    pub fn finish(mut self, summary: &Summary) -> Result<Self, TraceError> {
        if let Some(stop) = summary.stop {
            return Err(TraceError::Stopped(stop));
        }
        self.end = summary.state.time;
        self.last = Some(summary.phase);
        Ok(self)
    }

    /// Events alone.
    pub fn events(&self) -> impl Iterator<Item = &Event> {
        self.marks.iter().filter_map(|mark| match mark {
            Mark::Event(event) => Some(event),
            Mark::Capture(_) | Mark::Joint { .. } => None,
        })
    }

    /// Impacts, landings included.
    pub fn impacts(&self) -> impl Iterator<Item = &Event> {
        self.events().filter(|event| matches!(event.kind, EventKind::Impact | EventKind::Landing))
    }

    /// The phase the run began in.
    pub(crate) fn first(&self) -> Phase {
        self.events().next().map_or(self.last.unwrap_or(Phase::Flight), |event| event.phase_before)
    }
}
