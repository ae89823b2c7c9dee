//! Places of a ball over time from a table of text: plain CSV, or what Tracker exports.
//!
//! Tracker writes the name of the track (`mass A`), then `t`, `x`, `y` between tabs, then rows, blank where it lost the ball.

use std::path::Path;

use crate::input::{
    CSV_FILE, Cells, InputError, Line, Separator, Source, Span, UNITS, comma_in_quotes, is_numeric, lines, plain,
    read_file,
};

/// How a table is to be read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reading<'a> {
    /// `t,x,y`: names or numbers (from 1) of columns, `-` for a coordinate that is not there.
    pub columns: Option<&'a str>,
    /// Standard deviation of a place: a number, or the name of a column.
    pub sigma: Option<&'a str>,
    /// Of places that have none in the header.
    pub unit: Option<&'a str>,
    /// Time of the table at which the scenario starts, s; by default that of the first place.
    pub start: Option<f64>,
}

/// A table as read.
#[derive(Clone, Debug)]
pub struct Data {
    /// Its file.
    pub name: String,
    /// Rows with a place, times growing.
    pub rows: Vec<Row>,
    /// Rows without, or from before the start.
    pub left_out: usize,
    /// Time of the table at which the scenario starts, s.
    pub start: f64,
    /// Whether places are in pixels, else in m.
    pub pixels: bool,
    /// Whether sigmas were given.
    pub weighted: bool,
}

/// Where the ball was seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// Line of the file, from 1.
    pub line: usize,
    /// Since the start, s.
    pub time: f64,
    /// m or pixels; NaN: not seen.
    pub place: [f64; 2],
    /// Standard deviation of a coordinate, in the unit of places; 1 if none is given.
    pub sigma: f64,
}

impl Data {
    /// `"px"` or `"m"`.
    pub fn unit(&self) -> &'static str {
        if self.pixels { "px" } else { "m" }
    }

    /// When the ball was seen last, s since the start.
    pub fn end(&self) -> f64 {
        self.rows.last().map_or(0.0, |row| row.time)
    }

    /// Coordinates seen: index of the row, axis, value.
    pub fn seen(&self) -> impl Iterator<Item = (usize, usize, f64)> {
        let both = self.rows.iter().enumerate().flat_map(|(i, row)| [(i, 0, row.place[0]), (i, 1, row.place[1])]);
        both.filter(|(.., value)| value.is_finite())
    }

    /// The larger side of the box that holds all places.
    pub fn extent(&self) -> f64 {
        let side = |axis: usize| {
            let values = self.seen().filter(|(_, a, _)| *a == axis).map(|(.., value)| value);
            let (low, high) =
                values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
            (high - low).max(0.0)
        };
        side(0).max(side(1))
    }

    /// Standard deviation of what is no smooth motion, as a part of sigma: each place against the parabola through the three
    /// before it. By the median, so that bounces and outliers count little. `None`: too few rows.
    pub fn noise(&self) -> Option<f64> {
        let mut parts = Vec::new();
        for axis in [0, 1] {
            let seen: Vec<(f64, f64, f64)> = self
                .seen()
                .filter(|(_, a, _)| *a == axis)
                .map(|(i, _, value)| (self.rows[i].time, value, self.rows[i].sigma))
                .collect();
            for four in seen.windows(4) {
                // Lagrange's weights for the last of four.
                let weight = |k: usize| {
                    let others = (0..3).filter(|j| *j != k);
                    others.map(|j| (four[3].0 - four[j].0) / (four[k].0 - four[j].0)).product::<f64>()
                };
                let weights = [weight(0), weight(1), weight(2)];
                let off = four[3].1 - (0..3).map(|k| weights[k] * four[k].1).sum::<f64>();
                let size = four[3].2.powi(2) + (0..3).map(|k| (weights[k] * four[k].2).powi(2)).sum::<f64>();
                parts.push(off.abs() / size.sqrt());
            }
        }
        median(&mut parts).map(|median| NORMAL * median)
    }
}

/// Standard deviation of a normal distribution over the median of its absolute values.
pub(super) const NORMAL: f64 = 1.482602218505602;

/// The middle of some numbers.
pub(super) fn median(values: &mut [f64]) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}

/// Units of time in s.
const TIMES: [(&str, f64); 4] = [("s", 1.0), ("ms", 1e-3), ("min", 60.0), ("us", 1e-6)];
const PIXELS: [&str; 3] = ["px", "pixel", "pixels"];
/// What stands for a place that is not there.
const BLANKS: [&str; 7] = ["", "-", "nan", "na", "n/a", "null", "none"];

