//! Files of a run, each replaced whole or not at all.

mod record;
mod summary;
mod tables;

use std::io::Write;
use std::path::Path;

use tempfile::NamedTempFile;

pub use record::Recorder;
pub use summary::summary_json;
pub use tables::{EVENT_COLUMNS, TRAJECTORY_COLUMNS, event_row, trajectory_row};

/// A file that could not be written.
#[derive(Debug, thiserror::Error)]
#[error("can't write {path}: {error}")]
pub struct OutputError {
    /// Which file.
    pub path: String,
    /// What the system says.
    pub error: std::io::Error,
}

impl OutputError {
    fn new(path: &Path, error: impl Into<std::io::Error>) -> Self {
        OutputError { path: path.display().to_string(), error: error.into() }
    }
}

/// Makes a folder and proves that files can be written to it.
pub fn prepare(folder: &Path) -> Result<(), OutputError> {
    if folder.exists() && !folder.is_dir() {
        return Err(OutputError::new(folder, std::io::Error::from(std::io::ErrorKind::NotADirectory)));
    }
    std::fs::create_dir_all(folder).map_err(|error| OutputError::new(folder, error))?;
    NamedTempFile::new_in(folder).map(drop).map_err(|error| OutputError::new(folder, error))
}

/// Puts `text` in the place of `folder/name` at once.
pub fn replace(folder: &Path, name: &str, text: &str) -> Result<(), OutputError> {
    write_file(&folder.join(name), text)
}

/// Puts `text` in the place of a file at once.
pub fn write_file(path: &Path, text: &str) -> Result<(), OutputError> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let Some(name) = path.file_name() else {
        return Err(OutputError::new(path, std::io::Error::from(std::io::ErrorKind::InvalidFilename)));
    };
    let write = || {
        let mut file = NamedTempFile::new_in(folder)?;
        file.write_all(text.as_bytes())?;
        keep(file, &folder.join(name))
    };
    write().map_err(|error: std::io::Error| OutputError::new(path, error))
}

/// Gives a finished temporary file its name, readable as a new file would be.
fn keep(file: NamedTempFile, path: &Path) -> std::io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        file.as_file().set_permissions(std::fs::Permissions::from_mode(0o644))?;
    }
    file.persist(path).map(drop).map_err(|error| error.error)
}
