//! One file of all chunks.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use report::output::write_kept;
use scenario::input::InputError;

use crate::error::SweepError;
use crate::folder::{Store, bytes_of};
use crate::format::Format;
use crate::layout::Layout;
use crate::status::status;
use crate::table::Table;

/// Writes a table (`runs`, `events` or `section`) of a whole sweep to a file, rows by index; its format is that of its name. Each chunk
/// is held against its hash. Returns the rows.
pub fn merge(layout: &Layout, store: &Store, table: &str, file: &Path) -> Result<u64, SweepError> {
    let ending = file.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let format = Format::named(&ending.to_ascii_lowercase())?;
    let columns = layout.table(table)?;
    if store.owns(file) {
        let error = InputError::without_place(format!("{} is a file of the sweep itself", file.display()));
        return Err(error.with_help("choose another name").into());
    }
    let status = status(layout, store)?;
    status.whole()?;
    let records = store.records(layout)?;
    let mut failed = None;
    let written = write_kept(file, &mut |out| {
        let mut merged = Merged::new(format, layout.format, Table::new(columns.clone()), out)?;
        for record in records.values() {
            let added = bytes_of(layout, record, table).and_then(|(name, bytes)| merged.add(&name, &bytes));
            if let Err(error) = added {
                return Err(match error {
                    SweepError::Output(error) => error.error,
                    error => {
                        let text = error.to_string();
                        failed = Some(error);
                        std::io::Error::other(text)
                    }
                });
            }
        }
        merged.finish()
    });
    match (failed, written) {
        (Some(error), _) => Err(error),
        (None, Err(error)) => Err(error.into()),
        (None, Ok(())) => Ok(status.rows.get(table).copied().unwrap_or(0)),
    }
}

/// A file that grows chunk by chunk.
enum Merged<'a> {
    /// Lines as they are.
    Lines { empty: Table, out: BufWriter<&'a mut File> },
    /// Rows read and written again, as CSV.
    Csv { from: Format, empty: Table, out: BufWriter<&'a mut File> },
    #[cfg(feature = "parquet")]
    Parquet { from: Format, empty: Table, out: Box<crate::format::ParquetFile<BufWriter<&'a mut File>>> },
}

impl<'a> Merged<'a> {
    fn new(format: Format, from: Format, empty: Table, out: &'a mut File) -> std::io::Result<Self> {
        let mut out = BufWriter::new(out);
        let mut header = Vec::new();
        match format {
            Format::Csv => {
                empty.write_header(&mut header);
                out.write_all(&header)?;
                Ok(if from == Format::Csv { Merged::Lines { empty, out } } else { Merged::Csv { from, empty, out } })
            }
            #[cfg(feature = "parquet")]
            Format::Parquet => {
                let out = crate::format::ParquetFile::new(empty.columns(), out).map_err(std::io::Error::other)?;
                Ok(Merged::Parquet { from, empty, out: Box::new(out) })
            }
            #[cfg(not(feature = "parquet"))]
            Format::Parquet => Err(std::io::Error::other(SweepError::NoParquet)),
        }
    }

    fn add(&mut self, name: &str, bytes: &[u8]) -> Result<(), SweepError> {
        let failed =
            |error: std::io::Error| SweepError::Output(report::output::OutputError { path: name.to_owned(), error });
        match self {
            Merged::Lines { empty, out } => {
                let mut header = Vec::new();
                empty.write_header(&mut header);
                let Some(rows) = bytes.strip_prefix(header.as_slice()) else {
                    let what = "its first line names other columns than the sweep has".to_owned();
                    return Err(SweepError::Damaged { file: name.to_owned(), what });
                };
                out.write_all(rows).map_err(failed)
            }
            Merged::Csv { from, empty, out } => {
                let mut lines = Vec::new();
                from.decode(empty.columns(), name, bytes)?.write_rows(&mut lines);
                out.write_all(&lines).map_err(failed)
            }
            #[cfg(feature = "parquet")]
            Merged::Parquet { from, empty, out } => out.write(&from.decode(empty.columns(), name, bytes)?),
        }
    }

    fn finish(self) -> std::io::Result<()> {
        match self {
            Merged::Lines { mut out, .. } | Merged::Csv { mut out, .. } => out.flush(),
            #[cfg(feature = "parquet")]
            Merged::Parquet { out, .. } => out.finish().map_err(std::io::Error::other)?.flush(),
        }
    }
}
