//! [`RunTrack`]: rows, events and work of one run, kept for comparisons.

use std::ops::ControlFlow;

use mechanics::State;
use newmark::Control;
use report::output::{contact_gap, nearest};
use scenario::stepping::{BallEvent, BallObserver, BallSample, run_stepping};
use scenario::{NotEventDriven, Scenario, run};
use supervisor::{Capture, Event, EventKind, Observer, Phase, Sample, Scene};

/// Maximum number of events kept and compared.
pub(crate) const KEPT_EVENTS: usize = 2000;

/// Times of rows count as equal within this part of the interval.
pub(crate) const SAME: f64 = 1e-9;

/// The ball at one of the times compared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ComparedRow {
    /// Time, s.
    pub time: f64,
    /// Position of the centre, m.
    pub position: [f64; 2],
    /// Velocity of the centre, m/s.
    pub velocity: [f64; 2],
    /// Normal force λ, N; `None` in flight.
    pub normal_force: Option<f64>,
    /// Gap, m.
    pub gap: f64,
    /// Energy error: total energy − total at the start + dissipated − work, J.
    pub unexplained: f64,
}

/// Kind and time of an event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EventTime {
    /// Kind of the event.
    pub kind: EventKind,
    /// Time, s.
    pub time: f64,
}

/// Work of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunWork {
    /// Steps taken, in flight and on the ground.
    pub steps: u64,
    /// Evaluations of non-constant forces in flight (time stepping: in all steps).
    pub forces: u64,
    /// Evaluations of the ground, in contact and in searches.
    pub ground: u64,
}

/// Rows, events and work of one run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunTrack {
    /// Rows at times i·interval (in time stepping: at those of them at which a step ends), and at the end.
    pub rows: Vec<ComparedRow>,
    /// The first 2000 events.
    pub events: Vec<EventTime>,
    /// Number of all events, kept or not.
    pub event_count: u64,
    /// Start and end of infinite sequences of bounces that were summed up, s.
    pub captures: Vec<[f64; 2]>,
    /// State at the end of the run; `None`: it stopped before.
    pub end: Option<ComparedRow>,
    /// Reason why the run stopped before its end.
    pub stop: Option<String>,
    /// Greatest penetration at a row (time stepping: in any step), m.
    pub deepest: f64,
    /// Unexplained energy at the end, J.
    pub unexplained: f64,
    /// Work of the run.
    pub work: RunWork,
    /// Fixed step, s.
    pub step: Option<f64>,
}

impl RunTrack {
    /// Runs a scenario and keeps the run.
    pub fn of(scenario: &Scenario) -> Result<Self, NotEventDriven> {
        let (scene, interval) = (&scenario.scene, scenario.interval);
        let mut keeper = Keeper { scene, interval, track: RunTrack::default(), start: 0.0, off: None };
        let mut track;
        if scenario.stepping.is_some() {
            let summary = run_stepping(scenario, &mut keeper);
            track = keeper.track;
            keeper.off.into_iter().for_each(|last| track.push(last));
            track.step = Some(scenario.step());
            track.stop = summary.stop.as_ref().map(ToString::to_string);
            track.unexplained = summary.energy_end.numerical();
            track.deepest = track.deepest.max(summary.deepest.map_or(0.0, |deepest| deepest.depth));
            let (steps, evaluations) = (summary.count.steps, summary.count.evaluations);
            track.work = RunWork { steps, forces: evaluations.forces, ground: evaluations.ground };
        } else {
            let summary = run(scenario, &mut keeper)?;
            track = keeper.track;
            if let Control::Step { step, .. } = scenario.solver.control {
                track.step = Some(step);
            }
            track.stop = summary.stop.map(|stop| stop.to_string());
            track.unexplained = summary.unexplained();
            let count = &summary.count;
            track.work = RunWork {
                steps: count.flight.steps + count.contact.steps + count.compressed.steps,
                forces: count.flight.forces + count.compressed.evaluations,
                ground: count.contact.frames + count.search.evaluations + count.compressed.evaluations,
            };
        }
        if track.stop.is_none() {
            track.end = track.rows.last().copied();
        }
        Ok(track)
    }

