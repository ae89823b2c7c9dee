//! Trace of a run: the events, summed-up bounces and joints that sensitivities need.

use std::ops::ControlFlow;

use curves::Place;
use flight::Dop853;
use newmark::{Control, Scheme, Tolerance};
use rolling::Formulation;
use supervisor::{Capture, Event, EventKind, Observer, Options, Phase, Stop, Stretch, Summary, Supervisor, Watching};

use crate::Model;

/// An entry of a trace.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mark {
    /// An event.
    Event(Event),
    /// Bounces are summed up; the landing follows as an event.
    Capture(Capture),
    /// Contact continues from one piece or corner of the ground on the next.
    Joint {
        /// Time of the joint, s.
        time: f64,
        /// Place on the next piece or corner.
        place: Place,
    },
}

/// Events, summed-up bounces and joints of a run, in order of time.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// Events, summed-up bounces and joints.
    pub marks: Vec<Mark>,
    /// End of the run, s.
    pub end: f64,
    /// Phase at the end.
    pub last: Option<Phase>,
    /// Current place in contact, while recording.
    on: Option<Place>,
}

/// Reason why a run could not be traced to its end.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum TraceError {
    /// The run stopped early.
    #[error("the run stopped: {0}")]
    Stopped(Stop),
    /// The flight method refuses the tolerance.
    #[error(transparent)]
    Method(#[from] flight::MethodError),
    /// The contact method refuses the tolerance.
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
        // Another piece or corner than before is a joint; one at the start of a run in contact changes nothing.
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

/// Runs a model with accurate methods to `tolerance`: DOP853 in flight, Newmark's scheme by arc length in contact. All
/// `options` hold but the output interval, which is left out.
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

    /// Adds the end of the run to a trace that observed a supervisor's run; an error if the run stopped early.
    pub fn finish(mut self, summary: &Summary) -> Result<Self, TraceError> {
        if let Some(stop) = summary.stop {
            return Err(TraceError::Stopped(stop));
        }
        self.end = summary.state.time;
        self.last = Some(summary.phase);
        Ok(self)
    }

    /// The events.
    pub fn events(&self) -> impl Iterator<Item = &Event> {
        self.marks.iter().filter_map(|mark| match mark {
            Mark::Event(event) => Some(event),
            Mark::Capture(_) | Mark::Joint { .. } => None,
        })
    }

    /// The impacts, landings included.
    pub fn impacts(&self) -> impl Iterator<Item = &Event> {
        self.events().filter(|event| matches!(event.kind, EventKind::Impact | EventKind::Landing))
    }

    /// Phase at the start of the run.
    pub(crate) fn first(&self) -> Phase {
        self.events().next().map_or(self.last.unwrap_or(Phase::Flight), |event| event.phase_before)
    }
}
