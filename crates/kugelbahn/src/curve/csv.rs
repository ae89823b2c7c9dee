//! Points from a table of text: `kind = "csv"`.

use std::path::Path;

use nalgebra::Vector2;

use super::points::Points;
use super::{Kind, Names, Parts};
use crate::input::{Files, InputError, Reader, Source, Span, Value, number, plain, read_file, wrong_type};

/// Tables of a million rows are fine.
const CSV_FILE: Files = Files { kind: "table of numbers (CSV)", max_bytes: 128 << 20 };

/// Names of units and their length in m.
const UNITS: [(&str, f64); 9] = [
    ("m", 1.0),
    ("mm", 1e-3),
    ("cm", 1e-2),
    ("dm", 1e-1),
    ("km", 1e3),
    ("um", 1e-6),
    ("µm", 1e-6),
    ("in", 0.0254),
    ("ft", 0.3048),
];

impl Parts {
    pub(super) fn csv(&mut self, reader: &mut Reader, base: &Path, names: Names) -> Result<(), InputError> {
        let node = reader.need("file", "the path of a table of points, one a row")?;
        let Value::String(path) = &node.value else { return Err(wrong_type(node, "file", "a path")) };
        self.count_file(&node.span)?;
        let source = read_file(&base.join(&**path), "table", Some(&node.span), CSV_FILE)?;
        let choices =
            [("polyline", Kind::Polyline), ("spline", Kind::Spline), ("smoothing-spline", Kind::SmoothingSpline)];
        reader.need("as", "\"polyline\", \"spline\" or \"smoothing-spline\": what to make of the points")?;
        let kind = reader.choice("as", &choices)?.unwrap_or(Kind::Polyline);
        let unit = reader.choice("unit", &UNITS)?.unwrap_or(1.0);
        let by_x = reader.choice("order", &[("x", true), ("as-written", false)])?.unwrap_or(true);
        let columns = columns(reader)?;
        let table = Table { source: &source, separator: separator(&source) };
        let rows = table.rows(columns, unit, &node.span)?;
        check_order(&rows, by_x)?;
        let points = rows.iter().map(|row| row.point).collect();
        let place = |i: usize| rows[i].span.clone();
        let name = |i: usize| format!("row {}", rows[i].number);
        self.through(kind, reader, Points { points, whole: &node.span, place: &place, name: &name }, names)
    }
}

/// The key `columns`: names, or numbers from 1.
fn columns(reader: &mut Reader) -> Result<Option<[Column; 2]>, InputError> {
    let Some(node) = reader.get("columns") else { return Ok(None) };
    let wrong = || wrong_type(node, "columns", "two names or numbers [x, y]");
    let Value::Array(items) = &node.value else { return Err(wrong()) };
    let [x, y] = items.as_slice() else { return Err(wrong()) };
    let column = |node: &crate::input::Node| match &node.value {
        Value::String(name) => Ok(Column { key: Key::Name(name.to_string()), span: node.span.clone() }),
        _ => match number(node, "columns")? {
            i if (1.0..=1e4).contains(&i) && i.fract() == 0.0 => {
                Ok(Column { key: Key::Number(i as usize - 1), span: node.span.clone() })
            }
            i => Err(InputError::new(&node.span, format!("there is no column {}", plain(i)), "a number from 1")),
        },
    };
    Ok(Some([column(x)?, column(y)?]))
}

struct Column {
    key: Key,
    span: Span,
}

enum Key {
    Name(String),
    Number(usize),
}

struct Row {
    /// Line of the file, from 1.
    number: usize,
    point: Vector2<f64>,
    span: Span,
}

/// A line with something in it, and where it begins.
#[derive(Clone, Copy)]
struct Line<'a> {
    number: usize,
    start: usize,
    text: &'a str,
}

struct Table<'a> {
    source: &'a Source,
    separator: Separator,
}

#[derive(Clone, Copy, PartialEq)]
enum Separator {
    Character(char),
    /// Any number of blanks.
    Blank,
}

/// Lines other than empty ones and comments (`#`).
fn lines(source: &Source) -> impl Iterator<Item = Line<'_>> + Clone {
    let mut start = 0;
    let lines = source.text().split('\n').enumerate().map(move |(i, text)| {
        let line = Line { number: i + 1, start, text: text.trim_end_matches('\r') };
        start += text.len() + 1;
        line
    });
    // A byte order mark is no text.
    let lines = lines.map(|line| match line.text.strip_prefix('\u{feff}') {
        Some(text) => Line { start: line.start + '\u{feff}'.len_utf8(), text, ..line },
        None => line,
    });
    lines.filter(|line| !line.text.trim().is_empty() && !line.text.trim_start().starts_with('#'))
}

