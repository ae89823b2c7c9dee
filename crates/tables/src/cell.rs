//! Cells of a row, and lists of fields that make them.

use std::io::Write;

use crate::number_text::push_number;
use crate::table::{Column, Kind, Table};

/// A cell of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cell<'a> {
    /// No value.
    Empty,
    /// A whole number from 0.
    Count(u64),
    /// A number; −0 is written as 0.
    Number(f64),
    /// A word of a fixed list.
    Name(&'static str),
    /// Any word.
    Word(&'a str),
}

impl From<f64> for Cell<'_> {
    fn from(number: f64) -> Self {
        Cell::Number(number)
    }
}

impl From<u64> for Cell<'_> {
    fn from(count: u64) -> Self {
        Cell::Count(count)
    }
}

impl From<usize> for Cell<'_> {
    fn from(count: usize) -> Self {
        Cell::Count(count as u64)
    }
}

impl<'a> From<&'a str> for Cell<'a> {
    fn from(word: &'a str) -> Self {
        Cell::Word(word)
    }
}

impl<'a, T: Into<Cell<'a>>> From<Option<T>> for Cell<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Cell::Empty, Into::into)
    }
}

impl Cell<'_> {
    /// Appends the cell as CSV: numbers in the shortest form that reads back the same, words quoted where necessary.
    #[inline(always)]
    pub fn write(self, out: &mut Vec<u8>) {
        match self {
            Cell::Empty => {}
            // Writing to memory can't fail.
            Cell::Count(count) => drop(write!(out, "{count}")),
            Cell::Number(number) => push_number(out, number),
            Cell::Name(word) | Cell::Word(word) if !word.bytes().any(|byte| b",\"\r\n".contains(&byte)) => {
                out.extend_from_slice(word.as_bytes());
            }
            Cell::Name(word) | Cell::Word(word) => drop(write!(out, "\"{}\"", word.replace('"', "\"\""))),
        }
    }
}

/// Appends a line of CSV.
pub fn write_line<'a>(out: &mut Vec<u8>, cells: impl IntoIterator<Item = Cell<'a>>) {
    let begin = out.len();
    for (i, cell) in cells.into_iter().enumerate() {
        if i > 0 {
            out.push(b',');
        }
        cell.write(out);
    }
    // An empty line would not count as a row.
    if out.len() == begin {
        out.extend_from_slice(b"\"\"");
    }
    out.push(b'\n');
}

/// Definition of a column, from which all outputs follow; `F` makes its cell, a `fn(&Row) -> Cell`.
#[derive(Clone, Copy, Debug)]
pub struct Field<F> {
    /// Name of the column.
    pub name: &'static str,
    /// Unit; empty if there is none, or if it depends on other keys.
    pub unit: &'static str,
    /// Type of its cells.
    pub kind: Kind,
    /// The cell of a row.
    pub cell: F,
}

impl<F> Field<F> {
    /// A column of whole numbers.
    pub const fn count(name: &'static str, cell: F) -> Self {
        Field { name, unit: "", kind: Kind::Count, cell }
    }

    /// A column of numbers.
    pub const fn number(name: &'static str, unit: &'static str, cell: F) -> Self {
        Field { name, unit, kind: Kind::Number, cell }
    }

    /// A column of words.
    pub const fn word(name: &'static str, cell: F) -> Self {
        Field { name, unit: "", kind: Kind::Word, cell }
    }

    /// The column alone.
    pub fn column(&self) -> Column {
        Column::new(self.name, self.unit, self.kind)
    }
}

/// Text of a CSV file with a line for each row, whose cells `of` makes.
pub fn csv_text<F, R>(
    fields: &[Field<F>],
    rows: impl Iterator<Item = R>,
    of: impl for<'r> Fn(&F, &'r R) -> Cell<'r>,
) -> String {
    let mut out = Vec::new();
    write_line(&mut out, fields.iter().map(|field| Cell::Name(field.name)));
    rows.for_each(|row| write_line(&mut out, fields.iter().map(|field| of(&field.cell, &row))));
    String::from_utf8(out).unwrap_or_default()
}

/// Table of rows, whose cells `of` makes.
pub fn table_of<F, R>(
    fields: &[Field<F>],
    rows: impl Iterator<Item = R>,
    of: impl for<'r> Fn(&F, &'r R) -> Cell<'r>,
) -> Table {
    let mut table = Table::new(fields.iter().map(Field::column).collect());
    rows.for_each(|row| table.row(fields.iter().map(|field| of(&field.cell, &row))));
    table
}
