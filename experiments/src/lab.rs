//! What every experiment does the same way: flags, runs, comparisons, files.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Instant, SystemTime};

use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};
use kugelbahn::Scenario;
use kugelbahn::aim::{Aimed, Goal, aim};
use kugelbahn::compare::{Case, Comparison, ComparisonPlan, Draft};
use kugelbahn::input::InputError;
use kugelbahn::output::{Folder, OutputError};
use kugelbahn::scenario::Document;
use kugelbahn::sweep::{PlotColumns, Request, Shard, Store, Sweep, SweepError, execute, plot};
use kugelbahn::tables::Table as Rows;
use kugelbahn::unknowns::Unknowns;
use serde_json::{Value, json};
use supervisor::{Count, Observer, Stop, Summary};
use tempfile::TempDir;

use crate::manifest::Manifest;
use crate::{Recording, Table};

/// Flags of every experiment.
#[derive(Clone, Debug, Parser)]
#[command(version)]
pub struct Flags {
    /// Write tables (CSV), figure.svg and manifest.json to this folder
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Do less, in seconds
    #[arg(long)]
    pub quick: bool,
    /// Exit with 1 if a number is farther from its exact answer than its bound
    #[arg(long)]
    pub check: bool,
    /// Fixes what is random
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

/// Why an experiment could not be done.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The scenario is not one.
    #[error("{}: {error}", path.display())]
    Input {
        /// Its file.
        path: PathBuf,
        /// Why.
        error: Box<InputError>,
    },
    /// A file could not be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// A table could not be written.
    #[error("can't write a table: {0}")]
    Table(#[from] csv::Error),
    /// The scenario is not for an event-driven run.
    #[error(transparent)]
    Method(#[from] kugelbahn::NotEventDriven),
    /// A run ended early.
    #[error("the run with {settings:?} stopped: {stop}")]
    Stopped {
        /// What was set beside the scenario file.
        settings: Vec<String>,
        /// Why.
        stop: Stop,
    },
    /// A system that time stepping refuses.
    #[error(transparent)]
    Refused(#[from] moreau::InputError),
    /// A Lagrangian system that is none.
    #[error(transparent)]
    System(#[from] lagrange::InputError),
    /// A step of a Lagrangian system that could not be made.
    #[error(transparent)]
    SystemStep(#[from] lagrange::StepError),
    /// A ball, a force or a law that can't be.
    #[error(transparent)]
    Parameter(#[from] mechanics::ParameterError),
    /// A step of time stepping that could not be made.
    #[error(transparent)]
    Step(#[from] moreau::StepError),
    /// Nothing to be aimed at.
    #[error(transparent)]
    Aim(#[from] kugelbahn::aim::AimError),
    /// A sweep that can't be made, or read.
    #[error(transparent)]
    Sweep(#[from] SweepError),
    /// There is no room for rows.
    #[error("can't make a temporary folder: {0}")]
    Folder(std::io::Error),
    /// A run lacks what the question is about.
    #[error("missing: {0}")]
    Missing(String),
}

/// A sweep that is done.
#[derive(Debug)]
pub struct Swept {
    /// What was made.
    pub sweep: Sweep,
    store: Store,
    /// Removed when this is dropped.
    _rows: TempDir,
}

impl Swept {
    /// Its rows of a table, chunk by chunk, by index.
    pub fn each(&self, table: &str, take: impl FnMut(&Rows)) -> Result<(), Failure> {
        Ok(self.store.each(&self.sweep.layout, table, take)?)
    }

    /// A column of numbers of the table of runs.
    pub fn column(&self, name: &str) -> Result<Vec<f64>, Failure> {
        let mut all = Vec::new();
        self.each("runs", |rows| {
            let cells = rows.column(name);
            all.extend((0..rows.rows()).map(|row| cells.map_or(f64::NAN, |cells| cells.number(row))));
        })?;
        Ok(all)
    }

    /// A picture of it, as `sweep plot` makes one.
    pub fn plot(&self, drawing: &PlotColumns) -> Result<String, Failure> {
        Ok(plot(&self.sweep.layout, &self.store, drawing)?)
    }
}

/// One experiment under way.
#[derive(Debug)]
pub struct Lab {
    /// What was asked for.
    pub flags: Flags,
    folder: Option<Arc<Folder>>,
    name: &'static str,
    scenarios: Vec<Value>,
    comparisons: Vec<Value>,
    differs: bool,
    count: Count,
    runs: u64,
    time_steps: u64,
}

/// Does one experiment: reads the flags, does it, and turns what came of it into an exit status.
pub fn run(name: &'static str, experiment: impl FnOnce(&mut Lab) -> Result<(), Failure>) -> ExitCode {
    let (started, clock) = (SystemTime::now(), Instant::now());
    let mut lab = Lab {
        flags: Flags::parse(),
        folder: None,
        name,
        scenarios: Vec::new(),
        comparisons: Vec::new(),
        differs: false,
        count: Count::default(),
        runs: 0,
        time_steps: 0,
    };
    let done = lab.open().and_then(|()| experiment(&mut lab)).and_then(|()| {
        let manifest = Manifest {
            name,
            quick: lab.flags.quick,
            seed: lab.flags.seed,
            scenarios: &lab.scenarios,
            count: &lab.count,
            runs: lab.runs,
            time_steps: lab.time_steps,
            comparisons: &lab.comparisons,
            started,
            took: clock.elapsed(),
        };
        lab.file("manifest.json", &manifest.text())?;
        Ok(lab.folder.as_ref().map_or(Ok(()), |folder| folder.commit())?)
    });
    match done {
        Ok(()) if lab.differs && lab.flags.check => ExitCode::from(1),
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            complain(&failure);
            ExitCode::from(if matches!(failure, Failure::Input { .. } | Failure::Output(_)) { 2 } else { 1 })
        }
    }
}

impl Lab {
    fn open(&mut self) -> Result<(), Failure> {
        let path = self.flags.out.as_deref();
        self.folder = path.map(|path| Folder::open::<&str>(path, &[])).transpose()?.map(Arc::new);
        Ok(())
    }

    /// Where files go, if they are wanted.
    pub fn folder(&self) -> Option<Arc<Folder>> {
        self.folder.clone()
    }

    /// `scenario.toml` of this experiment, with `KEY=VALUE` settings put in.
    pub fn scenario(&mut self, settings: &[String]) -> Result<Scenario, Failure> {
        let scenario = Lab::load(self.name, settings)?;
        self.scenarios.push(json!({ "settings": settings, "resolved": scenario.resolved() }));
        Ok(scenario)
    }

    /// The same with the numbers `free` in it to be found.
    pub fn unknowns(&mut self, settings: &[String], free: &str) -> Result<Unknowns, Failure> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/bin").join(self.name).join("scenario.toml");
        let unknowns = Unknowns::load(&path, settings, free);
        let unknowns = unknowns.map_err(|error| Failure::Input { path, error: Box::new(error) })?;
        self.scenarios.push(json!({ "settings": settings, "free": free, "resolved": unknowns.written().resolved() }));
        Ok(unknowns)
    }

    /// Finds free numbers in at most so many `runs`, which are counted.
    pub fn aim(&mut self, unknowns: &Unknowns, goals: &[Goal], runs: u32) -> Result<Aimed, Failure> {
        let aimed = aim(unknowns, goals, &kugelbahn::aim::AimPlan { runs, tolerance: 1e-11, progress: &|_, _| () })?;
        self.runs += u64::from(aimed.runs);
        Ok(aimed)
    }

    /// The same of the experiment `name`, for runs that [`Lab::swept`] reports together.
    pub fn load(name: &str, settings: &[String]) -> Result<Scenario, Failure> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/bin").join(name).join("scenario.toml");
        Scenario::load(&path, settings).map_err(|error| Failure::Input { path, error: Box::new(error) })
    }

    /// Counts many runs that differ in some parameters.
    pub fn swept(&mut self, parameters: Value, runs: &[Summary]) {
        self.scenarios.push(json!({ "parameters": parameters }));
        runs.iter().for_each(|summary| self.add(summary));
    }

    /// Counts a run of time stepping that no scenario file describes: its parameters, for the manifest, and its steps.
    pub fn stepped(&mut self, parameters: Value, steps: u64) {
        self.scenarios.push(json!({ "parameters": parameters }));
        self.runs += 1;
        self.time_steps += steps;
    }

    /// Compares runs of another experiment's scenario, with `KEY=VALUE` settings put in.
    pub fn comparison(
        &mut self,
        experiment: &str,
        settings: &[String],
        cases: &[Case],
        plan: &ComparisonPlan,
    ) -> Result<Comparison, Failure> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/bin").join(experiment).join("scenario.toml");
        let draft = Draft::load(&path, settings);
        let compared = draft.and_then(|draft| kugelbahn::compare::compare(&draft, cases, plan));
        let comparison = compared.map_err(|error| Failure::Input { path, error: Box::new(error) })?;
        self.scenarios.push(json!({ "settings": settings, "resolved": comparison.scenario.resolved() }));
        for outcome in &comparison.outcomes {
            self.runs += 1;
            self.count.events += outcome.track.event_count;
            self.time_steps += if outcome.case.method.family.steps() { outcome.track.work.steps } else { 0 };
        }
        Ok(comparison)
    }

    /// Makes a sweep of `scenario.toml` with `KEY=VALUE` settings put in, its rows in a temporary folder. Runs that stop are an error.
    pub fn sweep(&mut self, settings: &[String], request: Request) -> Result<Swept, Failure> {
        self.sweep_of("scenario.toml", settings, request)
    }

    /// The same of another file, from the experiment's folder.
    pub fn sweep_of(&mut self, file: &str, settings: &[String], request: Request) -> Result<Swept, Failure> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/bin").join(self.name).join(file);
        let document = Document::load(&path, settings, &Arc::default());
        let document = document.map_err(|error| Failure::Input { path, error: Box::new(error) })?;
        let sweep = Sweep::new(document, request)?;
        self.scenarios.push(json!({
            "settings": settings, "sweep": &sweep.layout.request, "resolved": sweep.variants.written().resolved(),
        }));
        let rows = tempfile::tempdir().map_err(Failure::Folder)?;
        let store = Store::open(rows.path(), &sweep)?;
        let bar = ProgressBar::new(sweep.layout.runs);
        if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos} of {len} runs, {eta} left") {
            bar.set_style(style);
        }
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let work = execute(
            &sweep,
            &store,
            Shard::WHOLE,
            threads,
            &|done, _| bar.set_position(done),
            &std::sync::atomic::AtomicBool::new(false),
        )?;
        bar.finish_and_clear();
        if let Some((exit, count)) = work.tally.stopped().next() {
            return Err(Failure::Missing(format!("{count} of {} runs end with {exit}", work.runs)));
        }
        let mut steps = 0;
        let mut sums =
            [("events", &mut self.count.events), ("impacts", &mut self.count.impacts), ("steps", &mut steps)];
        store.each(&sweep.layout, "runs", |table| {
            for (name, sum) in &mut sums {
                **sum += (0..table.rows())
                    .map(|row| table.column(name).map_or(0.0, |cells| cells.number(row)) as u64)
                    .sum::<u64>();
            }
        })?;
        self.count.flight.steps += steps;
        self.runs += work.runs;
        Ok(Swept { sweep, store, _rows: rows })
    }

    /// Runs a scenario to its end for an observer.
    pub fn observe(&mut self, scenario: &Scenario, observer: &mut impl Observer) -> Result<Summary, Failure> {
        let summary = kugelbahn::run(scenario, observer)?;
        self.add(&summary);
        Ok(summary)
    }

    fn add(&mut self, summary: &Summary) {
        self.runs += 1;
        let (all, one) = (&mut self.count, &summary.count);
        all.events += one.events;
        all.impacts += one.impacts;
        all.landings += one.landings;
        all.lift_offs += one.lift_offs;
        all.captures += one.captures;
        all.flight.steps += one.flight.steps;
        all.contact.steps += one.contact.steps;
        all.contact.frames += one.contact.frames;
        all.search.searches += one.search.searches;
        all.search.evaluations += one.search.evaluations;
    }

    /// Reads the scenario with settings, runs it to its end, and keeps everything.
    pub fn record(&mut self, settings: &[String]) -> Result<(Scenario, Recording), Failure> {
        let scenario = self.scenario(settings)?;
        let mut recording = Recording::default();
        let summary = self.observe(&scenario, &mut recording)?;
        if let Some(stop) = summary.stop {
            return Err(Failure::Stopped { settings: settings.to_vec(), stop });
        }
        recording.summary = Some(summary);
        Ok((scenario, recording))
    }

    /// Prints a table under a heading and writes it as `name`.csv.
    pub fn table(&self, heading: &str, name: &str, table: &Table) -> Result<(), Failure> {
        say(&format!("{heading}\n\n{}", table.text()));
        self.file(&format!("{name}.csv"), &table.csv()?)
    }

    /// Says whether `difference` is within `bound`.
    pub fn compare(&mut self, what: &str, difference: f64, bound: f64) {
        let good = difference <= bound;
        self.verdict(what, good, format!("{difference:.1e} (at most {bound:.1e})"));
        self.comparisons.push(json!({ "what": what, "difference": difference, "at_most": bound, "holds": good }));
    }

    /// Says whether `value` lies between two bounds.
    pub fn compare_range(&mut self, what: &str, value: f64, low: f64, high: f64) {
        let good = low <= value && value <= high;
        self.verdict(what, good, format!("{value:.3} ({low} to {high})"));
        self.comparisons.push(json!({ "what": what, "value": value, "at_least": low, "at_most": high, "holds": good }));
    }

    /// Says whether something is so.
    pub fn compare_fact(&mut self, what: &str, found: &str, good: bool) {
        self.verdict(what, good, found.to_owned());
        self.comparisons.push(json!({ "what": what, "found": found, "holds": good }));
    }

    fn verdict(&mut self, what: &str, good: bool, text: String) {
        self.differs |= !good;
        say(&format!("{} {what}: {text}", if good { "ok     " } else { "DIFFERS" }));
    }

    /// Writes `figure.svg`.
    pub fn figure(&self, svg: &str) -> Result<(), Failure> {
        self.file("figure.svg", svg)
    }

    /// Writes a file, if files are wanted.
    pub fn file(&self, name: &str, text: &str) -> Result<(), Failure> {
        match &self.folder {
            Some(folder) => Ok(folder.replace(name, text)?),
            None => Ok(()),
        }
    }
}

#[allow(clippy::print_stdout, reason = "an experiment prints its tables")]
fn say(text: &str) {
    println!("{text}");
}

#[allow(clippy::print_stderr, reason = "diagnostics go to stderr")]
fn complain(failure: &Failure) {
    eprintln!("error: {failure}");
}
