//! Session of a page: answers its requests by runs, within limits.

use std::cell::{Cell, RefCell};
use std::path::Path;
use std::sync::Arc;

use report::figures::thumbnail;
use report::output::Recorder;
use report::{Outcome, page};
use scenario::input::InputError;
use scenario::{Document, Methods, Scenario, Variants};
use serde_json::{Value, json};

use crate::controls::Controls;

/// Limits of a run: its steps and events; with time stepping, the steps of all balls together, and its rows.
const LIMITS: [u64; 2] = [50_000, 400_000];
/// Methods that a page compares with.
const RIVALS: [&str; 1] = ["moreau"];
/// Largest number of changes in one request.
const CHANGES: usize = 200;

/// Scenario that a request is about.
#[derive(Clone, Debug, PartialEq)]
pub enum Chosen {
    /// One of the gallery, by its index.
    Entry(usize),
    /// Text of a scenario file, or a drawing.
    Text(String),
}

/// Scenario of the gallery.
#[derive(Clone, Debug)]
pub struct GalleryEntry {
    /// Its title.
    pub title: String,
    /// Where it stands.
    pub file: String,
}

/// Request for a run with changed values.
struct ChangedRun {
    chosen: Chosen,
    changes: Vec<(String, Value)>,
    /// Method, with its step, s, of a run for comparison, in place of the scenario's.
    method: Option<(&'static str, f64)>,
    /// Whether the data are for a page that asks nobody.
    carried: bool,
    /// Whether the motion alone is wanted, without figures.
    alone: bool,
}

type Read = Box<dyn Fn(&Chosen) -> Result<Document, InputError> + Send>;

/// Gallery of scenarios that a page may run, and the one that it changes.
pub struct Session {
    gallery: Vec<GalleryEntry>,
    /// Longest time that a run may take, s.
    patience: u64,
    read: Read,
    /// The scenario that is changed, as its files were when the page was loaded or it was chosen.
    known: RefCell<Option<(Chosen, Arc<Variants>)>>,
}

impl Session {
    /// Returns a session over these scenarios; `read` gives the document of one. Whoever holds it ends a run that takes
    /// longer than `patience`, s; the session only says so.
    pub fn new(
        gallery: Vec<GalleryEntry>,
        patience: u64,
        read: impl Fn(&Chosen) -> Result<Document, InputError> + Send + 'static,
    ) -> Self {
        Session { gallery, patience, read: Box::new(read), known: RefCell::default() }
    }

    /// Returns a session over scenarios that are given as `{ title, file, toml }`, and need no files.
    pub fn of_texts(scenes: &[Value], patience: u64) -> Self {
        let text = |scene: &Value, key: &str| scene[key].as_str().unwrap_or_default().to_owned();
        let entry = |scene| GalleryEntry { title: text(scene, "title"), file: text(scene, "file") };
        let texts: Vec<String> = scenes.iter().map(|scene| text(scene, "toml")).collect();
        let methods = Arc::new(Methods::builtin());
        Session::new(scenes.iter().map(entry).collect(), patience, move |chosen| {
            let text = match chosen {
                Chosen::Entry(index) => texts.get(*index),
                Chosen::Text(text) => Some(text),
            };
            let text = text.ok_or_else(|| InputError::without_place("there is no such scenario"))?;
            Document::from_text(text, Path::new(""), &[], &methods)
        })
    }

    /// Returns the page, with the first scenario.
    pub fn page(&self) -> Result<String, InputError> {
        self.known.take();
        self.run(&ChangedRun::entry(0), &|_| false, |scenario, outcome, record, live| {
            page::live(scenario, outcome, record, &live)
        })
    }

