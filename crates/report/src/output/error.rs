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
        OutputError { path: path.display().to_string(), error: error.into() }
    }
}
