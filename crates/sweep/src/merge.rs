//! Merging of all chunks into one file.

use std::ffi::OsStr;
use std::path::Path;

use report::output::write_kept;
use scenario::input::InputError;
use tables::{Format, Growing};

use crate::error::SweepError;
use crate::folder::{Store, table_of};
use crate::layout::ChunkLayout;
use crate::reduce::CellSums;
use crate::status::status;

/// Writes a table (`runs`, `events`, `section`, `cells`) of a whole sweep to a file in the format of its name, or of the
/// sweep if the name has no ending; checks hashes; returns the rows. Cells of all chunks are put together.
pub fn merge(layout: &ChunkLayout, store: &Store, table: &str, file: &Path) -> Result<u64, SweepError> {
    let named = |ending: &OsStr| Format::named(&ending.to_string_lossy().to_ascii_lowercase());
    let format = file.extension().map_or(Ok(layout.format), named)?;
    let columns = layout.table(table)?;
    if store.owns(file) {
        let error = InputError::without_place(format!("{} is a file of the sweep itself", file.display()));
        return Err(error.with_help("choose another name").into());
    }
    let status = status(layout, store)?;
    status.whole()?;
    let records = store.records(layout)?;
    let reduction = layout.reduction(table)?;
    let (mut failed, mut count) = (None, status.rows.get(table).copied().unwrap_or(0));
    let written = write_kept(file, &mut |out| {
        let mut merged = Growing::new(format, &columns, out)?;
        let mut cells = CellSums::default();
        for record in records.values() {
            match (table_of(layout, record, table, &columns), &reduction) {
                (Ok(part), Some(reduction)) => cells.add_table(reduction, &part),
                (Ok(rows), None) => merged.write(&rows)?,
                (Err(error), _) => {
                    let text = error.to_string();
                    failed = Some(error);
                    return Err(std::io::Error::other(text));
                }
            }
        }
        if let Some(reduction) = &reduction {
            let whole = cells.table(reduction);
            count = whole.rows() as u64;
            merged.write(&whole)?;
        }
        Ok(merged.finish()?)
    });
    match (failed, written) {
        (Some(error), _) => Err(error),
        (None, Err(error)) => Err(error.into()),
        (None, Ok(())) => Ok(count),
    }
}
