//! How far a sweep is.

use std::collections::BTreeMap;

use crate::error::SweepError;
use crate::execute::add;
use crate::folder::Store;
use crate::sweep::Sweep;

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
    /// Runs by how they came out.
    pub exits: BTreeMap<String, u64>,
}

/// By the records of chunks alone.
pub fn status(sweep: &Sweep, store: &Store) -> Result<Status, SweepError> {
    let records = store.records(sweep)?;
    let mut status = Status {
        runs: sweep.count(),
        done: 0,
        chunks: sweep.chunks(),
        missing: missing(records.keys().copied(), sweep.chunks()),
        bytes: 0,
        rows: BTreeMap::new(),
        exits: BTreeMap::new(),
    };
    for (record, _) in records.values() {
        status.done += record.runs;
        add(&mut status.exits, &record.exits);
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
