//! Observation of swept runs: reads quantities off each run as it goes, and fills tables of events and sections.

use std::ops::ControlFlow;

use identify::{Component, Quantity, Wanted};
use report::output::{EventCell, EventRow};
use scenario::stepping::{BallEvent, BallObserver, BallSample};
use study::quantity::{Observable, StatePart};
use supervisor::{Capture, Crossing, Event, Jumps, Moment, Observer, Sample, Scene, Stretch, Tally};
use tables::{Cell, Field, Table};

use super::section::{Every, RowPart};
use super::{Observed, Section};

/// One observed quantity during a run.
#[derive(Clone, Debug)]
struct Slot {
    observable: Observable,
    tally: Tally,
    wanted: Wanted,
    jumps: Jumps,
    value: Cell<'static>,
    /// Whether crossings of its watch may have been missed, so that the n-th one is unknown.
    missed: bool,
}

impl Slot {
    fn new(observable: &Observable) -> Self {
        // A phase is no quantity: it is read at the moment that is found for the time.
        let time = |moment| Quantity::At { component: Component::Time, moment, before: false };
        let (moment, quantity) = match *observable {
            Observable::At(_, moment) => (moment, observable.quantity().unwrap_or_else(|| time(moment))),
            Observable::Whole(quantity) => (Moment::End, quantity),
        };
        let (tally, wanted) = (Tally::new(moment), Wanted::new(&quantity));
        Slot { observable: *observable, tally, wanted, jumps: Jumps::default(), value: Cell::Empty, missed: false }
    }

    /// Component and moment of a quantity that is read at a moment.
    fn at(&self) -> Option<(StatePart, Moment)> {
        if let Observable::At(part, moment) = self.observable { Some((part, moment)) } else { None }
    }

    fn event(&mut self, scene: &Scene, event: &Event) {
        self.wanted.note(event);
        if let Observable::Whole(Quantity::Jump(of, asked)) = self.observable {
            if let Some(jump) = self.jumps.end(event)
                && self.jumps.count == asked
            {
                self.value = Cell::Number(of.of(scene, &jump));
            }
        // `is` also counts the event.
        } else if self.tally.is(event)
            && let Some((part, _)) = self.at()
        {
            self.value = of_event(scene, event, &part);
        }
    }

    fn crossing(&mut self, scene: &Scene, crossing: &Crossing) {
        if self.tally.is_crossing(crossing.watch)
            && !self.missed
            && let Some((part, _)) = self.at()
        {
            self.value = of_sample(scene, &crossing.sample, &part);
        }
    }

    fn stretch(&mut self, scene: &Scene, stretch: &Stretch) {
        self.wanted.look(stretch);
        let Some((part, moment)) = self.at().filter(|_| self.value == Cell::Empty) else { return };
        let time = match (moment, self.wanted) {
            (Moment::Time(time), _) => (stretch.from() <= time && time < stretch.to()).then_some(time),
            (_, Wanted::Passing { found, .. }) => found,
            _ => None,
        };
        if let Some(time) = time {
            let mut sample = stretch.at(time);
            sample.state.time = time;
            self.value = of_sample(scene, &sample, &part);
        }
    }

    fn end(&mut self, scene: &Scene, last: &Sample) {
        match self.at() {
            Some((part, Moment::End)) => self.value = of_sample(scene, last, &part),
            Some((part, Moment::Time(time))) if time == last.state.time => self.value = of_sample(scene, last, &part),
            None => {
                if let Some((greatest, _)) = self.wanted.greatest() {
                    self.value = Cell::Number(greatest);
                }
            }
            Some(_) => {}
        }
    }
}

/// Value of `part` just before or after an event.
fn of_event(scene: &Scene, event: &Event, part: &StatePart) -> Cell<'static> {
    let (state, phase) =
        if part.before { (&event.before, event.phase_before) } else { (&event.after, event.phase_after) };
    match part.what {
        None => Cell::Name(phase.name()),
        Some(Component::GroundParameter) => Cell::Number(scene.ground.shown_parameter(event.place)),
        Some(component) => Cell::Number(component.of_state(&scene.world(state))),
    }
}

/// Value of `part` at a sample.
fn of_sample(scene: &Scene, sample: &Sample, part: &StatePart) -> Cell<'static> {
    part.what.map_or(Cell::Name(sample.phase.name()), |component| Cell::Number(component.of_sample(scene, sample)))
}

