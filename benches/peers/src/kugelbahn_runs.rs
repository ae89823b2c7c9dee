//! Kugelbahn, from a scenario.

use std::ops::ControlFlow;
use std::path::Path;

use kugelbahn::Scenario;
use supervisor::{Event, EventKind, Observer};

use crate::Ready;
use crate::ball::Run;

/// Keeps the times of bounces.
#[derive(Default)]
struct Kept {
    bounces: Vec<f64>,
}

impl Observer for Kept {
    fn event(&mut self, event: &Event) -> ControlFlow<()> {
        if event.kind == EventKind::Impact {
            self.bounces.push(event.time());
        }
        ControlFlow::Continue(())
    }
}

/// A scenario of `benches`, with settings. An error says what can't be combined.
pub fn ready(file: &str, settings: &[String], seconds: f64) -> Result<Ready, String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    let mut settings = settings.to_vec();
    settings.extend([format!("solver.duration={seconds:?}"), "output.interval=1.0".to_owned()]);
    let scenario = Scenario::load(&path, &settings).map_err(|error| error.to_string())?;
    Ok(Box::new(move || {
        let mut kept = Kept::default();
        let summary = match kugelbahn::run(&scenario, &mut kept) {
            Ok(summary) => summary,
            Err(error) => return Run { failure: Some(error.to_string()), ..Run::default() },
        };
        let state = summary.state;
        Run {
            bounces: kept.bounces,
            time: state.time,
            end: [state.position.x, state.position.y, state.velocity.x, state.velocity.y],
            steps: summary.count.flight.steps,
            rejected: summary.count.flight.rejected,
            failure: summary.stop.map(|stop| format!("{stop:?}")),
        }
    }))
}
