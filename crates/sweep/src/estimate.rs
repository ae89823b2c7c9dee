//! Cost of a run in time and disk, by a few runs.

use std::time::{Duration, Instant};

use crate::run_rows::Worker;
use crate::sweep::Sweep;

/// Mean cost of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Estimate {
    /// Time of one thread, s.
    pub seconds: f64,
    /// Bytes on the disk.
    pub bytes: f64,
}

/// Largest number of runs tried, and the time after which no more are.
const RUNS: u64 = 16;
const LONG: Duration = Duration::from_secs(1);

/// Estimates the cost by a few runs, spread over all.
pub fn estimate(sweep: &Sweep) -> Estimate {
    let mut worker = Worker::new(sweep);
    let most = RUNS.min(sweep.layout.runs);
    worker.run(0);
    worker.clear();
    let started = Instant::now();
    let mut runs = 0;
    while runs < most && (runs == 0 || started.elapsed() < LONG) {
        worker.run((sweep.layout.runs - 1) / most * runs);
        runs += 1;
    }
    let seconds = started.elapsed().as_secs_f64() / runs as f64;
    let [mut rows, mut cells] = [Vec::new(), Vec::new()];
    let of_rows = sweep.layout.tables.len() - sweep.reductions.len();
    for (i, table) in worker.tables().enumerate() {
        // A missing format was refused before.
        let _ = sweep.layout.format.encode(&table, if i < of_rows { &mut rows } else { &mut cells });
    }
    let chunks = sweep.layout.chunks() as f64 / sweep.layout.runs as f64;
    Estimate { seconds, bytes: rows.len() as f64 / runs as f64 + cells.len() as f64 * chunks }
}
