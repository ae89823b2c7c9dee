//! Tables that grow while a run goes.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

use tempfile::TempPath;

use super::error::OutputError;
use super::folder::{Folder, keep, temporary};

/// Bytes of rows held back.
const HELD: usize = 1 << 16;

/// The table of contacts.
pub(super) const CONTACTS: &str = "contacts.csv";

/// The tables of a run: its events, and the rows of all balls.
pub(super) struct Tables {
    folder: PathBuf,
    events: Table,
    trajectory: Table,
    /// If they are asked for.
    contacts: Option<Table>,
    /// Why they are not whole.
    failed: Option<OutputError>,
}

/// A table whose rows are held back for a while.
struct Table {
    path: TempPath,
    name: String,
    rows: csv::Writer<Vec<u8>>,
}

impl Tables {
    /// With these columns; those of contacts if there is to be such a table.
    pub fn new(
        folder: &Folder,
        [events, trajectory]: [&[&str]; 2],
        contacts: Option<&[&str]>,
    ) -> Result<Self, OutputError> {
        let folder = folder.path();
        let table = |name: &str, columns: &[&str]| {
            Table::new(folder, name.to_owned(), columns).map_err(|error| OutputError::new(folder, error))
        };
        Ok(Tables {
            folder: folder.to_owned(),
            events: table("events.csv", events)?,
            trajectory: table("trajectory.csv", trajectory)?,
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

    /// The first failure counts.
    fn note(&mut self, written: std::io::Result<()>) {
        if let (None, Err(error)) = (&self.failed, written) {
            self.failed = Some(OutputError::new(&self.folder, error));
        }
    }

    /// Gives the tables their names.
    pub fn finish(self) -> Result<(), OutputError> {
        self.failed.map_or(Ok(()), Err)?;
        for mut table in [self.events, self.trajectory].into_iter().chain(self.contacts) {
            let path = self.folder.join(&table.name);
            let finished = table.flush().and_then(|()| keep(table.path, &path));
            finished.map_err(|error| OutputError::new(&path, error))?;
        }
        Ok(())
    }
}

impl Table {
    fn new(folder: &Path, name: String, columns: &[&str]) -> std::io::Result<Self> {
        let path = temporary(folder)?.into_temp_path();
        let mut rows = csv::Writer::from_writer(Vec::new());
        rows.write_record(columns)?;
        Ok(Table { path, name, rows })
    }

    fn write(&mut self, row: Vec<String>) -> std::io::Result<()> {
        self.rows.write_record(row)?;
        if self.rows.get_ref().len() < HELD { Ok(()) } else { self.flush() }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        let rows = std::mem::replace(&mut self.rows, csv::Writer::from_writer(Vec::new()));
        let bytes = rows.into_inner().map_err(|error| error.into_error())?;
        OpenOptions::new().append(true).open(&self.path)?.write_all(&bytes)
    }
}
