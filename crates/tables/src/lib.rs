//! Tables by columns, written as CSV or Parquet and read again to the last bit.
//!
//! ```
//! use std::sync::Arc;
//! use tables::{Cell, Column, Format, Kind, Table};
//!
//! let columns = [Column::new("time", "s", Kind::Number), Column::new("kind", "", Kind::Word)];
//! let mut table = Table::new(Arc::from(columns));
//! table.row([Cell::Number(0.1 + 0.2), Cell::Name("impact")]);
//! let mut file = Vec::new();
//! Format::Csv.encode(&table, &mut file)?;
//! assert_eq!(Format::Csv.decode(table.columns(), "events.csv", &file)?, table);
//! # Ok::<(), tables::TableError>(())
//! ```

mod cell;
mod file_format;
mod number_text;
#[cfg(feature = "parquet")]
mod parquet_file;
mod table;

pub use cell::{Cell, Field, csv_text, table_of, write_line};
pub use file_format::{Format, Growing, TableError, parquet_numbers};
pub use number_text::number_text;
pub use table::{Cells, Column, Kind, Table};

/// Numbers that a table of keys may have: ten for each of a million runs.
pub const MOST_NUMBERS: usize = 10_000_000;
