//! [`Recorder`]: writes tables during a run, and keeps the data for terminal, figures and page.

use std::cell::OnceCell;
use std::ops::ControlFlow;

use scenario::input::plain;
use scenario::stepping::{BallEvent, BallLeg, BallObserver, BallSample, ContactSample, run_stepping};
use scenario::{NotEventDriven, Scenario, Warning};
use serde_json::{Value, json};
use supervisor::{Capture, Crossing, Event, Observer, Sample, Scene, Stretch};
use tables::{Cell, Field, number_text};

use super::checkpoint::Checkpoints;
use super::folder::{Folder, OutputError};
use super::growing_table::{Tables, Which};
use super::tables::{
    CONTACTS, EventCell, EventRow, TrajectoryCell, TrajectoryRow, fields_of_events, ground_name, trajectory_fields,
};
use crate::figures::{Figure, RunTrace, path_figure, time_figure};
use crate::page::PageFilm;
use crate::{JumpRows, Outcome, Phases};

/// Maximum number of events kept for the terminal, and of captures kept.
pub(crate) const KEPT_EVENTS: usize = 200;

/// Maximum number of events kept for `--json` and the page, and of crossings kept.
const JSON_EVENTS: usize = 10_000;

/// Maximum number of parts of a step in figures.
const PARTS: i32 = 16;

/// Recorder of a run, event-driven or by time stepping.
pub struct Recorder<'a> {
    pub(super) scenario: &'a Scenario,
    pub(crate) scenes: Vec<Scene>,
    pub(super) tables: Option<Tables<'a>>,
    /// Writer of checkpoints, if wanted.
    pub(super) keeping: Option<Checkpoints<'a>>,
    pub(crate) event_fields: Vec<Field<EventCell>>,
    trajectory_fields: Vec<Field<TrajectoryCell>>,
    /// The first events.
    pub events: Vec<BallEvent>,
    /// Number of all events.
    pub event_count: u64,
    /// Infinite sequences of bounces that were summed up.
    pub captures: Vec<Capture>,
    /// The last event, if it is not among those kept.
    pub last_event: Option<BallEvent>,
    /// Number of events with a normal impulse, per ball.
    pub impacts: Vec<u64>,
    /// Points of the figures; none without a film.
    pub trace: RunTrace,
    figures: OnceCell<[Figure; 2]>,
    /// Whether figures are wanted of a run with a film.
    drawn: bool,
    /// Phases of an event-driven run.
    pub phases: Phases,
    /// Jumps of the run.
    pub jumps: JumpRows,
    /// The first crossings.
    pub crossings: Vec<BallEvent>,
    /// Watches with possibly missing crossings, and the time (s) from which on.
    pub unresolved: Vec<(usize, f64)>,
    /// The first rows of `events.csv`, if wanted.
    pub(crate) event_rows: Option<Vec<Vec<Value>>>,
    /// Data of the page, if wanted.
    pub film: Option<PageFilm>,
    /// Warning about the energy error of a finished run.
    leak: Option<Warning>,
    progress: Box<dyn FnMut(f64) + 'a>,
    /// Asked whether to end the run early.
    ends: Option<&'a dyn Fn() -> bool>,
}

impl<'a> Recorder<'a> {
    /// A recorder; with a folder, tables are written during the run. `progress` is called with the time reached, s.
    pub fn new(
        scenario: &'a Scenario,
        folder: Option<&'a Folder>,
        progress: Box<dyn FnMut(f64) + 'a>,
    ) -> Result<Self, OutputError> {
        let scenes = scenario.scenes();
        let tables = folder.map(|folder| Tables::new(scenario, folder, &[])).transpose()?;
        Ok(Recorder {
            scenario,
            tables,
            keeping: None,
            event_fields: fields_of_events(scenario),
            trajectory_fields: trajectory_fields(scenario),
            events: Vec::new(),
            event_count: 0,
            captures: Vec::new(),
            last_event: None,
            impacts: vec![0; scenes.len()],
            trace: RunTrace::default(),
            figures: OnceCell::new(),
            drawn: true,
            phases: Phases::default(),
            jumps: JumpRows::default(),
            crossings: Vec::new(),
            unresolved: Vec::new(),
            event_rows: None,
            film: None,
            leak: None,
            progress,
            ends: None,
            scenes,
        })
    }

    /// Also keeps the motion between rows, for [`page::html`](crate::page::html), and points for the figures.
    pub fn with_film(self) -> Self {
        let trace = match self.scenario.is_by_events() {
            true => RunTrace::by_events(&self.scenes),
            false => RunTrace::new(self.scenes.len(), self.scenario.stepping.is_some()),
        };
        Recorder { film: Some(PageFilm::default()), trace, ..self.with_event_rows() }
    }