/// Observed quantities of one run after the other, and the tables of events and of the section.
#[derive(Clone, Debug)]
pub struct SweptRuns<'a> {
    observed: &'a Observed,
    /// Quantities before a run, to start each run from.
    fresh: Vec<Slot>,
    /// Quantities of the current run.
    slots: Vec<Slot>,
    /// Whether a quantity or the section needs the path between events.
    path: bool,
    /// Index of the first multiple of the section's period from the start of the run on, once it is known.
    first: Option<u64>,
    /// Columns of the table of events.
    fields: Vec<Field<EventCell>>,
    /// Index of the current run.
    run: u64,
    /// Number of its events so far.
    event_count: u64,
    /// Number of its rows of the section so far, skipped ones included.
    rows: u64,
    /// Rows in the tables when the run began.
    before: u64,
    /// Largest number of rows of one run.
    most: u64,
    /// Count of the section's events, if it has rows at events.
    tally: Option<Tally>,
    /// Table with a row for each event, if asked for.
    pub events: Option<Table>,
    /// Table of the section, if there is one.
    pub sections: Option<Table>,
}

impl<'a> SweptRuns<'a> {
    /// Prepares for runs, each of at most `most` rows of events and the section.
    pub fn new(observed: &'a Observed, most: u64) -> Self {
        let fresh: Vec<Slot> = observed.quantities.iter().map(|(_, quantity)| Slot::new(quantity)).collect();
        SweptRuns {
            observed,
            path: observed.of_path().is_some(),
            slots: fresh.clone(),
            fresh,
            fields: observed.event_fields(),
            first: None,
            run: 0,
            event_count: 0,
            rows: 0,
            before: 0,
            most,
            tally: None,
            events: observed.events.then(|| Table::new(observed.event_columns())),
            sections: observed.section.as_ref().map(|section| Table::new(section.columns())),
        }
    }

    /// Forgets the rows of runs so far.
    pub fn clear(&mut self) {
        self.events.iter_mut().chain(&mut self.sections).for_each(Table::clear);
    }

    /// Number of rows of events and the section since the last [`clear`](Self::clear).
    pub fn written(&self) -> u64 {
        self.events.iter().chain(&self.sections).map(|table| table.rows() as u64).sum()
    }

    /// Whether the run has more rows than allowed.
    pub fn is_full(&self) -> bool {
        self.written() - self.before > self.most
    }

    fn go_on(&self) -> ControlFlow<()> {
        if self.is_full() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Begins a run.
    pub fn begin(&mut self, run: u64) {
        self.slots.clone_from(&self.fresh);
        (self.run, self.event_count, self.rows, self.before) = (run, 0, 0, self.written());
        self.first = None;
        self.tally = match &self.observed.section {
            Some(Section { every: Every::Event(moment, _), .. }) => Some(Tally::new(*moment)),
            _ => None,
        };
    }

    /// An observer of the run in its scene.
    pub fn with<'r>(&'r mut self, scene: &'r Scene) -> ToldRun<'r, 'a> {
        ToldRun { watching: self, scene, last: None }
    }

    /// Reads the quantities at the end of a run.
    pub fn end(&mut self, scene: &Scene, last: &Sample) {
        self.slots.iter_mut().for_each(|slot| slot.end(scene, last));
        // The section may have a row at the very end.
        if let Some(Section { every: Every::Period(period), .. }) = self.observed.section
            && self.first_index(last.state.time, period).saturating_add(self.rows) as f64 * period <= last.state.time
            && !self.is_full()
        {
            self.sample(scene, last);
        }
    }

    /// Appends the quantities to a row; a cell is empty where the run has no such quantity.
    pub fn put(&self, table: &mut Table) {
        table.row(self.slots.iter().map(|slot| slot.value));
    }

    /// Index of the first multiple of a period (s) in the run. The first call in a run has its start as `time` (s).
    fn first_index(&mut self, time: f64, period: f64) -> u64 {
        *self.first.get_or_insert((time / period).ceil() as u64)
    }

    /// Whether the event that `counts` may count is one of the section's.
    fn is_due(&mut self, counts: impl FnOnce(&mut Tally) -> bool) -> bool {
        let Some(Section { every: Every::Event(_, n), .. }) = self.observed.section else { return false };
        self.tally.as_mut().is_some_and(|tally| counts(tally) && (tally.found() as u64).is_multiple_of(n))
    }

    fn sample(&mut self, scene: &Scene, sample: &Sample) {
        self.row(sample.state.time, |part| of_sample(scene, sample, part));
    }

