//! Kugelbahn, from a scenario, with samples at whole seconds.

use std::ops::ControlFlow;
use std::path::Path;

use kugelbahn::Scenario;
use supervisor::{Event, EventKind, Observer, Sample};

use crate::Ready;
use crate::ball::Run;
use crate::tasks::Task;

/// Keeps the times of bounces and the places at whole seconds.
#[derive(Default)]
struct Kept {
    bounces: Vec<f64>,
    places: Vec<[f64; 2]>,
}

impl Observer for Kept {
    fn event(&mut self, event: &Event) -> ControlFlow<()> {
        if event.kind == EventKind::Impact {
            self.bounces.push(event.time());
        }
        ControlFlow::Continue(())
    }
    fn sample(&mut self, sample: &Sample) -> ControlFlow<()> {
        if (sample.state.time - (self.places.len() + 1) as f64).abs() < 1e-9 {
            self.places.push([sample.state.position.x, sample.state.position.y]);
        }
        ControlFlow::Continue(())
    }
}

/// A scenario of this package or its neighbour, with settings. An error says what can't be combined.
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
            places: kept.places,
            time: state.time,
            end: [state.position.x, state.position.y, state.velocity.x, state.velocity.y],
            steps: summary.count.flight.steps,
            rejected: summary.count.flight.rejected,
            failure: summary.stop.map(|stop| format!("{stop:?}")),
        }
    }))
}

/// Names and settings of all ways to do a task.
pub fn ways(task: &Task) -> Vec<(String, String, Vec<String>)> {
    let mut ways = Vec::new();
    let rolls = task.scenario.0.ends_with("bowl.toml") || task.scenario.0.ends_with("crest.toml");
    let formulations: &[&str] = if rolls { &["symmetric", "arc-length", "taylor"] } else { &["symmetric"] };
    let methods = ["newmark", "bdf", "radau", "dop853", "ballistic", "taylor"];
    let all =
        methods.iter().flat_map(|method| formulations.iter().map(move |formulation| (*method, Some(*formulation))));
    for (method, formulation) in all.chain([("auto", None)]) {
        for tolerance in (2..=13).map(|digits| 10f64.powi(-digits)) {
            let name = formulation.filter(|_| rolls).map_or(method.to_owned(), |other| format!("{method}, {other}"));
            let mut settings = vec![format!("solver.method=\"{method}\""), format!("solver.tolerance={tolerance:e}")];
            settings.extend(formulation.map(|formulation| format!("solver.formulation=\"{formulation}\"")));
            ways.push((name, format!("{tolerance:e}"), settings));
        }
    }
    if rolls {
        for step in [0.05, 0.02, 0.01, 0.005, 0.002] {
            for extrapolate in [false, true] {
                let name = if extrapolate { "newmark, extrapolated" } else { "newmark, fixed step" };
                let settings = [format!("solver.step={step}"), format!("solver.extrapolate={extrapolate}")];
                ways.push((name.to_owned(), format!("{step} s"), settings.to_vec()));
            }
        }
    }
    ways
}
