//! A sweep: what is run, what is observed, how its rows are cut into chunks.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use scenario::input::InputError;
use scenario::{Document, Methods, Setting, Variants};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::SweepError;
use crate::format::Format;
use crate::hash::hash_of_all;
use crate::observed::Observed;
use crate::plan::Plan;
use crate::request::Request;
use crate::table::{Column, Kind};

/// Chunks where nothing is said: at least so many, for as many threads and shards; at most so many, since the disk takes its time for
/// each; between them with so many runs each, which take longer than the disk. Longer ones than the last would take too much memory.
const CHUNKS: [u64; 2] = [64, 512];
const SHORT: u64 = 1024;
const LONGEST: u64 = 16_384;
/// Rows of events and sections that a chunk has, about; and at most in one run.
const ROWS: f64 = 3e5;
const MOST_ROWS: f64 = 1e7;
/// Runs that are looked at before a sweep begins: if none of them can be made, the reason is in what was asked for.
const LOOKS: u64 = 16;

/// Everything that rows depend on.
#[derive(Clone, Debug)]
pub struct Sweep {
    /// What was asked for.
    pub request: Request,
    /// What varies.
    pub plan: Plan,
    /// The scenario.
    pub variants: Variants,
    /// What is observed.
    pub observed: Observed,
    /// How tables are written.
    pub format: Format,
    /// Runs of a chunk; the last one may have fewer.
    pub chunk: u64,
    /// Of the table of runs.
    pub columns: Arc<[Column]>,
    text: String,
    base: PathBuf,
}

/// `sweep.json`
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Manifest {
    /// Of this file.
    pub format: u32,
    /// Of the program.
    pub version: String,
    pub runs: u64,
    pub chunk: u64,
    pub request: Request,
    /// Hash of the table of values.
    pub table: Option<String>,
    /// Of each table.
    pub columns: Vec<(String, Vec<Column>)>,
    /// The scenario file with its settings, files in it named from `base`.
    pub scenario: String,
    /// The same with every value as used.
    pub resolved: Value,
    /// Hash of the ground as built from its files, and of those that words among the values name.
    #[serde(default)]
    pub ground: String,
    /// Only to find files by; another folder is no other sweep.
    pub base: String,
}

