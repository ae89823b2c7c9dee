//! Writes tables while a run goes, and keeps what the terminal and the figures need.

use std::io::BufWriter;
use std::path::{Path, PathBuf};

use supervisor::{Capture, Event, Observer, Sample, Scene};
use tempfile::NamedTempFile;

use super::{EVENT_COLUMNS, Folder, OutputError, TRAJECTORY_COLUMNS, event_row, keep, temporary, trajectory_row};
use crate::figures::Trace;

/// Events kept for the terminal.
const KEPT_EVENTS: usize = 200;

type Table = csv::Writer<BufWriter<NamedTempFile>>;

/// Records a run.
pub struct Recorder<'a> {
    scene: &'a Scene,
    tables: Option<Tables>,
    /// The first events.
    pub events: Vec<Event>,
    /// Events of all.
    pub event_count: u64,
    /// Summed-up accumulations.
    pub captures: Vec<Capture>,
    /// The last event, if it is not among the first.
    pub last_event: Option<Event>,
    /// Points for the figures.
    pub trace: Trace,
    progress: Box<dyn FnMut(f64) + 'a>,
    failed: Option<csv::Error>,
}

struct Tables {
    folder: PathBuf,
    events: Table,
    trajectory: Table,
}

impl<'a> Recorder<'a> {
    /// With a folder, tables are written as the run goes; `progress` hears how far it is, in s.
    pub fn new(
        scene: &'a Scene,
        folder: Option<&Folder>,
        progress: Box<dyn FnMut(f64) + 'a>,
    ) -> Result<Self, OutputError> {
        let tables = folder
            .map(|folder| Tables::new(folder.path()).map_err(|error| OutputError::new(folder.path(), error)))
            .transpose()?;
        Ok(Recorder {
            scene,
            tables,
            events: Vec::new(),
            event_count: 0,
            captures: Vec::new(),
            last_event: None,
            trace: Trace::default(),
            progress,
            failed: None,
        })
    }

    /// Gives the tables their names.
    pub fn finish(&mut self) -> Result<(), OutputError> {
        let Some(Tables { folder, events, trajectory }) = self.tables.take() else { return Ok(()) };
        if let Some(error) = self.failed.take() {
            return Err(OutputError::new(&folder, error));
        }
        for (table, name) in [(events, "events.csv"), (trajectory, "trajectory.csv")] {
            let path = folder.join(name);
            let close = || {
                let file = table.into_inner().map_err(|error| error.into_error())?;
                keep(file.into_inner().map_err(|error| error.into_error())?, &path)
            };
            close().map_err(|error: std::io::Error| OutputError::new(&path, error))?;
        }
        Ok(())
    }

    fn write(&mut self, row: impl FnOnce(&mut Tables) -> csv::Result<()>) {
        if let (Some(tables), None) = (&mut self.tables, &self.failed) {
            self.failed = row(tables).err();
        }
    }
}

impl Tables {
    fn new(folder: &Path) -> std::io::Result<Self> {
        let table = |columns: &[&str]| {
            let mut table = csv::Writer::from_writer(BufWriter::new(temporary(folder)?));
            table.write_record(columns)?;
            Ok::<Table, std::io::Error>(table)
        };
        Ok(Tables {
            folder: folder.to_owned(),
            events: table(&EVENT_COLUMNS)?,
            trajectory: table(&TRAJECTORY_COLUMNS)?,
        })
    }
}

impl Observer for Recorder<'_> {
    fn event(&mut self, event: &Event) {
        let (scene, index) = (self.scene, self.event_count);
        self.write(|tables| tables.events.write_record(event_row(scene, index, event)));
        if self.events.len() < KEPT_EVENTS {
            self.events.push(*event);
        } else {
            self.last_event = Some(*event);
        }
        self.event_count += 1;
        self.trace.add_event(scene, event);
    }

    fn sample(&mut self, sample: &Sample) {
        let scene = self.scene;
        self.write(|tables| tables.trajectory.write_record(trajectory_row(scene, sample)));
        self.trace.add(scene, sample);
    }

    fn capture(&mut self, capture: &Capture) {
        if self.captures.len() < KEPT_EVENTS {
            self.captures.push(*capture);
        }
    }

    fn progress(&mut self, time: f64) {
        (self.progress)(time);
    }
}
