//! Reasons why a sweep can't be made, continued, or trusted.

use report::output::OutputError;
use scenario::input::InputError;
use tables::TableError;

/// Reason why a sweep failed.
#[derive(Debug, thiserror::Error)]
pub enum SweepError {
    /// The request, or the scenario, is wrong.
    #[error(transparent)]
    Input(#[from] InputError),
    /// A file could not be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// A chunk could not be written; those written before stay.
    #[error("{0}; all chunks written before are kept: the same command goes on where it was")]
    Kept(OutputError),
    /// A file could not be read.
    #[error("can't read {file}: {error}; name the folder that `sweep --out` wrote to")]
    Read {
        /// The file.
        file: String,
        /// Error of the system.
        error: std::io::Error,
    },
    /// The folder holds another sweep.
    #[error("{folder} has another sweep: its {what} differs; choose another folder, or remove it")]
    Other {
        /// The folder.
        folder: String,
        /// Name of the entry that differs.
        what: String,
    },
    /// The folder holds no sweep.
    #[error(
        "{folder} has no sweep: there is no sweep.json in it; name the folder that `sweep --out` wrote to, or put it back"
    )]
    None {
        /// The folder.
        folder: String,
    },
    /// A file differs from what was written.
    #[error("{file} is damaged: {what}; {}", cure(file))]
    Damaged {
        /// The file.
        file: String,
        /// The damage.
        what: String,
    },
    /// Chunks are missing.
    #[error(
        "{missing} of {chunks} chunks are missing, the first is {first}: run the sweep to its end, or name all folders"
    )]
    Unfinished {
        /// Number of missing chunks.
        missing: u64,
        /// Number of all chunks.
        chunks: u64,
        /// Index of the first missing one.
        first: u64,
    },
    /// A recomputed row differs from the one written.
    #[error("run {index} comes to another {column} than its row has: another machine, program or file of the ground?")]
    Differs {
        /// Index of the run.
        index: u64,
        /// The first column that differs.
        column: String,
    },
    /// A table could not be written or read.
    #[error(transparent)]
    Table(TableError),
    /// No such table.
    #[error("the sweep has no table `{name}`: {known}")]
    NoTable {
        /// The name asked for.
        name: String,
        /// Names of its tables.
        known: String,
    },
    /// No such column.
    #[error("the sweep has no column `{name}`{}", near.as_ref().map_or(format!(": {known}"), |near| format!(": did you mean `{near}`?")))]
    NoColumn {
        /// The name asked for.
        name: String,
        /// The nearest name.
        near: Option<String>,
        /// Names of its columns.
        known: String,
    },
    /// No columns that can be drawn.
    #[error("no row has finite numbers of {columns}")]
    NothingToDraw {
        /// Names of the columns.
        columns: String,
    },
    /// Threads could not be started.
    #[error("the threads could not be started: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// An invalid shard.
    #[error("--shard {index}/{count} is none: the N of i/N is at least 1, and i counts from 0 to N - 1")]
    Shard {
        /// Index of the shard, from 0.
        index: u64,
        /// Number of shards.
        count: u64,
    },
}

impl From<TableError> for SweepError {
    fn from(error: TableError) -> Self {
        match error {
            TableError::Damaged { file, what } => SweepError::Damaged { file, what },
            error => SweepError::Table(error),
        }
    }
}

/// Cure of a damaged file.
fn cure(file: &str) -> &'static str {
    if file.ends_with("sweep.json") {
        "put it back, or run the sweep into another folder"
    } else {
        "remove its chunk-….json and run the sweep again: it makes this chunk anew"
    }
}
