//! Execution of a sweep: makes the missing chunks of a shard on several threads.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, sync_channel};

use rayon::prelude::*;

use crate::error::SweepError;
use crate::folder::{Chunk, Store, check};
use crate::run_rows::{END, Worker};
use crate::status::RunTally;
use crate::summary::ColumnSummary;
use crate::sweep::Sweep;

/// A shard: every n-th chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Index of the shard, from 0.
    pub index: u64,
    /// Number of shards.
    pub count: u64,
}

impl Shard {
    /// All chunks.
    pub const WHOLE: Shard = Shard { index: 0, count: 1 };

    /// Shard `index` of `count`.
    pub fn new(index: u64, count: u64) -> Result<Self, SweepError> {
        if index < count { Ok(Shard { index, count }) } else { Err(SweepError::Shard { index, count }) }
    }

    /// Number of chunks of the shard.
    pub fn chunks(self, sweep: &Sweep) -> u64 {
        sweep.layout.chunks().saturating_sub(self.index).div_ceil(self.count)
    }

    /// Number of runs of the shard.
    pub fn runs(self, sweep: &Sweep) -> u64 {
        let chunks = sweep.layout.chunks();
        let own = self.chunks(sweep);
        let last = own > 0 && (chunks - 1) % self.count == self.index;
        own * sweep.layout.chunk - if last { chunks * sweep.layout.chunk - sweep.layout.runs } else { 0 }
    }
}

/// Numbers of runs of a shard, found and made.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct ShardWork {
    /// Runs of the shard.
    pub runs: u64,
    /// Runs that were done before.
    pub found: u64,
    /// Runs that are done now.
    pub done: u64,
    /// Outcomes of all runs that are done.
    #[serde(flatten)]
    pub tally: RunTally,
}

/// `work` and the summaries of observed quantities as JSON.
pub fn work_json(work: &ShardWork, observed: &BTreeMap<String, ColumnSummary>) -> String {
    let mut json = serde_json::json!(work);
    json["observed"] = serde_json::json!(observed);
    format!("{json:#}\n")
}

/// Makes the chunks of a shard that are not in the store, on `threads` threads, after a check of the hashes of those
/// that are. After each run `progress` hears how many are done and how many of them stopped. The first error ends it;
/// chunks that are whole by then stay. Once `ends` is true, each thread ends after its current chunk.
pub fn execute(
    sweep: &Sweep,
    store: &Store,
    shard: Shard,
    threads: usize,
    progress: &(dyn Fn(u64, u64) + Sync),
    ends: &AtomicBool,
) -> Result<ShardWork, SweepError> {
    let there = store.records(&sweep.layout)?;
    let mut tally = RunTally::default();
    let mut found = 0;
    let mut made = BTreeSet::new();
    let there: Vec<_> = there.into_values().filter(|(record, _)| record.chunk % shard.count == shard.index).collect();
    for (record, _) in &there {
        made.insert(record.chunk);
        found += record.runs;
        tally.add(&record.tally);
    }
    let runs = shard.runs(sweep);
    let stopped = tally.stopped().map(|(_, count)| count).sum();
    let whole = Shared {
        sweep,
        store,
        shard,
        made,
        next: AtomicU64::new(shard.index),
        failed: AtomicBool::new(false),
        written: AtomicU64::new(0),
        done: AtomicU64::new(found),
        stopped: AtomicU64::new(stopped),
        tally: Mutex::new(tally),
        progress,
        ends,
    };
    let left = whole.shard.chunks(sweep).saturating_sub(whole.made.len() as u64);
    let most = left.max(there.len() as u64);
    let threads = threads.min(usize::try_from(most).unwrap_or(threads)).max(1);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    pool.install(|| there.par_iter().try_for_each(|record| check(&sweep.layout, record)))?;
    let ends = pool.broadcast(|_| whole.work());
    ends.into_iter().collect::<Result<(), _>>()?;
    let done = store.whole(sweep, shard, whole.written.into_inner() + whole.made.len() as u64)?;
    let tally = whole.tally.into_inner().unwrap_or_default();
    Ok(ShardWork { runs, found, done, tally })
}

/// State shared by all threads; each takes the next chunk when it has finished one.
struct Shared<'a> {
    sweep: &'a Sweep,
    store: &'a Store,
    shard: Shard,
    /// Chunks of the shard that were made before.
    made: BTreeSet<u64>,
    next: AtomicU64,
    failed: AtomicBool,
    /// Number of chunks made.
    written: AtomicU64,
    done: AtomicU64,
    stopped: AtomicU64,
    tally: Mutex<RunTally>,
    progress: &'a (dyn Fn(u64, u64) + Sync),
    ends: &'a AtomicBool,
}

impl Shared<'_> {
    /// Work of one thread; a second thread writes each chunk while the next one is made.
    fn work(&self) -> Result<(), SweepError> {
        let mut worker = Worker::new(self.sweep);
        std::thread::scope(|scope| {
            let (send, chunks) = sync_channel(0);
            let writer = scope.spawn(|| self.write(chunks));
            let made = loop {
                let chunk = self.next.fetch_add(self.shard.count, Relaxed);
                if chunk >= self.sweep.layout.chunks() || self.failed.load(Relaxed) || self.ends.load(Relaxed) {
                    break Ok(());
                }
                if self.made.contains(&chunk) {
                    continue;
                }
                match self.chunk(&mut worker, chunk).map(|made| made.map(|made| send.send(made))) {
                    Ok(Some(Ok(()))) => {}
                    // The writer has failed, and returns its error.
                    Ok(_) => break Ok(()),
                    Err(error) => break Err(error),
                }
            };
            drop(send);
            let written = writer.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            made.and(written).inspect_err(|_| self.failed.store(true, Relaxed))
        })
    }

    /// Writes chunks as they come.
    fn write(&self, chunks: Receiver<Chunk>) -> Result<(), SweepError> {
        for chunk in chunks {
            self.store.keep(&chunk).inspect_err(|_| self.failed.store(true, Relaxed))?;
            self.written.fetch_add(1, Relaxed);
            if let Ok(mut all) = self.tally.lock() {
                all.add(&chunk.tally);
            }
        }
        Ok(())
    }

    /// Makes a chunk; `None` if another thread has failed.
    fn chunk(&self, worker: &mut Worker, chunk: u64) -> Result<Option<Chunk>, SweepError> {
        worker.clear();
        let mut exits: BTreeMap<&'static str, u64> = BTreeMap::new();
        for index in self.sweep.layout.runs_of(chunk) {
            let exit = worker.run(index);
            *exits.entry(exit).or_default() += 1;
            let stopped = u64::from(exit != END);
            let stopped = self.stopped.fetch_add(stopped, Relaxed) + stopped;
            (self.progress)(self.done.fetch_add(1, Relaxed) + 1, stopped);
            if self.failed.load(Relaxed) {
                return Ok(None);
            }
        }
        let exits = exits.into_iter().map(|(exit, count)| (exit.to_owned(), count)).collect();
        Chunk::of(&self.sweep.layout, chunk, worker.tally(exits), worker.tables()).map(Some)
    }
}