    /// Keeps the motion alone, without points of figures.
    pub fn with_film_alone(self) -> Self {
        Recorder { drawn: false, ..self.with_film() }
    }

    /// Also keeps the motion, to this error (m), of one of several runs on a page.
    pub fn with_film_to(self, error: f64) -> Self {
        Recorder { film: Some(PageFilm::to(error)), ..self.with_film() }
    }

    /// Ends the run early, with the results so far, once `ends` returns true; asked at every step, or every few steps
    /// of one ball.
    pub fn with_end(self, ends: &'a dyn Fn() -> bool) -> Self {
        Recorder { ends: Some(ends), ..self }
    }

    /// Keeps the rows of events for [`run_json`](super::run_json).
    pub fn with_event_rows(self) -> Self {
        Recorder { event_rows: Some(Vec::new()), ..self }
    }

    /// Runs the scenario by its method.
    pub fn run(&mut self) -> Result<Outcome, NotEventDriven> {
        let outcome = match self.scenario.stepping {
            Some(_) => Ok(Outcome::Steps(run_stepping(self.scenario, self))),
            None => self.run_by_events().map(Outcome::Events),
        };
        self.leak = match &outcome {
            Ok(Outcome::Events(summary)) => self.scenario.leak(summary),
            Ok(Outcome::Steps(summary)) if !self.scenario.is_by_events() => self.scenario.stepping_leak(summary),
            _ => None,
        };
        self.end();
        outcome
    }

    /// Finishes the data kept; done by [`run`](Self::run).
    pub fn end(&mut self) {
        self.phases.end();
        self.trace.finish();
        if let Some(film) = &mut self.film {
            film.path.flush(&self.scenes[0]);
        }
    }

    /// Figures `path` and `time` of a finished run [`with_film`](Self::with_film), drawn once.
    pub fn figures(&self) -> &[Figure; 2] {
        self.figures.get_or_init(|| {
            let title = &self.scenario.title;
            [path_figure(title, &self.scenes, &self.trace), time_figure(title, &self.scenes, &self.trace)]
        })
    }

    /// Adds the tables of a finished run to the set of the folder.
    pub fn finish(&mut self) -> Result<(), OutputError> {
        self.end();
        self.tables.take().map_or(Ok(()), Tables::finish)
    }

    /// Warnings about a finished run: watches with possibly missing crossings, and the energy error of fixed steps.
    pub fn warnings(&self) -> impl Iterator<Item = Warning> {
        let unresolved = self.unresolved.iter().map(|(watch, time)| {
            let name = self.scenario.watches.get(*watch).map_or("", |watch| &watch.name);
            let cause = format!(
                "from t = {} s on crossings of the watch `{name}` may be missing: there are too many, or rounding hides them",
                plain(*time)
            );
            let cure = "watch what passes its value less often, or end the run before".to_owned();
            Warning { code: "unresolved-watch", cause, cure }
        });
        unresolved.chain(self.leak.clone())
    }

    /// Warnings about the scenario and the run, as JSON.
    pub(crate) fn all_warnings(&self) -> Value {
        let json = |warning: Warning| json!({ "code": warning.code, "cause": warning.cause, "cure": warning.cure });
        self.scenario.warnings().into_iter().chain(self.warnings()).map(json).collect()
    }

