//! Status of a sweep: its progress, and the outcomes of its runs.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use tables::{Cells, Table};

use crate::error::SweepError;
use crate::folder::Store;
use crate::layout::ChunkLayout;
use crate::run_rows::{END, REFUSED};

/// Progress of a sweep, and outcomes of its runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Status {
    /// Number of all runs.
    pub runs: u64,
    /// Number of runs done.
    pub done: u64,
    /// Number of all chunks.
    pub chunks: u64,
    /// First and last index of each range of missing chunks.
    pub missing: Vec<(u64, u64)>,
    /// Size of all tables, bytes.
    pub bytes: u64,
    /// Number of rows of each table.
    pub rows: BTreeMap<String, u64>,
    /// How runs came out.
    pub tally: RunTally,
}

/// Reads the status from the records of chunks alone.
pub fn status(layout: &ChunkLayout, store: &Store) -> Result<Status, SweepError> {
    let records = store.records(layout)?;
    let mut status = Status {
        runs: layout.runs,
        chunks: layout.chunks(),
        missing: missing(records.keys().copied(), layout.chunks()),
        ..Status::default()
    };
    for (record, _) in records.values() {
        status.done += record.runs;
        status.tally.add(&record.tally);
        for part in &record.files {
            status.bytes += part.bytes;
            *status.rows.entry(part.table.clone()).or_default() += part.rows;
        }
    }
    Ok(status)
}

/// Ranges of the numbers below `count` that are missing from a sorted sequence.
fn missing(there: impl Iterator<Item = u64>, count: u64) -> Vec<(u64, u64)> {
    let mut gaps = Vec::new();
    let mut next = 0;
    for chunk in there.chain([count]) {
        if chunk > next {
            gaps.push((next, chunk - 1));
        }
        next = chunk + 1;
    }
    gaps
}

impl Status {
    /// Number of missing chunks.
    pub fn missing_chunks(&self) -> u64 {
        self.missing.iter().map(|(from, to)| to - from + 1).sum()
    }

    /// Refuses an unfinished sweep.
    pub(crate) fn whole(&self) -> Result<(), SweepError> {
        self.missing.first().map_or(Ok(()), |(first, _)| {
            Err(SweepError::Unfinished { missing: self.missing_chunks(), chunks: self.chunks, first: *first })
        })
    }
}

/// How runs came out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunTally {
    /// Numbers of runs by outcome.
    pub exits: BTreeMap<String, u64>,
    /// Numbers of runs without a value, by its column, such as those without a third impact.
    #[serde(default)]
    pub empty: BTreeMap<String, u64>,
}

impl RunTally {
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
        RunTally { exits, empty: empty.collect() }
    }

    /// Adds the counts of other runs.
    pub(crate) fn add(&mut self, more: &RunTally) {
        for (all, more) in [(&mut self.exits, &more.exits), (&mut self.empty, &more.empty)] {
            more.iter().for_each(|(name, count)| *all.entry(name.clone()).or_default() += count);
        }
    }

    /// Numbers of runs that did not reach their end, by outcome.
    pub fn stopped(&self) -> impl Iterator<Item = (&str, u64)> {
        self.exits.iter().filter(|(exit, _)| *exit != END).map(|(exit, count)| (exit.as_str(), *count))
    }
}