/// Reads a table.
pub fn load(path: &Path, reading: &Reading) -> Result<Data, InputError> {
    read(&read_file(path, "table", None, CSV_FILE)?, reading)
}

/// Reads a table from text.
pub fn read(source: &Source, reading: &Reading) -> Result<Data, InputError> {
    let cells = Cells::new(source);
    let mut rest = lines(source);
    let Some(first) = rest.clone().next() else {
        return Err(InputError::without_place(format!("the table {} is empty", source.name()))
            .with_help("give a file with rows of t, x, y"));
    };
    let whole = cells.span(first, 0, first.text.len());
    let asked = reading.columns.map(columns).transpose()?;
    // Names of tracks and other text above the header are passed over.
    let mut head: Option<Line> = None;
    let mut first_row = None;
    for line in rest.by_ref() {
        if is_numeric(line.text) {
            first_row = Some(line);
            break;
        }
        head = Some(line);
        if layout(&cells, [Some(line), None], asked.as_ref(), reading, &whole).is_ok() {
            break;
        }
    }
    let layout = layout(&cells, [head, first_row], asked.as_ref(), reading, &whole)?;
    let body = first_row.into_iter().chain(rest);
    let comma = cells.decimal_commas(body.clone());
    let mut data = Data {
        name: source.name().to_owned(),
        rows: Vec::new(),
        left_out: 0,
        start: 0.0,
        pixels: layout.pixels,
        weighted: reading.sigma.is_some(),
    };
    let mut spans = Vec::new();
    let mut last: Option<(f64, usize)> = None;
    let mut count = 0;
    for line in body {
        count += 1;
        let row = Reader { cells: &cells, line, comma }.row(&layout)?;
        let Some((time, row)) = row else {
            data.left_out += 1;
            continue;
        };
        if let Some((before, number)) = last.filter(|(before, _)| !(time > *before)) {
            let message = format!(
                "row {}: t = {} s comes after t = {} s in row {number}",
                line.number,
                plain(time),
                plain(before)
            );
            return Err(InputError::new(&cells.span(line, 0, line.text.len()), message, "time must grow")
                .with_help("sort the table by time, and leave out rows that are there twice"));
        }
        last = Some((time, line.number));
        if row.place.iter().any(|c| c.is_finite()) {
            data.rows.push(row);
            spans.push(cells.span(line, 0, line.text.len()));
        } else {
            data.left_out += 1;
        }
    }
    if count == 0 {
        let message = format!("the table {} has no row of numbers", source.name());
        return Err(InputError::new(&whole, message, "this is all").with_help("give rows of t, x, y below the header"));
    }
    let (Some(begin), Some(end)) = (data.rows.first().copied(), data.rows.last().copied()) else {
        let message = format!("no row of the table {} has a place", source.name());
        return Err(InputError::new(&whole, message, format!("{count} rows without")));
    };
    data.start = reading.start.unwrap_or(begin.time);
    let before = data.rows.iter().take_while(|row| row.time < data.start).count();
    if data.rows.len() - before < 2 {
        let message = match (data.rows.len(), before) {
            (1, 0) => "one row says nothing of a motion".to_owned(),
            (_, 0) => format!("{} rows with a place say nothing of a motion", data.rows.len()),
            _ => format!("the table ends at t = {} s, and the start is t = {} s", plain(end.time), plain(data.start)),
        };
        return Err(InputError::new(&spans[0], message, "at least two rows after the start"));
    }
    data.rows.drain(..before);
    data.left_out += before;
    let start = data.start;
    data.rows.iter_mut().for_each(|row| row.time -= start);
    Ok(data)
}

/// A column as asked for.
#[derive(Clone)]
enum Key {
    Name(String),
    Number(usize),
}

/// Time, x, y as asked for.
struct Asked {
    keys: [Option<Key>; 3],
    span: Span,
}

