//! Why a table can't be written or read.

/// Why a table failed.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// No such format.
    #[error("there is no format `{name}`: csv or parquet")]
    Format {
        /// The name asked for.
        name: String,
    },
    /// Parquet is not in this program.
    #[error(
        "this program was built without Parquet; build it with: cargo build --release -p kugelbahn-cli --features parquet"
    )]
    NoParquet,
    /// A Parquet file could not be made or read.
    #[error("Parquet: {0}")]
    Parquet(String),
    /// A file is not as it was written.
    #[error("{file} is damaged: {what}")]
    Damaged {
        /// The file.
        file: String,
        /// The damage.
        what: String,
    },
    /// An error of the system.
    #[error(transparent)]
    Write(#[from] std::io::Error),
}

impl From<TableError> for std::io::Error {
    fn from(error: TableError) -> Self {
        match error {
            TableError::Write(error) => error,
            error => std::io::Error::other(error),
        }
    }
}
