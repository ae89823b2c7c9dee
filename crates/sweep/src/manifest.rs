//! The manifest of a folder, `sweep.json`: everything that its rows depend on.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tables::Column;

use crate::request::Request;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Manifest {
    /// Version of the manifest's format.
    pub format: u32,
    /// Version of the program.
    pub version: String,
    pub runs: u64,
    pub chunk: u64,
    pub request: Request,
    /// Hash of the table of values.
    pub table: Option<String>,
    /// Columns of each table.
    pub columns: Vec<(String, Vec<Column>)>,
    /// The scenario file with its settings; paths in it are relative to `base`.
    pub scenario: String,
    /// The scenario with every value as used.
    pub resolved: Value,
    /// Hash of the ground as built from its files, and of grounds that the values name.
    #[serde(default)]
    pub ground: String,
    /// Folder of the files; it does not count for the identity of a sweep.
    pub base: String,
}
