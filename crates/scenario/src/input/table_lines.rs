//! The lines of a text that form its table: header, units below it, rows of numbers up to the next text.

use super::column_names::{are_units, bare};
use super::{Cells, Line, Span, comments, is_numeric, lines};

/// Largest number of lines of text above the numbers.
const MAX_TITLES: usize = 100;

/// Largest number of bytes of a line of names or units; a longer one is passed over.
const MAX_HEADER: usize = 1 << 20;

/// The first table of numbers in a text.
#[derive(Debug, Default)]
pub struct Block<'a> {
    /// The line that names the columns.
    pub head: Option<Line<'a>>,
    /// The line with their units below it.
    pub units: Option<Line<'a>>,
    /// The first line of numbers.
    pub first: Option<Line<'a>>,
    /// The line of text after the last one of numbers.
    pub end: Option<Line<'a>>,
    /// Lines of text between header and numbers that were passed over.
    pub passed: Vec<usize>,
}

impl<'a> Block<'a> {
    /// Finds the table in a text. `names`: whether a line can be the header; `holds`: whether it has numbers in the
    /// chosen columns, and so is a row. Lines above the header are titles. Below it the first number begins the table,
    /// and a line without numbers ends it.
    pub fn of(cells: &Cells<'a>, names: impl Fn(Line) -> bool, holds: impl Fn(Line) -> bool) -> Self {
        let mut block = Block::default();
        let mut rest = lines(cells.source);
        let mut found = false;
        for line in rest.by_ref().take(MAX_TITLES) {
            if is_row(cells, line.text) || holds(line) || found && is_mostly_numbers(cells, line.text) {
                block.first = Some(line);
                break;
            }
            if line.text.len() > MAX_HEADER {
                block.passed.push(line.number);
                continue;
            }
            let (named, widest) = (names(line), cells.filled(line) >= block.head.map_or(0, |head| cells.filled(head)));
            if block.head.is_some() && (found || !named) && are_units(cells.of(line.text).map(|(_, cell)| cell)) {
                // The line nearest to the header, if several are in brackets.
                block.units = block.units.or(Some(line));
                continue;
            }
            if named && !found || widest && (named || !found) {
                found |= named;
                block = Block { head: Some(line), units: None, passed: Vec::new(), ..block };
            } else if found {
                block.passed.push(line.number);
            }
        }
        // Programs such as numpy write the header as a comment.
        if let Some(first) = block.first.filter(|_| !found)
            && let Some(head) = comments(cells.source)
                .take_while(|line| line.start < first.start)
                .filter(|line| cells.filled(*line) == cells.filled(first))
                .take(MAX_TITLES)
                .filter(|line| names(*line))
                .last()
        {
            block.head = Some(head);
        }
        block.end = block.first.and_then(|first| end(cells, first, rest));
        block
    }

    /// Names of its columns; empty without a header. R writes no name above its column of quoted row names.
    pub fn names(&self, cells: &Cells<'a>) -> Vec<(usize, &'a str)> {
        let Some(head) = self.head else { return Vec::new() };
        let mut names: Vec<_> = cells.of(head.text).collect();
        let rows_are_named =
            |first: Line| first.text.trim_start().starts_with('"') && cells.of(first.text).count() == names.len() + 1;
        if self.first.is_some_and(rows_are_named) {
            names.insert(0, (0, ""));
        }
        names
    }