fn columns(text: &str) -> Result<Asked, InputError> {
    let source = Source::new("--columns", text.to_owned());
    let span = Span { source, range: 0..text.len() };
    let wrong = |message: String| {
        InputError::new(&span, message, "expected T,X,Y")
            .with_help("name the columns of time and place, or number them from 1, such as --columns 1,3,4; - for none")
    };
    let parts: Vec<&str> = text.split(',').map(str::trim).collect();
    let [t, x, y] = parts.as_slice() else { return Err(wrong(format!("`{text}` is not three columns"))) };
    let key = |part: &str| match (part, part.parse::<usize>()) {
        ("-", _) => Ok(None),
        ("", _) | (_, Ok(0)) => Err(wrong(format!("`{part}` is no column"))),
        (_, Ok(number)) => Ok(Some(Key::Number(number - 1))),
        (name, Err(_)) => Ok(Some(Key::Name(name.to_owned()))),
    };
    let keys = [key(t)?, key(x)?, key(y)?];
    if keys[0].is_none() || (keys[1].is_none() && keys[2].is_none()) {
        return Err(wrong("a column of time and one of places are needed".to_owned()));
    }
    Ok(Asked { keys, span })
}

/// Which columns hold what, and their units in s and m.
struct Layout {
    time: (usize, f64),
    places: [Option<(usize, f64)>; 2],
    pixels: bool,
    sigma: Sigma,
}

enum Sigma {
    Value(f64),
    Column(usize, f64),
}

/// Of a header, or of a table that has none.
fn layout(
    cells: &Cells,
    [head, first_row]: [Option<Line>; 2],
    asked: Option<&Asked>,
    reading: &Reading,
    whole: &Span,
) -> Result<Layout, InputError> {
    let found: Vec<(usize, &str)> = head.map(|line| cells.of(line.text).collect()).unwrap_or_default();
    let names: Vec<&str> = found.iter().map(|(_, cell)| cell.split(['[', '(']).next().unwrap_or("").trim()).collect();
    let find = |wanted: &str| names.iter().position(|name| name.eq_ignore_ascii_case(wanted));
    let place = head.or(first_row).map_or_else(|| whole.clone(), |line| cells.span(line, 0, line.text.len()));
    let listed = || match (head, first_row) {
        (Some(_), _) => names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "),
        (None, Some(line)) => format!("no header above {} columns", cells.of(line.text).count()),
        (None, None) => "no header".to_owned(),
    };
    let place_of = |key: &Key, span: &Span| match key {
        Key::Number(i) => Ok(*i),
        Key::Name(name) => find(name).ok_or_else(|| {
            InputError::new(span, format!("there is no column `{name}`"), format!("there is {}", listed()))
        }),
    };
    let [time, x, y] = match asked {
        Some(asked) => {
            let at = |key: &Option<Key>| key.as_ref().map(|key| place_of(key, &asked.span)).transpose();
            [at(&asked.keys[0])?, at(&asked.keys[1])?, at(&asked.keys[2])?]
        }
        None if head.is_some() => [["t", "time", "zeit"].iter().find_map(|name| find(name)), find("x"), find("y")],
        None if first_row.is_some_and(|line| cells.of(line.text).count() == 3) => [Some(0), Some(1), Some(2)],
        None => [None; 3],
    };
    let (Some(time), true) = (time, x.is_some() || y.is_some()) else {
        let message = format!("which columns are time and place? There is {}", listed());
        return Err(InputError::new(&place, message, "expected a header such as t, x, y")
            .with_help("name them: --columns T,X,Y, names or numbers from 1, - for a coordinate that is not there"));
    };
    let unit = |column: usize| {
        let (start, cell) = found.get(column)?;
        let (_, inside) = cell.split_once(['[', '('])?;
        Some((inside.trim_end_matches([']', ')']).trim(), cells.span(head?, *start, cell.len())))
    };
    let known = |name: &str, units: &[(&str, f64)]| units.iter().find(|(unit, _)| *unit == name).map(|(_, size)| *size);
    let unknown = |name: &str, span: &Span, units: &[(&str, f64)]| {
        let names = units.iter().map(|(unit, _)| *unit).collect::<Vec<_>>().join(", ");
        InputError::new(span, format!("unknown unit `{name}`"), format!("one of {names}"))
    };
    let seconds = match unit(time) {
        None => 1.0,
        Some((name, span)) => known(name, &TIMES).ok_or_else(|| unknown(name, &span, &TIMES))?,
    };
    let option = |text: &str| Span { source: Source::new("--unit", text.to_owned()), range: 0..text.len() };
    let by_default = reading.unit.map(|name| (name, option(name)));
    // Size in m, or that there are pixels.
    let size = |column: usize| match unit(column).or_else(|| by_default.clone()) {
        None => Ok((1.0, false)),
        Some((name, _)) if PIXELS.contains(&name) => Ok((1.0, true)),
        Some((name, span)) => {
            Ok((known(name, &UNITS).ok_or_else(|| unknown(&format!("{name}` or `px"), &span, &UNITS))?, false))
        }
    };
    let sizes = [x.map(size).transpose()?, y.map(size).transpose()?];
    let pixels = sizes.iter().flatten().any(|(_, pixels)| *pixels);
    if pixels && sizes.iter().flatten().any(|(_, pixels)| !pixels) {
        return Err(InputError::new(&place, "one coordinate is in pixels, the other is not", "give one unit for both"));
    }
    let of_places = sizes.iter().flatten().next().map_or(1.0, |(size, _)| *size);
    let sigma = match reading.sigma {
        None => Sigma::Value(1.0),
        Some(text) => match text.parse::<f64>() {
            Ok(value) if value > 0.0 && value.is_finite() => Sigma::Value(value * of_places),
            Ok(value) => {
                let message = format!("--sigma {} is not allowed", plain(value));
                return Err(InputError::without_place(message).with_help("give a positive length, or a column"));
            }
            Err(_) => {
                let span = Span { source: Source::new("--sigma", text.to_owned()), range: 0..text.len() };
                let column = place_of(&Key::Name(text.to_owned()), &span)?;
                let size = if unit(column).is_some() { size(column)?.0 } else { of_places };
                Sigma::Column(column, size)
            }
        },
    };
    let places = [x.zip(sizes[0]), y.zip(sizes[1])].map(|place| place.map(|(column, (size, _))| (column, size)));
    Ok(Layout { time: (time, seconds), places, pixels, sigma })
}

