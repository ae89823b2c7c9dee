//! Values from a file whose columns are keys.

use std::path::Path;

use scenario::input::{
    Cells, Files, InputError, MAX_COLUMNS, Source, Span, Text, lines, read_plain, read_table, source_of,
};
use tables::MOST_NUMBERS;

use crate::hash::hash;

/// File limit: the largest number of values, of 13 digits each.
const TABLE: Files = Files { kind: "table of numbers (CSV)", max_bytes: 128 << 20 };

/// Largest length of the line with the keys, bytes.
const MOST_KEYS: usize = 1 << 20;

/// Rows of values.
#[derive(Clone, Debug)]
pub struct PlanRows {
    /// Keys of the columns.
    pub keys: Vec<String>,
    /// The hash of the file.
    pub hash: String,
    /// The file's name, and whether messages may quote the file; without its text.
    pub(crate) source: Source,
    values: Vec<f64>,
}

const HELP: &str =
    "the first line names the keys, such as contact.restitution,contact.friction; each other line has their numbers";

impl PlanRows {
    /// Reads a CSV table, or a Parquet one by its name; messages quote it if it is below a folder, or the current one.
    pub fn load(path: &Path, folder: &Path) -> Result<Self, InputError> {
        let failed = |error: &dyn std::fmt::Display| {
            InputError::without_place(format!("can't read the table {}: {error}", path.display())).with_help(HELP)
        };
        let from = Span::in_folder(folder);
        let named = source_of(path, String::new(), Some(&from));
        let bytes = read_plain(path, TABLE.max_bytes).map_err(|error| failed(&error))?;
        let hash = hash(&bytes);
        if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("parquet")) {
            let (keys, values) = tables::parquet_numbers(bytes).map_err(|error| failed(&error))?;
            return PlanRows::of(named, keys, hash, values);
        }
        drop(bytes);
        // Read like tables of films and grounds: any separator, decimal commas, any encoding.
        let Text { source, .. } = read_table(path, Some(&from), TABLE).map_err(|error| failed(&error))?;
        let cells = Cells::new(&source);
        let mut rows = lines(&source);
        let Some(head) = rows.next() else { return Err(failed(&"it is empty")) };
        if head.text.len() > MOST_KEYS {
            return Err(failed(&format!("its keys have more than {MOST_KEYS} bytes")));
        }
        let keys: Vec<String> = cells.of(head.text).map(|(_, key)| key.to_owned()).collect();
        if keys.len() > MAX_COLUMNS {
            return Err(failed(&format!("it has more than {MAX_COLUMNS} keys")));
        }
        let comma = cells.decimal_commas(rows.clone())?;
        let mut values = Vec::new();
        for line in rows {
            let count = cells.of(line.text).count();
            if values.len() + count > MOST_NUMBERS {
                return Err(failed(&format!("it has more than {MOST_NUMBERS} numbers")));
            }
            if count != keys.len() {
                let message = format!("row {} has {count} cells, and the table {} keys", line.number, keys.len());
                let span = cells.span(line, 0, line.text.len());
                return Err(InputError::new(&span, message, "a number for each key").with_help(HELP));
            }
            for (key, (start, cell)) in keys.iter().zip(cells.of(line.text)) {
                let number = Cells::number(cell, comma).filter(|number| !number.is_nan());
                values.push(number.ok_or_else(|| {
                    let message = format!("column `{key}`: {}", cells.no_number(cell, comma));
                    InputError::new(&cells.span(line, start, cell.len()), message, "a table has numbers alone")
                        .with_help("texts vary by --vary KEY=A,B or --sample 'KEY ~ choice(A, B)'")
                })?);
            }
        }
        PlanRows::of(named, keys, hash, values)
    }

    fn of(source: Source, keys: Vec<String>, hash: String, values: Vec<f64>) -> Result<Self, InputError> {
        let wrong = |message: String| Err(InputError::without_place(message).with_help(HELP));
        if keys.iter().any(|key| key.split('.').any(|part| part.trim().is_empty())) {
            return wrong(format!("the table {} has a column without the name of a key", source.name()));
        }
        if values.is_empty() {
            return wrong(format!("the table {} has no rows", source.name()));
        }
        Ok(PlanRows { keys, hash, source, values })
    }

    /// Number of rows.
    pub fn count(&self) -> u64 {
        (self.values.len() / self.keys.len()) as u64
    }

    pub(super) fn row(&self, index: u64) -> &[f64] {
        let from = index as usize * self.keys.len();
        &self.values[from..from + self.keys.len()]
    }
}
