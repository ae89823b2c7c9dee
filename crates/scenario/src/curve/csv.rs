//! Reads the points of a ground from a text table: `kind = "csv"`.

use std::collections::HashMap;

use nalgebra::Vector2;

use super::csv_header::{AskedColumns, CURES, column_of, columns, layout};
use super::kinds_and_limits::{CurveTable, Parts, PointCurve};
use super::points::{Points, points_as};
use super::survey::{Doubt, Survey};
use crate::input::{
    AskedColumn, CSV_FILE, Cells, Columns, InputError, Lost, Rows, Span, UNITS, Value, listed, named_rows, plain,
    read_table,
};

impl Parts {
    /// Reads the keys of `kind = "csv"` and the table, and adds its curve, or several by `curve-column`.
    pub(super) fn csv(&mut self, table: &mut CurveTable) -> Result<(), InputError> {
        let (source, from) = self.text(table, "the path of a table of points, one a row", |path, from| {
            read_table(path, Some(from), CSV_FILE)
        })?;
        let reader = &mut *table.reader;
        let track = reader.string("track")?;
        let kind = points_as(reader)?;
        let unit = reader.choice("unit", &UNITS)?;
        let survey = Survey::read(reader)?;
        let closed = reader.flag("closed")?.unwrap_or(false);
        let order = reader.choice("order", &[("x", true), ("as-written", false)])?;
        let by_x = order.unwrap_or(!closed && survey.is_none());
        if closed && kind == PointCurve::SmoothingSpline {
            let help = "take as = \"spline\", or leave `closed` out";
            return Err(InputError::new(reader.span(), "a smoothing spline has two ends", "`closed`").with_help(help));
        }
        let columns = columns(reader)?;
        let (several, one) = (reader.get("curve-column"), reader.string("curve")?);
        let column = several.map(|node| column_of(node, "curve-column")).transpose()?;
        if let (Some(node), Some(_)) = (several, track) {
            let error = InputError::new(&node.span, "`track` and `curve-column` choose the same rows", "one of both");
            return Err(error.with_help("curve = \"NAME\" takes one of the curves"));
        }
        let asked = AskedColumns { columns: columns.as_ref(), unit, survey };
        let TableRows { rows, notes, steps } = read_rows(&Cells::new(&source), asked, column.as_ref(), track, &from)?;
        self.info.notes.extend(notes);
        if column.is_none() && one.is_some() {
            let message = "`curve` needs `curve-column`";
            return Err(InputError::new(reader.span(), message, "the column with the names of curves"));
        }
        if column.is_some() && rows.is_empty() {
            let message = format!("the table {} has no row with a point", source.name());
            return Err(InputError::new(&from, message, "a row for each point"));
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
                let alone = vec![("curve", Value::String(curve.as_str().into()))];
                let name = if source.is_quoted() { curve.clone() } else { format!("curve {}", self.curves.len() + 1) };
                self.begin(name, alone, &first.span)?;
            }
            if by_x && rows.len() > 1 && rows.windows(2).all(|pair| pair[1].point.x < pair[0].point.x) {
                self.info.notes.push("x falls from row to row: the table was read from its last row on".to_owned());
                rows.reverse();
            }
            let of_curve = |error: InputError| match column {
                Some(_) => error.after(&format!("`{curve}`: ")),
                None => error,
            };
            if survey.is_none() {
                self.info.notes.extend(leave_out_doubled(&mut rows));
            }
            if by_x {
                check_order(&rows).map_err(of_curve)?;
            }
            let mut points: Vec<_> = rows.iter().map(|row| row.point).collect();
            if let Some(survey) = survey {
                if let Some(Doubt { row, message, help }) = survey.doubt(&points, steps) {
                    let error = InputError::new(&rows[row].span, message, "this row");
                    return Err(of_curve(error.with_help(help)));
                }
                points = survey.points(&points);
            }
            if closed && points.len() > 2 && points.first() != points.last() {
                points.push(points[0]);
            }
            // The row of point i: the start of a survey by steps counts as row 0, a closing point as the last row.
            let start_point = points.len().saturating_sub(rows.len() + usize::from(closed)).min(1);
            let row = |i: usize| &rows[i.saturating_sub(start_point).min(rows.len().saturating_sub(1))];
            let place = |i: usize| row(i).span.clone();
            let name = |i: usize| format!("row {}", row(i).number);
            let through =
                Points { points, whole: &from, place: &place, name: &name, key: "as", measured: false, closed };
            self.through(kind, table, through).map_err(of_curve)?;
        }
        Ok(())
    }
}

