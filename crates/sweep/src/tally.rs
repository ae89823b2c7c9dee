//! Counts over the runs of a sweep.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use tables::{Cells, Table};

use crate::worker::{END, REFUSED};

/// How runs came out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Runs by how they ended.
    pub exits: BTreeMap<String, u64>,
    /// Runs that began and have no value, by its column: those without a third impact, say.
    #[serde(default)]
    pub empty: BTreeMap<String, u64>,
}

impl Tally {
    /// Counts the rows of runs.
    pub(crate) fn of(runs: &Table, exits: BTreeMap<String, u64>) -> Self {
        let exit = runs.column("exit");
        let began = |row: usize| exit.and_then(|cells| cells.word(row)) != Some(REFUSED);
        let missing = |cells: &Cells| match cells {
            Cells::Number(cells) => cells.iter().enumerate().filter(|(row, cell)| cell.is_nan() && began(*row)).count(),
            _ => 0,
        };
        let counts = runs.columns().iter().zip(runs.cells()).map(|(column, cells)| (column, missing(cells)));
        let empty = counts.filter(|(_, count)| *count > 0).map(|(column, count)| (column.name.clone(), count as u64));
        Tally { exits, empty: empty.collect() }
    }

    /// Adds those of other runs.
    pub(crate) fn add(&mut self, more: &Tally) {
        for (all, more) in [(&mut self.exits, &more.exits), (&mut self.empty, &more.empty)] {
            more.iter().for_each(|(name, count)| *all.entry(name.clone()).or_default() += count);
        }
    }

    /// Runs that did not come to their end, by how.
    pub fn stopped(&self) -> impl Iterator<Item = (&str, u64)> {
        self.exits.iter().filter(|(exit, _)| *exit != END).map(|(exit, count)| (exit.as_str(), *count))
    }
}
