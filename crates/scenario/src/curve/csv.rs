//! Points from a table of text: `kind = "csv"`.

use std::collections::HashMap;
use std::path::Path;

use nalgebra::Vector2;

use super::file_of;
use super::parts::{Kind, Names, Parts};
use super::points::{Points, points_as};
use super::survey::{ANGLE, DISTANCE, Survey};
use crate::input::{
    Block, CSV_FILE, Cells, Heading, InputError, Line, MAX_COLUMNS, Node, Reader, Separator, Span, Text, UNITS, Unit,
    Value, comma_in_quotes, listed, number, plain, read_table, wrong_type,
};

/// Rows of a table: more take too much memory.
const MAX_ROWS: usize = 1_000_000;

impl Parts {
    pub(super) fn csv(&mut self, reader: &mut Reader, base: &Path, names: Names) -> Result<(), InputError> {
        let node = reader.need("file", "the path of a table of points, one a row")?;
        let Value::String(path) = &node.value else { return Err(wrong_type(node, "file", "a path")) };
        self.count_file(&node.span)?;
        let track = reader.string("track")?;
        let Text { source, notes } = read_table(&file_of(path, base), Some(&node.span), CSV_FILE, track)?;
        self.notes.extend(notes);
        let kind = points_as(reader)?;
        let unit = reader.choice("unit", &UNITS)?.unwrap_or(1.0);
        let survey = Survey::read(reader)?;
        let closed = reader.flag("closed")?.unwrap_or(false);
        let order = reader.choice("order", &[("x", true), ("as-written", false)])?;
        let by_x = order.unwrap_or(!closed && survey.is_none());
        if closed && kind == Kind::SmoothingSpline {
            let help = "take as = \"spline\", or leave `closed` out";
            return Err(InputError::new(reader.span(), "a smoothing spline has two ends", "`closed`").with_help(help));
        }
        let columns = columns(reader)?;
        let (several, one) = (reader.get("curve-column"), reader.string("curve")?);
        let column = several.map(|node| column_of(node, "curve-column")).transpose()?;
        let (rows, notes) = rows(&Cells::new(&source), columns, column.as_ref(), (unit, survey), &node.span)?;
        self.notes.extend(notes);
        if column.is_none() && one.is_some() {
            let message = "`curve` needs `curve-column`";
            return Err(InputError::new(reader.span(), message, "the column with the names of curves"));
        }
        if column.is_some() && rows.is_empty() {
            let message = format!("the table {} has no row with a point", source.name());
            return Err(InputError::new(&node.span, message, "a row for each point"));
        }
        let curves = if column.is_some() { by_curve(rows) } else { vec![(String::new(), rows)] };
        if let Some(one) = one.filter(|one| curves.iter().all(|(curve, _)| curve != one)) {
            let span = reader.get("curve").map_or(reader.span(), |node| &node.span);
            let known = listed(curves.iter().map(|(curve, _)| curve.as_str()));
            return Err(InputError::new(span, format!("the table has no curve `{one}`"), format!("one of {known}")));
        }
        for (curve, mut rows) in curves {
            if one.is_some_and(|one| one != curve) {
                continue;
            }
            if column.is_some() && one.is_none() {
                let Some(first) = rows.first() else { continue };
                self.begin(curve.clone(), vec![("curve", Value::String(curve.as_str().into()))], &first.span)?;
            }
            if by_x && rows.len() > 1 && rows.windows(2).all(|pair| pair[1].point.x < pair[0].point.x) {
                self.notes.push("x falls from row to row: the table was read from its last row on".to_owned());
                rows.reverse();
            }
            let of_curve = |error: InputError| match column {
                Some(_) => error.after(&format!("{curve}: ")),
                None => error,
            };
            if survey.is_none() {
                self.notes.extend(leave_out_doubled(&mut rows));
            }
            check_order(&rows, by_x).map_err(of_curve)?;
            let mut points: Vec<_> = match survey {
                None => rows.iter().map(|row| row.point).collect(),
                Some(survey) => survey.points(&mut rows.iter().map(|row| row.point)),
            };
            if closed && points.len() > 2 && points.first() != points.last() {
                points.push(points[0]);
            }
            // Of a step the row that ends it; of what closes a curve the last.
            let before = points.len().saturating_sub(rows.len() + usize::from(closed)).min(1);
            let row = |i: usize| &rows[i.saturating_sub(before).min(rows.len().saturating_sub(1))];
            let place = |i: usize| row(i).span.clone();
            let name = |i: usize| format!("row {}", row(i).number);
            let through =
                Points { points, whole: &node.span, place: &place, name: &name, key: "as", measured: false, closed };
            self.through(kind, reader, through, names).map_err(of_curve)?;
        }
        Ok(())
    }
}

