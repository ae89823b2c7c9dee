//! Points from a table of text: `kind = "csv"`.

use std::collections::HashMap;
use std::path::Path;

use nalgebra::Vector2;

use super::csv_header::{Asked, Column, Key, Layout, column_of, columns, header, no_angle};
use super::file_of;
use super::parts::{Kind, MAX_PIECES, Names, Parts};
use super::points::{Points, points_as};
use super::survey::{Doubt, Survey};
use crate::input::{
    Block, CSV_FILE, Cells, InputError, Line, Lost, MAX_COLUMNS, Reader, Role, Separator, Span, Text, Tracks, UNITS,
    Value, comma_in_quotes, holds_numbers, is_missing, is_not_found, listed, named_rows, plain, read_table, track_key,
    wrong_type,
};

impl Parts {
    pub(super) fn csv(&mut self, reader: &mut Reader, base: &Path, names: Names) -> Result<(), InputError> {
        let node = reader.need("file", "the path of a table of points, one a row")?;
        let Value::String(path) = &node.value else { return Err(wrong_type(node, "file", "a path")) };
        self.count_file(&node.span)?;
        let track = reader.string("track")?;
        let Text { source, notes } = read_table(&file_of(path, base), Some(&node.span), CSV_FILE)?;
        self.notes.extend(notes);
        let kind = points_as(reader)?;
        let unit = reader.choice("unit", &UNITS)?;
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
        let asked = Asked { columns: columns.as_ref(), unit, survey };
        let Read { rows, notes, steps } = rows(&Cells::new(&source), asked, column.as_ref(), track, &node.span)?;
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
            let mut points: Vec<_> = rows.iter().map(|row| row.point).collect();
            if let Some(survey) = survey {
                if let Some(Doubt { row, message, help }) = survey.doubt(&points, steps) {
                    let error = InputError::new(&rows[row].span, message, "its distance");
                    return Err(of_curve(error.with_help(help)));
                }
                points = survey.points(&points);
            }
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

/// Rows of a table, and how they were read.
struct Read {
    rows: Vec<Row>,
    /// Notes of rows that were left out, and of columns that were taken.
    notes: Vec<String>,
    /// Whether its distances are called steps.
    steps: bool,
}

struct Row {
    /// Line of the file, from 1.
    number: usize,
    point: Vector2<f64>,
    /// The name of its curve; empty of the only one.
    curve: String,
    span: Span,
}

/// The points, and what of the text was left out. `curve`: the column that names them; `track`: the ball that is wanted.
fn rows(
    table: &Cells,
    asked: Asked,
    curve: Option<&Column>,
    track: Option<&str>,
    from: &Span,
) -> Result<Read, InputError> {
    let chosen = |column: &Column| if let Key::Number(i) = column.key { Some(i) } else { None };
    let chosen: Option<Vec<usize>> = asked.columns.and_then(|columns| columns.iter().map(chosen).collect());
    let block = Block::of(
        table,
        |line| header(table, &Block::headed(line), line, asked).is_ok(),
        |line| chosen.as_ref().is_some_and(|columns| holds_numbers(table, line, columns.iter().copied())),
    );
    let Some(first) = block.head.or(block.first) else {
        let message = format!("the table {} is empty", table.source.name());
        return Err(InputError::new(from, message, "a file with a point in each row"));
    };
    let (cells, layout) = match block.head {
        Some(_) => (block.names(table), header(table, &block, first, asked)?),
        None => (table.of(first.text).take(MAX_COLUMNS).collect(), unnamed(table, first, asked, from)?),
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
    let whole = table.span(first, 0, first.text.len());
    // A column that names curves, or columns that are chosen, say that all rows are meant.
    let [named, chosen] = [curve.is_some(), asked.columns.is_some()];
    let column = layout.column(&Role::Track).filter(|_| !named);
    let mut tracks = Tracks::of(column, track, track_key, (&whole, "leave `track` out"))?;
    let found = layout.column(&Role::Found);
    let depth = layout.column(&Role::Place(2, String::new())).filter(|_| !chosen);
    let mut depths: Option<(f64, f64)> = None;
    let (mut rows, mut written) = (Vec::new(), Vec::new());
    let (mut lost, mut blank) = (Vec::new(), Vec::new());
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
        if rows.len() == MAX_PIECES {
            let message = format!("the table has more than {MAX_PIECES} rows");
            let help = "leave out what is finer than the ball can feel";
            return Err(InputError::new(&table.span(line, 0, line.text.len()), message, "this row").with_help(help));
        }
        let cell = |column: usize| table.of(line.text).nth(column);
        if !tracks.wants(table.of(line.text)) {
            continue;
        }
        if found.and_then(cell).is_some_and(|(_, cell)| is_not_found(cell)) {
            lost.push(line.number);
            continue;
        }
        // Behind other separators than blanks a row may end where nothing is left.
        let is_blank = |place: &usize| match cell(*place) {
            Some((_, cell)) => is_missing(cell),
            None => table.separator != Separator::Blank,
        };
        if layout.places.iter().all(is_blank) {
            blank.push(line.number);
            continue;
        }
        let mut numbers = [0.0; 2];
        for (number, place) in numbers.iter_mut().zip(layout.places) {
            let Some((start, cell)) = cell(place) else {
                let (row, found) = (line.number, table.of(line.text).count());
                let message = format!("row {row} has no column {}, only {found}", place + 1);
                return Err(InputError::new(&table.span(line, 0, line.text.len()), message, "a cell is missing"));
            };
            *number = match Cells::number(cell, comma).filter(|value| value.is_finite()) {
                Some(value) => value,
                None => {
                    let told = table.no_number(cell, comma);
                    let message = format!("row {}, column {}: {told}", line.number, place + 1);
                    let label = if comma { "a number with a decimal comma" } else { "a number" };
                    return Err(InputError::new(&table.span(line, start, cell.len()), message, label));
                }
            };
        }
        if let Some(z) = depth.and_then(cell).and_then(|(_, cell)| Cells::number(cell, comma)) {
            let (low, high) = depths.unwrap_or((z, z));
            depths = Some((low.min(z), high.max(z)));
        }
        let curve = match curve.map(cell) {
            None => String::new(),
            Some(Some((_, name))) if !name.trim().is_empty() => name.trim().to_owned(),
            Some(_) => {
                let message = format!("row {} does not say of which curve it is", line.number);
                return Err(InputError::new(&table.span(line, 0, line.text.len()), message, "a name is missing"));
            }
        };
        written.push(numbers);
        let point = Vector2::new(layout.units[0] * numbers[0], layout.units[1] * numbers[1]);
        rows.push(Row { number: line.number, point, curve, span: table.span(line, 0, line.text.len()) });
    }
    let all = "columns = [\"…\", \"…\"] if all are one, curve-column = \"…\" if each is a curve";
    tracks.found(chosen || named, all, &whole)?;
    if let Some((low, high)) = depths.filter(|(low, high)| low != high) {
        let message = format!("the points are in space: z goes from {} to {}", plain(low), plain(high));
        return Err(InputError::new(&whole, message, "which two of x, y and z are in the plane of motion?")
            .with_help("name them, the one that points up last: columns = [\"x\", \"z\"]"));
    }
    // 0 may be a height.
    let heights = || written.iter().map(|[_, height]| *height);
    let both = Lost::of(&written).map(|lost| (lost, "x = y"));
    let of_heights = || Some((Lost::of_heights(heights()).filter(|lost| lost.mark != 0.0)?, "y"));
    let marked = both.or_else(of_heights).filter(|_| asked.survey.is_none());
    let mut notes = block.notes();
    notes.extend(layout.told);
    let left_out = |rows: &[usize], one: &str, many: &str| named_rows(rows, one, many, "left out");
    notes.extend(left_out(&lost, "has nothing found", "have nothing found"));
    notes.extend(left_out(&blank, "has no place", "have no place"));
    if let Some((Lost { mark, rows: marked }, what)) = marked {
        let lines: Vec<usize> = marked.iter().map(|i| rows[*i].number).collect();
        let is = |has: &str| {
            let mark = plain(mark);
            format!("{has} {what} = {mark}, far from the rows beside, as is written where nothing was found")
        };
        notes.extend(left_out(&lines, &is("has"), &is("have")));
        marked.iter().rev().for_each(|i| {
            rows.remove(*i);
        });
    }
    Ok(Read { rows, notes, steps: layout.steps })
}

/// The columns of a table without a header.
fn unnamed(table: &Cells, first: Line, asked: Asked, from: &Span) -> Result<Layout, InputError> {
    let unit = asked.unit.unwrap_or(1.0);
    let place = |column: &Column| match &column.key {
        Key::Number(i) => Ok(*i),
        Key::Name(name) => {
            let message = format!("there is no column `{name}`: the table has no header");
            Err(InputError::new(&column.span, message, "a number of a column, from 1"))
        }
    };
    let units = match asked.survey {
        None => [unit; 2],
        Some(survey) => [unit, survey.angle(None).ok_or_else(|| no_angle(from))?],
    };
    let width = table.of(first.text).take(MAX_COLUMNS).count();
    let places = match asked.columns {
        Some([x, y]) => [place(x)?, place(y)?],
        None if table.of(first.text).filter(|(_, cell)| !cell.is_empty()).count() > 2 => {
            let span = table.span(first, 0, first.text.len());
            let message = format!("which columns are x and y? There are {width} and no header");
            let help = "name them: columns = [1, 2]; decimal commas need another separator, such as ;";
            return Err(InputError::new(&span, message, "this row").with_help(help));
        }
        None => [0, 1],
    };
    Ok(Layout { places, units, roles: Vec::new(), told: Vec::new(), steps: false })
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
