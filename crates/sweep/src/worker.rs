//! Makes runs, one after the other, and fills tables with their rows.

use std::sync::Arc;

use scenario::input::InputError;
use scenario::{NotEventDriven, Scenario, Setting, run_supervisor};
use supervisor::{Options, Summary};
use tables::Table;

use crate::observed::{Watching, most_rows};
use crate::sweep::Sweep;

/// One thread's scenario and tables. After the first run it allocates nothing more but room for rows, where values are put in place.
#[derive(Debug)]
pub struct Worker<'a> {
    sweep: &'a Sweep,
    scenario: Scenario,
    values: Vec<Setting>,
    watching: Watching,
    runs: Table,
}

/// How a run came out.
pub const END: &str = "end";
/// A run that could not begin.
pub const REFUSED: &str = "refused";

/// A run that ended because it had too many rows of events and the section.
pub const TOO_LONG: &str = "too-many-rows";

/// Why there is no run.
enum Refused {
    Input(InputError),
    Method(NotEventDriven),
}

impl<'a> Worker<'a> {
    /// A worker before its first run.
    pub fn new(sweep: &'a Sweep) -> Self {
        let scenario = sweep.variants.written().clone();
        let (watching, runs) = (
            Watching::new(&sweep.observed, most_rows(sweep.layout.chunk)),
            Table::new(Arc::clone(&sweep.layout.tables[0].1)),
        );
        Worker { sweep, scenario, values: Vec::new(), watching, runs }
    }

    /// Forgets the rows of runs so far.
    pub fn clear(&mut self) {
        self.runs.clear();
        self.watching.clear();
    }

    /// Tables with the rows of all runs since the last [`clear`](Self::clear), as [`Layout::tables`](crate::Layout::tables) names them.
    pub fn tables(&self) -> impl Iterator<Item = &Table> {
        [Some(&self.runs), self.watching.events.as_ref(), self.watching.sections.as_ref()].into_iter().flatten()
    }

    /// Rows of events and the section since then.
    pub(crate) fn rows(&self) -> u64 {
        self.watching.written()
    }

    /// Makes a run; how it came out.
    pub fn run(&mut self, index: u64) -> &'static str {
        self.sweep.plan.values(index, &mut self.values);
        self.watching.begin(index);
        self.runs.count(index);
        for value in &self.values {
            match value {
                Setting::Number(number) => self.runs.number(*number),
                Setting::Text(text) => self.runs.word(text.to_string()),
            }
        }
        match self.made() {
            Ok(summary) => self.row(&summary),
            Err(refused) => {
                self.scenario = self.sweep.variants.written().clone();
                self.watching.put(&mut self.runs);
                self.runs.empty();
                self.runs.word(REFUSED);
                (0..5).for_each(|_| self.runs.empty());
                (0..3).for_each(|_| self.runs.count(0));
                self.runs.word(match refused {
                    Refused::Input(error) => match error.label_text() {
                        "" => error.to_string(),
                        label => format!("{error}: {label}"),
                    },
                    Refused::Method(error) => error.to_string(),
                });
                REFUSED
            }
        }
    }

    fn made(&mut self) -> Result<Summary, Refused> {
        self.sweep.variants.put(&mut self.scenario, &self.values).map_err(Refused::Input)?;
        let scenario = &self.scenario;
        let options = Options { interval: None, ..scenario.options() };
        let mut supervisor = scenario.supervisor(options).map_err(Refused::Method)?;
        let summary = run_supervisor(&mut supervisor, &mut self.watching.with(&scenario.scene));
        self.watching.end(&scenario.scene, &supervisor.now());
        Ok(summary)
    }

    fn row(&mut self, summary: &Summary) -> &'static str {
        let runs = &mut self.runs;
        self.watching.put(runs);
        let too_long = self.watching.is_full();
        let exit = if too_long { TOO_LONG } else { summary.stop.as_ref().map_or(END, |stop| stop.name()) };
        runs.number(summary.state.time);
        runs.word(exit);
        runs.number(summary.unexplained());
        let count = &summary.count;
        let balance = &count.balance;
        let residuals = [balance.place, balance.momentum, balance.angular_momentum, balance.ground];
        residuals.iter().for_each(|residual| runs.number(residual.size));
        runs.count(count.events);
        runs.count(count.impacts);
        runs.count(count.flight.steps + count.contact.steps + count.compressed.steps);
        match &summary.stop {
            _ if too_long => {
                let most = most_rows(self.sweep.layout.chunk);
                runs.word(format!(
                    "more than {most} rows of events and the section: read it off more seldom, or take a smaller --chunk"
                ));
            }
            None => runs.word(""),
            Some(stop) => runs.word(stop.to_string()),
        }
        exit
    }
}