/// Whether a line consists of numbers and separators alone.
fn is_numeric(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_digit() || b" \t,;.+-eE\"".contains(&b)) && text.bytes().any(|b| b.is_ascii_digit())
}

/// Whether quotes hold a comma.
fn comma_in_quotes(text: &str) -> bool {
    text.contains('"') && text.split('"').skip(1).step_by(2).any(|inside| inside.contains(','))
}

/// What stands between cells, from the first line of numbers.
fn separator(source: &Source) -> Separator {
    let sample = lines(source).take(100).find(|line| is_numeric(line.text)).or_else(|| lines(source).next());
    let Some(Line { text, .. }) = sample else { return Separator::Blank };
    if let Some(character) = [';', '\t'].into_iter().find(|c| text.contains(*c)) {
        return Separator::Character(character);
    }
    // Blanks with decimal commas: every part is a number as it stands.
    let parts: Vec<&str> = text.split_whitespace().collect();
    let decimal = |part: &&str| part.matches(',').count() <= 1 && part.replace(',', ".").parse::<f64>().is_ok();
    let whole = |part: &&str| !part.starts_with(',') && !part.ends_with(',');
    if !text.contains(',') || (parts.len() > 1 && parts.iter().all(|part| decimal(part) && whole(part))) {
        return Separator::Blank;
    }
    Separator::Character(',')
}

impl<'a> Table<'a> {
    /// The cells of a line with their places in it, quotes and blanks around them left out.
    fn cells(&self, text: &'a str) -> impl Iterator<Item = (usize, &'a str)> {
        let blank = self.separator == Separator::Blank;
        let split = move |c: char| match self.separator {
            Separator::Character(separator) => c == separator,
            Separator::Blank => c.is_whitespace(),
        };
        let trim = |c: char| c.is_whitespace() || c == '"';
        let mut at = 0;
        let cells = text.split_inclusive(split).map(move |part| {
            let cell = part.trim_start_matches(trim);
            let start = at + part.len() - cell.len();
            at += part.len();
            (start, cell.trim_end_matches(split).trim_end_matches(trim))
        });
        cells.filter(move |(_, cell)| !(blank && cell.is_empty()))
    }

    fn span(&self, line: Line, start: usize, length: usize) -> Span {
        let at = line.start + start;
        Span { source: self.source.clone(), range: at..at + length }
    }

    fn rows(&self, columns: Option<[Column; 2]>, unit: f64, from: &Span) -> Result<Vec<Row>, InputError> {
        let mut lines = lines(self.source).peekable();
        let Some(first) = lines.peek().copied() else {
            let message = format!("the table {} is empty", self.source.name());
            return Err(InputError::new(from, message, "a file with a point in each row"));
        };
        let number = |cell: &str| cell.replace(',', ".").parse::<f64>().is_ok();
        let cells: Vec<(usize, &str)> = self.cells(first.text).collect();
        let (places, units) = if cells.iter().any(|(_, cell)| number(cell)) {
            let place = |column: Column| match column.key {
                Key::Number(i) => Ok(i),
                Key::Name(name) => {
                    let message = format!("there is no column `{name}`: the table has no header");
                    Err(InputError::new(&column.span, message, "a number of a column, from 1"))
                }
            };
            match columns {
                Some([x, y]) => ([place(x)?, place(y)?], [unit; 2]),
                None if cells.iter().filter(|(_, cell)| !cell.is_empty()).count() > 2 => {
                    let span = self.span(first, 0, first.text.len());
                    let message = format!("which columns are x and y? There are {} and no header", cells.len());
                    let help = "name them: columns = [1, 2]; decimal commas need another separator, such as ;";
                    return Err(InputError::new(&span, message, "this row").with_help(help));
                }
                None => ([0, 1], [unit; 2]),
            }
        } else {
            lines.next();
            self.header(first, &cells, columns, unit)?
        };
        // Between blanks or semicolons a comma can only be a decimal one; then there are no points.
        let comma = self.separator != Separator::Character(',') && lines.clone().any(|line| line.text.contains(','));
        let mut rows = Vec::new();
        for line in lines {
            if self.separator == Separator::Character(',') && comma_in_quotes(line.text) {
                let message = format!("row {}: a comma inside quotes can't be told from a separator", line.number);
                let help = "separate the cells by ; or write decimal points";
                return Err(InputError::new(&self.span(line, 0, line.text.len()), message, "this row").with_help(help));
            }
            let mut point = Vector2::zeros();
            for (axis, (place, unit)) in places.into_iter().zip(units).enumerate() {
                let Some((start, cell)) = self.cells(line.text).nth(place) else {
                    let (row, found) = (line.number, self.cells(line.text).count());
                    let message = format!("row {row} has no column {}, only {found}", place + 1);
                    return Err(InputError::new(&self.span(line, 0, line.text.len()), message, "a cell is missing"));
                };
                let value = match comma {
                    true if cell.contains('.') => None,
                    true => cell.replacen(',', ".", 1).parse::<f64>().ok(),
                    false => cell.parse::<f64>().ok(),
                };
                point[axis] = match value {
                    Some(value) if value.is_finite() => value * unit,
                    _ => {
                        let message =
                            format!("row {}, column {}: `{cell}` is no finite number", line.number, place + 1);
                        let label = if comma { "a number with a decimal comma" } else { "a number" };
                        return Err(InputError::new(&self.span(line, start, cell.len()), message, label));
                    }
                };
            }
            rows.push(Row { number: line.number, point, span: self.span(line, 0, line.text.len()) });
        }
        Ok(rows)
    }