/// Rows by the name of their curve, in the order of the first of each.
fn by_curve(rows: Vec<Row>) -> Vec<(String, Vec<Row>)> {
    let mut curves: Vec<(String, Vec<Row>)> = Vec::new();
    let mut known = HashMap::new();
    for row in rows {
        let index = *known.entry(row.curve.clone()).or_insert_with(|| {
            curves.push((row.curve.clone(), Vec::new()));
            curves.len() - 1
        });
        curves[index].1.push(row);
    }
    curves
}

/// A column, by its name or number.
fn column_of(node: &Node, key: &str) -> Result<Column, InputError> {
    match &node.value {
        Value::String(name) => Ok(Column { key: Key::Name(name.to_string()), span: node.span.clone() }),
        _ => match number(node, key)? {
            i if (1.0..=1e4).contains(&i) && i.fract() == 0.0 => {
                Ok(Column { key: Key::Number(i as usize - 1), span: node.span.clone() })
            }
            i => Err(InputError::new(&node.span, format!("there is no column {}", plain(i)), "a number from 1")),
        },
    }
}

/// The key `columns`: names, or numbers from 1.
fn columns(reader: &mut Reader) -> Result<Option<[Column; 2]>, InputError> {
    let Some(node) = reader.get("columns") else { return Ok(None) };
    let wrong = || wrong_type(node, "columns", "two names or numbers [x, y]");
    let Value::Array(items) = &node.value else { return Err(wrong()) };
    let [x, y] = items.as_slice() else { return Err(wrong()) };
    let columns = [column_of(x, "columns")?, column_of(y, "columns")?];
    let same = match (&columns[0].key, &columns[1].key) {
        (Key::Name(x), Key::Name(y)) => x.eq_ignore_ascii_case(y),
        (Key::Number(x), Key::Number(y)) => x == y,
        _ => false,
    };
    if same { Err(one_column(&node.span)) } else { Ok(Some(columns)) }
}

fn one_column(span: &Span) -> InputError {
    let help = "name two: columns = [\"x\", \"y\"] or [1, 2]";
    InputError::new(span, "x and y are the same column", "two columns [x, y]").with_help(help)
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
    /// The name of its curve; empty of the only one.
    curve: String,
    span: Span,
}

