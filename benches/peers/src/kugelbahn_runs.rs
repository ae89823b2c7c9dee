//! Kugelbahn, from a scenario, without samples.

use std::path::Path;

use kugelbahn::Scenario;
use supervisor::{Event, EventKind, Observer};

use crate::Ready;
use crate::ball::Run;

/// Keeps the times of bounces.
struct Bounces(Vec<f64>);

impl Observer for Bounces {
    fn event(&mut self, event: &Event) {
        if event.kind == EventKind::Impact {
            self.0.push(event.time());
        }
    }
}

pub fn ready(method: &str, tolerance: f64, seconds: f64) -> Ready {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenarios/hard-sphere.toml");
    let settings = [
        format!("solver.method=\"{method}\""),
        format!("solver.tolerance={tolerance:e}"),
        format!("solver.duration={seconds:?}"),
    ];
    let scenario = match Scenario::load(&path, &settings) {
        Ok(scenario) => scenario,
        Err(error) => panic!("{}: {error}", path.display()),
    };
    Box::new(move || {
        let mut bounces = Bounces(Vec::new());
        let summary = match kugelbahn::run(&scenario, &mut bounces) {
            Ok(summary) => summary,
            Err(error) => panic!("{error}"),
        };
        let state = summary.state;
        Run {
            bounces: bounces.0,
            time: state.time,
            end: [state.position.x, state.position.y, state.velocity.x, state.velocity.y],
            steps: summary.count.flight.steps,
            rejected: summary.count.flight.rejected,
            failure: summary.stop.map(|stop| format!("{stop:?}")),
        }
    })
}
