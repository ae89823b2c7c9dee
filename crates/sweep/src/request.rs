//! Request for a sweep: options of the command line, or `[sweep]` in the scenario.

use scenario::input::{InputError, Node, Reader, Value, wrong_type};
use serde::{Deserialize, Serialize};
use tables::{Format, TableError};

/// Keys to vary, quantities to observe, and the form of the output.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Request {
    /// `KEY=FROM..TO/COUNT`, …
    pub vary: Vec<String>,
    /// `KEY ~ LAW`
    pub sample: Vec<String>,
    /// File of values, whose columns are keys.
    pub table: Option<String>,
    /// Number of sample points.
    pub count: Option<u64>,
    /// Design of the sample points.
    pub design: Option<String>,
    /// Seed of random numbers.
    pub seed: u64,
    /// Observed quantities, `events`, `every …: …`.
    pub observe: Vec<String>,
    /// Cells instead of rows of runs: `COLUMN, COLUMN=FROM..TO/CELLS, …`.
    pub reduce: Vec<String>,
    /// Number of rows of a section skipped at the beginning of each run.
    pub skip: u64,
    /// Number of runs in a chunk; `None`: by the number of all runs.
    pub chunk: Option<u64>,
    /// `csv` or `parquet`.
    pub format: Option<String>,
}

/// Keys of `[sweep]`.
pub const KEYS: [&str; 11] =
    ["vary", "sample", "table", "count", "design", "seed", "observe", "reduce", "skip", "chunk", "format"];

impl Request {
    /// The first option that another request has otherwise; a table of values counts by its hash, not by its path.
    pub(crate) fn differs(&self, other: &Request) -> Option<&'static str> {
        let [one, two] = [self, other].map(|request| serde_json::to_value(request).unwrap_or_default());
        KEYS.into_iter().find(|key| *key != "table" && one[key] != two[key])
    }

    /// Reads `[sweep]` of a scenario, and removes it.
    pub fn take(tree: &mut Node) -> Result<Self, InputError> {
        let Value::Table(entries) = &mut tree.value else { return Ok(Request::default()) };
        let Some(place) = entries.iter().position(|(key, ..)| &**key == "sweep") else { return Ok(Request::default()) };
        Request::of(&entries.remove(place).2)
    }

    fn of(node: &Node) -> Result<Self, InputError> {
        let mut table = Reader::new(node, "[sweep]")?;
        let mut list = |key: &'static str| match table.get(key) {
            None => Ok(Vec::new()),
            Some(node) => match &node.value {
                Value::String(text) => Ok(vec![text.to_string()]),
                Value::Array(items) => items.iter().map(|item| text(item, key)).collect(),
                _ => Err(wrong_type(node, key, "a text or a list of texts")),
            },
        };
        let [vary, sample, observe, reduce] = [list("vary")?, list("sample")?, list("observe")?, list("reduce")?];
        let mut word = |key: &'static str| table.string(key).map(|word| word.map(str::to_owned));
        let [file, design, format] = [word("table")?, word("design")?, word("format")?];
        let is_whole = |number: f64| number >= 0.0 && number.fract() == 0.0 && number < 9.0e15;
        let mut count = |key: &'static str| {
            let number = table.number_where(key, "a whole number, not negative", is_whole);
            number.map(|number| number.map(|number| number as u64))
        };
        let [count, seed, skip, chunk] = [count("count")?, count("seed")?, count("skip")?, count("chunk")?];
        table.finish()?;
        let (seed, skip) = (seed.unwrap_or(0), skip.unwrap_or(0));
        Ok(Request { vary, sample, table: file, count, design, seed, observe, reduce, skip, chunk, format })
    }

    /// Options, completed by those of the scenario's `[sweep]` (`table`).
    pub fn or(self, table: Request, seed: Option<u64>, skip: Option<u64>) -> Request {
        let list = |own: Vec<String>, other| if own.is_empty() { other } else { own };
        Request {
            vary: list(self.vary, table.vary),
            sample: list(self.sample, table.sample),
            table: self.table.or(table.table),
            count: self.count.or(table.count),
            design: self.design.or(table.design),
            seed: seed.unwrap_or(table.seed),
            observe: list(self.observe, table.observe),
            reduce: list(self.reduce, table.reduce),
            skip: skip.unwrap_or(table.skip),
            chunk: self.chunk.or(table.chunk),
            format: self.format.or(table.format),
        }
    }

    /// The format asked for; by default CSV.
    pub(crate) fn format(&self) -> Result<Format, TableError> {
        Format::named(self.format.as_deref().unwrap_or("csv"))
    }
}

fn text(node: &Node, key: &str) -> Result<String, InputError> {
    match &node.value {
        Value::String(text) => Ok(text.to_string()),
        _ => Err(wrong_type(node, key, "a text")),
    }
}
