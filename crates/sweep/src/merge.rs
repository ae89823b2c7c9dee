//! One file of all chunks.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use report::output::write_kept;
use scenario::input::InputError;
use tables::{Format, Growing, Table, TableError};

use crate::error::SweepError;
use crate::folder::{Store, bytes_of};
use crate::layout::Layout;
use crate::status::status;

/// Writes a table (`runs`, `events`, `section`) of a whole sweep to a file in the format of its name; checks hashes; returns the rows.
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
    /// Rows read and written again.
    Rows { from: Format, empty: Table, out: Growing<BufWriter<&'a mut File>> },
}

impl<'a> Merged<'a> {
    fn new(format: Format, from: Format, empty: Table, out: &'a mut File) -> std::io::Result<Self> {
        let mut out = BufWriter::new(out);
        if format == Format::Csv && from == Format::Csv {
            let mut header = Vec::new();
            empty.write_header(&mut header);
            out.write_all(&header)?;
            return Ok(Merged::Lines { empty, out });
        }
        let out = Growing::new(format, empty.columns(), out)?;
        Ok(Merged::Rows { from, empty, out })
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
            Merged::Rows { from, empty, out } => match out.write(&from.decode(empty.columns(), name, bytes)?) {
                Err(TableError::Write(error)) => Err(failed(error)),
                written => Ok(written?),
            },
        }
    }

    fn finish(self) -> std::io::Result<()> {
        match self {
            Merged::Lines { mut out, .. } => out.flush(),
            Merged::Rows { out, .. } => Ok(out.finish()?),
        }
    }
}