/// Groups rows by the name of their curve, in the order of first rows.
fn by_curve(rows: Vec<PointRow>) -> Vec<(String, Vec<PointRow>)> {
    let mut curves: Vec<(String, Vec<PointRow>)> = Vec::new();
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
struct TableRows {
    rows: Vec<PointRow>,
    /// Notes on rows left out and columns chosen.
    notes: Vec<String>,
    /// Whether the header names the lengths as steps.
    steps: bool,
}

struct PointRow {
    /// Line of the file, from 1.
    number: usize,
    point: Vector2<f64>,
    /// Name of its curve; empty if there is only one.
    curve: String,
    span: Span,
}

/// Reads the rows of points. `curve`: the column with names of curves; `track`: the ball whose rows are wanted.
fn read_rows(
    cells: &Cells,
    asked: AskedColumns,
    curve: Option<&AskedColumn>,
    track: Option<&str>,
    from: &Span,
) -> Result<TableRows, InputError> {
    let columns: Vec<&AskedColumn> = asked.columns.iter().flat_map(|columns| columns.iter()).collect();
    let table = Columns::of(cells, &columns, |headed| layout(headed, asked).is_ok());
    if table.block.head.or(table.block.first).is_none() {
        let message = format!("the table {} is empty", cells.source.name());
        return Err(InputError::new(from, message, "a file with a point in each row"));
    }
    let layout = layout(&table, asked)?;
    let curve = curve.map(|column| table.find(column, &CURES)).transpose()?;
    let mut reader = Rows::new(&table, &layout.places, curve.is_none().then_some(track), &CURES)?;
    let (mut rows, mut written, mut blank) = (Vec::new(), Vec::new(), Vec::new());
    for line in table.block.rows(cells) {
        let Some(row) = reader.read(line)? else { continue };
        let [x, y] = layout.places;
        let numbers = match (row.number(x)?, row.number(y)?) {
            (Some(x), Some(y)) => [x, y],
            (None, None) => {
                blank.push(line.number);
                continue;
            }
            (None, _) => return Err(row.lacks(x)),
            (_, None) => return Err(row.lacks(y)),
        };
        let curve = curve.map(|column| row.cells.get(column).map_or("", |(_, name)| name.trim()));
        if curve == Some("") {
            let message = format!("row {} does not say of which curve it is", line.number);
            return Err(InputError::new(&row.span(), message, "a name is missing"));
        }
        written.push(numbers);
        let point = Vector2::new(layout.units[0] * numbers[0], layout.units[1] * numbers[1]);
        rows.push(PointRow { number: line.number, point, curve: curve.unwrap_or("").to_owned(), span: row.span() });
    }
    let lost = reader.finish()?;
    // Looks for marks of "not found"; a height of 0 alone is none.
    let heights = || written.iter().map(|[_, height]| *height);
    let both = Lost::of(&written).map(|lost| (lost, "x = y"));
    let of_heights = || Some((Lost::of_heights(heights()).filter(|lost| lost.mark != 0.0)?, "y"));
    let marked = both.or_else(of_heights).filter(|_| asked.survey.is_none());
    let mut notes = table.block.notes();
    notes.extend(layout.told);
    notes.extend(lost);
    notes.extend(named_rows(&blank, "has no place", "have no place", "left out"));
    if let Some((Lost { mark, rows: marked }, what)) = marked {
        let lines: Vec<usize> = marked.iter().map(|i| rows[*i].number).collect();
        let [one, many] = ["has", "have"].map(|has| {
            let mark = plain(mark);
            format!("{has} {what} = {mark}, far from the rows beside, as is written where nothing was found")
        });
        notes.extend(named_rows(&lines, &one, &many, "left out"));
        let mut at = 0..;
        rows.retain(|_| at.next().is_some_and(|i| marked.binary_search(&i).is_err()));
    }
    Ok(TableRows { rows, notes, steps: layout.steps })
}

/// Removes rows with the same point as the row before; returns a note on them.
fn leave_out_doubled(rows: &mut Vec<PointRow>) -> Option<String> {
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

/// Refuses points out of the order of x.
fn check_order(rows: &[PointRow]) -> Result<(), InputError> {
    let falls = rows.windows(2).find(|pair| !(pair[1].point.x > pair[0].point.x));
    let Some([before, row]) = falls else { return Ok(()) };
    let [from, to] = [before, row].map(|row| plain(row.point.x));
    let fault = format!("row {} is out of order: x = {to} m after {from} m in row {}", row.number, before.number);
    let help = match comes_back(rows) {
        true => {
            "the last row is next to the first: closed = true makes a closed curve of them, free side left of travel; \
             order = \"as-written\" leaves it open"
        }
        false => {
            "leave the row out or sort the table; order = \"as-written\" allows any order of x, free side left of travel"
        }
    };
    Err(InputError::new(&row.span, fault, "this row").with_help(help))
}

/// Whether the last point is as near to the first one as neighbours are to each other.
fn comes_back(rows: &[PointRow]) -> bool {
    let steps = rows.windows(2).map(|pair| (pair[1].point - pair[0].point).norm());
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else { return false };
    (last.point - first.point).norm() <= steps.fold(0.0, f64::max)
}
