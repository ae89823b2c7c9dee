//! Runs for a page: a scenario of a list, with some of its numbers changed.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use kugelbahn::input::InputError;
use kugelbahn::output::Recorder;
use kugelbahn::scenario::Document;
use kugelbahn::{Outcome, Scenario, page};
use serde_json::{Value, json};

use crate::Methods;

/// Steps and events of a run, and steps of all balls by time stepping: some seconds; a page that waits longer is of no use.
const LIMITS: [u64; 2] = [50_000, 400_000];
/// Changes in one request.
const CHANGES: usize = 200;

/// Numbers that may be changed: key, least and greatest value (those of the book, or as large as a page needs), whether it is set by its
/// logarithm.
const RANGES: [(&str, f64, f64, bool); 14] = [
    ("ball.mass", 1e-3, 100.0, true),
    ("ball.radius", 0.0, 0.5, false),
    ("initial.position.x", -10.0, 10.0, false),
    ("initial.position.y", -10.0, 10.0, false),
    ("initial.velocity.x", -20.0, 20.0, false),
    ("initial.velocity.y", -20.0, 20.0, false),
    ("initial.spin", -200.0, 200.0, false),
    ("contact.restitution", 0.0, 1.0, false),
    ("contact.tangential-restitution", -1.0, 1.0, false),
    ("contact.friction", 0.0, 2.0, false),
    ("contact.rolling-damping", 0.0, 5.0, false),
    ("forces.gravity.x", -20.0, 20.0, false),
    ("forces.gravity.y", -30.0, 0.0, false),
    ("solver.duration", 1e-3, 100.0, true),
];

/// Scenarios that a page may run.
pub struct Engine {
    files: Vec<PathBuf>,
    settings: Vec<String>,
    methods: Arc<Methods>,
}

/// What a page asks for.
struct Wish {
    scenario: usize,
    changes: Vec<(String, Value)>,
}

impl Engine {
    /// The chosen one, with settings of the command line, then the gallery.
    pub fn new(chosen: &Path, settings: &[String], methods: &Arc<Methods>) -> Self {
        let mut files = vec![chosen.to_owned()];
        for place in ["scenarios", "experiments/src/bin"] {
            let mut found: Vec<PathBuf> = std::fs::read_dir(place)
                .into_iter()
                .flatten()
                .flatten()
                .map(|entry| entry.path())
                .map(|path| if path.is_dir() { path.join("scenario.toml") } else { path })
                .filter(|path| path.extension().is_some_and(|end| end == "toml") && path.is_file())
                .collect();
            found.sort();
            files.extend(found);
        }
        Engine { files, settings: settings.to_vec(), methods: methods.clone() }
    }

    /// The page, with the chosen scenario.
    pub fn page(&self) -> Result<String, InputError> {
        let wish = Wish { scenario: 0, changes: Vec::new() };
        self.run(&wish, |scenario, outcome, record, live| page::live(scenario, outcome, record, &live))
    }

    /// Data for the page: see `page/data.js`.
    pub fn data(&self, body: &[u8]) -> Result<Vec<u8>, InputError> {
        self.run(&wish(body)?, |scenario, outcome, record, live| page::data(scenario, outcome, record, &live))
    }

    /// A report to be kept.
    pub fn report(&self, body: &[u8]) -> Result<Vec<u8>, InputError> {
        self.run(&wish(body)?, |scenario, outcome, record, _| page::html(scenario, outcome, record).into_bytes())
    }