/// A line of numbers.
struct Reader<'a> {
    cells: &'a Cells<'a>,
    line: Line<'a>,
    comma: bool,
}

impl Reader<'_> {
    /// Time of the table and the row; `None`: nothing in it.
    fn row(&self, layout: &Layout) -> Result<Option<(f64, Row)>, InputError> {
        let Reader { cells, line, .. } = *self;
        if cells.separator == Separator::Character(',') && comma_in_quotes(line.text) {
            let message = format!("row {}: a comma inside quotes can't be told from a separator", line.number);
            let help = "separate the cells by ; or write decimal points";
            return Err(InputError::new(&self.span(), message, "this row").with_help(help));
        }
        let time = self.number(layout.time.0)?;
        let mut place = [f64::NAN; 2];
        for (place, column) in place.iter_mut().zip(layout.places) {
            if let Some((column, size)) = column {
                *place = self.number(column)?.map_or(f64::NAN, |value| value * size);
            }
        }
        let Some(time) = time else {
            if place.iter().any(|c| c.is_finite()) {
                let message = format!("row {} has a place and no time", line.number);
                return Err(InputError::new(&self.span(), message, "give its time, or leave the row out"));
            }
            return Ok(None);
        };
        let sigma = match layout.sigma {
            Sigma::Value(value) => value,
            Sigma::Column(column, size) => match self.number(column)? {
                Some(value) if value > 0.0 => value * size,
                None if place.iter().all(|c| c.is_nan()) => 1.0,
                _ => {
                    let message = format!("row {}: its sigma is not positive", line.number);
                    return Err(InputError::new(&self.span(), message, "a standard deviation above 0"));
                }
            },
        };
        let time = time * layout.time.1;
        Ok(Some((time, Row { line: line.number, time, place, sigma })))
    }

    fn span(&self) -> Span {
        self.cells.span(self.line, 0, self.line.text.len())
    }

    /// The number in a column; `None`: it is blank.
    fn number(&self, column: usize) -> Result<Option<f64>, InputError> {
        let Some((start, cell)) = self.cells.of(self.line.text).nth(column) else {
            if self.cells.separator == Separator::Blank {
                let count = self.cells.of(self.line.text).count();
                let message = format!("row {} has no column {}, only {count}", self.line.number, column + 1);
                return Err(InputError::new(&self.span(), message, "a cell is missing"));
            }
            return Ok(None);
        };
        if BLANKS.contains(&cell.to_ascii_lowercase().as_str()) {
            return Ok(None);
        }
        match Cells::number(cell, self.comma).filter(|value| value.is_finite()) {
            Some(value) => Ok(Some(value)),
            None => {
                let message = format!("row {}, column {}: `{cell}` is no finite number", self.line.number, column + 1);
                let label = if self.comma { "a number with a decimal comma" } else { "a number" };
                Err(InputError::new(&self.cells.span(self.line, start, cell.len()), message, label))
            }
        }
    }
}
