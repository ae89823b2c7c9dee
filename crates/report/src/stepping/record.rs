//! Writes the tables of a run by time stepping, and keeps what the terminal and the figures need.

use scenario::Scenario;
use scenario::stepping::{Frame, Listener, SteppingEvent};

use super::figures::Trace;
use super::rows::{STEPPING_EVENT_COLUMNS, STEPPING_TRAJECTORY_COLUMNS, event_row, trajectory_row};
use crate::output::{Folder, KEPT_EVENTS, OutputError, Tables};

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
}

impl<'a> SteppingRecorder<'a> {
    /// With a folder, tables are written as the run goes; `progress` hears how far it is, in s.
    pub fn new(
        scenario: &'a Scenario,
        folder: Option<&Folder>,
        progress: Box<dyn FnMut(f64) + 'a>,
    ) -> Result<Self, OutputError> {
        let balls = scenario.stepping.as_ref().map_or(0, |stepping| stepping.balls.len());
        let columns = (&STEPPING_EVENT_COLUMNS, &STEPPING_TRAJECTORY_COLUMNS);
        let tables = folder.map(|folder| Tables::new(folder, columns.0, columns.1, balls)).transpose()?;
        Ok(SteppingRecorder {
            scenario,
            tables,
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
        })
    }

    /// Gives the tables their names.
    pub fn finish(&mut self) -> Result<(), OutputError> {
        self.tables.take().map_or(Ok(()), Tables::finish)
    }

    fn write(&mut self, before: &Frame, at: &Frame) {
        self.written = Some(at.index);
        if let (Some(tables), Some(stepping)) = (&mut self.tables, &self.scenario.stepping) {
            for (ball, entrant) in stepping.balls.iter().enumerate() {
                let (last, since) = (self.last[ball], self.since[ball]);
                tables.add_row(ball, trajectory_row(&entrant.ground, before, at, ball, last, since));
            }
        }
        self.since.fill([0.0; 2]);
    }
}

impl Listener for SteppingRecorder<'_> {
    fn event(&mut self, event: &SteppingEvent) {
        if let (Some(tables), Some(stepping)) = (&mut self.tables, &self.scenario.stepping) {
            tables.add_event(event_row(&stepping.balls[event.ball].ground, self.event_count, event));
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
