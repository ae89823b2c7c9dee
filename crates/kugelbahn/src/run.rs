//! A run that is over, and everything it was.

use std::ops::ControlFlow;
use std::sync::Arc;

use scenario::Scenario;
use supervisor::{Balance, Capture, Event, KeptStretch, Observer, Phase, Sample, Scene, Stop, Stretch, Summary};

use crate::{Crossing, Error};

/// The ball at one time, seen from what stands still.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    /// s
    pub time: f64,
    /// What the ball does.
    pub phase: Phase,
    /// Of the centre, m.
    pub position: [f64; 2],
    /// Of the centre, m/s.
    pub velocity: [f64; 2],
    /// Of the centre, m/s²: relative to the ground where that is carried about.
    pub acceleration: [f64; 2],
    /// rad, anticlockwise.
    pub angle: f64,
    /// rad/s, anticlockwise.
    pub spin: f64,
    /// λ, N; 0 in flight.
    pub normal_force: f64,
    /// Friction along the tangent, N; 0 in flight.
    pub friction_force: f64,
}

impl Moment {
    pub(crate) fn of(scene: &Scene, sample: &Sample) -> Self {
        let state = scene.world(&sample.state);
        Moment {
            time: state.time,
            phase: sample.phase,
            position: state.position.into(),
            velocity: state.velocity.into(),
            acceleration: sample.acceleration.into(),
            angle: state.angle,
            spin: state.spin,
            normal_force: sample.normal_force,
            friction_force: sample.friction_force,
        }
    }
}

/// A phase, from its beginning to its end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PhaseSpan {
    /// Which.
    pub phase: Phase,
    /// s
    pub from: f64,
    /// s
    pub to: f64,
}

/// A run that is over: its events, its path at every time, and what its balance came to.
///
/// It keeps some 300 bytes for each step in flight and 2 kB for each on the ground; to keep less,
/// [`run_with`](crate::Simulation::run_with).
#[derive(Clone, Debug)]
pub struct Run {
    scenario: Arc<Scenario>,
    kept: Kept,
    crossings: Vec<Crossing>,
    summary: Summary,
    /// The ball in the end.
    last: Moment,
}

/// What is kept.
#[derive(Clone, Debug, Default)]
pub(crate) struct Kept {
    events: Vec<Event>,
    captures: Vec<Capture>,
    path: Vec<KeptStretch>,
}

impl Observer for Kept {
    fn event(&mut self, event: &Event) -> ControlFlow<()> {
        self.events.push(*event);
        ControlFlow::Continue(())
    }

    fn stretch(&mut self, stretch: &Stretch) -> ControlFlow<()> {
        self.path.push(stretch.keep());
        ControlFlow::Continue(())
    }

    fn capture(&mut self, capture: &Capture) {
        self.captures.push(*capture);
    }
}

impl Run {
    pub(crate) fn new(
        scenario: Arc<Scenario>,
        kept: Kept,
        crossings: Vec<Crossing>,
        summary: Summary,
        last: Moment,
    ) -> Self {
        Run { scenario, kept, crossings, summary, last }
    }

    /// What happened, in the order of time.
    pub fn events(&self) -> &[Event] {
        &self.kept.events
    }

    /// Bounces that were summed up.
    pub fn captures(&self) -> &[Capture] {
        &self.kept.captures
    }

    /// Crossings of what was watched, in the order of time.
    pub fn crossings(&self) -> &[Crossing] {
        &self.crossings
    }

    /// What the ball did, from when to when.
    pub fn phases(&self) -> Vec<PhaseSpan> {
        let mut spans: Vec<PhaseSpan> = Vec::new();
        for stretch in &self.kept.path {
            let stretch = stretch.of(&self.scenario.scene);
            let (phase, from, to) = (stretch.phase(), stretch.from(), stretch.to());
            match spans.last_mut() {
                Some(last) if last.phase == phase => last.to = to,
                _ => spans.push(PhaseSpan { phase, from, to }),
            }
        }
        spans
    }

    /// When it began, s.
    pub fn begin(&self) -> f64 {
        self.scenario.start.time()
    }

    /// The moment that it was to end with, if it did.
    pub fn ended_with(&self) -> Option<String> {
        self.summary.until.map(|moment| scenario::moment::written(moment, &self.scenario.watches))
    }

    /// When it ended, s.
    pub fn end(&self) -> f64 {
        self.summary.state.time
    }

    /// The ball at any time of the run (s), by the dense output of its method. At the time of an event: after it.
    pub fn at(&self, time: f64) -> Result<Moment, Error> {
        let (begin, end) = (self.begin(), self.end());
        if !(begin <= time && time <= end) {
            return Err(Error::Time { time, begin, end });
        }
        let scene = &self.scenario.scene;
        let index = self.kept.path.partition_point(|stretch| stretch.to() <= time);
        let Some(stretch) = self.kept.path.get(index) else { return Ok(self.last) };
        let mut sample = stretch.of(scene).at(time);
        sample.state.time = time;
        Ok(Moment::of(scene, &sample))
    }

    /// The ball at the start, at the multiples of `interval` (s) after it, and at the end.
    pub fn samples(&self, interval: f64) -> Result<impl Iterator<Item = Moment>, Error> {
        if !(interval > 0.0 && interval.is_finite()) {
            return Err(Error::Duration { what: "interval", value: interval });
        }
        // The last one stands at the end, which a product may miss by rounding.
        let (begin, end) = (self.begin(), self.end());
        let close = ((end - 1e-12 * (end - begin)) / interval).ceil() as u64;
        let next = (begin / interval).ceil() as u64;
        let first = Some(begin).filter(|begin| next as f64 * interval != *begin);
        let times = first.into_iter().chain((next..close).map(move |i| i as f64 * interval));
        Ok(times.filter_map(|time| self.at(time).ok()).chain([self.last]))
    }

    /// What it came to: counts of work and events, energies, the state in the end.
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// Why it ended before its time, if it did.
    pub fn stop(&self) -> Option<&Stop> {
        self.summary.stop.as_ref()
    }

    /// Energy that the ledger can't explain, J.
    pub fn unexplained(&self) -> f64 {
        self.summary.unexplained()
    }

    /// What place and momentum are off by at events, at most.
    pub fn balance(&self) -> &Balance {
        &self.summary.count.balance
    }

    /// What was run, every value as used.
    pub fn scenario(&self) -> &Scenario {
        &self.scenario
    }
}
