//! Makes the chunks that are not there yet, on several threads.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, sync_channel};

use crate::error::SweepError;
use crate::folder::{Chunk, Store};
use crate::sweep::Sweep;
use crate::worker::{END, Worker};

/// Every n-th chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// From 0.
    pub index: u64,
    /// Of how many.
    pub count: u64,
}

impl Shard {
    /// All chunks.
    pub const WHOLE: Shard = Shard { index: 0, count: 1 };

    /// One of several.
    pub fn new(index: u64, count: u64) -> Result<Self, SweepError> {
        if index < count { Ok(Shard { index, count }) } else { Err(SweepError::Shard { index, count }) }
    }

    /// Chunks of it.
    pub fn chunks(self, sweep: &Sweep) -> impl Iterator<Item = u64> {
        (self.index..sweep.chunks()).step_by(usize::try_from(self.count).unwrap_or(usize::MAX))
    }

    /// Runs of it.
    pub fn runs(self, sweep: &Sweep) -> u64 {
        let chunks = sweep.chunks();
        let own = chunks.saturating_sub(self.index).div_ceil(self.count);
        let last = own > 0 && (chunks - 1) % self.count == self.index;
        own * sweep.chunk - if last { chunks * sweep.chunk - sweep.count() } else { 0 }
    }
}

/// What there was to do, and was done.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Work {
    /// Runs of the shard.
    pub runs: u64,
    /// Of these, found done.
    pub found: u64,
    /// Runs by how they came out, those found included.
    pub exits: BTreeMap<String, u64>,
}

/// The same as JSON.
pub fn work_json(work: &Work) -> String {
    serde_json::to_string_pretty(work).unwrap_or_default() + "\n"
}

/// Makes the chunks of a shard that are not in the store, on so many threads, and tells `progress` after each run how many are done and
/// how many of them stopped. The first error ends it; chunks that are whole by then stay.
pub fn execute(
    sweep: &Sweep,
    store: &Store,
    shard: Shard,
    threads: usize,
    progress: &(dyn Fn(u64, u64) + Sync),
) -> Result<Work, SweepError> {
    let there = store.records(sweep)?;
    let mut exits = BTreeMap::new();
    let mut found = 0;
    let mut left = Vec::new();
    for chunk in shard.chunks(sweep) {
        match there.get(&chunk) {
            Some((record, _)) => {
                found += record.runs;
                add(&mut exits, &record.exits);
            }
            None => left.push(chunk),
        }
    }
    drop(there);
    let runs = shard.runs(sweep);
    let stopped = found - exits.get(END).copied().unwrap_or(0);
    let whole = Shared {
        sweep,
        store,
        left,
        next: AtomicUsize::new(0),
        failed: AtomicBool::new(false),
        done: AtomicU64::new(found),
        stopped: AtomicU64::new(stopped),
        exits: Mutex::new(exits),
        progress,
    };
    let threads = threads.min(whole.left.len()).max(1);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let ends = pool.broadcast(|_| whole.work());
    ends.into_iter().collect::<Result<(), _>>()?;
    let exits = whole.exits.into_inner().unwrap_or_default();
    Ok(Work { runs, found, exits })
}

/// What threads share. Each takes the next chunk when it has finished one.
struct Shared<'a> {
    sweep: &'a Sweep,
    store: &'a Store,
    left: Vec<u64>,
    next: AtomicUsize,
    failed: AtomicBool,
    done: AtomicU64,
    stopped: AtomicU64,
    exits: Mutex<BTreeMap<String, u64>>,
    progress: &'a (dyn Fn(u64, u64) + Sync),
}

impl Shared<'_> {
    /// One thread's part. A second thread writes each chunk while the next is made: what waits for the disk does not count.
    fn work(&self) -> Result<(), SweepError> {
        let mut worker = Worker::new(self.sweep);
        std::thread::scope(|scope| {
            let (send, chunks) = sync_channel(0);
            let writer = scope.spawn(|| self.write(chunks));
            let made = loop {
                let next = self.next.fetch_add(1, Relaxed);
                let Some(chunk) = self.left.get(next).filter(|_| !self.failed.load(Relaxed)) else { break Ok(()) };
                match self.chunk(&mut worker, *chunk).map(|made| made.map(|made| send.send(made))) {
                    Ok(Some(Ok(()))) => {}
                    // A writer that has failed says why.
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
            if let Ok(mut all) = self.exits.lock() {
                add(&mut all, &chunk.exits);
            }
        }
        Ok(())
    }

    /// Makes a chunk; `None` if another thread has failed.
    fn chunk(&self, worker: &mut Worker, chunk: u64) -> Result<Option<Chunk>, SweepError> {
        worker.clear();
        let mut exits: BTreeMap<&'static str, u64> = BTreeMap::new();
        for index in self.sweep.runs_of(chunk) {
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
        Chunk::of(self.sweep, chunk, exits, worker.tables()).map(Some)
    }
}

/// Adds counts.
pub(crate) fn add(all: &mut BTreeMap<String, u64>, more: &BTreeMap<String, u64>) {
    more.iter().for_each(|(exit, count)| *all.entry(exit.clone()).or_default() += count);
}
