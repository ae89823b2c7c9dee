//! Tables in memory, by columns: cells of one kind beside each other.

use std::borrow::Cow;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::cell::{Cell, write_line};
use crate::number_text::number_text;

/// Type of a column's cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Whole numbers from 0.
    Count,
    /// Numbers; an empty cell is NaN in memory.
    Number,
    /// Words; an empty cell is the empty word.
    Word,
}

/// A column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Column {
    /// Name of the column.
    pub name: String,
    /// Its unit; empty: none, or one that other keys decide.
    pub unit: String,
    /// Type of its cells.
    pub kind: Kind,
}

impl Column {
    /// A column.
    pub fn new(name: impl Into<String>, unit: &str, kind: Kind) -> Self {
        Column { name: name.into(), unit: unit.to_owned(), kind }
    }
}

/// The cells of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Cells {
    /// See [`Kind::Count`].
    Count(Vec<u64>),
    /// See [`Kind::Number`].
    Number(Vec<f64>),
    /// See [`Kind::Word`].
    Word(Vec<Cow<'static, str>>),
}

impl Cells {
    fn new(kind: Kind) -> Self {
        match kind {
            Kind::Count => Cells::Count(Vec::new()),
            Kind::Number => Cells::Number(Vec::new()),
            Kind::Word => Cells::Word(Vec::new()),
        }
    }

    fn truncate(&mut self, rows: usize) {
        match self {
            Cells::Count(cells) => cells.truncate(rows),
            Cells::Number(cells) => cells.truncate(rows),
            Cells::Word(cells) => cells.truncate(rows),
        }
    }

    fn len(&self) -> usize {
        match self {
            Cells::Count(cells) => cells.len(),
            Cells::Number(cells) => cells.len(),
            Cells::Word(cells) => cells.len(),
        }
    }

    /// The cell of a row; a number that is none is empty.
    fn cell(&self, row: usize) -> Cell<'_> {
        match self {
            Cells::Count(cells) => Cell::Count(cells[row]),
            Cells::Number(cells) if cells[row].is_nan() => Cell::Empty,
            Cells::Number(cells) => Cell::Number(cells[row]),
            Cells::Word(cells) => Cell::Word(&cells[row]),
        }
    }

    /// The cell as a number; a word, and an empty cell, is NaN.
    pub fn number(&self, row: usize) -> f64 {
        match self {
            Cells::Count(cells) => cells.get(row).map_or(f64::NAN, |count| *count as f64),
            Cells::Number(cells) => cells.get(row).copied().unwrap_or(f64::NAN),
            Cells::Word(_) => f64::NAN,
        }
    }

    /// The cell as a word, if it is one.
    pub fn word(&self, row: usize) -> Option<&str> {
        match self {
            Cells::Word(cells) => cells.get(row).map(|word| &**word),
            _ => None,
        }
    }

    /// Whether two cells are there and the same.
    fn same(&self, row: usize, other: &Cells, at: usize) -> bool {
        row < self.len() && at < other.len() && self.cell(row) == other.cell(at)
    }
}

/// A table. Rows are filled cell by cell, in the order of columns.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    columns: Arc<[Column]>,
    cells: Vec<Cells>,
    at: usize,
}

impl Table {
    /// A table without rows.
    pub fn new(columns: Arc<[Column]>) -> Self {
        let cells = columns.iter().map(|column| Cells::new(column.kind)).collect();
        Table { columns, cells, at: 0 }
    }

    /// Columns of the table.
    pub fn columns(&self) -> &Arc<[Column]> {
        &self.columns
    }

    /// The cells of each column.
    pub fn cells(&self) -> &[Cells] {
        &self.cells
    }

    /// Whole rows.
    pub fn rows(&self) -> usize {
        self.cells.last().map_or(0, Cells::len)
    }

    /// Forgets all rows; room is kept.
    pub fn clear(&mut self) {
        self.truncate(0);
        self.at = 0;
    }

