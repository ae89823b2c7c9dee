//! Reads the places of a ball over time from a text table: plain CSV, or an export of Tracker.
//!
//! Tracker writes the name of the track (`mass A`), then `t`, `x`, `y` between tabs, then rows, blank where it lost the
//! ball.

use std::path::Path;

use scenario::FAR;
use scenario::input::{
    AskedColumn, CSV_FILE, Cells, Columns, InputError, Lost, Row, Rows, Source, Text, lines, plain, read_table,
};

use super::columns::{CURES, FilmColumns, Reading, Sigma, asked_columns, layout};
use super::data::{Data, FilmRow, KEPT};
use super::film_faults;
use super::noise::spacing;
use super::robust::median;

/// A ball moves if its step exceeds this many units of the last digit written; equal neighbouring places then are a
/// repeated frame.
const MOVED: f64 = 5.0;

/// Reads a table from a file.
pub fn load(path: &Path, reading: &Reading) -> Result<Data, InputError> {
    let Text { source, notes } = read_table(path, None, CSV_FILE)?;
    let mut data = read(&source, reading)?;
    data.hints.splice(..0, notes);
    Ok(data)
}

/// Reads a table from text.
pub fn read(source: &Source, reading: &Reading) -> Result<Data, InputError> {
    let cells = Cells::new(source);
    if lines(source).next().is_none() {
        return Err(InputError::without_place(format!("the table {} is empty", source.name()))
            .with_help("give a file with rows of t, x, y"));
    }
    let asked = reading.columns.map(asked_columns).transpose()?;
    // For telling a header, missing times do not matter: they may be given by another option.
    let counted = Reading { fps: Some(1.0), ..*reading };
    let columns: Vec<&AskedColumn> = asked.iter().flatten().flatten().collect();
    let table = Columns::of(&cells, &columns, |headed| {
        let is = |reading| layout(headed, asked.as_ref(), reading).is_ok();
        is(reading) || reading.fps.is_none() && is(&counted)
    });
    let layout = layout(&table, asked.as_ref(), reading)?;
    let whole = table.place();
    let mut data = Data {
        name: source.name().to_owned(),
        rows: Vec::new(),
        left_out: 0,
        away: Vec::new(),
        start: 0.0,
        pixels: layout.pixels,
        weighted: reading.sigma.is_some(),
        grain: [0.0; 2],
        hints: table.block.notes(),
    };
    data.hints.extend(layout.told.iter().cloned());
    let places: Vec<usize> = layout.places.iter().flatten().map(|(column, _)| *column).collect();
    let mut rows = Rows::new(&table, &places, Some(reading.track), &CURES)?;
    let mut grains = [Vec::new(), Vec::new()];
    let mut last: Option<(f64, usize)> = None;
    for line in table.block.rows(&cells) {
        let frame = rows.count;
        let Some(cells_of_row) = rows.read(line)? else {
            data.left_out += rows.count - frame;
            continue;
        };
        let Some((time, row)) = film_row(&cells_of_row, &layout, frame)? else {
            data.left_out += 1;
            continue;
        };
        if let Some((before, other)) = last.filter(|(before, _)| !(time > *before)) {
            let [number, before, time] = [line.number as f64, before, time].map(plain);
            let message = format!("row {number}: t = {time} s comes after t = {before} s in row {other}");
            let error = InputError::new(&cells_of_row.span(), message, "time must grow")
                .with_help("sort the table by time, and leave out rows that are there twice");
            return Err(rows.unless_several(error));
        }
        last = Some((time, line.number));
        if row.place.iter().any(|c| c.is_finite()) {
            for (all, place) in grains.iter_mut().zip(layout.places) {
                all.extend(place.and_then(|(column, size)| Some(size * grain(cells_of_row.cells.get(column)?.1)?)));
            }
            data.rows.push(row);
        } else {
            data.left_out += 1;
        }
    }
    data.hints.extend(rows.finish()?);
    let written = grains.map(|mut of| median(&mut of).unwrap_or(0.0));
    data.grain = [0, 1].map(|axis| spacing(data.rows.iter().map(|row| row.place[axis]), written[axis]));
    let (Some(begin), Some(end)) = (data.rows.first().copied(), data.rows.last().copied()) else {
        let name = source.name();
        let message = format!("no row of the table {name} has a place");
        let label = format!("{} rows without", rows.count);
        let help = "give rows of t, x, y below the header; blank cells and NaN are places not seen; --columns T,X,Y names other columns";
        return Err(InputError::new(&whole, message, label).with_help(help));
    };
    for (name, axis) in [("x", 0), ("y", 1)] {
        if layout.places[axis].is_some() && !data.seen().any(|(_, seen, _)| seen == axis) {
            let message = format!("no row of the table {} has a number for {name}", source.name());
            return Err(InputError::new(&whole, message, "this column is empty")
                .with_help(format!("if {name} was not seen, say so: --columns T,X,Y with - for it")));
        }
    }
    lost_places(&mut data);
    data.leave_out_what_never_changes();
    data.start = reading.start.unwrap_or(begin.time);
    let before = data.rows.iter().take_while(|row| row.time < data.start).count();
    let after = reading.end.map_or(0, |end| data.rows.iter().rev().take_while(|row| row.time > end).count());
    if data.rows.len().saturating_sub(before + after) < 2 {
        let [start, end] = [data.start, end.time].map(plain);
        let message = match data.rows.len() {
            1 => "one row says nothing of a motion".to_owned(),
            _ => format!("from t = {start} s to --end are fewer than two rows: the table ends at t = {end} s"),
        };
        return Err(InputError::new(&whole, message, "at least two rows after the start"));
    }
    data.rows.truncate(data.rows.len() - after);
    data.rows.drain(..before);
    data.left_out += before + after;
    let start = data.start;
    data.rows.iter_mut().for_each(|row| row.time -= start);
    film_faults::tell_held(&mut data);
    if !reading.every_row {
        leave_out_repeats(&mut data);
        film_faults::mend(&mut data);
    }
    Ok(data)
}