/// The points, and what of the text was left out.
fn rows(
    table: &Cells,
    columns: Option<[Column; 2]>,
    curve: Option<&Column>,
    (unit, survey): (f64, Option<Survey>),
    from: &Span,
) -> Result<(Vec<Row>, Vec<String>), InputError> {
    let named = |line: Line| header(table, &Block::headed(line), line, columns.as_ref(), (unit, survey)).is_ok();
    let block = Block::of(table, named);
    let Some(first) = block.head.or(block.first) else {
        let message = format!("the table {} is empty", table.source.name());
        return Err(InputError::new(from, message, "a file with a point in each row"));
    };
    let cells: Vec<(usize, &str)> = table.of(first.text).take(MAX_COLUMNS).collect();
    let (places, units) = if block.head.is_none() {
        let place = |column: Column| match column.key {
            Key::Number(i) => Ok(i),
            Key::Name(name) => {
                let message = format!("there is no column `{name}`: the table has no header");
                Err(InputError::new(&column.span, message, "a number of a column, from 1"))
            }
        };
        let units = match survey {
            None => [unit; 2],
            Some(survey) => [unit, survey.angle(None).ok_or_else(|| no_angle(from))?],
        };
        match columns {
            Some([x, y]) => ([place(x)?, place(y)?], units),
            None if cells.iter().filter(|(_, cell)| !cell.is_empty()).count() > 2 => {
                let span = table.span(first, 0, first.text.len());
                let message = format!("which columns are x and y? There are {} and no header", cells.len());
                let help = "name them: columns = [1, 2]; decimal commas need another separator, such as ;";
                return Err(InputError::new(&span, message, "this row").with_help(help));
            }
            None => ([0, 1], units),
        }
    } else {
        header(table, &block, first, columns.as_ref(), (unit, survey))?
    };
    let curve = match curve {
        None => None,
        Some(Column { key: Key::Number(i), .. }) if *i < cells.len() => Some(*i),
        Some(Column { key: Key::Number(i), span }) => {
            let message = format!("there is no column {}: the table has {}", i + 1, cells.len());
            return Err(InputError::new(span, message, format!("a number from 1 to {}", cells.len())));
        }
        Some(Column { key: Key::Name(name), span }) => {
            let found = cells.iter().position(|(_, cell)| cell.trim().eq_ignore_ascii_case(name));
            let found = found.filter(|_| block.head.is_some());
            let known = || listed(cells.iter().map(|(_, cell)| *cell));
            let missing =
                || InputError::new(span, format!("there is no column `{name}`"), format!("one of {}", known()));
            Some(found.ok_or_else(missing)?)
        }
    };
    let comma = table.decimal_commas(block.rows(table));
    let mut rows = Vec::new();
    for line in block.rows(table) {
        if table.separator == Separator::Character(',') && comma_in_quotes(line.text) {
            let message = format!("row {}: a comma inside quotes can't be told from a separator", line.number);
            let help = "separate the cells by ; or write decimal points";
            return Err(InputError::new(&table.span(line, 0, line.text.len()), message, "this row").with_help(help));
        }
        if let Some((start, cell)) = table.of(line.text).skip(cells.len()).find(|(_, cell)| !cell.is_empty()) {
            let found = table.of(line.text).count();
            let message = format!("row {} has {found} cells, but the first row has {}", line.number, cells.len());
            let help = "leave the others out, or give each a column in the first row; decimal commas need another separator \
                        than commas, such as ;";
            return Err(
                InputError::new(&table.span(line, start, cell.len()), message, "a cell too many").with_help(help)
            );
        }
        if rows.len() == MAX_ROWS {
            let message = format!("the table has more than {MAX_ROWS} rows");
            let help = "leave out what is finer than the ball can feel";
            return Err(InputError::new(&table.span(line, 0, line.text.len()), message, "this row").with_help(help));
        }
        let mut point = Vector2::zeros();
        for (axis, (place, unit)) in places.into_iter().zip(units).enumerate() {
            let Some((start, cell)) = table.of(line.text).nth(place) else {
                let (row, found) = (line.number, table.of(line.text).count());
                let message = format!("row {row} has no column {}, only {found}", place + 1);
                return Err(InputError::new(&table.span(line, 0, line.text.len()), message, "a cell is missing"));
            };
            point[axis] = match Cells::number(cell, comma) {
                Some(value) if value.is_finite() => value * unit,
                _ => {
                    let message = format!("row {}, column {}: `{cell}` is no finite number", line.number, place + 1);
                    let label = if comma { "a number with a decimal comma" } else { "a number" };
                    return Err(InputError::new(&table.span(line, start, cell.len()), message, label));
                }
            };
        }
        let curve = match curve.map(|column| table.of(line.text).nth(column)) {
            None => String::new(),
            Some(Some((_, name))) if !name.trim().is_empty() => name.trim().to_owned(),
            Some(_) => {
                let message = format!("row {} does not say of which curve it is", line.number);
                return Err(InputError::new(&table.span(line, 0, line.text.len()), message, "a name is missing"));
            }
        };
        rows.push(Row { number: line.number, point, curve, span: table.span(line, 0, line.text.len()) });
    }
    Ok((rows, block.notes()))
}

