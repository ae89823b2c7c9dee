//! Verification of a sweep: hashes and counts of its files, and repetition of some runs.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;
use tables::{Column, Table};

use crate::error::SweepError;
use crate::folder::{Record, Store, runs_in, table_of};
use crate::layout::ChunkLayout;
use crate::random::{Use, bits};
use crate::run_rows::Worker;
use crate::sweep::Sweep;

/// Counts of a verification.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// Chunks whose hashes, counts and indices are right.
    pub chunks: u64,
    /// Missing chunks.
    pub missing: u64,
    /// Repeated runs, whose rows are equal to the bit.
    pub runs: u64,
}

/// One run in this many is repeated, and one chunk in this many if runs are reduced to cells.
const PART: u64 = 100;

/// Checks hashes and counts of all finished chunks, and repeats the first run and one in a hundred, chosen by `seed`.
pub fn verify(sweep: &Sweep, store: &Store, seed: u64) -> Result<Verified, SweepError> {
    let layout = &sweep.layout;
    let records = store.records(layout)?;
    let missing = layout.chunks() - records.len() as u64;
    let again = AtomicU64::new(0);
    let first = records.keys().next().map(|chunk| layout.runs_of(*chunk).start);
    let chunks: Vec<&(Record, &std::path::Path)> = records.values().collect();
    chunks.par_iter().try_for_each(|record| {
        let read = |(name, columns): &(String, Arc<[Column]>)| table_of(layout, record, name, columns);
        let tables = layout.tables.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        counted(layout, record, &tables)?;
        let mut worker = Worker::new(sweep);
        let (chunk, of_rows) = (record.0.chunk, tables.len() - sweep.reductions.len());
        let whole = bits(seed, Use::Verify, 1, chunk).is_multiple_of(PART) || records.keys().next() == Some(&chunk);
        if whole && of_rows < tables.len() {
            for index in layout.runs_of(chunk) {
                worker.run(index);
            }
            let mut pairs = worker.tables().zip(&tables);
            pairs.try_for_each(|(made, kept)| rows_alike(record.0.from, &made, kept, 0..kept.rows()))?;
            again.fetch_add(record.0.runs, Relaxed);
        }
        for index in layout.runs_of(chunk) {
            let chosen = bits(seed, Use::Verify, 0, index).is_multiple_of(PART) || first == Some(index);
            if !(chosen && layout.keeps(index)) {
                continue;
            }
            worker.clear();
            worker.run(index);
            worker.tables().zip(&tables).take(of_rows).try_for_each(|(made, kept)| same(index, &made, kept))?;
            again.fetch_add(1, Relaxed);
        }
        Ok::<(), SweepError>(())
    })?;
    Ok(Verified { chunks: records.len() as u64, missing, runs: again.into_inner() })
}

/// Compares the row of a repeated run with the one kept.
fn same(index: u64, made: &Table, kept: &Table) -> Result<(), SweepError> {
    let kept_runs = runs_in(kept);
    let from = kept_runs.partition_point(|run| *run < index);
    let count = kept_runs.partition_point(|run| *run <= index) - from;
    rows_alike(index, made, kept, from..from + count)
}

/// Compares the rows of a table with some of those kept.
fn rows_alike(index: u64, made: &Table, kept: &Table, rows: Range<usize>) -> Result<(), SweepError> {
    if rows.len() != made.rows() {
        return Err(SweepError::Differs { index, column: "number of rows".to_owned() });
    }
    match rows.enumerate().find_map(|(row, at)| made.differs(row, kept, at)) {
        Some(column) => Err(SweepError::Differs { index, column: column.to_owned() }),
        None => Ok(()),
    }
}

/// Checks the number of rows against the record, that each run is there once, and that other tables' rows are in order.
fn counted(
    layout: &ChunkLayout,
    (record, folder): &(Record, &std::path::Path),
    tables: &[Table],
) -> Result<(), SweepError> {
    let runs = layout.runs_of(record.chunk);
    for ((part, table), i) in record.files.iter().zip(tables).zip(0..) {
        let there = runs_in(table);
        let of_runs = match i {
            0 => there.iter().copied().eq(runs.clone().filter(|run| layout.keeps(*run))),
            _ => there.is_sorted() && there.iter().all(|run| runs.contains(run)),
        };
        if !of_runs || part.rows != table.rows() as u64 {
            let file = format!("{}/chunk-{:06}", folder.display(), record.chunk);
            return Err(SweepError::Damaged { file, what: format!("its table of {} has other rows", part.table) });
        }
    }
    Ok(())
}