/// Leaves out rows without a place, as written by a tracker that lost the ball.
fn lost_places(data: &mut Data) {
    let places: Vec<[f64; 2]> = data.rows.iter().map(|row| row.place).collect();
    let Some(Lost { mark, rows }) = Lost::of(&places) else { return };
    let axes = if places[rows[0]].iter().all(|c| c.is_finite()) { "x = y" } else { "its place" };
    let [one, many] = ["has", "have"].map(|has| {
        format!("{has} {axes} = {}, far from the rows beside, as trackers write where they lost the ball", plain(mark))
    });
    data.leave_out(&rows, [&one, &many], "left out");
}

/// Leaves out rows with the place of the row before while the ball moves before and after: frames shown twice, or a
/// tracker that stood still.
fn leave_out_repeats(data: &mut Data) {
    let apart = |a: &FilmRow, b: &FilmRow| {
        [0, 1].map(|axis| b.place[axis] - a.place[axis]).map(|by| if by.is_finite() { by } else { 0.0 })
    };
    let moves = |by: [f64; 2]| {
        let grains = [0, 1].map(|axis| if by[axis] == 0.0 { 0.0 } else { by[axis] / data.grain[axis] });
        grains[0].hypot(grains[1]) > MOVED
    };
    let (mut again, mut end) = (Vec::new(), 0);
    let still: Vec<&[FilmRow]> = data.rows.chunk_by(|a, b| apart(a, b) == [0.0; 2]).collect();
    for three in still.windows(3) {
        end += three[0].len();
        let [before, after] = [apart(&three[0][three[0].len() - 1], &three[1][0]), apart(&three[1][0], &three[2][0])];
        if moves(before) && moves(after) && before[0] * after[0] + before[1] * after[1] > 0.0 {
            again.extend(end + 1..end + three[1].len());
        }
    }
    data.leave_out(&again, ["shows the frame before again", "show the frame before again"], KEPT);
}

/// Unit of the last digit of a number in text.
fn grain(cell: &str) -> Option<f64> {
    let (mantissa, exponent) = cell.split_once(['e', 'E']).unwrap_or((cell, "0"));
    let decimals = mantissa.split_once(['.', ',']).map_or(0, |(_, decimals)| decimals.len());
    let exponent = exponent.parse::<i32>().ok()?;
    let last = exponent.checked_sub(i32::try_from(decimals).ok()?)?;
    (!cell.is_empty()).then(|| 10f64.powi(last))
}

/// Time of the table and place of a row; `None`: the row has no place. `frame`: number of rows before it.
fn film_row(row: &Row, layout: &FilmColumns, frame: usize) -> Result<Option<(f64, FilmRow)>, InputError> {
    let number = |column: usize| {
        row.number(column).map_err(|error| match row.cells.get(column) {
            None => error,
            Some(_) => error.with_help(
                "leave the cell blank where nothing was seen; of times of a clock write the seconds, or --columns -,X,Y --fps F \
                 where each row is a frame",
            ),
        })
    };
    let line = row.line.number;
    let wrong = |message: String, label: String| Err(InputError::new(&row.span(), message, label));
    let time = layout.time.0.map_or(Ok(Some(frame as f64)), number)?;
    let mut place = [f64::NAN; 2];
    for (place, column) in place.iter_mut().zip(layout.places) {
        let Some((column, size)) = column else { continue };
        *place = size * number(column)?.unwrap_or(f64::NAN);
    }
    let Some(time) = time else {
        if place.iter().any(|c| c.is_finite()) {
            let label = "give its time, or leave the row out".to_owned();
            return wrong(format!("row {line} has a place and no time"), label);
        }
        return Ok(None);
    };
    let sigma = match layout.sigma {
        Sigma::Value(value) => value,
        Sigma::AskedColumn(column, size) => match number(column)? {
            Some(value) if value > 0.0 => value * size,
            None if place.iter().all(|c| c.is_nan()) => 1.0,
            _ => {
                let label = "a standard deviation above 0".to_owned();
                return wrong(format!("row {line}: its sigma is not positive"), label);
            }
        },
    };
    let time = time * layout.time.1;
    let numbers = [("t", time), ("x", place[0]), ("y", place[1]), ("sigma", sigma)];
    if let Some((name, value)) = numbers.into_iter().find(|(_, value)| value.abs() > FAR) {
        let message = format!("row {line}: {name} = {} is too large for a run", plain(value));
        return wrong(message, format!("at most {FAR:e} (s, m or pixels) either way"))
            .map_err(|error| error.with_help("is this the right column, in the right unit?"));
    }
    Ok(Some((time, FilmRow { line, time, place, sigma })))
}
