//! Whole runs, of which a bench keeps nothing.

#![allow(clippy::panic, reason = "a bench stops on an error")]

use std::ops::ControlFlow;

use kugelbahn::Scenario;
use supervisor::{Event, Observer, Summary};

/// Counts events and looks at each.
#[derive(Debug, Default)]
pub struct Tally {
    /// Their number.
    pub events: u64,
    /// The sum of their times, s.
    pub times: f64,
}

impl Observer for Tally {
    fn event(&mut self, event: &Event) -> ControlFlow<()> {
        self.events += 1;
        self.times += event.time();
        ControlFlow::Continue(())
    }
}

/// Runs a scenario event by event; one that can't stops the bench.
pub fn event_driven(scenario: &Scenario, observer: &mut impl Observer) -> Summary {
    match kugelbahn::run(scenario, observer) {
        Ok(summary) => summary,
        Err(error) => panic!("{}: {error}", scenario.title),
    }
}
