//! How far a sweep is.

use std::collections::BTreeMap;

use crate::error::SweepError;
use crate::folder::Store;
use crate::layout::Layout;
use crate::tally::Tally;

/// How far a sweep is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status {
    /// Runs in all.
    pub runs: u64,
    /// Runs that are there.
    pub done: u64,
    /// Chunks in all.
    pub chunks: u64,
    /// First and last of each row of missing chunks.
    pub missing: Vec<(u64, u64)>,
    /// Bytes of all tables.
    pub bytes: u64,
    /// Rows of each table.
    pub rows: BTreeMap<String, u64>,
    /// How runs came out.
    pub tally: Tally,
}

/// By the records of chunks alone.
pub fn status(layout: &Layout, store: &Store) -> Result<Status, SweepError> {
    let records = store.records(layout)?;
    let mut status = Status {
        runs: layout.runs,
        done: 0,
        chunks: layout.chunks(),
        missing: missing(records.keys().copied(), layout.chunks()),
        bytes: 0,
        rows: BTreeMap::new(),
        tally: Tally::default(),
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

/// Rows of numbers below `count` that are not among some in order.
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
    /// Refuses a sweep that is not whole.
    pub(crate) fn whole(&self) -> Result<(), SweepError> {
        match self.missing.first() {
            None => Ok(()),
            Some((first, _)) => {
                let missing = self.missing.iter().map(|(from, to)| to - from + 1).sum();
                Err(SweepError::Unfinished { missing, chunks: self.chunks, first: *first })
            }
        }
    }
}
