//! Runs for a page: a scenario of a list, with some of its numbers changed.

use std::cell::{Cell, RefCell};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use kugelbahn::input::InputError;
use kugelbahn::output::Recorder;
use kugelbahn::scenario::{Document, Variants};
use kugelbahn::{Outcome, Scenario, page};
use serde_json::{Value, json};

use super::controls::Controls;
use crate::Methods;

/// Steps and events of a run; steps of all balls by time stepping, and rows.
const LIMITS: [u64; 2] = [50_000, 400_000];
/// A run that takes longer ends: the next change waits for it.
const PATIENCE: Duration = Duration::from_secs(2);
/// How often it is asked whether anybody still waits for the run.
const ASKED: Duration = Duration::from_millis(20);
/// Changes in one request.
const CHANGES: usize = 200;

/// Where scenarios stand in a folder.
const PLACES: [&str; 2] = ["scenarios", "experiments/src/bin"];

/// Scenarios that a page may run.
pub struct Engine {
    /// Each with its title.
    files: Vec<(PathBuf, String)>,
    settings: Vec<String>,
    methods: Arc<Methods>,
    /// The scenario that is changed, by its index, as its files were when the page was loaded or it was chosen.
    chosen: RefCell<Option<(usize, Arc<Variants>)>>,
}

/// Request for a run with changed values.
struct ChangedRun {
    scenario: usize,
    changes: Vec<(String, Value)>,
}

impl Engine {
    /// The chosen one, with settings of the command line, then the gallery.
    pub fn new(chosen: &Path, settings: &[String], methods: &Arc<Methods>) -> Self {
        let mut files = vec![chosen.to_owned()];
        files.extend(gallery(chosen));
        let files = files.into_iter().map(|file| {
            let title = title(&file, methods);
            (file, title)
        });
        let files = files.collect();
        Engine { files, settings: settings.to_vec(), methods: methods.clone(), chosen: RefCell::default() }
    }

    /// The page, with the chosen scenario.
    pub fn page(&self) -> Result<String, InputError> {
        self.chosen.take();
        let wish = ChangedRun { scenario: 0, changes: Vec::new() };
        self.run(&wish, &|| true, |scenario, outcome, record, live| page::live(scenario, outcome, record, &live))
    }

    /// Data for the page: see `page/data.js`. The run ends when nobody waits for it.
    pub fn data(&self, body: &[u8], waits: &dyn Fn() -> bool) -> Result<Vec<u8>, InputError> {
        self.run(&wish(body)?, waits, |scenario, outcome, record, live| page::data(scenario, outcome, record, &live))
    }

    /// A report to be kept.
    pub fn report(&self, body: &[u8], waits: &dyn Fn() -> bool) -> Result<Vec<u8>, InputError> {
        self.run(&wish(body)?, waits, |scenario, outcome, record, _| page::html(scenario, outcome, record).into_bytes())
    }

