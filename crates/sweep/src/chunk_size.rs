//! The number of runs in a chunk: as asked for, or by the number of runs and the rows of one.

use scenario::input::InputError;

use crate::layout::ChunkLayout;
use crate::observed::most_rows;
use crate::request::Request;
use crate::run_rows::{TOO_LONG, Worker};
use crate::sweep::Sweep;

/// Least number of chunks by default, for threads and shards to share, and the largest, since each takes time on the
/// disk.
const CHUNKS: [u64; 2] = [64, 512];
/// Number of runs of a chunk between these bounds, which take longer than the disk.
const SHORT: u64 = 1024;
/// Largest number of runs of a chunk by default, for the memory.
const LONGEST: u64 = 16_384;
/// Approximate number of rows of events and sections in a chunk.
const ROWS: u64 = 100_000;
/// Number of runs tried to see how many rows a run has.
const MADE: u64 = 4;
/// Least number of rows assumed for a run, since runs not tried may have many more.
const FEW: u64 = 25;

/// Runs in a chunk of a sweep of `count` runs, as asked for or by the count.
pub(crate) fn chunk_by_count(request: &Request, count: u64) -> Result<u64, InputError> {
    match request.chunk {
        Some(0) => Err(InputError::without_place("--chunk 0 has no runs").with_help("give at least 1")),
        Some(chunk) => Ok(chunk),
        None => {
            let chunks = (count / SHORT).clamp(CHUNKS[0], CHUNKS[1]);
            // Runs reduced to cells take no memory.
            Ok(count.div_ceil(chunks).clamp(1, if request.reduce.is_empty() { LONGEST } else { u64::MAX }))
        }
    }
}

impl Sweep {
    /// Shortens chunks so that rows of events and sections fit in memory, by those of a few runs.
    pub(crate) fn limit_chunk_by_rows(&mut self) -> Result<(), InputError> {
        let ChunkLayout { tables, request, chunk, .. } = &self.layout;
        if !self.reductions.is_empty() || tables.len() == 1 || request.chunk.is_some() || *chunk == 1 {
            return Ok(());
        }
        // Tried with the limit of a run alone in its chunk.
        let alone = Sweep { layout: ChunkLayout { chunk: 1, ..self.layout.clone() }, ..self.clone() };
        let (mut worker, mut rows, mut all_too_long) = (Worker::new(&alone), 1, true);
        for index in self.spread_indices(MADE) {
            worker.clear();
            all_too_long &= worker.run(index) == TOO_LONG;
            rows = rows.max(worker.rows());
        }
        if all_too_long {
            let message = format!("runs have more than {} rows of events and the section", most_rows(1));
            let help = "read the section off more seldom, or make the runs shorter";
            return Err(InputError::without_place(message).with_help(help));
        }
        self.layout.chunk = self.layout.chunk.min(ROWS / rows.max(FEW)).max(1);
        Ok(())
    }
}
