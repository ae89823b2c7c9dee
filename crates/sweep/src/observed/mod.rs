//! Observation of each run: quantities, events, sections.

mod section;
mod watching;

use std::sync::Arc;

use identify::Quantity;
use report::output::{EventCell, event_fields};
use scenario::Scenario;
use scenario::input::InputError;
use study::quantity::Observable;
use supervisor::Moment;
use tables::{Column, Field, Kind};

pub use section::{Every, Section};
pub use watching::SweptRuns;

/// Observed quantities of runs, whether their events are rows, and a section.
#[derive(Clone, Debug, Default)]
pub struct Observed {
    /// Quantities with their names as written.
    pub quantities: Vec<(String, Observable)>,
    /// Whether each event is a row.
    pub events: bool,
    /// Section with its rows at recurring moments, if asked for.
    pub section: Option<Section>,
    /// Names of watches, for rows of events.
    watches: Vec<Arc<str>>,
    /// Names of curves, if there are several, for rows of events.
    curves: Vec<Arc<str>>,
}

const OPTION: &str = "--observe";

/// Largest number of rows of events and the section in one run.
const MOST_ROWS: u64 = 1_000_000;
/// Largest number of these rows in a chunk, which is in memory as a whole.
const MOST_OF_A_CHUNK: u64 = 4_000_000;

/// Largest number of rows of events and the section of a run, for chunks of this many runs.
pub(crate) fn most_rows(chunk: u64) -> u64 {
    (MOST_OF_A_CHUNK / chunk.max(1)).clamp(1, MOST_ROWS)
}

impl Observed {
    /// Reads `--observe` options: quantities, `events`, `every …: …`; with the watches and curves of the scenario.
    pub fn read(texts: &[String], skip: u64, scenario: &Scenario) -> Result<Self, InputError> {
        let watches = &scenario.watches;
        let names = watches.iter().map(|watch| watch.name.clone()).collect();
        let curves = scenario.curve.curves.iter().map(|curve| curve.name.as_str().into()).collect();
        let mut observed = Observed { watches: names, curves, ..Observed::default() };
        for text in texts.iter().map(|text| text.trim()) {
            if text == "events" {
                observed.events = true;
            } else if text.starts_with("every ") {
                let section = Section::read(text, skip, watches)?;
                if observed.section.replace(section).is_some() {
                    let message = "two sections are observed";
                    return Err(InputError::without_place(message).with_help("make a sweep for each `every …`"));
                }
            } else {
                let read = Observable::read(OPTION, text, watches)?;
                if observed.quantities.iter().any(|(name, _)| name == text) {
                    let message = format!("`{text}` is observed twice");
                    return Err(InputError::without_place(message).with_help("name each quantity once"));
                }
                observed.quantities.push((text.to_owned(), read));
            }
        }
        if skip > 0 && observed.section.is_none() {
            let message = format!("--skip {skip} leaves out rows of a section, and none is observed");
            return Err(InputError::without_place(message).with_help("observe one: --observe 'every impact: x, vx'"));
        }
        Ok(observed)
    }

    /// Error of a run by time stepping, which tells no path between events, if one of the observations needs it.
    pub(crate) fn refuses_steps(&self) -> Option<InputError> {
        let error = InputError::without_place(format!(
            "`{}` is of the path between events, which time stepping does not tell",
            self.of_path()?
        ));
        let cure = "observe events, quantities at them or at the end, or choose an event-driven method: --set solver.method=newmark";
        Some(error.with_help(cure))
    }

    /// Name of the first observation that needs the path between events, if one does.
    pub(crate) fn of_path(&self) -> Option<&str> {
        let between = |quantity: &Observable| match *quantity {
            Observable::At(_, moment) => matches!(moment, Moment::Time(_) | Moment::Passing(..)),
            Observable::Whole(quantity) => !matches!(quantity, Quantity::Jump(..)),
        };
        let found = self.quantities.iter().find(|(_, quantity)| between(quantity)).map(|(name, _)| name.as_str());
        let regular = matches!(&self.section, Some(Section { every: Every::Period(_), .. }));
        found.or_else(|| regular.then_some("every … s"))
    }

    pub(crate) fn columns(&self) -> impl Iterator<Item = Column> {
        let column = |(name, quantity): &(String, Observable)| {
            Column::new(name, quantity.unit(), kind(quantity.quantity().is_some()))
        };
        self.quantities.iter().map(column)
    }

    /// Columns of `events.csv`.
    pub(crate) fn event_fields(&self) -> Vec<Field<EventCell>> {
        event_fields(false, !self.curves.is_empty())
    }

    /// Columns of the table of events: the run, and those of `events.csv`.
    pub(crate) fn event_columns(&self) -> Arc<[Column]> {
        let run = [Column::new("run", "", Kind::Count)];
        run.into_iter().chain(self.event_fields().iter().map(Field::column)).collect()
    }
}

/// Kind of the cells of numbers, or of words.
pub(crate) fn kind(is_number: bool) -> Kind {
    if is_number { Kind::Number } else { Kind::Word }
}
