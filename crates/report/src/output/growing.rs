//! Tables that grow while a run goes.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

use tempfile::TempPath;

use super::error::OutputError;
use super::folder::{Folder, keep, temporary};

/// Bytes of rows held back in all, so that thousands of trajectories need no open file each.
const HELD: usize = 32 << 20;

/// The tables of a run: its events, and the trajectory of each ball.
pub(super) struct Tables {
    folder: PathBuf,
    events: Table,
    trajectories: Vec<Table>,
    /// Why they are not whole.
    failed: Option<OutputError>,
}

/// A table whose rows are held back for a while.
struct Table {
    path: TempPath,
    name: String,
    rows: csv::Writer<Vec<u8>>,
    most: usize,
}

/// Names of the trajectories of so many balls.
pub(super) fn trajectory_names(balls: usize) -> Vec<String> {
    if balls == 1 {
        return vec!["trajectory.csv".to_owned()];
    }
    (1..=balls).map(|ball| format!("trajectory-{ball}.csv")).collect()
}

impl Tables {
    pub fn new(folder: &Folder, events: &[&str], trajectory: &[&str], balls: usize) -> Result<Self, OutputError> {
        let folder = folder.path();
        let most = (HELD / balls.max(1)).clamp(2048, 1 << 16);
        let table = |name: String, columns: &[&str]| {
            Table::new(folder, name, columns, most).map_err(|error| OutputError::new(folder, error))
        };
        let names = trajectory_names(balls).into_iter();
        Ok(Tables {
            folder: folder.to_owned(),
            events: table("events.csv".to_owned(), events)?,
            trajectories: names.map(|name| table(name, trajectory)).collect::<Result<_, _>>()?,
            failed: None,
        })
    }

    pub fn add_event(&mut self, row: Vec<String>) {
        let written = self.events.write(row);
        self.note(written);
    }

    pub fn add_row(&mut self, ball: usize, row: Vec<String>) {
        let written = self.trajectories[ball].write(row);
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
        for mut table in std::iter::once(self.events).chain(self.trajectories) {
            let path = self.folder.join(&table.name);
            let finished = table.flush().and_then(|()| keep(table.path, &path));
            finished.map_err(|error| OutputError::new(&path, error))?;
        }
        Ok(())
    }
}

impl Table {
    fn new(folder: &Path, name: String, columns: &[&str], most: usize) -> std::io::Result<Self> {
        let path = temporary(folder)?.into_temp_path();
        let mut rows = csv::Writer::from_writer(Vec::new());
        rows.write_record(columns)?;
        Ok(Table { path, name, rows, most })
    }

    fn write(&mut self, row: Vec<String>) -> std::io::Result<()> {
        self.rows.write_record(row)?;
        if self.rows.get_ref().len() < self.most { Ok(()) } else { self.flush() }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        let rows = std::mem::replace(&mut self.rows, csv::Writer::from_writer(Vec::new()));
        let bytes = rows.into_inner().map_err(|error| error.into_error())?;
        OpenOptions::new().append(true).open(&self.path)?.write_all(&bytes)
    }
}