    fn row(&mut self, time: f64, value: impl Fn(&StatePart) -> Cell<'static>) {
        self.rows += 1;
        let (Some(section), Some(table)) = (&self.observed.section, &mut self.sections) else { return };
        if self.rows <= section.skip {
            return;
        }
        table.row([Cell::Count(self.run), Cell::Count(self.rows)]);
        table.row(section.parts.iter().map(|(_, read)| match read {
            RowPart::Cycle(period) => Cell::Number((time / period).rem_euclid(1.0)),
            RowPart::StatePart(part) => value(part),
        }));
    }

    fn event_row(&mut self, scene: &Scene, told: &BallEvent) {
        let (count, Some(table)) = (self.event_count, &mut self.events) else { return };
        self.event_count += 1;
        let watch = told.watch.and_then(|watch| self.observed.watches.get(watch)).map_or("", |name| name);
        let ground = self.observed.curves.get(scene.ground.curve_of(told.event.place)).map_or("", |name| name);
        let row = EventRow::new(scene, count, told, watch, ground);
        table.put(Cell::Count(self.run));
        table.row(self.fields.iter().map(|field| (field.cell)(&row)));
    }
}

/// Observer of one run, event-driven or by time stepping.
pub struct ToldRun<'a, 'o> {
    watching: &'a mut SweptRuns<'o>,
    scene: &'a Scene,
    /// The last row of time stepping.
    last: Option<Sample>,
}

impl ToldRun<'_, '_> {
    /// Ends a run by time stepping.
    pub fn end(self) {
        self.last.iter().for_each(|last| self.watching.end(self.scene, last));
    }

    fn hear(&mut self, event: &Event, told: impl FnOnce() -> BallEvent) {
        let ToldRun { watching, scene, .. } = self;
        watching.slots.iter_mut().for_each(|slot| slot.event(scene, event));
        if watching.events.is_some() {
            watching.event_row(scene, &told());
        }
        if watching.is_due(|tally| tally.counts(event)) {
            watching.row(event.time(), |part| of_event(scene, event, part));
        }
    }
}

impl BallObserver for ToldRun<'_, '_> {
    fn event(&mut self, told: &BallEvent) {
        self.hear(&told.event, || *told);
    }

    fn sample(&mut self, row: &BallSample) {
        self.last = Some(row.sample);
    }

    fn ends(&self) -> bool {
        self.watching.is_full()
    }
}

impl Observer for ToldRun<'_, '_> {
    fn event(&mut self, event: &Event) -> ControlFlow<()> {
        let scene = self.scene;
        self.hear(event, || BallEvent::alone(scene, event));
        self.watching.go_on()
    }

    fn stretch(&mut self, stretch: &Stretch) -> ControlFlow<()> {
        let ToldRun { watching, scene, .. } = self;
        if watching.path {
            watching.slots.iter_mut().for_each(|slot| slot.stretch(scene, stretch));
            if let Some(Section { every: Every::Period(period), skip, .. }) = watching.observed.section {
                let first = watching.first_index(stretch.from(), period);
                // Skipped rows on this stretch are not evaluated. One less: rounding may raise the quotient.
                let left_out = ((stretch.to() / period) as u64).saturating_sub(first);
                watching.rows = watching.rows.max(skip.min(left_out.saturating_sub(1)));
                loop {
                    let time = first.saturating_add(watching.rows) as f64 * period;
                    if !(time < stretch.to()) || watching.is_full() {
                        break;
                    }
                    // A row may be due before this stretch by rounding.
                    let mut sample = stretch.at(time.max(stretch.from()));
                    sample.state.time = time;
                    watching.sample(scene, &sample);
                }
            }
        }
        watching.go_on()
    }

    fn crossing(&mut self, crossing: &Crossing) {
        let ToldRun { watching, scene, .. } = self;
        watching.slots.iter_mut().for_each(|slot| slot.crossing(scene, crossing));
        if watching.events.is_some() {
            watching.event_row(scene, &BallEvent::crossing(scene, crossing));
        }
        if watching.is_due(|tally| tally.counts_crossing(crossing.watch)) {
            watching.sample(scene, &crossing.sample);
        }
    }

    fn unresolved(&mut self, watch: usize, _: f64) {
        for slot in &mut self.watching.slots {
            slot.missed |= matches!(slot.at(), Some((_, Moment::Watch(of, _))) if of == watch);
        }
    }

    fn capture(&mut self, _: &Capture) {
        self.watching.slots.iter_mut().for_each(|slot| slot.tally.capture());
        self.watching.tally.iter_mut().for_each(Tally::capture);
    }
}
