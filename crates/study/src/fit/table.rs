//! Places of a ball over time from a table of text: plain CSV, or what Tracker exports.
//!
//! Tracker writes the name of the track (`mass A`), then `t`, `x`, `y` between tabs, then rows, blank where it lost the ball.

use std::path::Path;

use scenario::FAR;
use scenario::input::{
    Block, CSV_FILE, Cells, InputError, Line, Lost, Separator, Source, Span, Text, Tracks, holds_numbers, is_missing,
    is_not_found, lines, named_rows, plain, read_table, track_option,
};

use super::columns::{Asked, Layout, Reading, Sigma, columns, layout};
use super::data::{Data, Row, spacing};
use super::films;
use super::robust::median;

/// Reads a table.
pub fn load(path: &Path, reading: &Reading) -> Result<Data, InputError> {
    let Text { source, notes } = read_table(path, None, CSV_FILE)?;
    let mut data = read(&source, reading)?;
    data.hints.splice(..0, notes);
    Ok(data)
}

/// Reads a table from text.
pub fn read(source: &Source, reading: &Reading) -> Result<Data, InputError> {
    let cells = Cells::new(source);
    let Some(first) = lines(source).next() else {
        return Err(InputError::without_place(format!("the table {} is empty", source.name()))
            .with_help("give a file with rows of t, x, y"));
    };
    let whole = cells.span(first, 0, first.text.len());
    let asked = reading.columns.map(columns).transpose()?;
    let fps = asked.as_ref().and_then(|asked| asked.fps);
    if let (Some(fps), Some(other)) = (fps, reading.fps)
        && fps != other
    {
        let message = format!("--columns says {} frames per second, --fps {}", plain(fps), plain(other));
        return Err(InputError::without_place(message).with_help("give one of both"));
    }
    let reading = &Reading { fps: fps.or(reading.fps), ..*reading };
    // A header is one, whether or not what it lacks is given.
    let counted = Reading { fps: Some(1.0), ..*reading };
    let block = Block::of(
        &cells,
        |line| {
            let is = |reading| layout(&cells, &Block::headed(line), asked.as_ref(), reading, &whole).is_ok();
            is(reading) || reading.fps.is_none() && is(&counted)
        },
        |line| {
            asked
                .as_ref()
                .and_then(Asked::numbers)
                .is_some_and(|columns| holds_numbers(&cells, line, columns.into_iter()))
        },
    );
    let layout = layout(&cells, &block, asked.as_ref(), reading, &whole)?;
    let comma = cells.decimal_commas(block.rows(&cells));
    let mut data = Data {
        name: source.name().to_owned(),
        rows: Vec::new(),
        left_out: 0,
        away: Vec::new(),
        start: 0.0,
        pixels: layout.pixels,
        weighted: reading.sigma.is_some(),
        grain: [0.0; 2],
        hints: block.notes(),
    };
    data.hints.extend(layout.told.iter().cloned());
    let (mut ragged, mut lost, mut grains) = (Vec::new(), Vec::new(), [Vec::new(), Vec::new()]);
    let mut seen_first = None;
    let mut last: Option<(f64, Row, Line)> = None;
    let mut count = 0;
    let mut twice = Vec::new();
    let cure = "choose columns: --columns T,X,Y";
    let mut tracks = Tracks::of(layout.track, reading.track, track_option, (&whole, cure))?;
    let mut depths: Option<(f64, f64)> = None;
    for line in block.rows(&cells) {
        if count == MAX_ROWS {
            let message = format!("the table {} has more than {MAX_ROWS} rows", source.name());
            return Err(InputError::new(&cells.span(line, 0, line.text.len()), message, "one too many")
                .with_help("give the part of it that shows the motion"));
        }
        let reader = Reader { cells: &cells, line, comma, frame: count };
        if !tracks.wants(cells.of(line.text)) {
            continue;
        }
        count += 1;
        if reader.is_ragged(&layout)? {
            ragged.push(line.number);
        }
        let row = reader.row(&layout)?;
        if reader.is_lost(&layout) {
            lost.push(line.number);
            data.left_out += 1;
            continue;
        }
        let Some((time, row)) = row else {
            data.left_out += 1;
            continue;
        };
        if let Some(depth) = layout.depth.and_then(|column| reader.number(column).ok().flatten()) {
            let (low, high) = depths.unwrap_or((depth, depth));
            depths = Some((low.min(depth), high.max(depth)));
        }
        match last {
            Some((before, same, _)) if time == before && is_same(&same, &row) => {
                twice.push(line.number);
                data.left_out += 1;
                continue;
            }
            Some((before, _, other)) if !(time > before) => {
                return Err(tracks.unless_several(backwards(&cells, [(before, other), (time, line)])));
            }
            _ => {}
        }
        last = Some((time, row, line));
        if row.place.iter().any(|c| c.is_finite()) {
            for (all, grain) in grains.iter_mut().zip(reader.grains(&layout)) {
                all.extend(grain);
            }
            data.rows.push(row);
            seen_first = seen_first.or(Some(line));
        } else {
            data.left_out += 1;
        }
    }
    if let Some((low, high)) = depths.filter(|(low, high)| low != high) {
        let message = format!("places are in space: z goes from {} to {}", plain(low), plain(high));
        return Err(InputError::new(&whole, message, "which two of x, y and z are in the plane of motion?")
            .with_help("name them, the one that points up last: --columns T,X,Z"));
    }
    tracks.found(asked.is_some(), "name the columns if all are one: --columns T,X,Y", &whole)?;
    let lost_by = "not found by the tracker";
    data.hints.extend(named_rows(
        &lost,
        &format!("has the ball {lost_by}"),
        &format!("have the ball {lost_by}"),
        "left out",
    ));
    data.hints.extend(named_rows(&twice, "is there twice", "are there twice", "left out"));
    let written = grains.map(|mut of| median(&mut of).unwrap_or(0.0));
    data.grain = [0, 1].map(|axis| spacing(data.rows.iter().map(|row| row.place[axis]), written[axis]));
    if count == 0 {
        let message = format!("the table {} has no row of numbers", source.name());
        return Err(InputError::new(&whole, message, "this is all").with_help("give rows of t, x, y below the header"));
    }
    let (Some(begin), Some(end)) = (data.rows.first().copied(), data.rows.last().copied()) else {
        let message = format!("no row of the table {} has a place", source.name());
        return Err(InputError::new(&whole, message, format!("{count} rows without"))
            .with_help("blank cells and NaN are places not seen; --columns T,X,Y names other columns"));
    };
    for (name, axis) in [("x", 0), ("y", 1)] {
        if layout.places[axis].is_some() && !data.seen().any(|(_, seen, _)| seen == axis) {
            let message = format!("no row of the table {} has a number for {name}", source.name());
            return Err(InputError::new(&whole, message, "this column is empty")
                .with_help(format!("if {name} was not seen, say so: --columns T,X,Y with - for it")));
        }
    }
    let seen_as = "what they would hold counts as not seen";
    data.hints.extend(named_rows(&ragged, "misses cells", "miss cells", seen_as));
    lost_places(&mut data);
    data.leave_out_what_never_changes();
    data.start = reading.start.unwrap_or(begin.time);
    let before = data.rows.iter().take_while(|row| row.time < data.start).count();
    let after = reading.end.map_or(0, |end| data.rows.iter().rev().take_while(|row| row.time > end).count());
    if data.rows.len().saturating_sub(before + after) < 2 {
        let message = match (data.rows.len(), before, after) {
            (1, 0, 0) => "one row says nothing of a motion".to_owned(),
            (_, 0, 0) => format!("{} rows with a place say nothing of a motion", data.rows.len()),
            (.., 0) => {
                format!("the table ends at t = {} s, and the start is t = {} s", plain(end.time), plain(data.start))
            }
            _ => format!("between t = {} s and --end there are fewer than two rows", plain(data.start)),
        };
        let place = seen_first.map_or(whole, |line| cells.span(line, 0, line.text.len()));
        return Err(InputError::new(&place, message, "at least two rows after the start"));
    }
    data.rows.truncate(data.rows.len() - after);
    data.rows.drain(..before);
    data.left_out += before + after;
    let start = data.start;
    data.rows.iter_mut().for_each(|row| row.time -= start);
    films::mend(&mut data, reading.every_row);
    Ok(data)
}