    /// Returns one page with everything in it, the compiled engine, the gallery and matter-js; each of `scenes` says
    /// more of its scenario, and gets a picture of its run.
    pub fn whole(&self, engine: &str, mut scenes: Vec<Value>, matter: &str) -> Result<String, InputError> {
        for (index, scene) in scenes.iter_mut().enumerate() {
            let picture =
                |scenario: &Scenario, _: &Outcome, record: &Recorder, _| thumbnail(&scenario.scenes(), &record.trace);
            scene["picture"] = json!(self.run(&ChangedRun::entry(index), &|_| false, picture)?);
        }
        Ok(page::whole(engine, &Value::from(scenes), matter))
    }

    /// Returns data for the page: see `page/data.js`. `ends` hears the part of the duration done, and may end the run.
    pub fn data(&self, request: &[u8], ends: &dyn Fn(f64) -> bool) -> Result<Vec<u8>, InputError> {
        let request = ChangedRun { alone: true, ..ChangedRun::of(request)? };
        self.run(&request, ends, |scenario, outcome, record, live| {
            page::data(scenario, outcome, record, if request.carried { &Value::Null } else { &live })
        })
    }

    /// Returns the figures of a run, [`page::figures`].
    pub fn figures(&self, request: &[u8], ends: &dyn Fn(f64) -> bool) -> Result<Vec<u8>, InputError> {
        self.run(&ChangedRun::of(request)?, ends, |_, _, record, _| page::figures(record).into_bytes())
    }

    /// The error as JSON for the page: message, and where a formula is at fault its key and the letters in it.
    pub fn told(error: &InputError, request: &[u8]) -> Vec<u8> {
        let parts =
            [error.to_string(), error.label_text().to_owned(), error.help_text().unwrap_or_default().to_owned()];
        // A label that only points says nothing where it points to nothing.
        let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty() && part != "here").collect();
        let mut told = json!({ "message": parts.join("\n") });
        let changes = ChangedRun::of(request).map(|request| request.changes).unwrap_or_default();
        let formula = |(key, value): &(String, Value)| {
            let (span, text) = (error.span()?, value.as_str()?);
            // The text with its quotes, as in the setting.
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

    /// Returns a scenario, which is read once; changes of numbers that keep its ground do not build it anew.
    fn variants(&self, chosen: &Chosen) -> Result<Arc<Variants>, InputError> {
        if let Some((_, known)) = self.known.borrow().as_ref().filter(|(known, _)| known == chosen) {
            return Ok(known.clone());
        }
        // The one before is given up first: both may be large.
        self.known.take();
        let read = Arc::new(Variants::of((self.read)(chosen)?, Vec::new())?);
        self.known.replace(Some((chosen.clone(), read.clone())));
        Ok(read)
    }

    fn run<T>(
        &self,
        request: &ChangedRun,
        ends: &dyn Fn(f64) -> bool,
        draw: impl Fn(&Scenario, &Outcome, &Recorder, Value) -> T,
    ) -> Result<T, InputError> {
        let chosen = self.variants(&request.chosen)?;
        let resolved = chosen.written().resolved();
        let controls = Controls::of(&resolved);
        let mut settings = controls.settings(&resolved, &request.changes)?;
        let method = request.method.iter();
        settings
            .extend(method.flat_map(|(name, step)| [format!("solver.method={name}"), format!("solver.step={step}")]));
        let scenario = match settings.as_slice() {
            [] => chosen.written().clone(),
            settings => chosen.set(settings)?,
        };
        let bounded = bounded(&scenario);
        let failed = |error: &dyn std::fmt::Display| InputError::without_place(error.to_string());
        let (reached, late) = (Cell::new(0.0), Cell::new(false));
        let (begin, duration) = (bounded.start.time(), bounded.solver.duration);
        let record = Recorder::new(&bounded, None, Box::new(|time| reached.set((time - begin) / duration)));
        let ends = || {
            late.set(late.get() || ends(reached.get()));
            late.get()
        };
        let record = record.map_err(|error| failed(&error))?.with_end(&ends);
        let mut record = if request.alone { record.with_film_alone() } else { record.with_film() };
        let outcome = record.run().map_err(|error| failed(&error))?;
        let mut live = controls.document(&scenario, &resolved);
        // The ground as a file in any folder gives it, if it is not that of before the changes.
        let ground = scenario.written()["ground"].take();
        live["ground"] = if ground == resolved["ground"] { Value::Null } else { ground };
        let name = |entry: &GalleryEntry| json!({ "title": entry.title, "file": entry.file });
        live["names"] = self.gallery.iter().map(name).collect();
        live["scenario"] = match request.chosen {
            Chosen::Entry(index) => json!(index),
            Chosen::Text(_) => Value::Null,
        };
        let curves = &scenario.curve.curves;
        let first = |curve: &usize| *curve == 0 || curves[*curve].table != curves[curve - 1].table;
        let parts = (0..curves.len()).filter(first).map(|curve| scenario.scene.part_of_curve(curve));
        live["parts"] = parts.collect();
        // A bound of the page's own, not of the scenario.
        let bound = match (late.get(), bounded.solver.limit < scenario.solver.limit && outcome.met_limit()) {
            (true, _) => Some(format!("{} s of computing", self.patience)),
            (_, true) => Some(format!("{} events or steps", bounded.solver.limit)),
            _ => None,
        };
        live["late"] = json!(bound.map(|bound| format!(
            "here a run ends after {bound}; for more save scenario.toml and give it to kugelbahn run"
        )));
        Ok(draw(&scenario, &outcome, &record, live))
    }
}

impl ChangedRun {
    /// Asks for the run of a scenario of the gallery as it is.
    fn entry(index: usize) -> Self {
        ChangedRun { chosen: Chosen::Entry(index), changes: Vec::new(), method: None, carried: false, alone: false }
    }

