//! Tables that grow while a run goes.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tables::{Column, Format, Growing, Kind};
use tempfile::TempPath;

use super::error::OutputError;
use super::folder::Folder;
use super::tables::{COUNTS, WORDS};

/// Bytes of CSV held back, and rows of Parquet.
const HELD: usize = 1 << 16;
const HELD_ROWS: usize = 4096;

/// Names of the tables, without their endings.
const EVENTS: &str = "events";
const TRAJECTORY: &str = "trajectory";
const CONTACTS: &str = "contacts";

/// The tables of a run: its events, and the rows of all balls.
pub(super) struct Tables<'a> {
    folder: &'a Folder,
    events: Table,
    trajectory: Table,
    /// `contacts.csv`, if it is asked for.
    contacts: Option<Table>,
    /// Why they are not whole.
    failed: Option<OutputError>,
}

/// A table whose rows are held back for a while.
struct Table {
    /// A partial file, and where it belongs.
    path: TempPath,
    place: PathBuf,
    name: String,
    rows: Rows,
}

/// Rows held back. CSV opens its file for each block: runs of many tables have few files open at a time.
enum Rows {
    Csv(Box<csv::Writer<Vec<u8>>>),
    Parquet { file: Growing<File>, rows: tables::Table },
}

impl<'a> Tables<'a> {
    /// With these columns; those of contacts if there is to be such a table. With `kept`, the files stay if the command is killed.
    pub fn new(
        folder: &'a Folder,
        [events, trajectory]: [&[&str]; 2],
        contacts: Option<&[&str]>,
        (format, kept): (Format, Option<&[u64]>),
    ) -> Result<Self, OutputError> {
        let mut kept = kept.map(|kept| kept.iter().copied().chain(std::iter::repeat(0)));
        let mut table = |name: &str, columns: &[&str]| {
            let kept = kept.as_mut().and_then(Iterator::next);
            Table::new(folder, name_of(name, format), columns, (format, kept))
                .map_err(|error| OutputError::new(folder.path(), error))
        };
        Ok(Tables {
            folder,
            events: table(EVENTS, events)?,
            trajectory: table(TRAJECTORY, trajectory)?,
            contacts: contacts.map(|columns| table(CONTACTS, columns)).transpose()?,
            failed: None,
        })
    }

    pub fn add_event(&mut self, row: Vec<String>) {
        let written = self.events.write(row);
        self.note(written);
    }

    pub fn add_row(&mut self, row: Vec<String>) {
        let written = self.trajectory.write(row);
        self.note(written);
    }

    pub fn add_contact(&mut self, row: Vec<String>) {
        let written = self.contacts.as_mut().map_or(Ok(()), |contacts| contacts.write(row));
        self.note(written);
    }

    /// Has the disk keep the rows so far, and says how many bytes of each table they are; `None`: they are not whole.
    pub fn kept(&mut self) -> Option<Vec<u64>> {
        let tables = [&mut self.events, &mut self.trajectory].into_iter().chain(&mut self.contacts);
        let kept: std::io::Result<Vec<u64>> = tables.map(Table::kept).collect();
        let (lengths, ended) = kept.map_or_else(|error| (Vec::new(), Err(error)), |lengths| (lengths, Ok(())));
        self.note(ended);
        Some(lengths).filter(|_| self.failed.is_none())
    }

    fn note(&mut self, written: std::io::Result<()>) {
        if let (None, Err(error)) = (&self.failed, written) {
            self.failed = Some(OutputError::new(self.folder.path(), error));
        }
    }

    /// Lets the set of the folder have the tables.
    pub fn finish(self) -> Result<(), OutputError> {
        self.failed.map_or(Ok(()), Err)?;
        for table in [self.events, self.trajectory].into_iter().chain(self.contacts) {
            let path = self.folder.path().join(&table.name);
            table.finish(self.folder).map_err(|error| OutputError::new(&path, error))?;
        }
        Ok(())
    }
}

/// Names of the files of tables in a format; that of contacts is the last.
pub(super) fn names(format: Format) -> [String; 3] {
    [EVENTS, TRAJECTORY, CONTACTS].map(|table| name_of(table, format))
}

/// The name of a table's file.
fn name_of(table: &str, format: Format) -> String {
    format!("{table}.{}", format.name())
}

fn column(name: &&str) -> Column {
    let kind = match *name {
        name if WORDS.contains(&name) => Kind::Word,
        name if COUNTS.contains(&name) => Kind::Count,
        _ => Kind::Number,
    };
    Column::new(*name, "", kind)
}

impl Table {
    fn new(
        folder: &Folder,
        name: String,
        columns: &[&str],
        (format, kept): (Format, Option<u64>),
    ) -> std::io::Result<Self> {
        let (path, place) = folder.begin(&name, kept)?;
        let rows = match format {
            Format::Csv => {
                let mut rows = csv::Writer::from_writer(Vec::new());
                if kept.unwrap_or(0) == 0 {
                    rows.write_record(columns)?;
                }
                Rows::Csv(Box::new(rows))
            }
            Format::Parquet => {
                let columns: Arc<[Column]> = columns.iter().map(column).collect();
                let file = OpenOptions::new().write(true).open(&path)?;
                Rows::Parquet { file: Growing::new(format, &columns, file)?, rows: tables::Table::new(columns) }
            }
        };
        Ok(Table { path, place, name, rows })
    }

    fn write(&mut self, row: Vec<String>) -> std::io::Result<()> {
        match &mut self.rows {
            Rows::Csv(rows) => {
                rows.write_record(row)?;
                if rows.get_ref().len() >= HELD { append(rows, &self.path) } else { Ok(()) }
            }
            Rows::Parquet { file, rows } => {
                rows.read_row(row.iter().map(String::as_str)).map_err(std::io::Error::other)?;
                if rows.rows() >= HELD_ROWS {
                    file.write(rows)?;
                    rows.clear();
                }
                Ok(())
            }
        }
    }

    fn kept(&mut self) -> std::io::Result<u64> {
        if let Rows::Csv(rows) = &mut self.rows {
            append(rows, &self.path)?;
        }
        let file = File::open(&self.path)?;
        file.sync_all()?;
        Ok(file.metadata()?.len())
    }

    /// Lets the set have the file.
    fn finish(mut self, folder: &Folder) -> std::io::Result<()> {
        match self.rows {
            Rows::Csv(ref mut rows) => append(rows, &self.path)?,
            Rows::Parquet { mut file, rows } => {
                file.write(&rows)?;
                file.finish()?;
            }
        }
        folder.stage(&self.name, (self.path, self.place))
    }
}

fn append(rows: &mut csv::Writer<Vec<u8>>, path: &Path) -> std::io::Result<()> {
    let rows = std::mem::replace(rows, csv::Writer::from_writer(Vec::new()));
    let bytes = rows.into_inner().map_err(|error| error.into_error())?;
    OpenOptions::new().append(true).open(path)?.write_all(&bytes)
}
