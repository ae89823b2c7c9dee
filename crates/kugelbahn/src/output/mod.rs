//! Files of a run, each replaced whole or not at all.

mod record;
mod summary;
mod tables;

use std::io::{Error, ErrorKind, Write};
use std::path::Path;

use tempfile::{NamedTempFile, TempPath};

use crate::Scenario;
use crate::stepping::trajectory_names;

pub use record::Recorder;
pub use summary::summary_json;
pub(crate) use summary::{document, state_json};
pub use tables::{EVENT_COLUMNS, TRAJECTORY_COLUMNS, event_row, trajectory_row};
pub(crate) use tables::{motion, nearest, text};

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

/// Makes a folder and proves that files can be written to it.
pub fn prepare(folder: &Path) -> Result<(), OutputError> {
    if folder.exists() && !folder.is_dir() {
        return Err(OutputError::new(folder, ErrorKind::NotADirectory));
    }
    std::fs::create_dir_all(folder).map_err(|error| OutputError::new(folder, error))?;
    temporary(folder).map(drop).map_err(|error| OutputError::new(folder, error))
}

/// The same, and that nothing stands where these files go that they could not replace.
pub fn prepare_files(folder: &Path, names: &[&str]) -> Result<(), OutputError> {
    for path in names.iter().map(|name| folder.join(name)) {
        if path.symlink_metadata().is_ok_and(|found| found.is_dir()) {
            return Err(OutputError::new(&path, ErrorKind::IsADirectory));
        }
    }
    prepare(folder)
}

/// Whether [`prepare_files`] would go well, for what is written only later or not at all: makes no folder.
pub fn check_files(folder: &Path, names: &[&str]) -> Result<(), OutputError> {
    if folder.exists() {
        return prepare_files(folder, names);
    }
    let nearest = folder.ancestors().skip(1).find(|above| above.exists());
    match nearest {
        Some(above) if !above.is_dir() => Err(OutputError::new(folder, ErrorKind::NotADirectory)),
        Some(above) => temporary(above).map(drop).map_err(|error| OutputError::new(folder, error)),
        None => temporary(Path::new(".")).map(drop).map_err(|error| OutputError::new(folder, error)),
    }
}

/// The same for the files of a run.
pub fn prepare_run(folder: &Path, scenario: &Scenario) -> Result<(), OutputError> {
    let balls = scenario.stepping.as_ref().map_or(1, |stepping| stepping.balls.len());
    let trajectories = trajectory_names(balls);
    let others = FILES.into_iter().filter(|name| *name != "trajectory.csv");
    prepare_files(folder, &others.chain(trajectories.iter().map(String::as_str)).collect::<Vec<_>>())
}

/// Puts `text` in the place of `folder/name` at once.
pub fn replace(folder: &Path, name: &str, text: &str) -> Result<(), OutputError> {
    write_file(&folder.join(name), text)
}

/// Puts `text` in the place of a file at once.
pub fn write_file(path: &Path, text: &str) -> Result<(), OutputError> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let Some(name) = path.file_name() else {
        return Err(OutputError::new(path, ErrorKind::InvalidFilename));
    };
    if !folder.exists() {
        return Err(OutputError::new(path, Error::other(format!("there is no folder {}", folder.display()))));
    }
    let write = || {
        let mut file = temporary(folder)?;
        file.write_all(text.as_bytes())?;
        keep(file, &folder.join(name))
    };
    write().map_err(|error: Error| OutputError::new(path, error))
}

/// Prints to stdout; a reader that has gone away has had enough.
pub fn print(text: &str) -> Result<(), OutputError> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(OutputError { path: "to stdout".to_owned(), error }),
        _ => Ok(()),
    }
}

/// A temporary file that may be read by whom the umask lets read new files.
pub(crate) fn temporary(folder: &Path) -> std::io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}

/// Gives a finished temporary file its name.
fn keep(file: NamedTempFile, path: &Path) -> std::io::Result<()> {
    file.persist(path).map(drop).map_err(|error| error.error)
}

/// The same for one that is closed.
pub(crate) fn keep_path(file: TempPath, path: &Path) -> std::io::Result<()> {
    file.persist(path).map_err(|error| error.error)
}