/// Leaves out rows that show nothing, as a tracker that lost the ball writes them.
fn lost_places(data: &mut Data) {
    let places: Vec<[f64; 2]> = data.rows.iter().map(|row| row.place).collect();
    let Some(Lost { mark, rows }) = Lost::of(&places) else { return };
    let axes = if places[rows[0]].iter().all(|c| c.is_finite()) { "x = y" } else { "its place" };
    let [one, many] = ["has", "have"].map(|has| {
        format!("{has} {axes} = {}, far from the rows beside, as trackers write where they lost the ball", plain(mark))
    });
    data.leave_out(&rows, [&one, &many], "left out");
}

/// Rows of a table, at most: a film of some hours.
const MAX_ROWS: usize = 300_000;

/// Whether two rows say the same.
fn is_same(a: &Row, b: &Row) -> bool {
    (0..2).all(|axis| a.place[axis] == b.place[axis] || a.place[axis].is_nan() && b.place[axis].is_nan())
}

/// The error of two rows of which the second is not later.
fn backwards(cells: &Cells, [(before, other), (time, line)]: [(f64, Line); 2]) -> InputError {
    let message = format!(
        "row {}: t = {} s comes after t = {} s in row {}",
        line.number,
        plain(time),
        plain(before),
        other.number
    );
    InputError::new(&cells.span(line, 0, line.text.len()), message, "time must grow")
        .with_help("sort the table by time, and leave out rows that are there twice")
}

