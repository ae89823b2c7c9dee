//! Values from a file: its columns are keys.

use std::path::Path;

use scenario::input::{InputError, Source, Span};

use crate::hash::hash;

/// Rows of numbers.
#[derive(Clone, Debug)]
pub struct Rows {
    /// Of the columns.
    pub keys: Vec<String>,
    /// The hash of the file.
    pub hash: String,
    values: Vec<f64>,
}

const HELP: &str =
    "the first line names the keys, such as contact.restitution,contact.friction; each other line has their numbers";

impl Rows {
    /// Reads a CSV table, or a Parquet one by its name.
    pub fn load(path: &Path) -> Result<Self, InputError> {
        let failed = |error: &dyn std::fmt::Display| {
            InputError::without_place(format!("can't read the table {}: {error}", path.display())).with_help(HELP)
        };
        let bytes = std::fs::read(path).map_err(|error| failed(&error))?;
        let hash = hash(&bytes);
        if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("parquet")) {
            let (keys, values) = tables::parquet_numbers(bytes).map_err(|error| failed(&error))?;
            return Rows::of(path, keys, hash, values);
        }
        let text = String::from_utf8(bytes).map_err(|error| failed(&error))?;
        let source = Source::new(path.display().to_string(), text);
        let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(source.text().as_bytes());
        let malformed = |error: csv::Error| failed(&error);
        let keys: Vec<String> = reader.headers().map_err(malformed)?.iter().map(str::to_owned).collect();
        let mut values = Vec::new();
        let mut record = csv::StringRecord::new();
        while reader.read_record(&mut record).map_err(malformed)? {
            for (key, cell) in keys.iter().zip(record.iter()) {
                let number = cell.parse::<f64>().ok().filter(|number| !number.is_nan());
                values.push(number.ok_or_else(|| {
                    let from = record.position().map_or(0, |position| position.byte() as usize);
                    let line = source.text().get(from..).and_then(|rest| rest.lines().next()).map_or(0, str::len);
                    let span = Span { source: source.clone(), range: from..from + line };
                    let message = format!("the cell `{cell}` of column `{key}` is no number");
                    InputError::new(&span, message, "a table has numbers alone")
                        .with_help("texts vary by --vary KEY=A,B or --sample 'KEY ~ choice(A, B)'")
                })?);
            }
        }
        Rows::of(path, keys, hash, values)
    }

    fn of(path: &Path, keys: Vec<String>, hash: String, values: Vec<f64>) -> Result<Self, InputError> {
        let wrong = |message: String| Err(InputError::without_place(message).with_help(HELP));
        if keys.iter().any(|key| key.split('.').any(|part| part.trim().is_empty())) {
            return wrong(format!("the table {} has a column without the name of a key", path.display()));
        }
        if values.is_empty() {
            return wrong(format!("the table {} has no rows", path.display()));
        }
        Ok(Rows { keys, hash, values })
    }

    /// How many rows.
    pub fn len(&self) -> u64 {
        (self.values.len() / self.keys.len()) as u64
    }

    /// There is always one.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    pub(super) fn row(&self, index: u64) -> &[f64] {
        let from = index as usize * self.keys.len();
        &self.values[from..from + self.keys.len()]
    }
}