/// Names of lengths along the ground and up; two columns with others may be a distance and an angle, or a time and a place.
const ALONG: [&str; 7] = ["x", "way", "distance", "station", "chainage", "position", "s"];
const UP: [&str; 6] = ["y", "z", "height", "elevation", "altitude", "level"];

/// Which columns are x and y, and in which units.
fn header(
    table: &Cells,
    block: &Block,
    line: Line,
    columns: Option<&[Column; 2]>,
    (unit, survey): (f64, Option<Survey>),
) -> Result<([usize; 2], [f64; 2]), InputError> {
    let cells: Vec<(usize, &str)> = table.of(line.text).take(MAX_COLUMNS).collect();
    let headings: Vec<Heading> = cells.iter().map(|(_, cell)| length_heading(cell)).collect();
    let names: Vec<&str> = headings.iter().map(|heading| heading.name).collect();
    let all = |wanted: &str| {
        let is = |name: &str| name.trim().eq_ignore_ascii_case(wanted);
        let whole: Vec<usize> = (0..names.len()).filter(|i| is(cells[*i].1)).collect();
        if whole.is_empty() { (0..names.len()).filter(|i| is(names[*i])).collect() } else { whole }
    };
    let find = |wanted: &str| match all(wanted).as_slice() {
        [first, second, ..] => {
            let (start, cell) = cells[*second];
            let message = format!("columns {} and {} are both named `{}`", first + 1, second + 1, names[*second]);
            let help = format!("name them apart, or choose by number: columns = [{}, …]", first + 1);
            Err(InputError::new(&table.span(line, start, cell.len()), message, "the same name again").with_help(help))
        }
        named => Ok(named.first().copied()),
    };
    let listed = || listed(names.iter().copied());
    let length = |i: usize, known: &[&str]| known.iter().any(|known| names[i].eq_ignore_ascii_case(known));
    let places = match columns {
        Some(columns) => {
            let place = |column: &Column| match &column.key {
                Key::Number(i) if *i < names.len() => Ok(*i),
                Key::Number(i) => {
                    let message = format!("there is no column {}: the header has {}", i + 1, names.len());
                    Err(InputError::new(&column.span, message, format!("one of {}", listed())))
                }
                Key::Name(name) => find(name)?.ok_or_else(|| {
                    let message = format!("there is no column `{name}`");
                    InputError::new(&column.span, message, format!("one of {}", listed()))
                }),
            };
            let [x, y] = [place(&columns[0])?, place(&columns[1])?];
            if x == y {
                return Err(one_column(&columns[1].span));
            }
            [x, y]
        }
        None if survey.is_some() => {
            let found = |known: &[&str]| (0..names.len()).find(|i| length(*i, known));
            match (found(&DISTANCE), found(&ANGLE)) {
                (Some(distance), Some(angle)) => [distance, angle],
                _ if names.len() == 2 => [0, 1],
                _ => {
                    let span = table.span(line, 0, line.text.len());
                    let message = format!("which columns are distance and angle? There are {}", listed());
                    let help = "name them: columns = [\"…\", \"…\"]";
                    return Err(InputError::new(&span, message, "this header").with_help(help));
                }
            }
        }
        None => match (find("x")?, find("y")?) {
            (Some(x), Some(y)) => [x, y],
            _ if names.len() == 2 && names[0].eq_ignore_ascii_case(names[1]) => {
                find(names[0])?;
                [0, 1]
            }
            _ if names.len() == 2 && length(0, &ALONG) && length(1, &UP) => [0, 1],
            _ => {
                let span = table.span(line, 0, line.text.len());
                let message = format!("which columns are x and y? There are {}", listed());
                let help = match names.len() == 2 && length(0, &DISTANCE) && length(1, &ANGLE) {
                    true => {
                        "survey = \"steps\" if each row goes on from the last by a distance at an angle, \"polar\" if all are seen \
                         from one place; else name the columns: columns = [\"…\", \"…\"]"
                    }
                    false => "name them: columns = [\"…\", \"…\"]",
                };
                return Err(InputError::new(&span, message, "this header").with_help(help));
            }
        },
    };
    let mut units = [unit; 2];
    for (axis, place) in places.into_iter().enumerate() {
        let angle = survey.filter(|_| axis == 1);
        let Some((start, cell)) = cells.get(place) else { continue };
        let named = match (headings[place].unit, block.unit(table, place)) {
            (Some(unit), _) => Some((unit, table.span(line, *start, cell.len()))),
            (None, Some((line, start, name))) => Some((name, table.span(line, start, name.len()))),
            (None, None) => None,
        };
        units[axis] = match (angle, named) {
            (None, None) => continue,
            (Some(survey), named) => {
                let size = survey.angle(named.as_ref().map(|(name, _)| *name));
                size.ok_or_else(|| {
                    no_angle(named.as_ref().map_or(&table.span(line, *start, cell.len()), |(_, span)| span))
                })?
            }
            (None, Some((name, span))) => {
                let Some(Unit::Length(size)) = Unit::of(name) else {
                    let known = UNITS.map(|(name, _)| name).join(", ");
                    let help = "write the places in one of these, or leave the unit out of the table and give the curve a `unit`";
                    return Err(
                        InputError::new(&span, format!("unknown unit `{name}` of a length"), known).with_help(help)
                    );
                };
                size
            }
        };
    }
    Ok((places, units))
}