/// Unit of the last digit of a number.
fn grain(cell: &str) -> Option<f64> {
    let (mantissa, exponent) = cell.split_once(['e', 'E']).unwrap_or((cell, "0"));
    let decimals = mantissa.split_once(['.', ',']).map_or(0, |(_, decimals)| decimals.len());
    let exponent = exponent.parse::<i32>().ok()?;
    let last = exponent.checked_sub(i32::try_from(decimals).ok()?)?;
    (!cell.is_empty()).then(|| 10f64.powi(last))
}

/// A line of numbers.
struct Reader<'a> {
    cells: &'a Cells<'a>,
    line: Line<'a>,
    comma: bool,
    /// Number of rows before it.
    frame: usize,
}

impl Reader<'_> {
    /// Whether a cell that is needed is not there; more cells than in the header are an error.
    fn is_ragged(&self, layout: &Layout) -> Result<bool, InputError> {
        let Reader { cells, line, .. } = *self;
        let (mut count, mut full) = (0, 0);
        for (_, cell) in cells.of(line.text) {
            count += 1;
            // A remark behind the last column takes nothing from those before.
            let is_remark = count > layout.width && !cell.bytes().any(|b| b.is_ascii_digit());
            full = if is_remark { full } else { count };
        }
        if full > layout.width {
            let message = format!("row {} has {full} cells, and the table {} columns", line.number, layout.width);
            let help = match cells.separator {
                Separator::Character(',') => "write decimal commas in quotes, or separate the cells by ;",
                _ => {
                    "give each column a name in the header, or choose by number: --columns 1,2,3, - for what is not there"
                }
            };
            return Err(InputError::new(&self.span(), message, "this row").with_help(help));
        }
        // Between blanks what is missing can't be told, and what is there may be another ball's.
        if cells.separator == Separator::Blank && layout.several && count < layout.width {
            let message = format!("row {} has {count} cells, and the table {} columns", line.number, layout.width);
            return Err(InputError::new(&self.span(), message, "which of them are missing?")
                .with_help("export the table with tabs or commas between its cells"));
        }
        if let Separator::Character(separator) = cells.separator {
            // A blank cell may end a row.
            count += usize::from(line.text.ends_with(separator));
        }
        let needed = layout.places.iter().flatten().map(|(column, _)| *column).chain(layout.time.0);
        Ok(needed.max().is_some_and(|last| last >= count))
    }

    /// Whether a column says that the ball was not found: what stands for a place is none.
    fn is_lost(&self, layout: &Layout) -> bool {
        let cell = layout.found.and_then(|column| self.cells.of(self.line.text).nth(column));
        cell.is_some_and(|(_, cell)| is_not_found(cell))
    }

    /// Time of the table and the row; `None`: nothing in it.
    fn row(&self, layout: &Layout) -> Result<Option<(f64, Row)>, InputError> {
        let line = self.line;
        let time = layout.time.0.map_or(Ok(Some(self.frame as f64)), |column| self.number(column))?;
        let mut place = [f64::NAN; 2];
        for (place, column) in place.iter_mut().zip(layout.places) {
            let Some((column, size)) = column else { continue };
            *place = size * self.number(column)?.unwrap_or(f64::NAN);
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
        let numbers = [("t", time), ("x", place[0]), ("y", place[1]), ("sigma", sigma)];
        if let Some((name, value)) = numbers.into_iter().find(|(_, value)| value.abs() > FAR) {
            let message = format!("row {}: {name} = {} is too large for a run", line.number, plain(value));
            return Err(InputError::new(&self.span(), message, format!("at most {FAR:e} (s, m or pixels) either way"))
                .with_help("is this the right column, in the right unit?"));
        }
        Ok(Some((time, Row { line: line.number, time, place, sigma })))
    }

    /// Unit of the last digit of each place.
    fn grains(&self, layout: &Layout) -> [Option<f64>; 2] {
        let of = |(column, size): (usize, f64)| Some(size * grain(self.cells.of(self.line.text).nth(column)?.1)?);
        layout.places.map(|place| place.and_then(of))
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
        if is_missing(cell) {
            return Ok(None);
        }
        match Cells::number(cell, self.comma).filter(|value| value.is_finite()) {
            Some(value) => Ok(Some(value)),
            None => {
                let told = self.cells.no_number(cell, self.comma);
                let message = format!("row {}, column {}: {told}", self.line.number, column + 1);
                let label = if self.comma { "a number with a decimal comma" } else { "a number" };
                let help = "leave the cell blank where nothing was seen; of times of a clock write the seconds, or --columns -/F,X,Y where \
                            each row is a frame, F a second";
                Err(InputError::new(&self.cells.span(self.line, start, cell.len()), message, label).with_help(help))
            }
        }
    }
}