    /// Lines of numbers of the table.
    pub fn rows(&self, cells: &Cells<'a>) -> impl Iterator<Item = Line<'a>> + Clone {
        let from = self.first.map_or(usize::MAX, |line| line.start);
        let to = self.end.map_or(usize::MAX, |line| line.start);
        lines(cells.source).skip_while(move |line| line.start < from).take_while(move |line| line.start < to)
    }

    /// Notes on lines that were not read, except titles.
    pub fn notes(&self) -> Vec<String> {
        let passed = self.passed.iter().map(|number| format!("row {number} is text and was passed over"));
        let end = self.end.map(|line| {
            let text: String = line.text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(40).collect();
            format!("the table ends before row {} (`{text}`); what follows is not read", line.number)
        });
        passed.take(5).chain(end).collect()
    }

    /// The unit of a column in the line of units, with its position.
    pub fn unit(&self, cells: &Cells<'a>, column: usize) -> Option<(&'a str, Span)> {
        let line = self.units?;
        let (start, cell) = cells.of(line.text).nth(column).filter(|(_, cell)| !cell.is_empty())?;
        let unit = bare(cell);
        Some((unit, cells.span(line, start, unit.len())))
    }
}

/// The line that ends a table: the first one without a number; or the first of the last lines that begin with a word,
/// such as `Mean; 0.3; 1.2`, where rows begin with a number.
fn end<'a>(cells: &Cells<'a>, first: Line<'a>, rest: impl Iterator<Item = Line<'a>>) -> Option<Line<'a>> {
    let begins = |line: Line<'a>| cells.of(line.text).map(|(_, cell)| cell).find(|cell| !cell.is_empty()).unwrap_or("");
    let numbered = is_number(begins(first));
    let mut summary = None;
    for line in rest {
        if !has_number(cells, line.text) && !cells.of(line.text).all(|(_, cell)| is_missing(cell)) {
            return summary.or(Some(line));
        }
        let word = begins(line);
        let is_word = numbered && !is_missing(word) && word.starts_with(char::is_alphabetic) && !is_number(word);
        summary = if is_word { summary.or(Some(line)) } else { None };
    }
    summary
}

/// Whether all cells are numbers or marks of missing values.
fn is_row(cells: &Cells, text: &str) -> bool {
    let number = |cell: &str| is_missing(cell) || is_number(cell);
    is_numeric(text) || has_number(cells, text) && cells.of(text).all(|(_, cell)| number(cell))
}

fn is_number(cell: &str) -> bool {
    [false, true].iter().any(|comma| Cells::number(cell, *comma).is_some())
}

/// Whether all these columns (from 0) hold numbers in a line; false without columns.
pub fn holds_numbers(cells: &Cells, line: Line, columns: impl Iterator<Item = usize>) -> bool {
    let mut columns = columns.peekable();
    let number = |column: usize| cells.of(line.text).nth(column).is_some_and(|(_, cell)| is_number(cell));
    columns.peek().is_some() && columns.all(number)
}

/// Whether a line has a number.
fn has_number(cells: &Cells, text: &str) -> bool {
    cells.of(text).any(|(_, cell)| cell.bytes().any(|b| b.is_ascii_digit()) && is_number(cell))
}

/// Whether more cells are numbers than text.
fn is_mostly_numbers(cells: &Cells, text: &str) -> bool {
    let (mut numbers, mut words) = (0, 0);
    for (_, cell) in cells.of(text).filter(|(_, cell)| !is_missing(cell)) {
        *(if is_number(cell) { &mut numbers } else { &mut words }) += 1;
    }
    numbers > words
}

/// Marks of missing values that trackers and spreadsheets write.
const MISSING: [&str; 11] = ["", "-", "--", "nan", "na", "n/a", "#n/a", "#div/0!", "#value!", "null", "none"];

/// Whether a cell is a mark of a missing value.
pub fn is_missing(cell: &str) -> bool {
    MISSING.iter().any(|blank| cell.eq_ignore_ascii_case(blank))
}

/// The first `most` names with commas between them, and … for the others.
pub fn first_few(names: impl Iterator<Item = String>, most: usize) -> String {
    let mut shown: Vec<String> = names.take(most + 1).collect();
    if let Some(more) = shown.get_mut(most) {
        "…".clone_into(more);
    }
    shown.join(", ")
}

/// The first twelve names, such as those of columns, for a message.
pub fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    first_few(names.map(|name| format!("`{}`", name.chars().take(40).collect::<String>())), 12)
}

/// Largest number of rows that a message names.
const NAMED: usize = 5;

/// Note on rows by their numbers; `None` for no rows.
pub fn named_rows(rows: &[usize], one: &str, many: &str, so: &str) -> Option<String> {
    let named = first_few(rows.iter().map(ToString::to_string), NAMED);
    match rows.len() {
        0 => None,
        1 => Some(format!("row {named} {one}; {so}")),
        count => Some(format!("{count} rows {many} ({named}); {so}")),
    }
}