/// Name and unit of a column of places: in brackets, or behind it as [`Heading`] has it if that is one of a length.
fn length_heading(cell: &str) -> Heading<'_> {
    let heading = Heading::of(cell);
    let of_places = |unit: &str| matches!(Unit::of(unit), Some(Unit::Length(_) | Unit::Pixel));
    match heading.unit {
        Some(unit) if !cell.contains(['[', '(']) && !of_places(unit) => {
            Heading { set: "", name: cell.trim(), unit: None }
        }
        _ => heading,
    }
}

fn no_angle(span: &Span) -> InputError {
    InputError::new(span, "in which unit are the angles?", Survey::angles())
        .with_help("say it: angle-unit = \"deg\", or angle [deg] in the header")
}

/// Leaves out rows with the point of the row before, and tells of it.
fn leave_out_doubled(rows: &mut Vec<Row>) -> Option<String> {
    let (before, mut last) = (rows.len(), None);
    rows.dedup_by(|row, kept| {
        let same = row.point == kept.point;
        last = if same { Some(row.number) } else { last };
        same
    });
    match (before - rows.len(), last?) {
        (1, row) => Some(format!("row {row} has the point of the row before, and was left out")),
        (count, row) => {
            Some(format!("{count} rows have the point of the row before, and were left out (the last is {row})"))
        }
    }
}

/// Refuses points out of order.
fn check_order(rows: &[Row], by_x: bool) -> Result<(), InputError> {
    for pair in rows.windows(2) {
        let (before, row) = (&pair[0], &pair[1]);
        let (from, to) = (before.point, row.point);
        let fault = if by_x && !(to.x > from.x) {
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
        let help = match comes_back(rows) {
            true => {
                "the last row is next to the first: closed = true makes a closed curve of them, free side left of travel; \
                 order = \"as-written\" leaves it open"
            }
            false => {
                "leave the row out or sort the table; order = \"as-written\" allows any order of x, free side left of travel"
            }
        };
        return Err(InputError::new(&row.span, fault, "this row").with_help(help));
    }
    Ok(())
}

/// Whether the last row is no further from the first than neighbours are from each other.
fn comes_back(rows: &[Row]) -> bool {
    let steps = rows.windows(2).map(|pair| (pair[1].point - pair[0].point).norm());
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else { return false };
    (last.point - first.point).norm() <= steps.fold(0.0, f64::max)
}