    fn run<T>(&self, wish: &Wish, draw: impl Fn(&Scenario, &Outcome, &Recorder, Value) -> T) -> Result<T, InputError> {
        let file =
            self.files.get(wish.scenario).ok_or_else(|| InputError::without_place("there is no such scenario"))?;
        let mut settings = if wish.scenario == 0 { self.settings.clone() } else { Vec::new() };
        let first = Scenario::of(&Document::load(file, &settings, &self.methods)?)?;
        let controls = controls(&first.resolved());
        let formulas = formulas(&first.resolved());
        let mut drawn = Vec::new();
        let mut gravity = [first.scene.forces.gravity_vector().x, first.scene.forces.gravity_vector().y];
        for (key, value) in &wish.changes {
            if formulas.iter().any(|formula| formula["key"] == **key) {
                drawn.push((key.strip_prefix("ground.curve.").unwrap_or(key), value));
                continue;
            }
            // Nothing but numbers of this list is taken from a page: no file, no method.
            let known = controls.iter().any(|control| control["key"] == **key);
            let number = value.as_f64().filter(|number| known && number.is_finite());
            let number =
                number.ok_or_else(|| InputError::without_place(format!("{key} can't be changed to {value}")))?;
            match key.strip_prefix("forces.gravity.") {
                Some(axis) => gravity[usize::from(axis == "y")] = number,
                None => settings.push(format!("{key}={number:?}")),
            }
        }
        if wish.changes.iter().any(|(key, _)| key.starts_with("forces.gravity.")) {
            settings.push(format!("forces.gravity=[{:?}, {:?}]", gravity[0], gravity[1]));
        }
        if !drawn.is_empty() {
            settings.push(format!("ground.curve={}", redrawn(&first.resolved()["ground"]["curve"], &drawn)?));
        }
        let mut scenario = if settings == self.settings && wish.scenario == 0 {
            first
        } else {
            Scenario::of(&Document::load(file, &settings, &self.methods)?)?
        };
        let limit =
            scenario.stepping.as_ref().map_or(LIMITS[0], |stepping| LIMITS[1] / stepping.balls.len().max(1) as u64);
        scenario.solver.limit = scenario.solver.limit.min(limit.max(1));
        let failed = |error: &dyn std::fmt::Display| InputError::without_place(error.to_string());
        let mut record = Recorder::new(&scenario, None, Box::new(|_| ())).map_err(|error| failed(&error))?.with_film();
        let outcome = record.run().map_err(|error| failed(&error))?;
        let names = self.files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>();
        let live = json!({ "scenario": wish.scenario, "names": names, "controls": controls, "formulas": formulas });
        Ok(draw(&scenario, &outcome, &record, live))
    }
}

fn wish(body: &[u8]) -> Result<Wish, InputError> {
    let wrong = || InputError::without_place("the page asks for { scenario, changes: [[key, value], …] }");
    let all: Value = serde_json::from_slice(body).map_err(|_| wrong())?;
    let scenario = all["scenario"].as_u64().and_then(|index| usize::try_from(index).ok()).ok_or_else(wrong)?;
    let list = all["changes"].as_array().filter(|list| list.len() <= CHANGES).ok_or_else(wrong)?;
    let change = |entry: &Value| Some((entry.get(0)?.as_str()?.to_owned(), entry.get(1)?.clone()));
    let changes = list.iter().map(change).collect::<Option<_>>().ok_or_else(wrong)?;
    Ok(Wish { scenario, changes })
}

/// Numbers of a resolved scenario that a page may change, each with its range.
fn controls(resolved: &Value) -> Vec<Value> {
    let mut found = Vec::new();
    let mut add = |key: &str, value: f64, [low, high]: [f64; 2], decades: bool| {
        found.push(
            json!({ "key": key, "value": value, "low": low.min(value), "high": high.max(value), "decades": decades }),
        );
    };
    for (key, low, high, decades) in RANGES {
        let at = key.split('.').fold(resolved, |value, name| match name {
            "x" if value.is_array() => &value[0],
            "y" if value.is_array() => &value[1],
            name => &value[name],
        });
        if let Some(value) = at.as_f64() {
            add(key, value, [low, high], decades);
        }
    }
    if let Some(parameters) = resolved["ground"]["parameters"].as_object() {
        for (name, value) in parameters {
            let Some(value) = value.as_f64() else { continue };
            let reach = if value == 0.0 { 1.0 } else { 3.0 * value.abs() };
            let low = if value > 0.0 { 0.05 * value } else { -reach };
            add(&format!("ground.parameters.{name}"), value, [low, reach], false);
        }
    }
    found
}

/// Formulas of the ground.
fn formulas(resolved: &Value) -> Vec<Value> {
    let curve = &resolved["ground"]["curve"];
    let kind = curve["kind"].as_str().unwrap_or("");
    let keys = ["x", "y"].into_iter().filter(|_| matches!(kind, "graph" | "parametric"));
    keys.filter_map(|key| Some(json!({ "key": format!("ground.curve.{key}"), "value": curve[key].as_str()? })))
        .collect()
}

/// A curve with other formulas, as TOML.
fn redrawn(curve: &Value, formulas: &[(&str, &Value)]) -> Result<String, InputError> {
    let mut curve = curve.clone();
    for (key, formula) in formulas {
        let text = formula.as_str().ok_or_else(|| InputError::without_place("a formula is a text"))?;
        curve[*key] = json!(text);
    }
    Ok(inline(&curve))
}

/// A value as TOML in one line.
fn inline(value: &Value) -> String {
    match value {
        Value::Object(entries) => {
            let entry = |(key, value): (&String, &Value)| format!("{} = {}", Value::from(key.as_str()), inline(value));
            format!("{{ {} }}", entries.iter().filter(|(_, v)| !v.is_null()).map(entry).collect::<Vec<_>>().join(", "))
        }
        Value::Array(values) => format!("[{}]", values.iter().map(inline).collect::<Vec<_>>().join(", ")),
        other => other.to_string(),
    }
}
