//! Tables that grow while a run goes.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use scenario::Scenario;
use tables::{Cell, Column, Field, Format, Growing, write_line};
use tempfile::TempPath;

use super::folder::{Folder, OutputError};
use super::tables::{CONTACTS, fields_of_events, trajectory_fields};

/// Bytes of CSV held back, and rows of Parquet.
const HELD: usize = 1 << 16;
const HELD_ROWS: usize = 4096;

/// A table of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Which {
    Events,
    Trajectory,
    Contacts,
}

/// Names of the tables, without their endings.
const NAMES: [&str; 3] = ["events", "trajectory", "contacts"];

/// The tables of a run: its events, the rows of all balls, and contacts, if they are asked for.
pub(super) struct Tables<'a> {
    folder: &'a Folder,
    tables: Vec<GrowingTable>,
    /// Why they are not whole.
    failed: Option<OutputError>,
}

/// A table whose rows are held back for a while.
struct GrowingTable {
    /// A partial file, and where it belongs.
    path: TempPath,
    place: PathBuf,
    name: String,
    rows: HeldRows,
}

/// Rows held back. CSV opens its file for each block: runs of many tables have few files open at a time.
enum HeldRows {
    Csv(Vec<u8>),
    Parquet { file: Growing<File>, rows: tables::Table },
}

impl<'a> Tables<'a> {
    /// Begins the tables of a scenario, in the order of [`Which`]. With `kept`, bytes of each that are there, the files stay if the command
    /// is killed.
    pub fn new(scenario: &Scenario, folder: &'a Folder, kept: Option<&[u64]>) -> Result<Self, OutputError> {
        let contacts = scenario.contacts.then(|| columns(CONTACTS));
        let tables = [columns(&fields_of_events(scenario)), columns(&trajectory_fields(scenario))];
        let mut kept = kept.map(|kept| kept.iter().copied().chain(std::iter::repeat(0)));
        let begin = |(columns, name): (Arc<[Column]>, String)| {
            GrowingTable::new(folder, name, columns, scenario.format, kept.as_mut().and_then(Iterator::next))
        };
        let tables = tables.into_iter().chain(contacts).zip(names(scenario.format)).map(begin);
        let tables = tables.collect::<Result<_, _>>();
        let tables = tables.map_err(|error| OutputError::new(folder.path(), error))?;
        Ok(Tables { folder, tables, failed: None })
    }

    /// Adds a row to a table that there is.
    pub fn add<'c>(&mut self, which: Which, cells: impl Iterator<Item = Cell<'c>>) {
        let written = self.tables.get_mut(which as usize).map_or(Ok(()), |table| table.write(cells));
        self.note(written);
    }

    /// Has the disk keep the rows so far, and says how many bytes of each table they are; `None`: they are not whole.
    pub fn kept(&mut self) -> Option<Vec<u64>> {
        let kept: std::io::Result<Vec<u64>> = self.tables.iter_mut().map(GrowingTable::kept).collect();
        let (lengths, ended) = kept.map_or_else(|error| (Vec::new(), Err(error)), |lengths| (lengths, Ok(())));
        self.note(ended);
        Some(lengths).filter(|_| self.failed.is_none())
    }

    /// Whether they can't be written any more.
    pub fn have_failed(&self) -> bool {
        self.failed.is_some()
    }

    fn note(&mut self, written: std::io::Result<()>) {
        if let (None, Err(error)) = (&self.failed, written) {
            self.failed = Some(OutputError::new(self.folder.path(), error));
        }
    }

    /// Lets the set of the folder have the tables.
    pub fn finish(self) -> Result<(), OutputError> {
        self.failed.map_or(Ok(()), Err)?;
        for table in self.tables {
            let path = self.folder.path().join(&table.name);
            table.finish(self.folder).map_err(|error| OutputError::new(&path, error))?;
        }
        Ok(())
    }
}

fn columns<F>(fields: &[Field<F>]) -> Arc<[Column]> {
    fields.iter().map(Field::column).collect()
}

/// Names of the files of tables in a format; that of contacts is the last.
pub(super) fn names(format: Format) -> [String; 3] {
    NAMES.map(|table| format!("{table}.{}", format.name()))
}

impl GrowingTable {
    fn new(
        folder: &Folder,
        name: String,
        columns: Arc<[Column]>,
        format: Format,
        kept: Option<u64>,
    ) -> std::io::Result<Self> {
        let (path, place) = folder.begin(&name, kept)?;
        let empty = tables::Table::new(columns);
        let rows = match format {
            Format::Csv => {
                let mut header = Vec::new();
                if kept.unwrap_or(0) == 0 {
                    empty.write_header(&mut header);
                }
                HeldRows::Csv(header)
            }
            Format::Parquet => {
                let file = OpenOptions::new().write(true).open(&path)?;
                HeldRows::Parquet { file: Growing::new(format, empty.columns(), file)?, rows: empty }
            }
        };
        Ok(GrowingTable { path, place, name, rows })
    }

    fn write<'c>(&mut self, cells: impl Iterator<Item = Cell<'c>>) -> std::io::Result<()> {
        match &mut self.rows {
            HeldRows::Csv(rows) => {
                write_line(rows, cells);
                if rows.len() >= HELD { append(rows, &self.path) } else { Ok(()) }
            }
            HeldRows::Parquet { file, rows } => {
                rows.row(cells);
                if rows.rows() >= HELD_ROWS {
                    file.write(rows)?;
                    rows.clear();
                }
                Ok(())
            }
        }
    }

    fn kept(&mut self) -> std::io::Result<u64> {
        if let HeldRows::Csv(rows) = &mut self.rows {
            append(rows, &self.path)?;
        }
        let file = File::open(&self.path)?;
        file.sync_all()?;
        Ok(file.metadata()?.len())
    }

    /// Lets the set have the file.
    fn finish(mut self, folder: &Folder) -> std::io::Result<()> {
        match self.rows {
            HeldRows::Csv(ref mut rows) => append(rows, &self.path)?,
            HeldRows::Parquet { mut file, rows } => {
                file.write(&rows)?;
                file.finish()?;
            }
        }
        folder.stage(&self.name, self.path, self.place)
    }
}

fn append(rows: &mut Vec<u8>, path: &Path) -> std::io::Result<()> {
    OpenOptions::new().append(true).open(path)?.write_all(rows)?;
    rows.clear();
    Ok(())
}
