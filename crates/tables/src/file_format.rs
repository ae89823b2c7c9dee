//! Formats of table files: writing and reading.

use std::io::Write;
use std::sync::Arc;

use crate::cell::{Cell, write_line};
use crate::table::{Column, Table};

#[cfg(feature = "parquet")]
use crate::parquet_file::{self, ParquetFile};
#[cfg(feature = "parquet")]
pub use parquet_file::parquet_numbers;

/// Reason why a table could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// No such format.
    #[error("there is no format `{name}`: csv or parquet")]
    Format {
        /// The name asked for.
        name: String,
    },
    /// The program was built without Parquet.
    #[error(
        "this program was built without Parquet; build it with: cargo build --release -p kugelbahn-cli --features parquet"
    )]
    NoParquet,
    /// A Parquet file could not be made or read.
    #[error("Parquet: {0}")]
    Parquet(String),
    /// A file differs from what was written.
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

/// The format of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// Comma-separated values with a header.
    #[default]
    Csv,
    /// Apache Parquet; needs the feature `parquet`.
    Parquet,
}

impl Format {
    /// Format of a name.
    pub fn named(name: &str) -> Result<Self, TableError> {
        match name {
            "csv" => Ok(Format::Csv),
            "parquet" if cfg!(feature = "parquet") => Ok(Format::Parquet),
            "parquet" => Err(TableError::NoParquet),
            _ => Err(TableError::Format { name: name.to_owned() }),
        }
    }

    /// Name of the format, and extension of its files.
    pub fn name(self) -> &'static str {
        match self {
            Format::Csv => "csv",
            Format::Parquet => "parquet",
        }
    }

    /// Appends a whole file of a table to `out`.
    pub fn encode(self, table: &Table, out: &mut Vec<u8>) -> Result<(), TableError> {
        let mut file = Growing::new(self, table.columns(), out)?;
        file.write(table)?;
        file.finish()
    }

    /// Reads a table from a whole file that must have these columns.
    pub fn decode(self, columns: &Arc<[Column]>, name: &str, bytes: &[u8]) -> Result<Table, TableError> {
        match self {
            Format::Csv => decode_csv(columns, name, bytes),
            #[cfg(feature = "parquet")]
            Format::Parquet => parquet_file::decode(columns, name, bytes),
            #[cfg(not(feature = "parquet"))]
            Format::Parquet => Err(TableError::NoParquet),
        }
    }
}

/// Column names, and numbers row by row, of a Parquet file.
#[cfg(not(feature = "parquet"))]
pub fn parquet_numbers(_: Vec<u8>) -> Result<(Vec<String>, Vec<f64>), TableError> {
    Err(TableError::NoParquet)
}

fn decode_csv(columns: &Arc<[Column]>, name: &str, bytes: &[u8]) -> Result<Table, TableError> {
    let damaged = |what: String| TableError::Damaged { file: name.to_owned(), what };
    let mut reader = csv::Reader::from_reader(bytes);
    let header = reader.headers().map_err(|error| damaged(error.to_string()))?;
    if !header.iter().eq(columns.iter().map(|column| column.name.as_str())) {
        return Err(damaged("its first line names other columns".to_owned()));
    }
    let mut table = Table::new(columns.clone());
    let mut record = csv::StringRecord::new();
    while reader.read_record(&mut record).map_err(|error| damaged(error.to_string()))? {
        table.read_row(record.iter()).map_err(damaged)?;
    }
    Ok(table)
}

/// Size of the buffer of lines, bytes.
const HELD: usize = 1 << 16;

/// A file that grows by rows and by tables.
pub enum Growing<W: Write + Send> {
    /// Lines: the output, and the buffer.
    Csv(W, Vec<u8>),
    /// Row groups.
    #[cfg(feature = "parquet")]
    Parquet(Box<ParquetFile<W>>),
}

impl<W: Write + Send> Growing<W> {
    /// Begins a file with these columns and no row.
    pub fn new(format: Format, columns: &Arc<[Column]>, out: W) -> Result<Self, TableError> {
        match format {
            Format::Csv => {
                let mut lines = Vec::new();
                Table::new(columns.clone()).write_header(&mut lines);
                Ok(Growing::Csv(out, lines))
            }
            #[cfg(feature = "parquet")]
            Format::Parquet => Ok(Growing::Parquet(Box::new(ParquetFile::new(columns, out)?))),
            #[cfg(not(feature = "parquet"))]
            Format::Parquet => Err(TableError::NoParquet),
        }
    }

    /// Adds a row.
    pub fn row<'c>(&mut self, cells: impl IntoIterator<Item = Cell<'c>>) -> Result<(), TableError> {
        match self {
            Growing::Csv(_, lines) => {
                write_line(lines, cells);
                if lines.len() < HELD { Ok(()) } else { self.flush() }
            }
            #[cfg(feature = "parquet")]
            Growing::Parquet(file) => file.row(cells),
        }
    }

    /// Adds the rows of a table with these columns.
    pub fn write(&mut self, table: &Table) -> Result<(), TableError> {
        match self {
            Growing::Csv(_, lines) => {
                table.write_rows(lines);
                self.flush()
            }
            #[cfg(feature = "parquet")]
            Growing::Parquet(file) => file.write(table),
        }
    }

    /// Writes the buffered lines; row groups are written when they are full.
    pub fn flush(&mut self) -> Result<(), TableError> {
        match self {
            Growing::Csv(out, lines) => {
                out.write_all(lines)?;
                lines.clear();
                Ok(out.flush()?)
            }
            #[cfg(feature = "parquet")]
            Growing::Parquet(_) => Ok(()),
        }
    }

    /// Finishes the file.
    pub fn finish(mut self) -> Result<(), TableError> {
        self.flush()?;
        match self {
            Growing::Csv(..) => Ok(()),
            #[cfg(feature = "parquet")]
            Growing::Parquet(file) => Ok(file.finish()?.flush()?),
        }
    }
}