impl Sweep {
    /// Of a document whose `[sweep]` has been [taken out](Request::take).
    pub fn new(document: Document, request: Request) -> Result<Self, SweepError> {
        let text = toml::to_string(&document.tree).unwrap_or_default();
        let base = std::path::absolute(&document.base).unwrap_or_else(|_| document.base.clone());
        let plan = Plan::of(&request, &document.base)?;
        let format = Format::named(request.format.as_deref().unwrap_or("csv"))?;
        let variants = Variants::of(document, plan.keys())?;
        let written = variants.written();
        let observed = Observed::read(&request.observe, request.skip, &written.watches)?;
        if written.stepping.is_some() {
            let error = InputError::without_place("a sweep needs event-driven runs of one ball");
            return Err(error.with_help("choose such a method: --set solver.method=newmark").into());
        }
        let rows = observed.rows(written.solver.duration);
        if !(rows <= MOST_ROWS) {
            let message = format!("a section with {rows:.0e} rows in each run is too long");
            return Err(InputError::without_place(message)
                .with_help(format!("read it off more seldom: at most {MOST_ROWS:.0e} rows a run"))
                .into());
        }
        // A chunk is in memory as a whole.
        let rows_at_once = (ROWS / rows).max(1.0) as u64;
        let chunk = match request.chunk {
            Some(0) => {
                return Err(InputError::without_place("--chunk 0 has no runs").with_help("give at least 1").into());
            }
            Some(chunk) => chunk,
            None => {
                let chunks = (plan.count() / SHORT).clamp(CHUNKS[0], CHUNKS[1]);
                plan.count().div_ceil(chunks).clamp(1, LONGEST.min(rows_at_once))
            }
        };
        let columns = columns(&plan, &observed);
        let mut names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
        names.sort_unstable();
        if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            let message = format!("two columns would be called `{}`", pair[0]);
            return Err(InputError::without_place(message)
                .with_help("observe a quantity by its other name, x(end)")
                .into());
        }
        let sweep = Sweep { request, plan, variants, observed, format, chunk, columns, text, base };
        sweep.look()?;
        Ok(sweep)
    }

    /// Refuses what no run can be made of: the first reason tells why.
    fn look(&self) -> Result<(), InputError> {
        let count = self.plan.count();
        let (looks, mut why) = (count.min(LOOKS), None);
        let (mut scenario, mut values) = (self.variants.written().clone(), Vec::new());
        for i in 0..looks {
            // From the first to the last.
            let index = u128::from(count - 1) * u128::from(i) / u128::from(looks.max(2) - 1);
            self.plan.values(u64::try_from(index).unwrap_or(0), &mut values);
            match self.variants.put(&mut scenario, &values) {
                Ok(()) => return Ok(()),
                Err(error) => {
                    scenario = self.variants.written().clone();
                    why.get_or_insert(error);
                }
            }
        }
        why.map_or(Ok(()), Err)
    }

    /// How many runs.
    pub fn count(&self) -> u64 {
        self.plan.count()
    }

    /// How many chunks.
    pub fn chunks(&self) -> u64 {
        self.count().div_ceil(self.chunk)
    }

    /// Indices of the runs of a chunk.
    pub fn runs_of(&self, chunk: u64) -> std::ops::Range<u64> {
        let from = chunk * self.chunk;
        from..(from + self.chunk).min(self.count())
    }

    /// The tables of a chunk, and their columns.
    pub fn tables(&self) -> Vec<(&'static str, Arc<[Column]>)> {
        let mut tables = vec![("runs", self.columns.clone())];
        if self.observed.events {
            tables.push(("events", Observed::event_columns()));
        }
        if let Some(section) = &self.observed.section {
            tables.push(("section", section.columns()));
        }
        tables
    }

    /// The columns of a table by its name.
    pub fn table(&self, name: &str) -> Result<Arc<[Column]>, SweepError> {
        let tables = self.tables();
        let known = || tables.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
        let found = tables.iter().find(|(known, _)| *known == name).map(|(_, columns)| columns.clone());
        found.ok_or_else(|| SweepError::NoTable { name: name.to_owned(), known: known() })
    }

    /// The values of a run, in a sweep that is not to be run again.
    pub fn values(&self, index: u64) -> Vec<Setting> {
        let mut values = Vec::new();
        self.plan.values(index, &mut values);
        values
    }

    pub(crate) fn manifest(&self) -> Manifest {
        let columns = self.tables().into_iter().map(|(name, columns)| (name.to_owned(), columns.to_vec()));
        Manifest {
            format: 1,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            runs: self.count(),
            chunk: self.chunk,
            request: self.request.clone(),
            table: self.plan.table().map(|rows| rows.hash.clone()),
            columns: columns.collect(),
            scenario: self.text.clone(),
            resolved: self.variants.written().resolved(),
            ground: self.ground(),
            base: self.base.display().to_string(),
        }
    }

    /// See [`Manifest::ground`].
    fn ground(&self) -> String {
        let written = self.variants.written();
        let mut grounds = vec![Ok(written.scene.ground.ground().clone())];
        for (i, words) in self.plan.words() {
            if !self.variants.keys().get(i).is_some_and(|key| key.trim().starts_with("ground")) {
                continue;
            }
            for word in words {
                let (mut scenario, mut values) = (written.clone(), self.values(0));
                values[i] = word;
                let put = self.variants.put(&mut scenario, &values);
                grounds.push(put.map(|()| scenario.scene.ground.ground().clone()).map_err(|error| error.to_string()));
            }
        }
        hash_of_all(grounds.iter().map(|ground| ground as &dyn std::fmt::Debug))
    }

    /// Of a manifest.
    pub(crate) fn of(manifest: &Manifest, methods: &Arc<Methods>) -> Result<Self, SweepError> {
        let document = Document::from_text(&manifest.scenario, Path::new(&manifest.base), &[], methods)?;
        Sweep::new(document, manifest.request.clone())
    }
}

/// Columns of the table of runs.
fn columns(plan: &Plan, observed: &Observed) -> Arc<[Column]> {
    let key = |(key, number): (String, bool)| Column::new(key, "", if number { Kind::Number } else { Kind::Word });
    let keys = plan.keys().into_iter().zip(plan.are_numbers()).map(key);
    let after = [
        Column::new("end", "s", Kind::Number),
        Column::new("exit", "", Kind::Word),
        Column::new("unexplained", "J", Kind::Number),
        Column::new("balance_place", "m", Kind::Number),
        Column::new("balance_momentum", "N s", Kind::Number),
        Column::new("balance_angular_momentum", "N m s", Kind::Number),
        Column::new("balance_ground", "m", Kind::Number),
        Column::new("events", "", Kind::Count),
        Column::new("impacts", "", Kind::Count),
        Column::new("steps", "", Kind::Count),
        Column::new("reason", "", Kind::Word),
    ];
    [Column::new("index", "", Kind::Count)].into_iter().chain(keys).chain(observed.columns()).chain(after).collect()
}