    /// Rows that are judged, and the last one. With fixed steps these are rows at multiples of the step since the
    /// start: the errors are those at nodes, without those of interpolation.
    pub fn judged(&self, interval: f64) -> impl Iterator<Item = &ComparedRow> {
        let last = self.rows.len().saturating_sub(1);
        let begin = self.rows.first().map_or(0.0, |row| row.time);
        let is_near = move |time: f64, step: f64| (time - (time / step).round() * step).abs() <= SAME * interval;
        let is_node = move |time: f64| self.step.is_none_or(|step| is_near(time - begin, step));
        let rows = self.rows.iter().enumerate().filter(move |(i, row)| *i == last || is_node(row.time));
        rows.map(|(_, row)| row)
    }

    /// Whether the ball is off the ground at any row.
    pub fn flies(&self) -> bool {
        let stays = |kind| matches!(kind, EventKind::Slip | EventKind::Stick | EventKind::Rest);
        self.rows.iter().any(|row| row.normal_force.is_none()) || self.events.iter().any(|event| !stays(event.kind))
    }

    /// Largest |gap| of the rows on the ground, m.
    pub fn gap(&self) -> f64 {
        let on_ground = self.rows.iter().filter(|row| row.normal_force.is_some());
        on_ground.map(|row| row.gap.abs()).fold(0.0, f64::max)
    }

    /// Largest energy error of the rows judged, J.
    pub fn energy_error(&self, interval: f64) -> f64 {
        self.judged(interval).map(|row| row.unexplained.abs()).fold(self.unexplained.abs(), f64::max)
    }

    fn add(&mut self, kind: EventKind, time: f64) {
        if self.events.len() < KEPT_EVENTS {
            self.events.push(EventTime { kind, time });
        }
        self.event_count += 1;
    }

    fn push(&mut self, row: ComparedRow) {
        self.deepest = self.deepest.max(-row.gap);
        self.rows.push(row);
    }
}

/// Observer that keeps a run, event-driven or by time stepping.
struct Keeper<'a> {
    scene: &'a Scene,
    interval: f64,
    track: RunTrack,
    /// Energy at the start, J.
    start: f64,
    /// The last row of time stepping off the grid, which is kept if the run ends with it.
    off: Option<ComparedRow>,
}

fn row(sample: &Sample, touches: bool, gap: f64, unexplained: f64) -> ComparedRow {
    let State { time, position, velocity, .. } = sample.state;
    let normal_force = touches.then_some(sample.normal_force);
    ComparedRow { time, position: position.into(), velocity: velocity.into(), normal_force, gap, unexplained }
}

impl Observer for Keeper<'_> {
    fn event(&mut self, event: &Event) -> ControlFlow<()> {
        self.track.add(event.kind, event.time());
        ControlFlow::Continue(())
    }
    fn sample(&mut self, sample: &Sample) -> ControlFlow<()> {
        let energy = self.scene.energy(sample.phase, &sample.state);
        if self.track.rows.is_empty() {
            self.start = energy.total();
        }
        let gap = match sample.place {
            Some(place) => contact_gap(self.scene, place, sample),
            None => nearest(self.scene.seen_by(sample), &sample.state).1,
        };
        let unexplained = energy.total() - self.start + energy.dissipated - energy.work;
        self.track.push(row(sample, sample.phase != Phase::Flight, gap, unexplained));
        ControlFlow::Continue(())
    }
    fn capture(&mut self, capture: &Capture) {
        if self.track.captures.len() < KEPT_EVENTS {
            self.track.captures.push([capture.start.time, capture.start.time + capture.duration]);
        }
    }
}

impl BallObserver for Keeper<'_> {
    fn event(&mut self, BallEvent { event, .. }: &BallEvent) {
        self.track.add(event.kind, event.time());
    }
    fn sample(&mut self, BallSample { sample, energy, .. }: &BallSample) {
        let touches = sample.phase != Phase::Flight && sample.state.time > 0.0;
        let row = row(sample, touches, nearest(self.scene, &sample.state).1, energy.numerical());
        let near = (row.time / self.interval).round() * self.interval;
        self.off = Some(row).filter(|_| !((row.time - near).abs() <= SAME * self.interval));
        if self.off.is_none() {
            self.track.push(row);
        }
    }
}