    /// Which columns are x and y, and in which units.
    fn header(
        &self,
        line: Line,
        cells: &[(usize, &str)],
        columns: Option<[Column; 2]>,
        unit: f64,
    ) -> Result<([usize; 2], [f64; 2]), InputError> {
        let names: Vec<&str> =
            cells.iter().map(|(_, cell)| cell.split(['[', '(']).next().unwrap_or("").trim()).collect();
        let find = |wanted: &str| names.iter().position(|name| name.eq_ignore_ascii_case(wanted));
        let listed = || names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        let places = match columns {
            Some(columns) => {
                let place = |column: &Column| match &column.key {
                    Key::Number(i) => Ok(*i),
                    Key::Name(name) => find(name).ok_or_else(|| {
                        let message = format!("there is no column `{name}`");
                        InputError::new(&column.span, message, format!("one of {}", listed()))
                    }),
                };
                [place(&columns[0])?, place(&columns[1])?]
            }
            None => match (find("x"), find("y")) {
                (Some(x), Some(y)) => [x, y],
                _ if names.len() == 2 => [0, 1],
                _ => {
                    let span = self.span(line, 0, line.text.len());
                    let message = format!("which columns are x and y? There are {}", listed());
                    let help = "name them: columns = [\"…\", \"…\"]";
                    return Err(InputError::new(&span, message, "this header").with_help(help));
                }
            },
        };
        let mut units = [unit; 2];
        for (place, unit) in places.into_iter().zip(&mut units) {
            let Some((start, cell)) = cells.get(place) else { continue };
            let Some((_, inside)) = cell.split_once(['[', '(']) else { continue };
            let name = inside.trim_end_matches([']', ')']).trim();
            *unit = UNITS.iter().find(|(known, _)| *known == name).map(|(_, length)| *length).ok_or_else(|| {
                let known = UNITS.map(|(name, _)| name).join(", ");
                InputError::new(&self.span(line, *start, cell.len()), format!("unknown unit `{name}`"), known)
            })?;
        }
        Ok((places, units))
    }
}

/// Refuses points out of order, or twice the same.
fn check_order(rows: &[Row], by_x: bool) -> Result<(), InputError> {
    for pair in rows.windows(2) {
        let (before, row) = (&pair[0], &pair[1]);
        let (from, to) = (before.point, row.point);
        let fault = if from == to {
            format!("row {} doubles row {}", row.number, before.number)
        } else if by_x && !(to.x > from.x) {
            format!(
                "row {} is out of order: x = {} m after {} m in row {}",
                row.number,
                plain(to.x),
                plain(from.x),
                before.number
            )
        } else {
            continue;
        };
        let help = "leave the row out or sort the table; order = \"as-written\" allows any order of x, free side left \
                    of travel";
        return Err(InputError::new(&row.span, fault, "this row").with_help(help));
    }
    Ok(())
}
