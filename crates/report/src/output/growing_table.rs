//! Writes the tables of a run while it runs.

use std::fs::File;
use std::sync::Arc;

use scenario::Scenario;
use tables::{Cell, Column, Field, Format, Growing};

use super::checkpoint::KeptBytes;
use super::folder::{Folder, OutputError, StagedFile, name_growing};
use super::tables::{CONTACTS, fields_of_events, trajectory_fields};

/// Kind of a table of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Which {
    Events,
    Trajectory,
    Contacts,
}

/// Names of the tables, without extension.
const NAMES: [&str; 3] = ["events", "trajectory", "contacts"];

/// The tables of a run: events, rows of all balls, and contacts if wanted.
pub(super) struct Tables<'a> {
    folder: &'a Folder,
    tables: Vec<GrowingTable>,
    /// First error of writing; `None`: the tables are complete.
    pub failed: Option<OutputError>,
}

/// A table being written.
struct GrowingTable {
    name: String,
    file: StagedFile,
    rows: Growing<File>,
    /// Bytes of it that are in a checkpoint.
    kept: KeptBytes,
}

impl<'a> Tables<'a> {
    /// Begins the tables of a scenario, in the order of [`Which`], or goes on with the existing bytes `kept` of each.
    pub fn new(scenario: &Scenario, folder: &'a Folder, kept: &[KeptBytes]) -> Result<Self, OutputError> {
        let contacts = scenario.contacts.then(|| columns(CONTACTS));
        let tables = [columns(&fields_of_events(scenario)), columns(&trajectory_fields(scenario))];
        let mut kept = kept.iter().copied();
        let begin = |(columns, name): (Arc<[Column]>, String)| {
            let kept = kept.next().unwrap_or(KeptBytes::NONE);
            let failed = |error: std::io::Error| OutputError::new(&folder.path().join(&name), error);
            let (open, file) = folder.begin(&name, kept).map_err(failed)?;
            let rows = match kept.count {
                0 => Growing::new(scenario.format, &columns, open).map_err(|error| failed(error.into()))?,
                _ => Growing::Csv(open, Vec::new()),
            };
            Ok(GrowingTable { name, file, rows, kept })
        };
        let tables = tables.into_iter().chain(contacts).zip(names(scenario.format)).map(begin);
        let tables = tables.collect::<Result<_, OutputError>>()?;
        Ok(Tables { folder, tables, failed: None })
    }

    /// Adds a row to a table, if that is written.
    pub fn add<'c>(&mut self, which: Which, cells: impl Iterator<Item = Cell<'c>>) {
        let written = self.tables.get_mut(which as usize).map_or(Ok(()), |table| table.rows.row(cells));
        self.note(written.map_err(Into::into));
    }

    /// Syncs the rows so far; returns the bytes of each table, or `None` after an error.
    pub fn kept(&mut self) -> Option<Vec<KeptBytes>> {
        let kept: std::io::Result<Vec<KeptBytes>> = self.tables.iter_mut().map(GrowingTable::keep).collect();
        let kept = kept.map_err(|error| self.note(Err(error))).ok();
        kept.filter(|_| self.failed.is_none())
    }

    /// Names the tables as those of a checkpoint: from now on they stay if the command ends. Returns whether they are.
    pub fn stay(&mut self) -> bool {
        let named = self.tables.iter_mut().try_for_each(|table| name_growing(&mut table.file));
        let stay = named.is_ok();
        self.tables.iter_mut().for_each(|table| table.file.file.disable_cleanup(stay));
        self.note(named);
        stay
    }

    fn note(&mut self, written: std::io::Result<()>) {
        if let (None, Err(error)) = (&self.failed, written) {
            self.failed = Some(OutputError::new(self.folder.path(), error));
        }
    }

    /// Adds the finished tables to the set of the folder.
    pub fn finish(self) -> Result<(), OutputError> {
        self.failed.map_or(Ok(()), Err)?;
        for GrowingTable { name, file, rows, .. } in self.tables {
            let staged = rows.finish().map_err(Into::into).and_then(|()| self.folder.stage(&name, file));
            staged.map_err(|error| OutputError::new(&self.folder.path().join(&name), error))?;
        }
        Ok(())
    }
}

fn columns<F>(fields: &[Field<F>]) -> Arc<[Column]> {
    fields.iter().map(Field::column).collect()
}

/// Names of the tables' files in a format; that of contacts is the last.
pub(super) fn names(format: Format) -> [String; 3] {
    NAMES.map(|table| format!("{table}.{}", format.name()))
}

impl GrowingTable {
    /// Syncs the rows so far; returns their bytes.
    fn keep(&mut self) -> std::io::Result<KeptBytes> {
        self.rows.flush()?;
        let mut file = File::open(&self.file.file)?;
        file.sync_all()?;
        self.kept = self.kept.up_to(u64::MAX, &mut file)?;
        Ok(self.kept)
    }
}
