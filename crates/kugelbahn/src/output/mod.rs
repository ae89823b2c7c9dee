//! Files of a run, each replaced whole or not at all.

mod folder;
mod growing;
mod record;
mod summary;
mod tables;

use std::ffi::OsStr;
use std::fs::File;
use std::io::{Error, ErrorKind, Write};
use std::path::Path;

use tempfile::TempPath;

use crate::Scenario;

use folder::lock;
use folder::temporary;
pub use folder::{Folder, withdraw};
pub(crate) use growing::Tables;
use growing::trajectory_names;
pub(crate) use record::KEPT_EVENTS;
pub use record::Recorder;
pub use summary::summary_json;
pub(crate) use summary::{document, run_document, state_json};
pub use tables::{EVENT_COLUMNS, TRAJECTORY_COLUMNS, event_row, trajectory_row};
pub(crate) use tables::{csv_text, event_start, motion, nearest, text};

/// A file that could not be written.
#[derive(Debug, thiserror::Error)]
#[error("can't write {path}: {error}")]
pub struct OutputError {
    /// Which file.
    pub path: String,
    /// What the system says.
    pub error: Error,
}

impl OutputError {
    pub(crate) fn new(path: &Path, error: impl Into<Error>) -> Self {
        OutputError { path: path.display().to_string(), error: without_path(error.into()) }
    }
}

/// The system's own words: the name of a temporary file helps nobody.
fn without_path(error: Error) -> Error {
    // tempfile wraps errors so that only the kind is left to be read.
    let wrapped = error.get_ref().is_some() && error.kind() != ErrorKind::Other;
    if wrapped { Error::from(error.kind()) } else { error }
}

/// Files of a run.
pub const FILES: [&str; 5] = ["events.csv", "trajectory.csv", "summary.json", "path.svg", "time.svg"];

/// A folder for the files of a run.
pub fn open_run(folder: &Path, scenario: &Scenario) -> Result<Folder, OutputError> {
    let balls = scenario.stepping.as_ref().map_or(1, |stepping| stepping.balls.len());
    let others = FILES.into_iter().filter(|name| *name != "trajectory.csv").map(str::to_owned);
    Folder::open(folder, &others.chain(trajectory_names(balls)).collect::<Vec<_>>())
}

/// Puts `text` in the place of a file at once, unless a command has its folder for itself.
pub fn write_file(path: &Path, text: &str) -> Result<(), OutputError> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let Some(name) = path.file_name() else {
        return Err(OutputError::new(path, ErrorKind::InvalidFilename));
    };
    if !folder.exists() {
        return Err(OutputError::new(path, Error::other(format!("there is no folder {}", folder.display()))));
    }
    let _lock = lock(folder, File::try_lock_shared)?;
    write_file_to(folder, name, text)
}

fn write_file_to(folder: &Path, name: &OsStr, text: &str) -> Result<(), OutputError> {
    let path = folder.join(name);
    let write = || {
        let mut file = temporary(folder)?;
        file.write_all(text.as_bytes())?;
        keep(file.into_temp_path(), &path)
    };
    write().map_err(|error: Error| OutputError::new(&path, error))
}

/// Prints to stdout; a reader that has gone away has had enough.
pub fn print(text: &str) -> Result<(), OutputError> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(OutputError { path: "to stdout".to_owned(), error }),
        _ => Ok(()),
    }
}

/// Gives a finished temporary file its name.
fn keep(file: TempPath, path: &Path) -> std::io::Result<()> {
    file.persist(path).map_err(|error| error.error)
}