    /// Reads a request.
    fn of(request: &[u8]) -> Result<Self, InputError> {
        let wrong = || InputError::without_place("the page asks for { scenario or text, changes: [[key, value], …] }");
        let all: Value = serde_json::from_slice(request).map_err(|_| wrong())?;
        let index = || all["scenario"].as_u64().and_then(|index| usize::try_from(index).ok());
        let text = all["text"].as_str().map(|text| Chosen::Text(text.to_owned()));
        let chosen = text.or_else(|| index().map(Chosen::Entry)).ok_or_else(wrong)?;
        let list = all["changes"].as_array().filter(|list| list.len() <= CHANGES).ok_or_else(wrong)?;
        let change = |entry: &Value| Some((entry.get(0)?.as_str()?.to_owned(), entry.get(1)?.clone()));
        let changes = list.iter().map(change).collect::<Option<_>>().ok_or_else(wrong)?;
        let step = || all["step"].as_f64().filter(|step| *step > 0.0).ok_or_else(wrong);
        let method = match all["method"].as_str() {
            Some(name) => Some((*RIVALS.iter().find(|known| **known == name).ok_or_else(wrong)?, step()?)),
            None => None,
        };
        Ok(ChangedRun { carried: all["carried"].as_bool().unwrap_or(false), alone: false, chosen, changes, method })
    }
}

/// The scenario with no more steps, events and rows than a page shows.
fn bounded(scenario: &Scenario) -> Scenario {
    // A step of time stepping counts once for each ball, an event of other runs once.
    let limit = match &scenario.stepping {
        Some(stepping) if !scenario.is_by_events() => LIMITS[1] / stepping.balls.len().max(1) as u64,
        _ => LIMITS[0],
    };
    let mut bounded = scenario.clone();
    bounded.solver.limit = bounded.solver.limit.min(limit.max(1));
    // The page has the whole motion of one ball event by event, and needs only the rows at both ends.
    let rows = if scenario.stepping.is_some() { LIMITS[1] as f64 } else { 1.0 };
    bounded.interval = bounded.interval.max(bounded.solver.duration / rows);
    bounded
}