    /// Forgets the rows from one on.
    pub fn truncate(&mut self, rows: usize) {
        self.cells.iter_mut().for_each(|cells| cells.truncate(rows));
    }

    /// Adds a row.
    pub fn row<'a>(&mut self, cells: impl IntoIterator<Item = Cell<'a>>) {
        cells.into_iter().for_each(|cell| self.put(cell));
    }

    /// The next cell; a column takes what it can hold, else 0, NaN or the number's text.
    pub fn put(&mut self, cell: Cell) {
        let at = self.at;
        self.at = (at + 1) % self.cells.len().max(1);
        match (self.cells.get_mut(at), cell) {
            (Some(Cells::Count(cells)), Cell::Count(count)) => cells.push(count),
            (Some(Cells::Count(cells)), _) => cells.push(0),
            (Some(Cells::Number(cells)), Cell::Count(count)) => cells.push(count as f64),
            // −0 is 0 to every reader.
            (Some(Cells::Number(cells)), Cell::Number(number)) => cells.push(number + 0.0),
            (Some(Cells::Number(cells)), _) => cells.push(f64::NAN),
            (Some(Cells::Word(cells)), Cell::Name(word)) => cells.push(Cow::Borrowed(word)),
            (Some(Cells::Word(cells)), Cell::Word(word)) => cells.push(Cow::Owned(word.to_owned())),
            (Some(Cells::Word(cells)), Cell::Number(number)) => cells.push(Cow::Owned(number_text(number))),
            (Some(Cells::Word(cells)), _) => cells.push(Cow::Borrowed("")),
            (None, _) => {}
        }
    }

    /// Adds a row of a CSV file; an empty number is none. An error says what is wrong with the row, which is not added.
    pub fn read_row<'a>(&mut self, mut row: impl Iterator<Item = &'a str>) -> Result<(), String> {
        let read = |Column { name, kind, .. }: &Column| {
            let text = row.next().ok_or_else(|| format!("a row ends before column {name}"))?;
            let cell = match kind {
                Kind::Count => text.parse().map(Cell::Count).ok(),
                Kind::Number if text.is_empty() => Some(Cell::Empty),
                Kind::Number => text.parse().map(Cell::Number).ok(),
                Kind::Word => Some(Cell::Word(text)),
            };
            cell.ok_or_else(|| format!("`{text}` in column {name} is no number"))
        };
        let cells = self.columns.iter().map(read).collect::<Result<Vec<Cell>, String>>()?;
        self.row(cells);
        Ok(())
    }

    /// Adds the rows of a table with the same columns.
    pub fn append(&mut self, other: &Table) {
        for pair in self.cells.iter_mut().zip(&other.cells) {
            match pair {
                (Cells::Count(cells), Cells::Count(more)) => cells.extend(more),
                (Cells::Number(cells), Cells::Number(more)) => cells.extend(more),
                (Cells::Word(cells), Cells::Word(more)) => cells.extend(more.iter().cloned()),
                _ => {}
            }
        }
    }

    /// The column of a name.
    pub fn column(&self, name: &str) -> Option<&Cells> {
        let place = self.columns.iter().position(|column| column.name == name)?;
        self.cells.get(place)
    }

    /// The column in which row `row` is not row `at` of another table, if there is one.
    pub fn differs(&self, row: usize, other: &Table, at: usize) -> Option<&str> {
        let mut pairs = self.columns.iter().zip(self.cells.iter().zip(&other.cells));
        pairs.find(|(_, (a, b))| !a.same(row, b, at)).map(|(column, _)| column.name.as_str())
    }

    /// The first line of a CSV file.
    pub fn write_header(&self, out: &mut Vec<u8>) {
        write_line(out, self.columns.iter().map(|column| Cell::Word(&column.name)));
    }

    /// All rows as lines of CSV: numbers in their shortest form that reads back the same.
    pub fn write_rows(&self, out: &mut Vec<u8>) {
        (0..self.rows()).for_each(|row| write_line(out, self.cells.iter().map(|cells| cells.cell(row))));
    }
}
