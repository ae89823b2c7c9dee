//! Rows of runs: one thread's worker, which makes runs one after the other and fills tables with their rows.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use report::Outcome;
use scenario::input::InputError;
use scenario::stepping::{SteppingCount, SteppingSummary, run_stepping};
use scenario::{Scenario, Setting, run_supervisor};
use supervisor::{Options, Summary};
use tables::{Cell, Field, Table};

use crate::observed::{SweptRuns, most_rows};
use crate::reduce::CellSums;
use crate::status::RunTally;
use crate::sweep::Sweep;

/// One thread's scenario and tables. If values can be changed in place, runs after the first only allocate rows.
#[derive(Debug)]
pub struct Worker<'a> {
    sweep: &'a Sweep,
    scenario: Scenario,
    values: Vec<Setting>,
    watching: SweptRuns<'a>,
    runs: Table,
    cells: Vec<CellSums>,
    /// Number of runs without a value, by column.
    empty: BTreeMap<String, u64>,
}

/// Outcome of a run that reached its end.
pub const END: &str = "end";
/// Outcome of a run that could not begin.
pub const REFUSED: &str = "refused";
/// Outcome of a run by time stepping that could not go on.
const STEPPING: &str = "stepping";
/// Outcome of a run with too many rows of events and the section.
pub const TOO_LONG: &str = "too-many-rows";

impl<'a> Worker<'a> {
    /// A worker before its first run.
    pub fn new(sweep: &'a Sweep) -> Self {
        let scenario = sweep.variants.written().clone();
        let watching = SweptRuns::new(&sweep.observed, most_rows(sweep.layout.chunk));
        let runs = Table::new(Arc::clone(&sweep.layout.tables[0].1));
        let cells = vec![CellSums::default(); sweep.reductions.len()];
        Worker { sweep, scenario, values: Vec::new(), watching, runs, cells, empty: BTreeMap::new() }
    }

    /// Clears all tables.
    pub fn clear(&mut self) {
        self.runs.clear();
        self.watching.clear();
        self.cells.iter_mut().for_each(CellSums::clear);
        self.empty.clear();
    }

    /// Tables with the rows of all runs since the last [`clear`](Self::clear), as
    /// [`ChunkLayout::tables`](crate::ChunkLayout::tables) names them.
    pub fn tables(&self) -> impl Iterator<Item = Cow<'_, Table>> {
        let rows = [Some(&self.runs), self.watching.events.as_ref(), self.watching.sections.as_ref()];
        let cells = self.cells.iter().zip(&self.sweep.reductions).map(|(cells, reduction)| cells.table(reduction));
        rows.into_iter().flatten().map(Cow::Borrowed).chain(cells.map(Cow::Owned))
    }

    /// Tally of the runs since the last [clear](Self::clear), with their numbers by outcome.
    pub(crate) fn tally(&self, exits: BTreeMap<String, u64>) -> RunTally {
        match self.cells.is_empty() {
            true => RunTally::of(&self.runs, exits),
            false => RunTally { exits, empty: self.empty.clone() },
        }
    }

    /// Adds the last run to its cells; its row is removed unless it is one to be kept.
    fn reduce(&mut self, index: u64, exit: &'static str) {
        let last = self.runs.rows() - 1;
        for (cells, reduction) in self.cells.iter_mut().zip(&self.sweep.reductions) {
            cells.add_run(reduction, &self.runs, last);
        }
        let first = self.sweep.reductions.first().filter(|_| exit != REFUSED);
        for &number in first.into_iter().flat_map(|reduction| &reduction.numbers) {
            if self.runs.cells()[number].number(last).is_nan() {
                *self.empty.entry(self.runs.columns()[number].name.clone()).or_default() += 1;
            }
        }
        if !self.sweep.layout.keeps(index) {
            self.runs.truncate(last);
        }
    }

    /// Number of rows of events and the section since the last [`clear`](Self::clear).
    pub(crate) fn rows(&self) -> u64 {
        self.watching.written()
    }

    /// Makes a run and its row; returns its outcome.
    pub fn run(&mut self, index: u64) -> &'static str {
        self.sweep.plan.values(index, &mut self.values);
        self.watching.begin(index);
        self.runs.put(Cell::Count(index));
        self.runs.row(self.values.iter().map(|value| match value {
            Setting::Number(number) => Cell::Number(*number),
            Setting::Text(text) => Cell::Word(text),
        }));
        let made = self.made();
        self.watching.put(&mut self.runs);
        let outcome = RunEnd::of(&made, self.watching.is_full(), self.sweep.layout.chunk);
        self.runs.row(OUTCOME.iter().map(|field| (field.cell)(&outcome)));
        let exit = outcome.exit;
        if made.is_err() {
            self.scenario = self.sweep.variants.written().clone();
        }
        if !self.cells.is_empty() {
            self.reduce(index, exit);
        }
        exit
    }

    /// Makes a run; an error says why it could not begin.
    fn made(&mut self) -> Result<Outcome, String> {
        let refused = |error: InputError| match error.label_text() {
            "" => error.to_string(),
            label => format!("{error}: {label}"),
        };
        self.sweep.variants.put(&mut self.scenario, &self.values).map_err(refused)?;
        let scenario = &self.scenario;
        if scenario.stepping.is_some() {
            self.sweep.observed.refuses_steps().map_or(Ok(()), |error| Err(refused(error)))?;
            let mut told = self.watching.with(&scenario.scene);
            let summary = run_stepping(scenario, &mut told);
            told.end();
            return Ok(Outcome::Steps(summary));
        }
        let options = Options { interval: None, ..scenario.options() };
        let mut supervisor = scenario.supervisor(options).map_err(|error| error.to_string())?;
        let summary = run_supervisor(&mut supervisor, &mut self.watching.with(&scenario.scene));
        self.watching.end(&scenario.scene, &supervisor.now());
        Ok(Outcome::Events(summary))
    }
}

