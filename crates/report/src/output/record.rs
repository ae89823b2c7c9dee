//! Writes tables while a run goes, and keeps what the terminal and the figures need.

use supervisor::{Capture, Event, Observer, Sample, Scene};

use super::error::OutputError;
use super::folder::Folder;
use super::growing::Tables;
use super::tables::{EVENT_COLUMNS, TRAJECTORY_COLUMNS, event_row, trajectory_row};
use crate::figures::Trace;

/// Events kept for the terminal.
pub(crate) const KEPT_EVENTS: usize = 200;

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
}

impl<'a> Recorder<'a> {
    /// With a folder, tables are written as the run goes; `progress` hears how far it is, in s.
    pub fn new(
        scene: &'a Scene,
        folder: Option<&Folder>,
        progress: Box<dyn FnMut(f64) + 'a>,
    ) -> Result<Self, OutputError> {
        let tables = folder.map(|folder| Tables::new(folder, &EVENT_COLUMNS, &TRAJECTORY_COLUMNS, 1)).transpose()?;
        Ok(Recorder {
            scene,
            tables,
            events: Vec::new(),
            event_count: 0,
            captures: Vec::new(),
            last_event: None,
            trace: Trace::default(),
            progress,
        })
    }

    /// Gives the tables their names.
    pub fn finish(&mut self) -> Result<(), OutputError> {
        self.tables.take().map_or(Ok(()), Tables::finish)
    }
}

impl Observer for Recorder<'_> {
    fn event(&mut self, event: &Event) {
        if let Some(tables) = &mut self.tables {
            tables.add_event(event_row(self.scene, self.event_count, event));
        }
        if self.events.len() < KEPT_EVENTS {
            self.events.push(*event);
        } else {
            self.last_event = Some(*event);
        }
        self.event_count += 1;
        self.trace.add_event(self.scene, event);
    }

    fn sample(&mut self, sample: &Sample) {
        if let Some(tables) = &mut self.tables {
            tables.add_row(0, trajectory_row(self.scene, sample));
        }
        self.trace.add(self.scene, sample);
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
