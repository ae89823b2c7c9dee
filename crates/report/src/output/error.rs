//! Why a file could not be written.

use std::io::{Error, ErrorKind};
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

/// The system's own words: the name of a temporary file helps nobody.
fn without_path(error: Error) -> Error {
    // tempfile wraps errors so that only the kind is left to be read.
    let wrapped = error.get_ref().is_some() && error.kind() != ErrorKind::Other;
    if wrapped { Error::from(error.kind()) } else { error }
}