    fn goes_on(&self) -> ControlFlow<()> {
        // A run with checkpoints only ends at pauses.
        if self.keeping.is_none() && BallObserver::ends(self) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    /// Whether rows of a ball are wanted.
    fn has_rows(&self, ball: usize) -> bool {
        self.scenario.shown.is_empty() || self.scenario.shown.contains(&ball)
    }

    fn row(&mut self, ball: usize, sample: &Sample, more: Option<&BallSample>) {
        let scene = self.scenes[ball].seen_by(sample);
        let shown = self.has_rows(ball);
        if let Some(tables) = self.tables.as_mut().filter(|_| shown) {
            let row = TrajectoryRow::new(&self.scenario.curve, scene, ball, sample, more);
            tables.add(Which::Trajectory, self.trajectory_fields.iter().map(|field| (field.cell)(&row)));
        }
        // Figures of a single ball, event by event, are drawn from dense output: see `stretch`.
        if self.film.is_some() && more.is_some() {
            self.trace.add(scene, ball, sample, more);
        }
    }
}

/// A cell as JSON: text, null, integer or number.
fn json_cell(cell: Cell) -> Value {
    match cell {
        Cell::Empty | Cell::Name("") | Cell::Word("") => Value::Null,
        Cell::Count(count) => json!(count),
        Cell::Number(number) if number.is_finite() => json!(number + 0.0),
        Cell::Number(number) => json!(number_text(number)),
        Cell::Name(word) | Cell::Word(word) => json!(word),
    }
}

impl BallObserver for Recorder<'_> {
    fn event(&mut self, event: &BallEvent) {
        let scene = &self.scenes[event.ball];
        let kept = self.event_rows.as_mut().filter(|rows| rows.len() < JSON_EVENTS);
        if kept.is_some() || self.tables.is_some() {
            let Scenario { curve, watches, .. } = self.scenario;
            let watch = event.watch.and_then(|watch| watches.get(watch)).map_or("", |watch| &watch.name);
            let ground = ground_name(curve, scene, Some(event.event.place), &event.event.after).unwrap_or_default();
            let row = EventRow::new(scene, self.event_count, event, watch, ground);
            let cells = || self.event_fields.iter().map(|field| (field.cell)(&row));
            if let Some(tables) = &mut self.tables {
                tables.add(Which::Events, cells());
            }
            kept.into_iter().for_each(|rows| rows.push(cells().map(json_cell).collect()));
        }
        // Crossings are no corners of the path, and are reported before earlier rows.
        if let Some(film) = self.film.as_mut().filter(|_| event.watch.is_none()) {
            film.path.flush(scene);
            self.trace.add_event(scene, event);
        }
        if self.events.len() < KEPT_EVENTS {
            self.events.push(*event);
        } else {
            self.last_event = Some(*event);
        }
        if event.event.normal_impulse > 0.0 {
            [Some(event.ball), event.other].into_iter().flatten().for_each(|ball| self.impacts[ball] += 1);
        }
        self.event_count += 1;
    }

    fn leg(&mut self, leg: &BallLeg) {
        self.trace.add_leg(&self.scenes[leg.ball], leg);
    }

    fn sample(&mut self, sample: &BallSample) {
        if let Some(film) = self.film.as_mut().filter(|_| self.trace.legs.is_none()) {
            film.rows.add(&self.scenes, sample);
        }
        self.row(sample.ball, &sample.sample, Some(sample));
    }

    fn contact(&mut self, contact: &ContactSample) {
        let shown = [Some(contact.ball), contact.other].into_iter().flatten().any(|ball| self.has_rows(ball));
        if let Some(tables) = self.tables.as_mut().filter(|_| shown) {
            tables.add(Which::Contacts, CONTACTS.iter().map(|field| (field.cell)(contact)));
        }
    }

    fn progress(&mut self, time: f64) {
        (self.progress)(time);
    }

    fn ends(&self) -> bool {
        // After a failed write, the rest of a long run would be useless.
        self.tables.as_ref().is_some_and(|tables| tables.failed.is_some()) || self.ends.is_some_and(|ends| ends())
    }
}

impl Observer for Recorder<'_> {
    fn event(&mut self, event: &Event) -> ControlFlow<()> {
        self.phases.event(event);
        self.jumps.event(event);
        let event = BallEvent::alone(&self.scenes[0], event);
        BallObserver::event(self, &event);
        self.goes_on()
    }

    fn crossing(&mut self, crossing: &Crossing) {
        let row = BallEvent::crossing(&self.scenes[0], crossing);
        if self.crossings.len() < JSON_EVENTS {
            self.crossings.push(row);
        }
        BallObserver::event(self, &row);
    }

    fn unresolved(&mut self, watch: usize, time: f64) {
        self.unresolved.push((watch, time));
    }

    fn sample(&mut self, sample: &Sample) -> ControlFlow<()> {
        if let Some(film) = &mut self.film {
            film.last = Some(*sample);
        }
        self.row(0, sample, None);
        self.goes_on()
    }

    fn stretch(&mut self, stretch: &Stretch) -> ControlFlow<()> {
        let pauses = self.pauses();
        self.phases.stretch(&self.scenes[0], stretch);
        if let Some(film) = &mut self.film {
            film.path.add(&self.scenes[0], stretch);
        }
        // Figures are drawn from dense output, so that no peak between rows is lost.
        if self.film.is_some() && self.drawn {
            let (scene, [from, to]) = (&self.scenes[0], [stretch.from(), stretch.to()]);
            for part in 0..=PARTS {
                let time = from + (to - from) * f64::from(part) / f64::from(PARTS);
                self.trace.add(scene, 0, &stretch.at(time.clamp(from, to)), None);
            }
        }
        if pauses { ControlFlow::Break(()) } else { self.goes_on() }
    }

    fn capture(&mut self, capture: &Capture) {
        if self.captures.len() < KEPT_EVENTS {
            self.captures.push(*capture);
        }
    }

    fn progress(&mut self, time: f64) -> ControlFlow<()> {
        (self.progress)(time);
        self.goes_on()
    }
}
