//! Why a file could not be written.

use std::io::Error;
use std::path::Path;

/// A file that could not be written.
#[derive(Debug, thiserror::Error)]
#[error("can't write {path}: {error}")]
pub struct OutputError {
    /// The file.
    pub path: String,
    /// Error of the system.
    pub error: Error,
}

impl OutputError {
    pub(crate) fn new(path: &Path, error: impl Into<Error>) -> Self {
        OutputError { path: path.display().to_string(), error: without_path(error.into()) }
    }
}

/// The system's own words, which tempfile wraps: the name of a temporary file helps nobody.
fn without_path(error: Error) -> Error {
    let own = error.get_ref().and_then(std::error::Error::source).and_then(|own| own.downcast_ref::<Error>());
    match own.map(Error::raw_os_error) {
        Some(Some(code)) => Error::from_raw_os_error(code),
        Some(None) => Error::from(error.kind()),
        None => error,
    }
}
