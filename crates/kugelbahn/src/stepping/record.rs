//! Writes the tables of a run by time stepping, and keeps what the terminal and the figures need.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

use tempfile::TempPath;

use super::Listener;
use super::figures::Trace;
use super::frame::{Frame, SteppingEvent};
use super::rows::{STEPPING_EVENT_COLUMNS, STEPPING_TRAJECTORY_COLUMNS, event_row, trajectory_row};
use crate::Scenario;
use crate::output::{Folder, OutputError, keep_path, temporary};

/// Events kept for the terminal.
const KEPT_EVENTS: usize = 200;

/// Bytes of rows held back in all, so that thousands of trajectories need no open file each.
const HELD: usize = 32 << 20;

/// Records a run by time stepping.
pub struct SteppingRecorder<'a> {
    scenario: &'a Scenario,
    tables: Option<Tables>,
    /// The first events.
    pub events: Vec<SteppingEvent>,
    /// The last one, if it is not among the first.
    pub last_event: Option<SteppingEvent>,
    /// Events of all.
    pub event_count: u64,
    /// Impacts of each ball, with whatever.
    pub impacts: Vec<u64>,
    /// Points for the figures.
    pub trace: Trace,
    progress: Box<dyn FnMut(f64) + 'a>,
    /// Impulses of the last step, and since the last row.
    last: Vec<[f64; 2]>,
    since: Vec<[f64; 2]>,
    /// The next row: its index and its step.
    row: u64,
    row_step: u64,
    written: Option<u64>,
    failed: Option<OutputError>,
}

struct Tables {
    folder: PathBuf,
    events: Table,
    trajectories: Vec<Table>,
}

/// A table whose rows are held back for a while.
struct Table {
    path: TempPath,
    name: String,
    rows: csv::Writer<Vec<u8>>,
    most: usize,
}

/// Names of the trajectories of so many balls.
pub(crate) fn trajectory_names(balls: usize) -> Vec<String> {
    if balls == 1 {
        return vec!["trajectory.csv".to_owned()];
    }
    (1..=balls).map(|ball| format!("trajectory-{ball}.csv")).collect()
}

impl<'a> SteppingRecorder<'a> {
    /// With a folder, tables are written as the run goes; `progress` hears how far it is, in s.
    pub fn new(
        scenario: &'a Scenario,
        folder: Option<&Folder>,
        progress: Box<dyn FnMut(f64) + 'a>,
    ) -> Result<Self, OutputError> {
        let balls = scenario.stepping.as_ref().map_or(0, |stepping| stepping.balls.len());
        Ok(SteppingRecorder {
            scenario,
            tables: folder.map(|folder| Tables::new(folder.path(), balls)).transpose()?,
            events: Vec::new(),
            last_event: None,
            event_count: 0,
            impacts: vec![0; balls],
            trace: Trace::new(scenario),
            progress,
            last: vec![[0.0; 2]; balls],
            since: vec![[0.0; 2]; balls],
            row: 0,
            row_step: 0,
            written: None,
            failed: None,
        })
    }

    /// Gives the tables their names.
    pub fn finish(&mut self) -> Result<(), OutputError> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        let Some(Tables { folder, events, trajectories }) = self.tables.take() else { return Ok(()) };
        for mut table in std::iter::once(events).chain(trajectories) {
            let path = folder.join(&table.name);
            let finished = table.flush().and_then(|()| keep_path(table.path, &path));
            finished.map_err(|error| OutputError::new(&path, error))?;
        }
        Ok(())
    }

    fn write(&mut self, before: &Frame, at: &Frame) {
        self.written = Some(at.index);
        if let (Some(tables), Some(stepping)) = (&mut self.tables, &self.scenario.stepping) {
            for (ball, table) in tables.trajectories.iter_mut().enumerate() {
                let ground = &stepping.balls[ball].ground;
                let row = trajectory_row(ground, before, at, ball, self.last[ball], self.since[ball]);
                note(&mut self.failed, &tables.folder, table.write(row));
            }
        }
        self.since.fill([0.0; 2]);
    }
}

impl Listener for SteppingRecorder<'_> {
    fn event(&mut self, event: &SteppingEvent) {
        let index = self.event_count;
        if let (Some(tables), Some(stepping)) = (&mut self.tables, &self.scenario.stepping) {
            let row = event_row(&stepping.balls[event.ball].ground, index, event);
            note(&mut self.failed, &tables.folder, tables.events.write(row));
        }
        if self.events.len() < KEPT_EVENTS {
            self.events.push(event.clone());
        } else {
            self.last_event = Some(event.clone());
        }
        if event.normal_impulse > 0.0 {
            [Some(event.ball), event.other].into_iter().flatten().for_each(|ball| self.impacts[ball] += 1);
        }
        self.event_count += 1;
    }

    fn step(&mut self, before: &Frame, at: &Frame) {
        self.last.fill([0.0; 2]);
        at.impulses(&mut self.last);
        for (sum, last) in self.since.iter_mut().zip(&self.last) {
            (sum[0], sum[1]) = (sum[0] + last[0], sum[1] + last[1]);
        }
        self.trace.add(at, &self.last);
        if at.index == self.row_step {
            self.write(before, at);
            // The steps nearest to i·interval, each once.
            let (interval, step) = (self.scenario.interval, self.scenario.step());
            self.row = (self.row + 1).max(((at.index as f64 + 0.5) * step / interval) as u64);
            self.row_step = (self.row as f64 * interval / step).round() as u64;
            while self.row_step <= at.index {
                self.row += 1;
                self.row_step = (self.row as f64 * interval / step).round() as u64;
            }
        }
        if at.index.is_multiple_of(64) || at.states.len() > 1 {
            (self.progress)(at.time);
        }
    }

    fn last(&mut self, before: &Frame, at: &Frame) {
        if self.written != Some(at.index) {
            self.write(before, at);
        }
    }
}

fn note(failed: &mut Option<OutputError>, folder: &Path, result: std::io::Result<()>) {
    if let (None, Err(error)) = (&failed, result) {
        *failed = Some(OutputError::new(folder, error));
    }
}

impl Tables {
    fn new(folder: &Path, balls: usize) -> Result<Self, OutputError> {
        let most = (HELD / balls.max(1)).clamp(2048, 1 << 16);
        let table = |name: String, columns: &[&str]| {
            let make = || {
                let path = temporary(folder)?.into_temp_path();
                let mut rows = csv::Writer::from_writer(Vec::new());
                rows.write_record(columns)?;
                Ok::<Table, std::io::Error>(Table { path, name, rows, most })
            };
            make().map_err(|error| OutputError::new(folder, error))
        };
        let names = trajectory_names(balls).into_iter();
        Ok(Tables {
            folder: folder.to_owned(),
            events: table("events.csv".to_owned(), &STEPPING_EVENT_COLUMNS)?,
            trajectories: names.map(|name| table(name, &STEPPING_TRAJECTORY_COLUMNS)).collect::<Result<_, _>>()?,
        })
    }
}

impl Table {
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
