//! How tables are written to files, and read again.

use std::borrow::Cow;
use std::sync::Arc;

use crate::error::SweepError;
use crate::request::Request;
use crate::table::{Cells, Column, Table};

#[cfg(feature = "parquet")]
mod parquet_file;

#[cfg(feature = "parquet")]
pub use parquet_file::{ParquetFile, parquet_numbers};

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
    /// By its name.
    pub fn named(name: &str) -> Result<Self, SweepError> {
        match name {
            "csv" => Ok(Format::Csv),
            "parquet" if cfg!(feature = "parquet") => Ok(Format::Parquet),
            "parquet" => Err(SweepError::NoParquet),
            _ => Err(SweepError::Format { name: name.to_owned() }),
        }
    }

    /// That asked for; CSV where nothing is said.
    pub(crate) fn of(request: &Request) -> Result<Self, SweepError> {
        Format::named(request.format.as_deref().unwrap_or("csv"))
    }

    /// Its name, which files end with.
    pub fn name(self) -> &'static str {
        match self {
            Format::Csv => "csv",
            Format::Parquet => "parquet",
        }
    }

    /// A whole file of a table, appended to `out`.
    pub fn encode(self, table: &Table, out: &mut Vec<u8>) -> Result<(), SweepError> {
        match self {
            Format::Csv => {
                table.write_header(out);
                table.write_rows(out);
                Ok(())
            }
            #[cfg(feature = "parquet")]
            Format::Parquet => parquet_file::encode(table, out),
            #[cfg(not(feature = "parquet"))]
            Format::Parquet => Err(SweepError::NoParquet),
        }
    }

    /// A table from a whole file that should have these columns.
    pub fn decode(self, columns: &Arc<[Column]>, name: &str, bytes: &[u8]) -> Result<Table, SweepError> {
        match self {
            Format::Csv => decode_csv(columns, name, bytes),
            #[cfg(feature = "parquet")]
            Format::Parquet => parquet_file::decode(columns, name, bytes),
            #[cfg(not(feature = "parquet"))]
            Format::Parquet => Err(SweepError::NoParquet),
        }
    }
}

/// Names of columns and numbers, row by row, of a Parquet file.
#[cfg(not(feature = "parquet"))]
pub fn parquet_numbers(_: Vec<u8>) -> Result<(Vec<String>, Vec<f64>), SweepError> {
    Err(SweepError::NoParquet)
}

fn decode_csv(columns: &Arc<[Column]>, name: &str, bytes: &[u8]) -> Result<Table, SweepError> {
    let damaged = |what: String| SweepError::Damaged { file: name.to_owned(), what };
    let mut reader = csv::Reader::from_reader(bytes);
    let header = reader.headers().map_err(|error| damaged(error.to_string()))?;
    if !header.iter().eq(columns.iter().map(|column| column.name.as_str())) {
        return Err(damaged("its first line names other columns than the sweep has".to_owned()));
    }
    let empty = Table::new(columns.clone());
    let mut cells = empty.cells().to_vec();
    let mut record = csv::StringRecord::new();
    while reader.read_record(&mut record).map_err(|error| damaged(error.to_string()))? {
        for ((column, cells), text) in columns.iter().zip(&mut cells).zip(record.iter()) {
            let wrong = || damaged(format!("`{text}` in column {} is no number", column.name));
            match cells {
                Cells::Count(cells) => cells.push(text.parse().map_err(|_| wrong())?),
                Cells::Number(cells) if text.is_empty() => cells.push(f64::NAN),
                Cells::Number(cells) => cells.push(text.parse().map_err(|_| wrong())?),
                Cells::Word(cells) => cells.push(Cow::Owned(text.to_owned())),
            }
        }
    }
    Ok(Table::of(columns.clone(), cells))
}