/// Outcome of a run, for the last columns of its row.
pub(crate) struct RunEnd<'a> {
    outcome: Option<&'a Outcome>,
    exit: &'static str,
    reason: String,
}

impl<'a> RunEnd<'a> {
    fn of(made: &'a Result<Outcome, String>, too_long: bool, chunk: u64) -> Self {
        let (exit, reason) = match made {
            Err(why) => (REFUSED, why.clone()),
            Ok(_) if too_long => {
                let most = most_rows(chunk);
                let cure = "observe less often, or take a smaller --chunk";
                (TOO_LONG, format!("more than {most} rows of events and the section: {cure}"))
            }
            Ok(Outcome::Events(Summary { stop: Some(stop), .. })) => (stop.name(), stop.to_string()),
            Ok(Outcome::Steps(SteppingSummary { stop: Some(stop), .. })) => (STEPPING, stop.to_string()),
            Ok(_) => (END, String::new()),
        };
        RunEnd { outcome: made.as_ref().ok(), exit, reason }
    }

    /// Cell of a number of the outcome; empty if the run did not begin.
    fn number<'c, T: Into<Cell<'c>>>(&self, of: impl Fn(&Outcome) -> T) -> Cell<'c> {
        self.outcome.map(of).into()
    }

    /// Cell of a count of the run.
    fn count<'c>(&self, of_events: impl Fn(&Summary) -> u64, of_steps: impl Fn(&SteppingCount) -> u64) -> Cell<'c> {
        self.number(|outcome| match outcome {
            Outcome::Events(summary) => of_events(summary),
            Outcome::Steps(summary) => of_steps(&summary.count),
        })
    }
}

/// Makes a cell from the outcome of a run.
type OutcomeCell = for<'a> fn(&'a RunEnd<'_>) -> Cell<'a>;

/// Columns of each run after its values and observables.
pub(crate) const OUTCOME: &[Field<OutcomeCell>] = &[
    Field::number("end", "s", |run| run.number(Outcome::end)),
    Field::word("exit", |run| Cell::Name(run.exit)),
    Field::number("unexplained", "J", |run| run.number(Outcome::unexplained)),
    Field::number("balance_place", "m", |run| run.number(|outcome| outcome.balance().place.size)),
    Field::number("balance_momentum", "N s", |run| run.number(|outcome| outcome.balance().momentum.size)),
    Field::number("balance_angular_momentum", "N m s", |run| {
        run.number(|outcome| outcome.balance().angular_momentum.size)
    }),
    Field::number("balance_ground", "m", |run| run.number(|outcome| outcome.balance().ground.size)),
    Field::count("events", |run| run.count(|summary| summary.count.events, SteppingCount::events)),
    Field::count("impacts", |run| run.count(|summary| summary.count.impacts, |count| count.impacts)),
    Field::count("steps", |run| {
        let of_events =
            |Summary { count, .. }: &Summary| count.flight.steps + count.contact.steps + count.compressed.steps;
        run.count(of_events, |count| count.steps)
    }),
    Field::word("reason", |run| run.reason.as_str().into()),
];
