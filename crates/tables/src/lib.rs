//! Tables by columns, written as CSV or Parquet and read again to the last bit.
//!
//! ```
//! use std::sync::Arc;
//! use tables::{Column, Format, Kind, Table};
//!
//! let mut table = Table::new(Arc::from([Column::new("time", "s", Kind::Number), Column::new("kind", "", Kind::Word)]));
//! table.number(0.1 + 0.2);
//! table.word("impact");
//! let mut file = Vec::new();
//! Format::Csv.encode(&table, &mut file)?;
//! assert_eq!(Format::Csv.decode(table.columns(), "events.csv", &file)?, table);
//! # Ok::<(), tables::TableError>(())
//! ```

mod error;
mod format;
#[cfg(feature = "parquet")]
mod parquet_file;
mod table;

/// Numbers that a table of keys may have: ten for each of a million runs.
pub const MOST_NUMBERS: usize = 10_000_000;

pub use error::TableError;
pub use format::{Format, Growing, parquet_numbers};
pub use table::{Cells, Column, Kind, Table, number_text};