    /// The error as JSON for the page: message, and where a formula is at fault its key and the letters in it.
    pub fn told(error: &InputError, body: &[u8]) -> Vec<u8> {
        let parts =
            [error.to_string(), error.label_text().to_owned(), error.help_text().unwrap_or_default().to_owned()];
        // A label that only points says nothing where it points to nothing.
        let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty() && part != "here").collect();
        let mut told = json!({ "message": parts.join("\n") });
        let changes = wish(body).map(|wish| wish.changes).unwrap_or_default();
        let formula = |(key, value): &(String, Value)| {
            let (span, text) = (error.span()?, value.as_str()?);
            // As it stands between quotes in the setting.
            let written = value.to_string();
            let from = span.source.text().find(&written)? + 1;
            let letters = |bytes: usize| text.get(..bytes).map(|part| part.encode_utf16().count());
            let ends = [span.range.start.checked_sub(from)?, span.range.end.checked_sub(from)?];
            let plain = written.len() == text.len() + 2;
            (plain && ends[1] <= text.len()).then_some((key.clone(), letters(ends[0])?, letters(ends[1])?))
        };
        if let Some((key, from, to)) = changes.iter().find_map(formula) {
            (told["field"], told["from"], told["to"]) = (json!(key), json!(from), json!(to));
        }
        told.to_string().into_bytes()
    }

    /// A scenario of the list; changes of numbers that leave its ground build none.
    fn chosen(&self, index: usize) -> Result<Arc<Variants>, InputError> {
        if let Some((_, known)) = self.chosen.borrow().as_ref().filter(|(known, _)| *known == index) {
            return Ok(known.clone());
        }
        let (file, _) = self.files.get(index).ok_or_else(|| InputError::without_place("there is no such scenario"))?;
        let settings: &[String] = if index == 0 { &self.settings } else { &[] };
        let read = Arc::new(Variants::of(Document::load(file, settings, &self.methods)?, Vec::new())?);
        self.chosen.replace(Some((index, read.clone())));
        Ok(read)
    }

    fn run<T>(
        &self,
        wish: &ChangedRun,
        waits: &dyn Fn() -> bool,
        draw: impl Fn(&Scenario, &Outcome, &Recorder, Value) -> T,
    ) -> Result<T, InputError> {
        let chosen = self.chosen(wish.scenario)?;
        let resolved = chosen.written().resolved();
        let controls = Controls::of(&resolved);
        let scenario = match controls.settings(&resolved, &wish.changes)?.as_slice() {
            [] => chosen.written().clone(),
            settings => chosen.set(settings)?,
        };
        let bounded = bounded(&scenario);
        let failed = |error: &dyn std::fmt::Display| InputError::without_place(error.to_string());
        let begun = Instant::now();
        let (asked, late) = (Cell::new(Duration::ZERO), Cell::new(false));
        let ends = || {
            let taken = begun.elapsed();
            if taken - asked.get() <= ASKED {
                return false;
            }
            asked.set(taken);
            late.set(taken > PATIENCE);
            late.get() || !waits()
        };
        let record = Recorder::new(&bounded, None, Box::new(|_| ())).map_err(|error| failed(&error))?;
        let mut record = record.with_film().with_end(&ends);
        let outcome = record.run().map_err(|error| failed(&error))?;
        let name = |(file, title): &(PathBuf, String)| json!({ "title": title, "file": file.display().to_string() });
        let mut live = controls.document(&scenario, &resolved);
        // As a file in any folder says it, if that differs from what was there before the changes.
        let ground = scenario.written()["ground"].take();
        live["ground"] = if ground == resolved["ground"] { Value::Null } else { ground };
        (live["scenario"], live["names"]) = (json!(wish.scenario), self.files.iter().map(name).collect());
        let curves = &scenario.curve.curves;
        let first = |curve: &usize| *curve == 0 || curves[*curve].table != curves[curve - 1].table;
        let parts = (0..curves.len()).filter(first).map(|curve| scenario.scene.part_of_curve(curve));
        live["parts"] = parts.collect();
        // A bound of the page's own, not of the scenario.
        let bound = match (late.get(), bounded.solver.limit < scenario.solver.limit && outcome.met_limit()) {
            (true, _) => Some(format!("{} s of computing", PATIENCE.as_secs())),
            (_, true) => Some(format!("{} events or steps", bounded.solver.limit)),
            _ => None,
        };
        live["late"] = json!(bound.map(|bound| format!(
            "here a run ends after {bound}; for more save scenario.toml and give it to kugelbahn run"
        )));
        Ok(draw(&scenario, &outcome, &record, live))
    }
}

/// The scenario with no more steps, events and rows than a page shows.
fn bounded(scenario: &Scenario) -> Scenario {
    // Of time stepping a step is one of all balls, of anything else an event is one.
    let limit = match &scenario.stepping {
        Some(stepping) if !scenario.is_by_events() => LIMITS[1] / stepping.balls.len().max(1) as u64,
        _ => LIMITS[0],
    };
    let mut bounded = scenario.clone();
    bounded.solver.limit = bounded.solver.limit.min(limit.max(1));
    bounded.interval = bounded.interval.max(bounded.solver.duration / LIMITS[1] as f64);
    bounded
}

/// The scenarios beside a chosen one: those of the nearest folder above it that has any, else of this one; without itself.
fn gallery(chosen: &Path) -> Vec<PathBuf> {
    let own = std::fs::canonicalize(chosen).unwrap_or_default();
    let has_any = |folder: &&Path| PLACES.iter().any(|place| folder.join(place).is_dir());
    let folder = own.ancestors().skip(1).find(has_any).unwrap_or(Path::new(""));
    let mut files = Vec::new();
    for place in PLACES {
        let entries = std::fs::read_dir(folder.join(place)).into_iter().flatten().flatten();
        let mut found: Vec<PathBuf> = entries
            .map(|entry| entry.path())
            .map(|path| if path.is_dir() { path.join("scenario.toml") } else { path })
            .filter(|path| path.extension().is_some_and(|end| end == "toml") && path.is_file())
            .filter(|path| std::fs::canonicalize(path).is_ok_and(|path| path != own))
            .collect();
        found.sort();
        files.extend(found);
    }
    files
}

/// Title of a scenario, else its file.
fn title(file: &Path, methods: &Arc<Methods>) -> String {
    let title = Document::load(file, &[], methods).ok().and_then(|document| document.title());
    title.unwrap_or_else(|| file.display().to_string())
}

fn wish(body: &[u8]) -> Result<ChangedRun, InputError> {
    let wrong = || InputError::without_place("the page asks for { scenario, changes: [[key, value], …] }");
    let all: Value = serde_json::from_slice(body).map_err(|_| wrong())?;
    let scenario = all["scenario"].as_u64().and_then(|index| usize::try_from(index).ok()).ok_or_else(wrong)?;
    let list = all["changes"].as_array().filter(|list| list.len() <= CHANGES).ok_or_else(wrong)?;
    let change = |entry: &Value| Some((entry.get(0)?.as_str()?.to_owned(), entry.get(1)?.clone()));
    let changes = list.iter().map(change).collect::<Option<_>>().ok_or_else(wrong)?;
    Ok(ChangedRun { scenario, changes })
}
